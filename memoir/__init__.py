"""memoir: git for agent memory.

from memoir import IntelligentSearchEngine, Repository

with Repository.open() as repository:
    repository.get("preferences.coding.testing")
    IntelligentSearchEngine(repository).search("how do we test?", mode="simple")
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "IntelligentSearchEngine",
    "IntelligentSearchResult",
    "MemoirError",
    "Memory",
    "MemoryService",
    "Repository",
    "WriteOptions",
    "__version__",
]

if TYPE_CHECKING:
    from memoir.errors import MemoirError
    from memoir.memory.options import WriteOptions
    from memoir.memory.record import Memory
    from memoir.recall.compat import IntelligentSearchEngine, MemoryService
    from memoir.recall.result import IntelligentSearchResult
    from memoir.repository import Repository

_HOMES = {
    "MemoirError": "memoir.errors",
    "Memory": "memoir.memory.record",
    "Repository": "memoir.repository",
    "IntelligentSearchEngine": "memoir.recall.compat",
    "IntelligentSearchResult": "memoir.recall.result",
    "WriteOptions": "memoir.memory.options",
    "MemoryService": "memoir.recall.compat",
}


def __getattr__(name: str) -> Any:
    """Import the public names only when they are used: the command line needs few of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'memoir' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
