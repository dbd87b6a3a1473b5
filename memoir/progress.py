"""Callbacks that report the progress of work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with how much is done, and the total."""
OpenProgress = Callable[[int, int | None], None]
"""Called with how much is done, and the total, None if unknown."""


def tell_nobody(done: int, total: int | None) -> None:
    """Report no progress."""
