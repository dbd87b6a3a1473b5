"""The listing of a folder: the files and folders in it, two levels deep, with sizes."""

from collections.abc import Iterable, Mapping

from memoir.memory_tool.file_paths import MemoryFolder, file_of
from memoir.memory_tool.text_edits import cut
from memoir.taxonomy.paths import Address

_LEVELS = 2
_TITLE = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:"
_STEP = 1024


def listing(folder: MemoryFolder, sizes: Mapping[Address, int]) -> str:
    """List a folder; `sizes` are the bytes of the memories in it. A folder is as large as what is in it."""
    head = folder.path
    totals: dict[str, int] = {head: 0}
    for place, size in sizes.items():
        for name in _levels(head, file_of(place)):
            totals[name] = totals.get(name, 0) + size
    lines = [f"{_human(totals[name])}\t{name}" for name in sorted(totals)]
    return f"{_TITLE.format(head)}\n{cut(lines, 'view a folder among these')}"


def _levels(head: str, path: str) -> Iterable[str]:
    """The folder itself, and the files and folders on the way to a file that are listed."""
    yield head
    names = path.removeprefix(head + "/").split("/")
    for depth in range(1, min(len(names), _LEVELS) + 1):
        yield "/".join([head, *names[:depth]]) + ("/" if depth < len(names) else "")


def _human(size: float) -> str:
    """A size in the shortest of B, K, M and G, which are 1,024 times each other."""
    for unit in "BKM":
        if size < _STEP:
            return f"{size:.1f}".removesuffix(".0") + unit
        size /= _STEP
    return f"{size:.1f}".removesuffix(".0") + "G"
