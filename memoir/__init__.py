"""memoir: git for agent memory.

    from memoir import Memory, Repository

    with Repository.init("notes") as repository:
        repository.remember(Memory.of("Use pytest."), "preferences.coding.testing")

The names in `__all__` are for callers, and so are those of `memoir.types`, the classes of what the methods take and
return; docs/library.md describes them. Every other name, and every other module, is internal and may change in any
release.
"""

from typing import TYPE_CHECKING, Any

__all__ = [
    "Conflict",
    "DamagedStore",
    "EmbedderUnavailable",
    "GitError",
    "IntelligentSearchEngine",
    "IntelligentSearchResult",
    "InvalidInput",
    "LlmUnavailable",
    "MemoirError",
    "Memory",
    "MemoryService",
    "NoStore",
    "NotFound",
    "NotProven",
    "ReadOnlyStore",
    "Repository",
    "StoreBusy",
    "UnsafeStore",
    "WriteOptions",
    "__version__",
]

if TYPE_CHECKING:
    from memoir import types as types
    from memoir.errors import (
        Conflict,
        DamagedStore,
        EmbedderUnavailable,
        GitError,
        InvalidInput,
        LlmUnavailable,
        MemoirError,
        NoStore,
        NotFound,
        NotProven,
        ReadOnlyStore,
        StoreBusy,
        UnsafeStore,
    )
    from memoir.memory.write_options import WriteOptions
    from memoir.recall.compat import IntelligentSearchEngine, MemoryService
    from memoir.recall.result import IntelligentSearchResult
    from memoir.records.record import Memory
    from memoir.repository import Repository
    from memoir.version import __version__

_HOMES = {
    "Memory": "memoir.records.record",
    "Repository": "memoir.repository",
    "IntelligentSearchEngine": "memoir.recall.compat",
    "IntelligentSearchResult": "memoir.recall.result",
    "WriteOptions": "memoir.memory.write_options",
    "MemoryService": "memoir.recall.compat",
    "__version__": "memoir.version",
}
"""The modules of the public names; the rest are kinds of error."""

if not TYPE_CHECKING:  # a type checker would take any name for an `Any`

    def __getattr__(name: str) -> Any:
        """Import a public name when it is used: the command line needs few of them."""
        from importlib import import_module

        if name == "types":
            return import_module("memoir.types")
        if name not in __all__:
            raise AttributeError(f"module 'memoir' has no attribute {name!r}")
        return getattr(import_module(_HOMES.get(name, "memoir.errors")), name)
