"""Where a memory without a path goes, and who decided it."""

from typing import NamedTuple

from memoir.filing.classifier import Placement
from memoir.llm.model import Usage
from memoir.store.digest import sha1
from memoir.taxonomy.paths import Address

INBOX = "inbox.unsorted"
"""Where memories wait for a path."""
MODEL, RULES = "model", "rules"
"""Who decides."""


class Decision(NamedTuple):
    """The paths that a memory goes to.

    Attributes:
        by: Who decided: `model` or `rules`.
        placements: The paths; none means the inbox.
        confidence: That in the best path (0 to 1), whether or not it reached the threshold.
        reason: Why, in words.
        runner_up: The best path that was not chosen.
        degraded: What failed on the way; None if nothing did.
        usage: What a model was asked.
    """

    by: str
    placements: tuple[Placement, ...]
    confidence: float
    reason: str
    runner_up: Placement | None = None
    degraded: str | None = None
    usage: Usage = Usage()

    @property
    def unanswered(self) -> bool:
        """Whether a model was asked and gave no answer at all."""
        return self.by == MODEL and self.degraded is not None and not self.usage.calls

    def addresses(self, content: str, namespace: str) -> list[Address]:
        """The addresses of the paths, or one of its own in the inbox, which is the same for the same content."""
        if self.placements:
            return [Address(namespace, placement.path) for placement in self.placements]
        return [Address(namespace, f"{INBOX}.m{sha1(content.encode()).hex()[:12]}")]
