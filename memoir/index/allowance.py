"""How much of an incomplete index one question may build."""

import time

PIECE = 500
"""How many paths one transaction indexes."""
PIECE_BYTES = 128 << 10
"""The bytes of records that one transaction indexes if its question has only so many seconds."""
PATIENCE = 1.0
"""Seconds that one question spends on indexing, if much is missing; it indexes one piece in any case."""
FEW = 6000
"""Paths that one question indexes all, so that answers from a small store do not depend on the machine's speed."""
EMBED_SECONDS, BATCHES = 2.0, 2
"""Seconds that one question spends on computing vectors by a learned embedder, and the batches that it always does."""
STAND_IN_SECONDS = 1.0
"""Seconds that one question spends on vectors that stand in for those that are missing."""

GROUP_SECONDS = 1.0
"""Seconds that one question spends on grouping memories into threads."""


class Allowance:
    """How much of one kind of work a question may do: a few steps in any case, then more until its time is over."""

    def __init__(self, steps: int, seconds: float, *, wait: bool) -> None:
        self._steps, self._seconds, self.waits = steps, seconds, wait
        self._end: float | None = None
        self._count = 0
        self.is_over = False

    def takes_more(self) -> bool:
        """Whether one more step may be done; if so, it is counted."""
        if self._end is None:
            self._end = time.monotonic() + self._seconds
        self._count += 1
        self.is_over = not self.waits and self._count > self._steps and time.monotonic() >= self._end
        return not self.is_over


class IndexTurn:
    """The indexing that one question may do; a question that waits does all of it.

    If no more than `FEW` paths are missing, it indexes all of them, and otherwise one piece, and more as long as it has
    patience. With `seconds`, that is its patience, however few are missing,
    and a piece is small; at a record that is larger than a piece it stops.
    """

    def __init__(self, *, wait: bool = False, seconds: float | None = None) -> None:
        self.waits = wait
        self._patience = PATIENCE if seconds is None else seconds
        self._few = FEW if seconds is None else 0
        self.most_bytes = None if seconds is None else PIECE_BYTES
        """The bytes of records that one transaction indexes; None: as many as there are."""
        self.restart()

    def does_all(self, count: int) -> bool:
        """Whether so many missing paths are indexed whatever time that takes."""
        return self.waits or count <= self._few

    def restart(self) -> None:
        """Begin again, because the work was lost."""
        self.pieces = Allowance(1, self._patience, wait=self.waits)
        self.batches = Allowance(BATCHES, EMBED_SECONDS, wait=self.waits)
        self.stand_ins = Allowance(1, STAND_IN_SECONDS, wait=self.waits)
        self.threads = Allowance(1, GROUP_SECONDS, wait=self.waits)
