"""The table of legs and channels, the shorter ones themselves, and the candidates that all of them find.

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
"""The trust in concepts if memories contain all words of the query."""
_OWN = 0.6
"""The least trust if the query has the store's own words, whose meaning somebody has defined."""
_STEEPNESS = 1.3
"""How fast the trust falls as the best memory covers more of the query's words."""


class Concepts(Leg):
    """Scores how many of the query's concepts a document shares, by the lexicon (`memoir.index.concept_table`)."""

    name, title = "concepts", "concepts"
    rank_column, score_column = "concept_rank", "concepts"
    weight = CONCEPTS_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents that share most concepts."""
        concepts = search.clues.concepts
        return search.among.best_of(concepts.scores, search.query.pool) if concepts and concepts.scores else ()

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The concept scores of documents."""
        scores = search.clues.concepts.scores if search.clues.concepts else {}
        return {identity: scores[identity] for identity in ids if identity in scores}

    def trust(self, search: Search) -> float:
        """Higher, the more query words no memory contains and the less the best memory covers of the query.

        The store's own words are trusted more.
        """
        if not (search.clues.concepts and search.clues.concepts.scores):
            return 0.0
        unknown, known = search.clues.words.unknown, min(search.known, 1.0)
        trust = (_LEAST + (1 - _LEAST) * unknown) * min(_STEEPNESS * (1 - known), 1.0)
        return max(trust, _OWN) if search.clues.concepts.own else trust

    def scale(self, search: Search, best: float) -> float:
        """The best score, but at least three quarters of the ideal, the score for all concepts."""
        return max(best, FAIR * search.clues.concepts.ideal) if search.clues.concepts else best

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """The best score relative to the ideal."""
        return min(best / (search.clues.concepts.ideal or 1.0), 1.0) if search.clues.concepts else 0.0


class ExactPath(Channel):
    """Finds the memories at a path if the query is that path, in all searched namespaces or the one it names."""

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
    """The text read as a path, with an empty namespace if it names none; None if it is not a path."""
    if len(text) > MAX_KEY_BYTES or len(text.split()) > 1:
        return None
    try:
        target = address(text)
    except InvalidInput:
        return None
    return target if ":" in text else Address("", target.path)


class Synonyms(Channel):
    """Adds to memories that contain a synonym of a missing query word: `children` for `kids`.

    Off with a learned embedder, which knows synonyms already: it found no more with this channel.
    """

    name = "synonyms"
    weight = SYNONYMS_WEIGHT
    suffices = False

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The BM25 of the synonyms, relative to the ideal."""
        if search.clues.vector and search.clues.vector.leader.learned:
            return {}
        words = search.clues.words
        scores = search.view.synonym_scores(words, [document.id for document in documents])
        return {identity: min(score / (FAIR * words.ideal), 1.0) for identity, score in scores.items()}


_OTHER_FORM = 0.5
"""The weight of a word's other form (short for long, or long for short) relative to the query's own word."""
_FEW = 2
"""The number of known query words that are too few to trust if no memory contains the others."""
_NAME = 2.0
"""The extra weight of a word that names one thing: a memory with the name ranks before one that only has the rest."""


class Words(Leg):
    """BM25 over the words of the query."""

    name, title = "bm25", "words"
    rank_column, score_column = "bm25_rank", "bm25"
    weight = BM25_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents with the best BM25."""
        words, pool = search.clues.words, search.query.pool
        matches = search.among.by_words(words.terms, pool)
        if not (words.other_forms or words.names):
            return matches
        ids = dict.fromkeys(each for each, _ in (*matches, *search.among.by_words(words.other_forms, pool)))
        scores = self.scores(search, list(ids))
        return sorted(((each, scores[each]) for each in ids), key=lambda score: -score[1])[:pool]

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The BM25 of documents, with other forms and names weighed in."""
        words = search.clues.words
        scores = search.view.word_scores(words.terms, ids)
        for terms, weight in ((words.other_forms, _OTHER_FORM), (words.names, _NAME)):
            for each, score in search.view.word_scores(terms, ids).items():
                scores[each] = scores.get(each, 0.0) + weight * score
        return scores

    def trust(self, search: Search) -> float:
        """1 unless memories contain only one or two words of the query: a match on those is seldom the answer.

        Unless the best match covers most of the query. Zero without search words.
        """
        words = search.clues.words
        if not (words.terms or words.other_forms):
            return 0.0
        if words.other_forms or not words.unknown or len(words.terms) > _FEW:
            return 1.0
        return 1 - words.unknown * (1 - min(search.known / FAIR, 1.0))

    def scale(self, search: Search, best: float) -> float:
        """The best BM25, but at least three quarters of the ideal.

        So a memory with one common word of the query does not count as much as one with all words.
        """
        return max(best, FAIR * search.clues.words.ideal)

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """The best BM25 relative to the ideal, times the share of the query that the best memory covers.

        Without that factor one word could reach twice its part of the ideal.
        """
        ideal = search.clues.words.ideal
        coverage = 1.0 if fullest is None else min(self._coverage(search, fullest) / ideal, 1.0)
        return coverage * min(best / ideal, 1.0)

    def _coverage(self, search: Search, identity: int) -> float:
        words, view = search.clues.words, search.view
        others = view.word_coverage(words.other_forms, identity) if words.other_forms else 0.0
        return view.word_coverage(words.terms, identity) + _OTHER_FORM * others


class Vectors(Leg):
    """Scores by the cosine between the vectors of query and document."""

    name, title = "vector", "vectors"
    rank_column, score_column = "vector_rank", "cosine"
    weight = VECTOR_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents nearest to the query."""
        vector = search.clues.vector
        return search.among.by_vector(vector, search.query.pool) if vector else ()

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The cosines of documents."""
        vector = search.clues.vector
        return search.view.cosines(vector, ids) if vector else {}

    def trust(self, search: Search) -> float:
        """The embedder's configured trust, by how many query words are known."""
        vector, unknown = search.clues.vector, search.clues.words.unknown
        return (1 - unknown) * vector.leader.trust + unknown * vector.leader.unknown_trust if vector else 0.0

    def floor(self, search: Search) -> float:
        """The cosine that unrelated texts may have; infinite without an embedder."""
        vector = search.clues.vector
        return vector.leader.floor if vector else float("inf")


class People(Channel):
    """Adds to all memories of a person of the query; finds those whose text alone names the person."""

    name = "person"
    weight = PERSON_BOOST
    finds = True

    def find(self, search: Search) -> Sequence[int]:
        """The memories without a person in their metadata whose text names one; the query's words lack the names."""
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
    """Whether a memory without a person in its metadata names a person of the query in its text."""
    is_of_nobody = not (document.people or document.role)
    return is_of_nobody and not search.clues.names.isdisjoint(name_parts(document.content[:READ_CHARACTERS]))


_OF_THE_DAY = 10 / 3
"""The share of a memory that contains the very date that a query names.

With the default weight it adds as much as the best match of all legs: in a question about a day, the other words may
say nothing ("what happened on 4 March 2026?").
"""


class Times(Channel):
    """Finds the memories from a time that the query names, or that contain its date, and adds to them."""

    name = "time"
    weight = TIME_BOOST
    finds = True

    def find(self, search: Search) -> Sequence[int]:
        """The first memories from each time, and those that contain the date of a day."""
        spans, pool = search.clues.spans, search.query.pool
        days = " ".join(filter(None, (span.words for span in spans)))  # the query's words have lost them
        ids = [each for each, _ in search.among.by_words(search.view.words(days).terms, pool)] if days else []
        dated = [each.id for each in search.view.documents(ids) if written_in(each, spans)]
        return [*search.among.by_times(spans, pool), *dated]

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """1 for a memory from one of the times; more for one that contains the very date."""
        if not (spans := search.clues.spans):
            return {}
        return {each.id: _share(spans, each) for each in documents}


def _share(spans: "Sequence[Span]", document: IndexedDocument) -> float:
    if written := written_in(document, spans):
        return _OF_THE_DAY if any(span.day for span in written) else 1.0
    return float(any(span.holds(document.event_time) for span in spans))


def written_in(document: IndexedDocument, spans: "Sequence[Span]") -> "list[Span]":
    """The spans of which a memory contains a date."""
    from memoir.english import dates

    return dates.written_in(document.content[:READ_CHARACTERS], spans)


WORDS, VECTORS, CONCEPTS = Words(), Vectors(), Concepts()
LEGS: tuple[Leg, ...] = (WORDS, VECTORS, CONCEPTS)
"""All legs, in the order of a trace's columns."""
CHANNELS: tuple[Channel, ...] = (People(), Times(), ExactPath(), Synonyms(), *ASSOCIATIONS)
"""All channels, in the order of a trace's columns."""


def weights(config: Config) -> dict[str, float]:
    """The weights of all legs, all channels and the hop under a configuration, by name."""
    return {each.name: each.weight_in(config) for each in (*LEGS, *CHANNELS, HOP)}


class LegScores(NamedTuple):
    """The evidence of one leg by document id: the ranks (from 1) of its proposals, and the scores."""

    ranks: Mapping[int, int]
    scores: Mapping[int, float]


class Candidates:
    """The candidate documents, in no particular order, and the evidence of each leg, by its name.

    `items` maps a passage's id to the memories that it replaces.
    """

    def __init__(
        self,
        documents: Sequence[IndexedDocument],
        evidence: Mapping[str, LegScores],
        items: Mapping[int, Sequence[IndexedDocument]] = {},
    ) -> None:
        self.documents, self.evidence, self.items = documents, evidence, items

    def proposals(self) -> set[int]:
        """The ids of the documents that any leg proposed."""
        return set().union(*(evidence.ranks for evidence in self.evidence.values()))

    def evident(self, search: Search) -> set[int]:
        """The ids of the documents that some leg scores above chance."""
        floors = [(leg.floor(search), self.evidence[leg.name].scores) for leg in LEGS]
        return {identity for floor, scores in floors for identity, score in scores.items() if score > floor}


def find(search: Search, also: Iterable[int] = (), legs: Collection[Leg] | None = None) -> Candidates:
    """Collect the proposals of all legs and channels, and the documents in `also`, given by id.

    If `legs` are given, only these propose; the others only score.
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
    """The passages that contain documents, by document id, if the query may find both."""
    is_open = where.sources == "yes" and not (where.globs or where.metadata or where.origins) and view.has_sources
    return view.passages_of(ids) if is_open else {}


def extend(search: Search, candidates: Candidates, ids: Sequence[int]) -> Candidates:
    """Add documents to candidates, by id; the legs only score them."""
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
