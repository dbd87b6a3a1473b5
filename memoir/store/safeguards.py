"""What keeps a store from being lost: its file `.git`, and a second copy of its config.

With `.git` the project around takes the store for another repository and leaves it alone. The copy brings remotes and
settings back if the config is lost; it counts only then, and must pass the guard as the config does.
"""

from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore, UnsafeStore
from memoir.git.fsync import replace
from memoir.store import guard
from memoir.store.locate import DIRECTORY

COPY = "memoir-config"


def renew(git_dir: Path) -> None:
    """Write `.git` if a power cut took it, and the copy of the config if it is not what the config is now."""
    config = (git_dir / "config").read_bytes()
    if _read(git_dir / COPY) != config:
        replace(git_dir / COPY, config)
    if lacks_gitfile(git_dir):
        replace(git_dir / ".git", guard.OWN_GITFILE)


def lacks_gitfile(git_dir: Path) -> bool:
    """Whether git in the project around would take the store for a plain folder."""
    return git_dir.name == DIRECTORY and not _read(git_dir / ".git").strip(b"\0")


def spare_config(git_dir: Path) -> bytes | None:
    """The second copy of the config, if memoir would open the store with it; else None."""
    data = _read(git_dir / COPY)
    with suppress(DamagedStore, UnsafeStore):
        guard.check_config(git_dir, data)
        return data
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
