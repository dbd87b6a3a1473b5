"""`Stage`: one step on the way to an answer of recall, with what came in and what went out."""

from typing import NamedTuple


class Stage(NamedTuple):
    """One step of a recall.

    Attributes:
        stage: What is done, such as `hop`.
        method: By what: a leg, a rule, or `model`.
        input_count: How many memories, or questions, came in.
        candidate_count: How many memories it looked at.
        result_count: How many memories, or questions, went out.
        degraded: What fell back and why; None if nothing did.
        skipped: Why it was not done; None if it was.
    """

    stage: str
    method: str
    input_count: int = 0
    candidate_count: int = 0
    result_count: int = 0
    degraded: str | None = None
    skipped: str | None = None

    @property
    def status(self) -> str:
        """`done`, `degraded` or `skipped`."""
        return "skipped" if self.skipped else "degraded" if self.degraded else "done"
