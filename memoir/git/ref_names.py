"""Names of refs: which are valid, the file of each, and the branch in HEAD.

A name read from a file is checked here before it is used as a path.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from memoir.errors import DamagedStore, UnsafeStore
from memoir.git.messages import gone

BRANCHES, TAGS, REMOTES = "refs/heads/", "refs/tags/", "refs/remotes/"
FETCHED = "refs/writers/"
"""Like `REMOTES`, for the fetched refs of single writers."""
NOTES = "refs/notes/"
"""The refs of `git notes`, whose commits have no memories."""

_NEVER = (
    r"/\.|\.\.|//|@\{|[\0-\x20\x7f~^:?*\[\\]"  # nowhere in a name
    r"|\.lock(?=/|\Z)|[./]\Z"  # not at the end of a component, not at the end
)


def is_ref_name(name: str) -> bool:
    """Whether git accepts a full ref name, by the rules of `git check-ref-format`."""
    parts = name.replace("-", "").replace("_", "").split("/")
    is_plain = all(map(str.isalnum, parts))  # most are, and the pattern is slow to compile
    return name.startswith("refs/") and (is_plain or not re.search(_NEVER, name))


def find_clash(names: Iterable[str]) -> tuple[str, str] | None:
    """Two names whose files or folders would be the same on a file system that ignores case; None if there are none.

    Such a file system also treats the composed and the decomposed form of a letter as equal.
    """
    from unicodedata import normalize

    known = dict[str, tuple[str, str]]()
    for name in names:
        for end in [position for position, char in enumerate(name) if char == "/"] + [len(name)]:
            part, other = known.setdefault(normalize("NFC", name[:end].casefold()), (name[:end], name))
            if part != name[:end]:
                return other, name
    return None


def refs_meant(revision: str) -> list[str]:
    """The full names of the refs that the beginning of a revision may mean."""
    name = re.split(r"[~^@:]", revision)[0]
    return [name] if name.startswith("refs/") else [kind + name for kind in (BRANCHES, TAGS, REMOTES) if name]


def file_of(git_dir: Path, ref: str, *, log: bool = False) -> Path:
    """The file of a ref or of its log, safe to write or remove: it is always inside the store.

    Raises:
        UnsafeStore: it is not a ref name, or the path to the file has a link.
    """
    top = git_dir / "logs" if log else git_dir
    path = top / ref
    sound = ref == "HEAD" or is_ref_name(ref)
    if not sound or any(each.is_symlink() for each in (path, *path.parents) if each.is_relative_to(top)):
        raise UnsafeStore(f"refusing to write {ref!r} in {git_dir}: it would lead out of the store")
    return path


HEX_DIGITS = frozenset("0123456789abcdef")


def head_branch(git_dir: Path, id_size: int) -> str | None:
    """The branch that HEAD names, maybe without commits; None if HEAD is detached.

    Raises:
        DamagedStore: HEAD is malformed or missing. NoStore: the store is missing.
    """
    try:
        head = (git_dir / "HEAD").read_text("utf-8", "replace").strip()
    except (FileNotFoundError, NotADirectoryError) as error:
        if not git_dir.is_dir():
            raise gone(git_dir) from error
        raise DamagedStore("the store's HEAD is missing", "'memoir fsck --repair' writes a new one") from error
    name = head.removeprefix("ref: " + BRANCHES)
    if name != head and name.isprintable() and is_ref_name(BRANCHES + name):
        return name
    if len(head) == 2 * id_size and HEX_DIGITS.issuperset(head):
        return None
    raise DamagedStore("the store's HEAD names no branch", "its file HEAD should read 'ref: refs/heads/main'")
