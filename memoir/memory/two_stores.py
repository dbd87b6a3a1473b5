"""Which of two stores answers: the project's, the user's own, or both."""

from collections.abc import Callable
from typing import TypeVar

from memoir.errors import NotFound

T = TypeVar("T")


def read_both(project: Callable[[], T], user: Callable[[], T], at: str | None) -> tuple[T | None, T | None]:
    """Read from the project's store and from the user's; None for one that lacks what is asked for.

    Without a revision, or at a date, both are read. Any other revision is that of the store that has it.

    Raises:
        NotFound: neither has it; the project's store says what.
    """
    absence: NotFound | None = None
    mine = theirs = None
    try:
        mine = project()
    except NotFound as error:
        absence = error
    if absence is None and at is not None and not _is_date(at):
        return mine, None
    try:
        theirs = user()
    except NotFound:
        if absence:
            raise absence from None
    return mine, theirs


def _is_date(at: str) -> bool:
    from memoir.times import looks_like_date

    return looks_like_date(at)
