"""Reading two stores as one: the project's, and then the user's own."""

from collections.abc import Callable

from memoir.memory.read import PathRecord
from memoir.memory.survey import Survey
from memoir.memory.two_stores import read_both


def get_from_both(
    mine: Callable[[], list[PathRecord]], theirs: Callable[[], list[PathRecord]], at: str | None
) -> list[PathRecord]:
    """The items of the project's store, and the user's where that holds nothing; see `read_both` for the errors."""
    first, second = read_both(mine, theirs, at)
    items = {item.address: item for item in first or ()}
    for item in second or ():
        first_item = items.get(item.address)
        if first_item is None or (first_item.record is None and item.record is not None):
            items[item.address] = item._replace(store="user" if item.record is not None else "project")
    return list(items.values())


def survey_both(mine: Callable[[], Survey], theirs: Callable[[], Survey], at: str | None) -> Survey:
    """The survey of the project's store, with that of the user's; see `read_both` for the errors."""
    first, second = read_both(mine, theirs, at)
    return (first or Survey({}, {}, {}, None))._replace(user=second)
