"""`Decision`: the paths chosen for a memory, and the reasons."""

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
    """The paths chosen for a memory that came without one."""

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
    """The failure; None without one."""
    usage: Usage = Usage()
    """The cost of the model's answer."""
    near: "tuple[Neighbour, ...] | None" = None
    """The most similar filed memories; None if they were not looked up."""
    offers: "tuple[Placement, ...]" = ()
    """For a memory in the inbox, at most two possible paths."""
    is_foreign: bool = False
    """Whether rules left the memory in the inbox because it is not English, the only language they know."""

    @property
    def unanswered(self) -> bool:
        """Whether a model was asked and did not answer."""
        return self.by == MODEL and self.degraded is not None and not self.usage.calls

    def addresses(self, content: str, namespace: str) -> list[Address]:
        """The addresses of the paths, or the inbox address of this content."""
        if self.placements:
            return [address(placement.path, namespace) for placement in self.placements]
        return [inbox_address(content, namespace)]
