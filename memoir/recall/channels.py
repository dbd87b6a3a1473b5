"""The table of legs and channels, those that need few lines, and the candidates that all of them find.

To add one, write it in a module of its own and give it a row here.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import InvalidInput
from memoir.index.documents import IndexedDocument, name_parts
from memoir.index.filters import Filter
from memoir.index.selection import Score
from memoir.index.view import View
from memoir.recall.associations import ASSOCIATIONS, HOP
from memoir.recall.channel import FAIR, READ_CHARACTERS, Channel, Leg, Search
from memoir.setting import Config
from memoir.settings import BM25_WEIGHT, CONCEPTS_WEIGHT, PERSON_BOOST, SYNONYMS_WEIGHT, TIME_BOOST, VECTOR_WEIGHT
from memoir.taxonomy.paths import MAX_KEY_BYTES, Address, address

if TYPE_CHECKING:
    from memoir.english.dates import Span

_LEAST = 0.15
"""The part of its weight that counts where memories hold all words of the query."""
_OWN = 0.6
"""The part that counts at least where the query has words of the store's own: somebody has said what they mean."""
_STEEPNESS = 1.3
"""How fast it stops to count as a memory gets near to holding the query's words."""


class Concepts(Leg):
    """How far the lexicon says that a document speaks of what the query speaks of (`memoir.index.concept_table`)."""

    name, title = "concepts", "concepts"
    rank_column, score_column = "concept_rank", "concepts"
    weight = CONCEPTS_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents that speak most of it."""
        concepts = search.clues.concepts
        return search.among.best_of(concepts.scores, search.query.pool) if concepts and concepts.scores else ()

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """What some documents have of it."""
        scores = search.clues.concepts.scores if search.clues.concepts else {}
        return {identity: scores[identity] for identity in ids if identity in scores}

    def trust(self, search: Search) -> float:
        """More, the more of the query no memory holds, and the less the best memory by words holds of it.

        What the store's own words say is trusted more.
        """
        if not (search.clues.concepts and search.clues.concepts.scores):
            return 0.0
        unknown, known = search.clues.words.unknown, min(search.known, 1.0)
        trust = (_LEAST + (1 - _LEAST) * unknown) * min(_STEEPNESS * (1 - known), 1.0)
        return max(trust, _OWN) if search.clues.concepts.own else trust

    def scale(self, search: Search, best: float) -> float:
        """The best score, but at least three quarters of that of a document that speaks of everything."""
        return max(best, FAIR * search.clues.concepts.ideal) if search.clues.concepts else best

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """The best score beside that of a document that speaks of everything."""
        return min(best / (search.clues.concepts.ideal or 1.0), 1.0) if search.clues.concepts else 0.0


class ExactPath(Channel):
    """Finds the memories at the path that the query is, in every searched namespace or in the one that it names."""

    name = "path"
    weight = 2.0  # more than all other evidence together
    finds = True
    answers = True

    def find(self, search: Search) -> Sequence[int]:
        """The ids of the memories at that path."""
        target = _parse_path(search.query.text.strip())
        return search.among.at_path(target.path, target.namespace) if target else ()

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """1 for a memory at that path."""
        return dict.fromkeys(self.find(search), 1.0)


def _parse_path(text: str) -> Address | None:
    """The path that a text is, with the namespace that it names or an empty one; None if it is not a path."""
    if len(text) > MAX_KEY_BYTES or len(text.split()) > 1:
        return None
    try:
        target = address(text)
    except InvalidInput:
        return None
    return target if ":" in text else Address("", target.path)


class Synonyms(Channel):
    """Adds to the memories that hold synonyms of the words that they lack: `children`, where the query has `kids`.

    Not with a learned embedder, which knows what words mean, and in which sense: it found no more with them.
    """

    name = "synonyms"
    weight = SYNONYMS_WEIGHT
    suffices = False

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The BM25 by synonyms, beside that of a memory that answers in full."""
        if search.clues.vector and search.clues.vector.leader.learned:
            return {}
        words = search.clues.words
        scores = search.view.synonym_scores(words, [document.id for document in documents])
        return {identity: min(score / (FAIR * words.ideal), 1.0) for identity, score in scores.items()}


_OTHER_FORM = 0.5
"""The weight, beside the query's own word, of a short form for a long one, and the other way round."""
_FEW = 2
"""The words of a query, held by memories, that say too little where no memory holds the others."""
_NAME = 2.0
"""How much more a word counts that is the name of one thing: what has it leads, before what only means the rest."""


class Words(Leg):
    """BM25 over the words of the query."""

    name, title = "bm25", "words"
    rank_column, score_column = "bm25_rank", "bm25"
    weight = BM25_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents that hold the rarest of the words most often."""
        words, pool = search.clues.words, search.query.pool
        matches = search.among.by_words(words.terms, pool)
        if not (words.other_forms or words.names):
            return matches
        ids = dict.fromkeys(each for each, _ in (*matches, *search.among.by_words(words.other_forms, pool)))
        scores = self.scores(search, list(ids))
        return sorted(((each, scores[each]) for each in ids), key=lambda score: -score[1])[:pool]

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The BM25 of some documents."""
        words = search.clues.words
        scores = search.view.word_scores(words.terms, ids)
        for terms, weight in ((words.other_forms, _OTHER_FORM), (words.names, _NAME)):
            for each, score in search.view.word_scores(terms, ids).items():
                scores[each] = scores.get(each, 0.0) + weight * score
        return scores

    def trust(self, search: Search) -> float:
        """All of it, unless memories hold but one or two words of the query: who has these is seldom the answer.

        It may be if it has most of the query all the same. What has no words to search for is not trusted at all.
        """
        words = search.clues.words
        if not (words.terms or words.other_forms):
            return 0.0
        if words.other_forms or not words.unknown or len(words.terms) > _FEW:
            return 1.0
        return 1 - words.unknown * (1 - min(search.known / FAIR, 1.0))

    def scale(self, search: Search, best: float) -> float:
        """The best BM25, but at least three quarters of that of a memory that answers in full.

        So a memory that has one common word of the query does not count as much as one that has all of them.
        """
        return max(best, FAIR * search.clues.words.ideal)

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """The best BM25 beside that of a memory that answers in full.

        One word alone can reach twice its part of that, so it counts only by the share of the query that the best
        memory holds.
        """
        ideal = search.clues.words.ideal
        coverage = 1.0 if fullest is None else min(self._coverage(search, fullest) / ideal, 1.0)
        return coverage * min(best / ideal, 1.0)

    def _coverage(self, search: Search, identity: int) -> float:
        words, view = search.clues.words, search.view
        others = view.word_coverage(words.other_forms, identity) if words.other_forms else 0.0
        return view.word_coverage(words.terms, identity) + _OTHER_FORM * others


class Vectors(Leg):
    """The cosine between the vectors of the query and of a document."""

    name, title = "vector", "vectors"
    rank_column, score_column = "vector_rank", "cosine"
    weight = VECTOR_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents nearest to the query."""
        vector = search.clues.vector
        return search.among.by_vector(vector, search.query.pool) if vector else ()

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The cosines of some documents."""
        vector = search.clues.vector
        return search.view.cosines(vector, ids) if vector else {}

    def trust(self, search: Search) -> float:
        """As much as the embedder is trusted beside words, those that memories hold and those that none holds."""
        vector, unknown = search.clues.vector, search.clues.words.unknown
        return (1 - unknown) * vector.leader.trust + unknown * vector.leader.unknown_trust if vector else 0.0

    def floor(self, search: Search) -> float:
        """The cosine that two texts may have by chance; without an embedder nothing is near enough."""
        vector = search.clues.vector
        return vector.leader.floor if vector else float("inf")


class People(Channel):
    """Finds the memories whose text alone names a person of the query, and adds to all of that person."""

    name = "person"
    weight = PERSON_BOOST
    finds = True

    def find(self, search: Search) -> Sequence[int]:
        """The memories that only their text tells to be of one of the people: the query's words have lost the names."""
        if not search.clues.names:
            return ()
        terms = search.view.words(" ".join(sorted(search.clues.names))).terms
        ids = [each for each, _ in search.among.by_words(terms, search.query.pool)]
        of_nobody = search.view.of_nobody(ids)
        return [each.id for each in search.view.documents(of_nobody) if _is_named(each, search)]

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """1 for a memory of one of the people."""
        people = search.clues.people
        if not people:
            return {}
        return {each.id: 1.0 for each in documents if people & each.people or _is_named(each, search)}


def _is_named(document: IndexedDocument, search: Search) -> bool:
    """Whether a memory that says of nobody that it is theirs names a person of the query."""
    is_of_nobody = not (document.people or document.role)
    return is_of_nobody and not search.clues.names.isdisjoint(name_parts(document.content[:READ_CHARACTERS]))


_OF_THE_DAY = 10 / 3
"""The share of a memory that gives the very day that a query names.

With the weight as it comes, that adds what the best match of all legs has: of a question for a day, the other words may
say nothing ("what happened on 4 March 2026?").
"""


class Times(Channel):
    """Finds the memories of a time that the query names, or that give a date of it, and adds to them."""

    name = "time"
    weight = TIME_BOOST
    finds = True

    def find(self, search: Search) -> Sequence[int]:
        """The first memories of each time, and those that give the date of a day."""
        spans, pool = search.clues.spans, search.query.pool
        days = " ".join(filter(None, (span.words for span in spans)))  # the query's words have lost them
        ids = [each for each, _ in search.among.by_words(search.view.words(days).terms, pool)] if days else []
        dated = [each.id for each in search.view.documents(ids) if written_in(each, spans)]
        return [*search.among.by_times(spans, pool), *dated]

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """1 for a memory of one of the times; more for one that gives the very day, whatever else it says."""
        if not (spans := search.clues.spans):
            return {}
        return {each.id: _share(spans, each) for each in documents}


def _share(spans: "Sequence[Span]", document: IndexedDocument) -> float:
    if written := written_in(document, spans):
        return _OF_THE_DAY if any(span.day for span in written) else 1.0
    return float(any(span.holds(document.event_time) for span in spans))


def written_in(document: IndexedDocument, spans: "Sequence[Span]") -> "list[Span]":
    """Those of some times of which a memory gives a date."""
    from memoir.english import dates

    return dates.written_in(document.content[:READ_CHARACTERS], spans)


WORDS, VECTORS, CONCEPTS = Words(), Vectors(), Concepts()
LEGS: tuple[Leg, ...] = (WORDS, VECTORS, CONCEPTS)
"""Those whose scores are fused, in the order of a trace's columns."""
CHANNELS: tuple[Channel, ...] = (People(), Times(), ExactPath(), Synonyms(), *ASSOCIATIONS)
"""Those that add to the fused score, in the order of a trace's columns."""


def weights(config: Config) -> dict[str, float]:
    """The weight of each leg, of each channel and of the hop under some settings, by its name."""
    return {each.name: each.weight_in(config) for each in (*LEGS, *CHANNELS, HOP)}


class LegScores(NamedTuple):
    """The evidence of one leg, by the ids of documents: ranks from 1 of those it has proposed, and scores."""

    ranks: Mapping[int, int]
    scores: Mapping[int, float]


class Candidates:
    """The documents in the running, in no particular order, and what each leg says of them, by the leg's name.

    `items` are the memories that passages stand for, by the passages' ids.
    """

    def __init__(
        self,
        documents: Sequence[IndexedDocument],
        evidence: Mapping[str, LegScores],
        items: Mapping[int, Sequence[IndexedDocument]] = {},
    ) -> None:
        self.documents, self.evidence, self.items = documents, evidence, items

    def proposals(self) -> set[int]:
        """The ids of the documents that a leg has proposed."""
        return set().union(*(evidence.ranks for evidence in self.evidence.values()))

    def evident(self, search: Search) -> set[int]:
        """The ids of the documents of which a leg says more than chance would."""
        floors = [(leg.floor(search), self.evidence[leg.name].scores) for leg in LEGS]
        return {identity for floor, scores in floors for identity, score in scores.items() if score > floor}


def find(search: Search, also: Iterable[int] = (), legs: Collection[Leg] | None = None) -> Candidates:
    """The union of what the legs and the channels propose, and `also` some documents by their ids.

    With some `legs` the others only score.
    """
    on = [leg for leg in LEGS if search.query.weight(leg.name)]
    by_leg = {leg.name: leg.find(search) if legs is None or leg in legs else () for leg in on}
    proposals = [identity for hits in by_leg.values() for identity, _ in hits]
    for channel in CHANNELS:
        if search.query.weight(channel.name):
            proposals += channel.find(search)
    ids = list(dict.fromkeys((*proposals, *also)))
    passages = passages_of(search.view, search.query.where, ids)
    ids = list(dict.fromkeys((*also, *(passages.get(identity, identity) for identity in ids))))
    evidence = {leg.name: _evidence(leg, search, by_leg.get(leg.name), ids) for leg in LEGS}
    items = defaultdict[int, list[IndexedDocument]](list)
    for item in search.view.documents(list(passages)) if passages else ():
        items[passages[item.id]].append(item)
    return Candidates(list(search.view.documents(ids)), evidence, items)


def passages_of(view: View, where: Filter, ids: Sequence[int]) -> dict[int, int]:
    """The passages that stand for some of the documents, if both may be found: those in which a memory was found."""
    is_open = where.sources == "yes" and not (where.globs or where.metadata or where.origins) and view.has_sources
    return view.passages_of(ids) if is_open else {}


def extend(search: Search, candidates: Candidates, ids: Sequence[int]) -> Candidates:
    """Candidates with further documents, by their ids, which the legs only score."""
    evidence = {
        leg.name: its._replace(scores={**its.scores, **leg.scores(search, ids)})
        for leg in LEGS
        if (its := candidates.evidence[leg.name])
    }
    return Candidates([*candidates.documents, *search.view.documents(ids)], evidence)


def _evidence(leg: Leg, search: Search, proposals: Iterable[Score] | None, ids: Sequence[int]) -> LegScores:
    if proposals is None:
        return LegScores({}, {})
    scores = dict(proposals)
    known = set(ids)
    scores = {identity: score for identity, score in scores.items() if identity in known}
    ranks = {identity: rank for rank, identity in enumerate(scores, 1)}
    return LegScores(ranks, {**scores, **leg.scores(search, [identity for identity in ids if identity not in scores])})
