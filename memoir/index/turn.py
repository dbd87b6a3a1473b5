"""How much of an incomplete index one question may build."""

import time

from memoir.index.update import PIECE

PATIENCE = 1.5
"""Seconds that one question spends on indexing."""
AT_LEAST = 6000
"""Paths that one question always indexes, so that answers from a small store do not depend on the machine's speed."""


class Turn:
    """The indexing that one question may do; a question that waits does all of it."""

    def __init__(self, *, wait: bool = False) -> None:
        self.waits = wait
        self.restart()

    def restart(self) -> None:
        """Begin again, because the work was lost."""
        self._pieces = 0
        self._end: float | None = None
        self.is_over = False

    def takes_a_piece(self) -> bool:
        """Whether one more piece may be indexed; if so, it is counted."""
        if self._end is None:
            self._end = time.monotonic() + PATIENCE
        self._pieces += 1
        self.is_over = not self.waits and self._pieces * PIECE > AT_LEAST and time.monotonic() >= self._end
        return not self.is_over
