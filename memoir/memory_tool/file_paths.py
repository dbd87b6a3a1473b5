"""Paths of the memory tool: `/memories/<namespace>/<a/b/c>.md` is the memory `namespace:a.b.c`.

A folder is a namespace, or a prefix in one. A file directly below `/memories` belongs to the namespace `default`. Only
valid addresses of a store are valid paths: no dots or signs in names, in any encoding, so no path leads elsewhere.
"""

from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, address, check_namespace, check_path


class ToolFailure(Exception):
    """A tool's answer with `is_error`. Its `repr` is the bare message, because the SDK shows that to the model."""

    def __repr__(self) -> str:
        return str(self)


def no_such_path(path: str) -> ToolFailure:
    """The failure of a command on a path that does not exist."""
    return ToolFailure(f"The path {path} does not exist. Please provide a valid path.")


ROOT = "/memories"
SUFFIX = ".md"


class MemoryFolder(NamedTuple):
    """A folder: all memories (no namespace), those of a namespace (no prefix), or those below a prefix."""

    namespace: str | None = None
    prefix: str | None = None

    def holds(self, address: Address) -> bool:
        """Whether a memory's file is in the folder, or in one below it."""
        inside = self.prefix is None or address.path.startswith(self.prefix + ".")
        return self.namespace in (None, address.namespace) and inside

    @property
    def path(self) -> str:
        """The folder's path."""
        below = [] if self.namespace is None else [self.namespace, *(self.prefix or "").split(".")]
        return "/".join([ROOT, *filter(None, below)])


def read_path(path: object) -> MemoryFolder | Address:
    """Read a path: a folder, or the address of a memory."""
    if not isinstance(path, str):
        raise ToolFailure(f"Path must be a text, got: {path!r}")
    first, *names = path.removesuffix("/").split("/")
    if first or names[:1] != [ROOT.removeprefix("/")]:
        raise ToolFailure(f"Path must start with {ROOT}, got: {path}")
    try:
        return _place(names[1:])
    except InvalidInput as error:
        if any(".." in name or "%" in name or "\\" in name for name in names):
            raise ToolFailure(f"Path {path} would escape {ROOT} directory") from error
        hint = f" ({error.hint})" if error.hint else ""
        raise ToolFailure(f"Invalid path {path}: {error.message}{hint}") from error


def file_of(address: Address) -> str:
    """The path of a memory's file."""
    return "/".join([ROOT, address.namespace, *address.path.split(".")]) + SUFFIX


def file_path(path: object) -> Address:
    """Read the path of a file."""
    place = read_path(path)
    if isinstance(place, MemoryFolder):
        raise ToolFailure(f"The path {path} is not a file: the name of a file ends in {SUFFIX}.")
    return place


def _place(names: list[str]) -> MemoryFolder | Address:
    """Return the folder or memory that some names below the root stand for."""
    if not names:
        return MemoryFolder()
    *folders, last = names
    for name in (*folders, stem := last.removesuffix(SUFFIX)):
        if "." in name or not name:
            raise InvalidInput(f"{name!r} cannot be the name of a file or folder", f"names of files end in {SUFFIX}")
    namespace, *above = folders or [DEFAULT_NAMESPACE]
    if last != stem:
        return address(check_path(".".join([*above, stem])), namespace)
    path = ".".join(names[1:])
    return MemoryFolder(check_namespace(names[0]), check_path(path) if path else None)
