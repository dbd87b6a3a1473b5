"""Telling whoever waits how far a piece of work is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""
OpenProgress = Callable[[int, int | None], None]
"""The same where the whole may be unknown, which is None."""


def tell_nobody(done: int, total: int | None) -> None:
    """Do nothing: nobody waits."""
