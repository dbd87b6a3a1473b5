"""Reading two stores as one: the project's, and then the user's own."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memoir.errors import NotFound
from memoir.memory.read import Item
from memoir.memory.survey import Survey

if TYPE_CHECKING:
    from memoir.repository import Repository
    from memoir.repository.reads import Reads

R = TypeVar("R")


def open_own(git_dir: Path) -> "Repository":
    """Open the user's own store, at the branch of its HEAD, whatever branch of the project's is selected.

    Raises:
        UnsafeStore, DamagedStore: its files are not those of a sound store.
    """
    from memoir.repository import Repository
    from memoir.store.selection import Selection
    from memoir.store.store import Store

    return Repository(Store(git_dir, Selection(by="the user's store")))


def get_from_both(mine: "Reads", theirs: "Reads", items: Callable[["Reads"], list[Item]], at: str | None) -> list[Item]:
    """The items of the project's store, and the user's where that holds nothing; see `_read_both` for the errors."""
    first, second = _read_both(lambda: items(mine), lambda: items(theirs), at)
    found = {item.address: item for item in first or ()}
    for item in second or ():
        if item.record is not None or item.address not in found:
            held = found.get(item.address)
            if held is None or held.record is None:
                found[item.address] = item._replace(store="user" if item.record is not None else "project")
    return list(found.values())


def survey_both(mine: "Reads", theirs: "Reads", survey: Callable[["Reads"], Survey], at: str | None) -> Survey:
    """The survey of the project's store, with that of the user's; see `_read_both` for the errors."""
    first, second = _read_both(lambda: survey(mine), lambda: survey(theirs), at)
    return (first or Survey({}, {}, {}, None))._replace(user=second)


def _read_both(mine: Callable[[], R], theirs: Callable[[], R], at: str | None) -> tuple[R | None, R | None]:
    """Read from the project's store and from the user's; None for one that lacks what is asked for.

    Without a revision, or at a date, both are read. Any other revision is that of the store that has it.

    Raises:
        NotFound: neither has it; the project's store says what.
    """
    missing: NotFound | None = None
    try:
        found = mine()
    except NotFound as error:
        missing = error
    if missing is None and at is not None and not _is_date(at):
        return found, None
    try:
        other = theirs()
    except NotFound:
        if missing:
            raise missing from None
        return found, None
    return (None if missing else found), other


def _is_date(at: str) -> bool:
    from memoir.times import looks_like_date

    return looks_like_date(at)
