"""`Decision`: the paths of a memory that came without one, and what chose them."""

from typing import TYPE_CHECKING, NamedTuple

from memoir.llm.usage import Usage
from memoir.memory.write import inbox_address
from memoir.taxonomy.paths import Address, address

if TYPE_CHECKING:
    from memoir.filing.classifier import Placement
    from memoir.filing.voters import Neighbour

MODEL, RULES = "model", "rules"
"""The two classifiers."""


class Decision(NamedTuple):
    """The paths that a memory goes to."""

    by: str
    """The classifier that decided: `model` or `rules`."""
    placements: "tuple[Placement, ...]"
    """The paths; none means the inbox."""
    confidence: float
    """The confidence in the best path (0 to 1), even if it is below the threshold."""
    reason: str
    """The reason, in words."""
    runner_up: "Placement | None" = None
    """The best path that was not chosen."""
    degraded: str | None = None
    """What failed; None if nothing did."""
    usage: Usage = Usage()
    """The cost of the model's answer."""
    near: "tuple[Neighbour, ...] | None" = None
    """The filed memories that are most similar; None if nobody looked for them."""
    offers: "tuple[Placement, ...]" = ()
    """For a memory in the inbox, the best paths it might go to, two at most."""
    is_foreign: bool = False
    """Whether rules left the memory in the inbox that is in another language than English, the only one they know."""

    @property
    def unanswered(self) -> bool:
        """Whether a model was asked and did not answer."""
        return self.by == MODEL and self.degraded is not None and not self.usage.calls

    def addresses(self, content: str, namespace: str) -> list[Address]:
        """The addresses of the paths, or one of its own in the inbox, which is the same for the same content."""
        if self.placements:
            return [address(placement.path, namespace) for placement in self.placements]
        return [inbox_address(content, namespace)]
