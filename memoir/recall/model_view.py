"""The text that a model judges a search by: memories, insights and captions, numbered together."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memoir.llm.model import list_candidates
from memoir.recall.findings import Caption, Evidence, FoundInsight
from memoir.recall.ranking import RankedCandidate

Excerpts = Sequence[tuple[str, str]]
"""Paths and contents."""


class Behind(NamedTuple):
    """The insights and captions linked to the results of a search, the best first."""

    insights: Sequence[FoundInsight] = ()
    captions: Sequence[Caption] = ()

    def without(self, evidences: Sequence[Evidence]) -> "Behind":
        """All except those already known."""
        addresses = {each.address for each in evidences}
        insights = [each for each in self.insights if each.address not in addresses]
        return Behind(insights, [each for each in self.captions if each.address not in addresses])


NOTHING = Behind()


class Brief(NamedTuple):
    """Memories, insights and captions, numbered in this order from `first` on."""

    memories: Excerpts
    insights: Excerpts = ()
    captions: Excerpts = ()
    first: int = 1

    @classmethod
    def of(cls, candidates: Sequence[RankedCandidate], behind: Behind, first: int = 1) -> "Brief":
        """Make the text to show a model; a stale insight is marked as out of date."""
        insights = [
            (each.address.short_key, f"(out of date) {each.content}" if each.stale else each.content)
            for each in behind.insights
        ]
        captions = [(each.address.short_key, each.text) for each in behind.captions]
        return cls(paths_and_contents(candidates), insights, captions, first)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.memories) + len(self.insights) + len(self.captions)

    def blocks(self, title: str) -> Iterator[tuple[str, str]]:
        """The blocks of a message: the memories under `title`, then insights and captions, if any."""
        number = self.first + len(self.memories)
        yield title, list_candidates(self.memories, self.first)
        if self.insights:
            yield "Insights", list_candidates(self.insights, number)
        if self.captions:
            yield "Captions", list_candidates(self.captions, number + len(self.insights))


def paths_and_contents(candidates: Sequence[RankedCandidate]) -> Excerpts:
    """The paths and contents of candidates."""
    return [(each.document.address.path, each.document.content) for each in candidates]


def evidences(candidates: Sequence[RankedCandidate], behind: Behind = NOTHING) -> list[Evidence]:
    """The texts that a model may cite as evidence, in the order of their numbers."""
    memories = [Evidence(each.document.content, each.document.address) for each in candidates]
    insights = [Evidence(each.content, each.address) for each in behind.insights]
    return [*memories, *insights, *(Evidence(each.text, each.address) for each in behind.captions)]
