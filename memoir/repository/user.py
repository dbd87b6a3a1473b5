"""Reading two stores as one: the project's, and then the user's own."""

from collections.abc import Callable

from memoir.memory.read import PathRecord
from memoir.memory.survey import Survey
from memoir.memory.two_stores import read_both
from memoir.taxonomy.memory_address import MemoryAddress


def get_from_both(
    mine: Callable[[], dict[MemoryAddress, PathRecord]],
    theirs: Callable[[], dict[MemoryAddress, PathRecord]],
    at: str | None,
) -> list[PathRecord]:
    """The records of the project's store, and the user's where that holds nothing; see `read_both` for the errors."""
    first, second = read_both(mine, theirs, at)
    entries = {**(first or {})}
    for target, entry in (second or {}).items():
        other = entries.get(target)
        if other is None or (other.record is None and entry.record is not None):
            entries[target] = entry._replace(store="user" if entry.record is not None else "project")
    return list(entries.values())


def survey_both(mine: Callable[[], Survey], theirs: Callable[[], Survey], at: str | None) -> Survey:
    """The survey of the project's store, with that of the user's; see `read_both` for the errors."""
    first, second = read_both(mine, theirs, at)
    return (first or Survey({}, {}, {}, None))._replace(user=second)
