"""memoir: git for agent memory.

    from memoir import Memory, Repository

    with Repository.init("notes") as repository:
        repository.remember(Memory.of("Use pytest."), "preferences.coding.testing")

The names in `__all__` are public, and so are those of `memoir.types`, the classes of the methods' arguments and
results; docs/library.md describes them. Every other name, and every other module, is internal and may change in any
release. A name is imported from its module when it is used, because the command line needs few of them. Type checkers
read `__init__.pyi`, which `scripts/generate.py` writes from the table below.
"""

from typing import Any

_NAMES = {
    "memoir.errors": (
        "Conflict DamagedStore EmbedderUnavailable GitError InvalidInput LlmUnavailable MemoirError NoStore NotFound "
        "NoStep NotProven ReadOnlyStore StoreBusy UnsafeStore"
    ),
    "memoir.memory.write_options": "WriteOptions",
    "memoir.recall.compat": "IntelligentSearchEngine MemoryService",
    "memoir.recall.result": "IntelligentSearchResult",
    "memoir.records.record": "Memory",
    "memoir.repository.repository": "Repository",
    "memoir.version": "__version__",
}
"""The names in each module."""
HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name."""
__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is used."""
    from importlib import import_module

    if name == "types":
        return import_module("memoir.types")
    if name not in HOMES:
        raise AttributeError(f"module 'memoir' has no attribute {name!r}")
    return getattr(import_module(HOMES[name]), name)
