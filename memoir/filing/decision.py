"""Where a memory without a path goes, and who decided it."""

from typing import NamedTuple

from memoir.filing.classifier import Placement
from memoir.llm.usage import Usage
from memoir.store.digest import sha1
from memoir.taxonomy.paths import Address

INBOX = "inbox.unsorted"
MODEL, RULES = "model", "rules"


class Decision(NamedTuple):
    """The paths a memory goes to; none means the inbox.

    `by` is who decided, `confidence` (0 to 1) how sure of the first path, whether or not it was sure enough.
    `degraded` says what failed on the way.
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
        """Where the memory goes: its paths, or a place of its own in the inbox, the same for the same content."""
        if self.placements:
            return [Address(namespace, placement.path) for placement in self.placements]
        return [Address(namespace, f"{INBOX}.m{sha1(content.encode()).hex()[:12]}")]
