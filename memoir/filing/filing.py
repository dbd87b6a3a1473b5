"""`Filer`: files memories that come without a path, and sorts the inbox."""

from typing import TYPE_CHECKING

from memoir.errors import LlmUnavailable
from memoir.filing.classifier import Neighbour, Verdict, classify
from memoir.filing.decision import MODEL, RULES, Decision
from memoir.filing.neighbours import neighbours
from memoir.index.embedders.choose import embedder_of
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.options import DEFAULTS, WriteOptions
from memoir.memory.policy import Outcome, confirmed_or
from memoir.memory.record import Memory, Record
from memoir.memory.secrets import redacted
from memoir.memory.write import Remembered, remember
from memoir.settings import FILING_CLASSIFIER, FILING_THRESHOLD, note
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

if TYPE_CHECKING:
    from memoir.llm.model import Model


class Filer:
    """Decides where memories belong, by a model or by rules, and puts them there."""

    def __init__(self, store: Store, *, classifier: str | None = None, model: "Model | None" = None) -> None:
        """`classifier` is `model`, `rules` or `auto`; by default the user's `memoir.filing.classifier`, else `rules`.

        `auto` is a model where one is configured, else rules. A model that the caller insists on is asked or it is an
        error; where `auto` or the setting wants one that is out of reach, the rules decide, and that is said.

        Raises:
            InvalidInput: there is no such classifier.
        """
        self.store = store
        self._classifier = (
            FILING_CLASSIFIER.parse(classifier, "classifier") if classifier else FILING_CLASSIFIER.read(store.config)
        )
        self._insists = classifier == MODEL
        self._out_of_reach: str | None = None
        self._model = model
        self._index: Index | None = None

    def decide(self, text: str, namespace: str, branch: str | None = None) -> Decision:
        """Where a memory belongs, as things stand; nothing is written, and of a credential nothing is looked at.

        Raises:
            LlmUnavailable: a model was insisted on, and none is configured.
        """
        text = redacted(text)
        head = self.store.head(branch)
        sure = FILING_THRESHOLD.read(self.store.config)
        if model := self._chosen_model():
            from memoir.filing import by_model
            from memoir.filing.taxonomy import in_force

            decision = by_model.decide(model, text, in_force(head).catalogue, sure)
            if self._insists or not decision.unanswered:
                return decision
            self._out_of_reach = decision.degraded
        decision = self._by_rules(text, namespace, head, sure)
        notes = note(self.store.ignored_settings, "filing", "embed", "llm")
        notes += [f"{self._out_of_reach}; filed by rules"] if self._out_of_reach else []
        return decision._replace(degraded="; ".join(notes) or None)

    def _by_rules(self, text: str, namespace: str, head: Snapshot, sure: float) -> Decision:
        verdict = self._verdict(text, namespace, head)
        placements = tuple(placement for placement in verdict.paths if placement.confidence >= sure)
        confidence = verdict.paths[0].confidence if verdict.paths else 0.0
        runner_up = verdict.runner_up if placements else next(iter(verdict.paths), None)  # else the inbox comes first
        return Decision(RULES, placements, confidence, verdict.reason, runner_up)

    def remember(
        self,
        new: Memory,
        decision: Decision,
        namespace: str,
        *,
        policy: str | None = None,
        options: WriteOptions = DEFAULTS,
    ) -> Remembered:
        """Store a memory where a decision says, with who decided; one that is there already is confirmed.

        Otherwise, without a policy, it joins what is there: that a classifier puts two memories at one path does not
        mean that one of them has ceased to be true.
        """
        marked = self.marked(new, decision)
        places = decision.addresses(new.content, namespace)
        joining = None if policy else lambda place, record: joined(record, marked)
        return remember(self.store, marked, places, policy=policy, outcome=joining, options=options)

    @staticmethod
    def marked(memory: Memory, decision: Decision) -> Memory:
        """A memory with who filed it, and how sure of the path, in its metadata; its confidence is another matter."""
        filed = {"by": decision.by, "confidence": round(decision.confidence, 4)}
        return memory._replace(metadata={**memory.metadata, "filing": filed})

    def index(self) -> Index:
        """The store's index."""
        if self._index is None:
            self._index = Index(self.store, embedder_of(self.store))
        return self._index

    def model(self) -> "Model | None":
        """The model that is configured, or was given; None without one."""
        if self._model is None:
            from memoir.llm.configured import model_of

            self._model = model_of(self.store.config)
        return self._model

    def _verdict(self, text: str, namespace: str, head: Snapshot) -> Verdict:
        def evidence(view: View) -> tuple[list[Neighbour], int]:
            return neighbours(view, text, namespace), view.categories()

        filed, categories = self.index().read(head, evidence)
        if not categories:
            return classify(text, None, filed)
        from memoir.filing.taxonomy import in_force

        return classify(text, in_force(head).catalogue, filed)

    def _chosen_model(self) -> "Model | None":
        if self._classifier == RULES or self._out_of_reach:
            return None
        if self._classifier == MODEL and not self.model():
            if self._insists:
                raise LlmUnavailable("no language model is configured", "set ANTHROPIC_API_KEY, or file by rules")
            self._out_of_reach = f"{FILING_CLASSIFIER.key} is model, but no language model is configured"
        return self.model()


def joined(record: Record | None, new: Memory) -> Outcome:
    """What a filed memory makes of a path's record: one that says the same is confirmed, others it joins."""
    return confirmed_or("append", record, new)
