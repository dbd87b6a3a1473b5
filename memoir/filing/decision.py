"""`Decision`: the paths of a memory that came without one, and what chose them."""

from typing import TYPE_CHECKING, NamedTuple

from memoir.git.objects import sha1
from memoir.llm.usage import Usage
from memoir.taxonomy.paths import Address, address

if TYPE_CHECKING:
    from memoir.filing.classifier import Placement
    from memoir.filing.voters import Neighbour

INBOX = "inbox.unsorted"
"""The path of memories that wait for another one."""
MODEL, RULES = "model", "rules"
"""The two classifiers."""


class Decision(NamedTuple):
    """The paths that a memory goes to.

    Attributes:
        by: The classifier that decided: `model` or `rules`.
        placements: The paths; none means the inbox.
        confidence: The confidence in the best path (0 to 1), even if it is below the threshold.
        reason: The reason, in words.
        runner_up: The best path that was not chosen.
        offers: For a memory in the inbox, the best paths it might go to, two at most.
        degraded: What failed; None if nothing did.
        usage: The cost of the model's answer.
        near: The filed memories that are most similar; None if nobody looked for them.
    """

    by: str
    placements: "tuple[Placement, ...]"
    confidence: float
    reason: str
    runner_up: "Placement | None" = None
    degraded: str | None = None
    usage: Usage = Usage()
    near: "tuple[Neighbour, ...] | None" = None
    offers: "tuple[Placement, ...]" = ()

    @property
    def unanswered(self) -> bool:
        """Whether a model was asked and did not answer."""
        return self.by == MODEL and self.degraded is not None and not self.usage.calls

    def addresses(self, content: str, namespace: str) -> list[Address]:
        """The addresses of the paths, or one of its own in the inbox, which is the same for the same content."""
        if self.placements:
            return [address(placement.path, namespace) for placement in self.placements]
        return [address(f"{INBOX}.m{sha1(content.encode()).hex()[:12]}", namespace)]
