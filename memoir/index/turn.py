"""How much one question may do for an index that is not complete."""

import time

from memoir.index.update import PIECE

PATIENCE = 1.5
"""Seconds that one question spends on indexing."""
AT_LEAST = 6000
"""Paths that it indexes however long that takes, so that answers from a small store do not depend on speed."""


class Turn:
    """One question's share of the work; one that waits does all of it."""

    def __init__(self, *, wait: bool = False) -> None:
        self.waits = wait
        self.restart()

    def restart(self) -> None:
        """Begin again, because the work was lost."""
        self._pieces = 0
        self._end: float | None = None
        self.is_over = False

    def takes_a_piece(self) -> bool:
        """Whether one more piece may be done; it counts as done."""
        if self._end is None:
            self._end = time.monotonic() + PATIENCE
        self._pieces += 1
        self.is_over = not self.waits and self._pieces * PIECE > AT_LEAST and time.monotonic() >= self._end
        return not self.is_over
