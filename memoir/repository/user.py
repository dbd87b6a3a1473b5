"""Reading two stores as one: the project's, and then the user's own."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.memory.read import Item
from memoir.memory.survey import Survey
from memoir.memory.two_stores import read_both

if TYPE_CHECKING:
    from memoir.repository import Repository
    from memoir.repository.reads import Reads


def open_own(git_dir: Path) -> "Repository":
    """Open the user's own store, at the branch of its HEAD, whatever branch of the project's is selected.

    Raises:
        UnsafeStore, DamagedStore: its files are not those of a sound store.
    """
    from memoir.repository import Repository
    from memoir.store.selection import Selection
    from memoir.store.store import Store

    return Repository(Store(git_dir, Selection(by="the user's store")))


def require_own() -> "Repository":
    """Open the user's own store to write to it.

    Raises:
        NoStore: there is none. UnsafeStore, DamagedStore: its files are not those of a sound store.
    """
    from memoir.store.user_store import require_user_store

    return open_own(require_user_store())


def get_from_both(mine: "Reads", theirs: "Reads", items: Callable[["Reads"], list[Item]], at: str | None) -> list[Item]:
    """The items of the project's store, and the user's where that holds nothing; see `read_both` for the errors."""
    first, second = read_both(lambda: items(mine), lambda: items(theirs), at)
    found = {item.address: item for item in first or ()}
    for item in second or ():
        held = found.get(item.address)
        if held is None or (held.record is None and item.record is not None):
            found[item.address] = item._replace(store="user" if item.record is not None else "project")
    return list(found.values())


def survey_both(mine: "Reads", theirs: "Reads", survey: Callable[["Reads"], Survey], at: str | None) -> Survey:
    """The survey of the project's store, with that of the user's; see `read_both` for the errors."""
    first, second = read_both(lambda: survey(mine), lambda: survey(theirs), at)
    return (first or Survey({}, {}, {}, None))._replace(user=second)
