"""`Filer`: chooses paths for memories that come without one, by a model or by rules.

If a similar memory was moved after memoir had filed it, somebody corrected memoir, and the next one follows it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.embedders.choose_embedder import embedder_of
from memoir.english.first_person import in_words_of
from memoir.english.foreign import is_foreign
from memoir.english.lexicon.own_words import OwnWords
from memoir.english.lexicon.spotting import with_classes, with_own_words
from memoir.english.people import subject, tells_taste
from memoir.errors import LlmUnavailable
from memoir.filing.classifier import Placement, Verdict, classify, is_question
from memoir.filing.decision import MODEL, RULES, Decision
from memoir.filing.regression import Meaning, minilm_meaning
from memoir.filing.voters import Neighbour, neighbours
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.active import Facet
from memoir.memory.read import records
from memoir.memory.write import CommitResult, remember
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.records.metadata import first_path
from memoir.records.policy import Outcome, confirm_or_combine
from memoir.records.record import Memory, Record
from memoir.secrets.secrets import redact
from memoir.setting_rules import note
from memoir.settings import FILING_CLASSIFIER, FILING_PATHS, FILING_THRESHOLD
from memoir.store.identity import name_and_email
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.kinds import ITEM_KIND, policy_of
from memoir.taxonomy.paths import INBOX, Address

if TYPE_CHECKING:
    from memoir.embedders.embedder import Vector
    from memoir.filing.similar import SimilarMemory
    from memoir.llm.conversation import ModelConversation
    from memoir.llm.model import Model
    from memoir.taxonomy.catalogue import Catalogue


SURE = 0.6
"""The relevance from which a memory follows a moved one regardless of other evidence. Of 46 pairs of facts with this
relevance (`tests/filing/facts.jsonl`, `static`) 44 share a first level; from 0.45 to 0.6, half do."""
LIKELY = 0.4
"""The relevance that is enough if the memory would go to the path that the similar one was moved from."""


_OFFERS = 2
"""The most paths offered for a memory in the inbox."""


class Correction(NamedTuple):
    """A move of a similar memory: its new path, the one chosen by memoir, and its relevance (0 to 1)."""

    path: str
    before: str
    relevance: float


def find_corrections(snapshot: Snapshot, neighbours: Sequence[Neighbour]) -> list[Correction]:
    """The corrections among the most similar memories."""
    moves = [near for near in neighbours if near.moved and near.relevance >= LIKELY]
    by_address = records(snapshot, (near.place[0] for near in moves), listed=True) if moves else {}
    corrections = []
    for near in moves:
        address, ordinal = near.place
        record = by_address.get(address, ())
        before = first_path(record[ordinal].metadata) if ordinal < len(record) else None
        if before and not near.path.startswith(f"{INBOX}."):
            corrections.append(Correction(near.path, before, near.relevance))
    return corrections


def apply_corrections(verdict: Verdict, corrections: Sequence[Correction], threshold: float) -> Verdict:
    """File a memory at the new path of the most similar correction; the verdict becomes the runner-up.

    Below the confidence `threshold` the verdict means the inbox. A correction needs the relevance `SURE`, or must have
    left the category of the verdict.
    """
    best = next((each for each in verdict.paths if each.confidence >= threshold), None)
    would_go = _category(best.path if best else INBOX)
    lessons = [each for each in corrections if each.relevance >= SURE or _category(each.before) == would_go]
    if not lessons:
        return verdict
    lesson = max(lessons, key=lambda each: each.relevance)
    reason = f"a similar memory was moved there from {lesson.before} (relevance {lesson.relevance:.2f})"
    others = [each for each in (*verdict.paths, verdict.runner_up) if each and each.path != lesson.path]
    rest = 1 - lesson.relevance
    runner_up = others[0]._replace(confidence=min(others[0].confidence, rest)) if others else None
    return Verdict((Placement(lesson.path, lesson.relevance),), runner_up, reason)


def _category(path: str) -> str:
    return ".".join(path.split(".")[:2])


class Filer:
    """Chooses paths for memories, and stores them there."""

    def __init__(self, store: Store, *, classifier: str | None = None, model: "Model | None" = None) -> None:
        """Choose the classifier: `model`, `rules`, or `auto` for a model if one is configured, else rules.

        By default it is the user's `memoir.filing.classifier`, else `rules`. With `model` named here, a missing model
        is an error. If `auto` or the setting asks for a model that cannot be reached, rules decide, and `degraded` says
        so. The model defaults to the configured one.
        """
        self.store = store
        self._classifier = (
            FILING_CLASSIFIER.parse(classifier, "classifier") if classifier else FILING_CLASSIFIER.read(store.config)
        )
        self._must_be_model = classifier == MODEL
        self._out_of_reach: str | None = None
        self._model = model
        self._index: Index | None = None
        self._looks: dict[str, _Lookup] = {}
        """The lookups of texts that are stored next."""

    def decide(self, text: str, namespace: str, branch: str | None = None, *, stores: bool = False) -> Decision:
        """Decide where a memory belongs. Nothing is written; credentials in the text are redacted first.

        With `stores`, the caller stores the memory and then calls `keep_vectors`.
        """
        text = redact(text)
        head = self.store.head(branch)
        threshold = FILING_THRESHOLD.read(self.store.config)
        if model := self._model_to_ask():
            from memoir.filing import with_model

            most = FILING_PATHS.read(self.store.config)
            decision = with_model.decide(self.talk(model), text, _catalogue(head), threshold, most)
            if self._must_be_model or not decision.unanswered:
                return decision
            self._out_of_reach = decision.degraded
        (decision,) = self._decide_by_rules([text], namespace, head, threshold, stores=stores)
        notes = note(self.store.git_settings.ignored, "filing", "embed", "llm")
        notes += [f"{self._out_of_reach}; filed by rules"] if self._out_of_reach else []
        return decision._replace(degraded="; ".join(notes) or None)

    def decide_by_rules(self, texts: Sequence[str], namespace: str, branch: str | None = None) -> list[Decision]:
        """Choose paths for several memories by rules, in one read of the index; otherwise like `decide`.

        A memory that is filed already in the same words stays at its path, even in the inbox. The index keeps the
        computed vectors, because such memories are usually stored next.
        """
        threshold, head = FILING_THRESHOLD.read(self.store.config), self.store.head(branch)
        decisions = self._decide_by_rules([redact(text) for text in texts], namespace, head, threshold, settled=True)
        self.keep_vectors()
        return decisions

    def keep_vectors(self) -> None:
        """Keep the vectors computed for stored memories in the index, so that no query waits for them."""
        plain = {text: its.vector for text, its in self._looks.items() if its.vector and its.is_plain}
        if plain:
            told = {text: its for text in plain if (its := self._looks[text].told)}
            self.index().keep_vectors(plain, told)
        self._looks.clear()

    def remember(
        self,
        new: Memory,
        decision: Decision,
        namespace: str,
        *,
        policy: str | None = None,
        options: WriteOptions = DEFAULTS,
    ) -> CommitResult:
        """Store a memory at the chosen paths, with the classifier in its metadata.

        A memory that is there already is confirmed. Any other one is merged by `policy`, else by the policy of its
        kind; without a kind it is appended, because two memories at one path may both be true.
        """
        memory = self.annotate(new, decision)
        addresses = decision.addresses(new.content, namespace)
        outcome = None if policy else lambda address, record: confirm_or_merge(record, memory)
        return remember(self.store, memory, addresses, policy=policy, outcome=outcome, filed=True, options=options)

    def similar(
        self, new: Memory, decision: Decision, namespace: str, branch: str | None = None
    ) -> "list[SimilarMemory]":
        """The memories that a new one may be meant to replace; see `memoir.filing.similar`."""
        from memoir.filing.similar import find_similar

        facet = Facet(Address(namespace, ""), 0, new)
        return find_similar(self.index(), self.store.head(branch), facet, decision.near)

    @staticmethod
    def annotate(memory: Memory, decision: Decision) -> Memory:
        """Add the classifier and its confidence to a memory under `filing`; the memory's own confidence stays."""
        filing = {"by": decision.by, "confidence": round(decision.confidence, 4)}
        return memory._replace(metadata={**memory.metadata, "filing": filing})

    def index(self) -> Index:
        """The store's index."""
        if self._index is None:
            self._index = Index(self.store, embedder_of(self.store))
        return self._index

    def model(self) -> "Model | None":
        """The given model, else the configured one, else None."""
        if self._model is None:
            from memoir.llm.conversation import choose_model

            self._model = choose_model(self.store.config)
        return self._model

    def talk(self, model: "Model") -> "ModelConversation":
        """A conversation with a model, under the user's own instructions."""
        from memoir.llm.conversation import ModelConversation
        from memoir.llm.model import read_instructions

        return ModelConversation(model, instructions=read_instructions(self.store.config))

    def _model_to_ask(self) -> "Model | None":
        if self._classifier == RULES or self._out_of_reach:
            return None
        if self._classifier == MODEL and not self.model():
            if self._must_be_model:
                raise LlmUnavailable("no language model is configured", "set ANTHROPIC_API_KEY, or file by rules")
            self._out_of_reach = f"{FILING_CLASSIFIER.key} is model, but no language model is configured"
        return self.model()

    def _decide_by_rules(
        self,
        texts: Sequence[str],
        namespace: str,
        head: Snapshot,
        threshold: float,
        *,
        settled: bool = False,
        stores: bool = False,
    ) -> list[Decision]:
        """Decide by rules, and follow the moves of similar memories.

        If `settled`, a memory that is filed in the same words stays there.
        """

        def look(view: View) -> tuple[list[_Lookup], int, OwnWords]:
            return [_look_up(view, text, namespace, stores) for text in texts], view.kept_apart(), view.own_words()

        looks, apart, own = self.index().read(head, look)
        if settled or stores:
            self._looks |= zip(texts, looks, strict=True)
        limit, taxonomy = FILING_PATHS.read(self.store.config), _catalogue(head) if apart else None

        def decide(text: str, seen: _Lookup) -> Decision:
            if settled and (verdict := _verdict_on_repeat(seen.near, limit)):
                return _decision(verdict, threshold, seen.near)
            verdict = classify(
                self._in_first_person(text), taxonomy, seen.near, limit,
                meaning=seen.meaning, person_is_known=seen.person_is_known, own=own,
            )  # fmt: skip
            if any(each.moved for each in seen.near) and not is_question(text):
                verdict = apply_corrections(verdict, find_corrections(head, seen.near), threshold)
            decision = _decision(verdict, threshold, seen.near)
            return decision if decision.placements else decision._replace(is_foreign=is_foreign(text))

        return [decide(text, seen) for text, seen in zip(texts, looks, strict=True)]

    def _in_first_person(self, text: str) -> str:
        """The text, in the first person if it tells the taste of the user by name."""
        return in_words_of(name_and_email(self.store)[0], text) if tells_taste(text) else text


class _Lookup(NamedTuple):
    """What filing looks up in the index about a text."""

    near: list[Neighbour]
    """The most similar memories."""
    vector: "Vector | None"
    """MiniLM's vector of the text with the store's own words added."""
    is_plain: bool
    """Whether no own words were added."""
    told: "Vector | None"
    """MiniLM's vector of the text with the classes of its names added, if it has any and was to be computed."""
    person_is_known: bool
    """Whether the text begins with the name of a person in the store."""

    @property
    def meaning(self) -> Meaning | None:
        """The meaning of the text; None without MiniLM's vector."""
        return minilm_meaning(self.vector) if self.vector else None


def _look_up(view: View, text: str, namespace: str, stores: bool) -> _Lookup:
    own_words = with_own_words(text, view.own_words())
    told = _vector_with_classes(view, text) if stores else None  # first, since it loads the words of the text, too
    vector = view.vector(own_words)
    is_minilm = vector is not None and vector.scale.is_minilm
    name = subject(text)
    is_known = name is not None and bool(view.names(name.casefold(), (namespace,)))
    near = neighbours(view, text, namespace, vector=vector)
    return _Lookup(near, vector.own if vector and is_minilm else None, own_words == text, told, is_known)


def _vector_with_classes(view: View, text: str) -> "Vector | None":
    told = with_classes(text) if view.embedder and view.embedder.is_minilm else text
    vector = view.vector(told) if told != text else None
    return vector.own if vector else None


def _catalogue(head: Snapshot) -> "Catalogue":
    from memoir.filing.store_taxonomy import active_taxonomy

    return active_taxonomy(head).catalogue


def _verdict_on_repeat(near: Sequence[Neighbour], limit: int) -> Verdict | None:
    """The paths at which a memory is filed in the same words, so that it is confirmed there; None if nowhere.

    A repeat in the inbox gets no paths, so it goes to the same inbox path.
    """
    paths = dict.fromkeys(each.path for each in near if each.is_same)
    placements = tuple(Placement(path, 1.0) for path in paths if not path.startswith(f"{INBOX}."))
    return Verdict(placements[:limit], None, "it is there already") if paths else None


def _decision(verdict: Verdict, threshold: float, near: Sequence[Neighbour]) -> Decision:
    placements = tuple(placement for placement in verdict.paths if placement.confidence >= threshold)
    confidence = verdict.paths[0].confidence if verdict.paths else 0.0
    runner_up = verdict.runner_up if placements else next(iter(verdict.paths), None)  # else the inbox comes first
    offers = () if placements else _offers(verdict, near)
    return Decision(RULES, placements, confidence, verdict.reason, runner_up, near=tuple(near), offers=offers)


def _offers(verdict: Verdict, near: Sequence[Neighbour]) -> tuple[Placement, ...]:
    """The best paths for a memory in the inbox: the rules', then its neighbours', then those of its meaning."""
    known = (Placement(each.path, each.relevance) for each in near if not each.path.startswith(f"{INBOX}."))
    all_ = (*verdict.paths, *filter(None, [verdict.runner_up]), *known, *verdict.offers)
    return tuple({each.path: each for each in reversed(all_)}.values())[::-1][:_OFFERS]


def confirm_or_merge(record: Record | None, new: Memory) -> Outcome:
    """Confirm a memory that is already at a path; merge any other by its kind, or append it if it has none."""
    return confirm_or_combine(policy_of(new.metadata.get(ITEM_KIND)) or "append", record, new)
