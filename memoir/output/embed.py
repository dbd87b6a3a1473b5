"""The shapes of `embed` and `index`."""

from pathlib import Path
from typing import TYPE_CHECKING

from memoir.output.answer import Answer, lines
from memoir.output.text import plural

if TYPE_CHECKING:
    from memoir.index.complete import Completed
    from memoir.index.status import IndexStatus


def status(found: "IndexStatus") -> Answer:
    """`embed status`."""
    data = {
        "embedder": found.embedder,
        "minilm_installed": found.minilm_installed,
        "minilm_folder": found.minilm_folder,
        "documents": found.documents,
        "embedded": found.embedded,
    }
    installed = f"installed in {found.minilm_folder}" if found.minilm_installed else "not installed"
    indexed = "none yet; the first recall builds it"
    if found.documents is not None:
        indexed = f"{plural(found.documents, 'memory', 'memories')}, {found.embedded:,} with a vector"
    return Answer(data, lines(f"embedder  {found.embedder}", f"minilm    {installed}", f"index     {indexed}"))


def installed(name: str, folder: Path, size: int) -> Answer:
    """`embed install`."""
    data = {"embedder": name, "folder": str(folder), "bytes": size}
    return Answer(data, lines(f"installed {name} in {folder} ({size / 1e6:.0f} MB)"), optional=True)


def completed(done: "Completed", *, rebuilt: bool) -> Answer:
    """`index`: what the index holds now."""
    data = {
        "memories": done.paths,
        "documents": done.documents,
        "embedder": done.embedder,
        "rebuilt": rebuilt,
        "bytes": done.size,
        "degraded": "; ".join(done.degraded) or None,
    }
    what = f"indexed {plural(done.paths, 'memory', 'memories')} ({done.size / 1e6:.1f} MB)"
    return Answer(data, lines(what, *(f"degraded: {note}" for note in done.degraded)), optional=True)
