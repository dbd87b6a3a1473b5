"""The words of an insight: a model's, checked against the memories that they cite."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from memoir.english.grounding import is_grounded
from memoir.layers.insight_nodes import InsightNode
from memoir.layers.item_options import MODEL
from memoir.layers.reader import Cost
from memoir.llm.answer_text import find_object
from memoir.llm.conversation import ModelConversation
from memoir.llm.prompts import beside
from memoir.llm.step import Step, list_candidates
from memoir.llm.usage import Usage
from memoir.secrets.secrets import redact
from memoir.taxonomy.paths import Address

STEPS = {level: Step(f"insights.{level}", beside(__file__)) for level in ("leaf", "branch", "root")}
_MOST_SHOWN = 60
"""The most sources that a model is shown: the newest."""
_LONGEST = 600
_USUAL = 150
"""The characters of a usual insight, by which the cost of reading one is estimated."""

Texts = Mapping[Address, str]


class InsightText(NamedTuple):
    """The words of an insight, who wrote them, and the sources that they rest on."""

    text: str
    by: str
    sources: tuple[Address, ...]


class Writer(Protocol):
    """Words insights."""

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """The words of an insight, given what there should be and what its sources say; None if it has none."""


class Silence:
    """Takes the place of a writer where nobody can be waited for."""

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """See `Writer`."""
        return None


class ModelWriter:
    """Words insights by a model, one call each; what it says that its sources do not is not taken."""

    def __init__(self, talk: ModelConversation) -> None:
        self._talk = talk

    @property
    def usage(self) -> Usage:
        """The cost of the model so far."""
        return self._talk.usage

    @property
    def degraded(self) -> list[str]:
        """Why some insights were not written."""
        return self._talk.degraded

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """See `Writer`."""
        sources = _sources_to_show(node, texts)
        if not sources:
            return None
        step = STEPS[node.level]
        answer = self._talk.consult(step, _message(node, sources), _read)
        if answer is None:
            return None
        text, numbers = answer
        citations = [sources[number - 1] for number in numbers if 1 <= number <= len(sources)]
        if not is_grounded(text, [source for _, source in citations]):
            self._talk.fall_back(step.name, "the model wrote what the memories that it cites do not say")
            return None
        return InsightText(text, self._talk.model.name, tuple(source for source, _ in citations))


class Estimator:
    """Asks nobody, and adds up what a model would cost."""

    def __init__(self) -> None:
        self.cost = Cost()

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """The words that the sources share, in the place of the insight."""
        sources = [(source, text.ljust(_USUAL)) for source, text in _sources_to_show(node, texts)]
        self.cost = self.cost.with_call(STEPS[node.level].prompt(_message(node, sources)))
        return InsightText(", ".join(node.terms), MODEL, node.sources)


def _sources_to_show(node: InsightNode, texts: Texts) -> list[tuple[Address, str]]:
    """The sources that a model is shown, with their texts."""
    return [(source, texts[source]) for source in node.sources if source in texts][-_MOST_SHOWN:]


def _message(node: InsightNode, sources: Sequence[tuple[Address, str]]) -> str:
    listing = list_candidates((source.path, redact(text)) for source, text in sources)
    return f"Shared words: {', '.join(node.terms)}\n\nMemories:\n{listing}"


def _read(answer: str) -> tuple[str, list[int]] | None:
    fields: Mapping[str, Any] = find_object(answer, "insight")
    text, numbers = fields.get("insight"), fields.get("memories")
    if not isinstance(text, str) or not isinstance(numbers, list):
        return None
    text = " ".join(text.split())
    numbers = [number for number in dict.fromkeys(numbers) if isinstance(number, int) and not isinstance(number, bool)]
    return (text, numbers) if 0 < len(text) <= _LONGEST and numbers else None
