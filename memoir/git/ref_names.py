"""Which names a ref may have. Names that come out of a file are checked here before a path is made of one."""

import re
from pathlib import Path

from memoir.errors import UnsafeStore

BRANCHES, TAGS, REMOTES = "refs/heads/", "refs/tags/", "refs/remotes/"
FETCHED = "refs/writers/"
"""As `REMOTES`, for what was fetched of single writers' refs."""

_NEVER = (
    r"/\.|\.\.|//|@\{|[\0-\x20\x7f~^:?*\[\\]"  # nowhere in a name
    r"|\.lock(?=/|\Z)|[./]\Z"  # not at the end of a component, not at the end
)


def is_ref_name(name: str) -> bool:
    """Whether git accepts a full ref name, by the rules of `git check-ref-format`."""
    parts = name.replace("-", "").replace("_", "").split("/")
    is_plain = all(map(str.isalnum, parts))  # as most are, and the pattern is slow to compile
    return name.startswith("refs/") and (is_plain or not re.search(_NEVER, name))


def file_of(git_dir: Path, ref: str, *, log: bool = False) -> Path:
    """The file of a ref or of its log, to be written or removed: it always lies in the store.

    Raises:
        UnsafeStore: that is not a ref name, or a link is on the way to the file.
    """
    top = git_dir / "logs" if log else git_dir
    path = top / ref
    sound = ref == "HEAD" or is_ref_name(ref)
    if not sound or any(each.is_symlink() for each in (path, *path.parents) if each.is_relative_to(top)):
        raise UnsafeStore(f"refusing to write {ref!r} in {git_dir}: it would lead out of the store")
    return path
