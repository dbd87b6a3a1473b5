"""What is relevant enough: whether results fit a question, what of them a reader sees, and what answers a mere prompt.

A ranking always has a best hit, whatever was asked. Whether results fit is decided by two numbers: the share of the
question's words and concepts in a hit, weighted by rarity, and the cosine. A learned embedder covers most of what words
tell, so with one the share counts less. A hit far ahead of the others needs less of both.

If memories contain several words of a question, an answer contains some of them together. If each hit has only one or
two, such as "Jon" or "violin", nothing tells whether Jon plays the violin, however similar the hits are.

A prompt that did not ask memoir is answered only if something is relevant to it. There, relevance is the product of two
numbers: the rarity of the shared words (their summed idf, divided by the greatest possible idf of a word) and the
cosine. `benchmarks.gate` prints what passes.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from memoir.english.requests import asks_for_a_fact, asks_for_a_number, asks_for_instructions
from memoir.english.words import flat, plain_words, stem
from memoir.recall.channel import READ_CHARACTERS
from memoir.recall.channels import Concepts, Words, written_in
from memoir.taxonomy.kinds import DIRECTIVE

if TYPE_CHECKING:
    from memoir.index.index import Index
    from memoir.index.lexical import QueryWords
    from memoir.index.view import View
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.findings import StandingInstruction
    from memoir.recall.query import Query, QueryFields
    from memoir.recall.ranking import RankedCandidate, Ranking
    from memoir.recall.result import IntelligentSearchResult
    from memoir.store.snapshot import Snapshot
    from memoir.store.store import Store

T = TypeVar("T")

_LEARNED = 0.3, 0.28
"""The weight of the share beside the cosine, and the threshold of their sum, with a learned embedder."""
_OTHERS = 1.0, 0.5
"""The same without a learned embedder (docs/benchmarks.md says how often the mark is right)."""
_LEAD = 0.1
"""The usual lead of the best cosine over the mean of the others; more lowers the threshold."""
_COMPARED = 10
"""How many of the best candidates the lead is computed from."""
_KNOWN_WORDS = 3
"""If memories contain this many words of a question, a hit must have several of them."""
_SCATTERED_LEARNED, _SCATTERED = (0.6, 0.4), (0.85, 0.5)
"""Thresholds for such a question, with a learned embedder and without: the sum of a hit's word share and cosine, and
the cosine that is enough alone.

On conversations held out, the mark finds 52% (learned) and 57% (other) of the questions that the first five hits do not
answer; its precision is 98% and 96% (docs/benchmarks.md)."""
_QUICK = ("static", "hash")
"""Name prefixes of embedders that are not learned."""
_WITHOUT_VECTORS = 0.25
"""The cosine assumed without vectors, and the most that counts of one that reflects spelling alone."""
_BEST = 5
"""How many of the best hits are checked."""

_HARDLY_MORE = 2
"""The most words, besides the time, of a question that asks about little but a time."""


def fits(answer: "RecallAnswer") -> bool:
    """Whether a ranked answer has a hit that fits; if a model planned the search, it judged that itself."""
    ranking = answer.ranking
    words = ranking.clues.words if ranking and answer.planner != "model" else None
    if ranking is None or words is None or not (words.terms or words.absent):
        return ranking is None or not ranking.candidates or _has_letter_or_digit(ranking.query.text)
    vector = ranking.clues.vector
    embedder = vector.leader.name if vector else "static"
    weight, least = _OTHERS if embedder.startswith(_QUICK) else _LEARNED
    best = [each for each in ranking.candidates if not each.dropped][:_BEST]
    is_spelt = embedder.startswith("static") and _is_in_no_vocabulary(words)
    if not best or (len(words.terms) + len(words.absent) <= _HARDLY_MORE and _gives_a_named_date(best[0], ranking)):
        return True
    if not is_spelt:
        least -= _lead(ranking) - _LEAD
    is_near = any(_strength(each, ranking, weight, is_spelt=is_spelt) >= least for each in best)
    return is_near and not _is_scattered(words, best, _SCATTERED if weight == _OTHERS[0] else _SCATTERED_LEARNED)


def _gives_a_named_date(hit: "RankedCandidate", ranking: "Ranking") -> bool:
    """Whether a hit contains a date of a time that the question names."""
    return bool(ranking.clues.spans and written_in(hit.document, ranking.clues.spans))


def _has_letter_or_digit(text: str) -> bool:
    """Whether the text has any letter or digit: `???` asks for nothing."""
    return any(map(str.isalnum, text))


def _is_scattered(words: "QueryWords", best: "Iterable[RankedCandidate]", limits: tuple[float, float]) -> bool:
    """Whether memories contain several words of a question, but none of the best hits has enough of them."""
    least, near = limits
    return len(words.terms) >= _KNOWN_WORDS and all(
        (cosine := _cosine(each)) < near and _share_of_words(each.document.content, words) + cosine < least
        for each in best
    )


def _share_of_words(content: str, words: "QueryWords") -> float:
    """The share of a question's words in a text, in any form, weighted by rarity."""
    text = content[:READ_CHARACTERS].casefold()
    stems = {stem(word) for word in plain_words(text)}
    return sum(each.idf for each in words.terms if stem(each.word) in stems or each.word in text) / words.ideal


def _cosine(candidate: "RankedCandidate") -> float:
    cosine = candidate.numbers()["cosine"]
    return _WITHOUT_VECTORS if cosine is None else cosine


def _lead(ranking: "Ranking") -> float:
    """The lead of the best cosine over the mean of the others."""
    best, *others = sorted(map(_cosine, ranking.candidates[:_COMPARED]), reverse=True)
    return best - sum(others) / len(others) if others and ranking.clues.vector else _LEAD


def _is_in_no_vocabulary(words: "QueryWords") -> bool:
    """Whether neither memories nor `static` know any word of a question, so that its vector reflects spelling alone."""
    from memoir.embedders.static import is_word

    return not words.terms and not any(is_word(term.word) for term in words.absent)


def _strength(candidate: "RankedCandidate", ranking: "Ranking", weight: float, *, is_spelt: bool) -> float:
    numbers, concepts = candidate.numbers(), ranking.clues.concepts
    share = (numbers["bm25"] or 0.0) / ranking.clues.words.ideal
    if concepts:
        share += (numbers["concepts"] or 0.0) / (concepts.ideal or 1.0)
    cosine = _cosine(candidate)
    return weight * min(share, 1.0) + (min(cosine, _WITHOUT_VECTORS) if is_spelt else cosine)


_BINDING, _BINDING_A_FACT = 0.55, 0.7
"""The relevance from which a standing instruction is shown to a reader, and the higher one for a question about a fact.

Facts do not depend on preferences, so these are left out there."""
_FIRST = 2
"""How many hits are always shown."""


def binding(query: str, standing: "Iterable[StandingInstruction]") -> "tuple[StandingInstruction, ...]":
    """The standing instructions relevant enough to a question to be shown to a reader."""
    for_a_fact = asks_for_a_fact(query) or asks_for_a_number(query)
    least = 0.0 if asks_for_instructions(query) else _BINDING_A_FACT if for_a_fact else _BINDING
    near = (each for each in standing if each.relevance >= least)
    return tuple(each for each in near if not for_a_fact or each.kind == DIRECTIVE)


def not_shown(standing: "Iterable[StandingInstruction]", text: str) -> "list[StandingInstruction]":
    """The instructions that the text of the hits does not already contain."""
    shown = flat(text)
    return [each for each in standing if flat(each.content) not in shown]


def without_chatter(answer: "RecallAnswer") -> "RecallAnswer":
    """Remove from an answer for a reader the turns of talk and the instructions that are hardly relevant.

    The first hits and remembered memories stay; if the caller named a limit, all hits do.
    """
    hits, ranking, query = answer.memories, answer.ranking, answer.query
    answer = answer._replace(standing=binding(query, answer.standing))
    if answer.gathered or ranking is None or ranking.query.limit_is_given:
        return answer
    if not any(hit.speaker for hit in hits[_FIRST:]):
        return answer  # as in a store without sources: load nothing more
    from memoir.recall.gather import telling, without_repeats
    from memoir.recall.quotes import SoughtByQuery

    wanted = SoughtByQuery(ranking, query)
    kept = {id(hit) for hit in without_repeats(telling(hits, query, wanted), wanted)}
    shown = [hit for at, hit in enumerate(hits) if at < _FIRST or not hit.speaker or id(hit) in kept]
    return answer._replace(memories=shown, weaker=answer.weaker + len(hits) - len(shown))


LONGEST = 2_000
"""The characters of a prompt that are read."""
_MOST = 10
"""How many of the best memories are tested."""
ENOUGH = 1.0
"""The threshold of the first number, and of the product."""
_CONCEPT = 0.5
"""The weight of a shared concept relative to a shared word."""


def relevant(
    store: "Store", prompt: str, *, seconds: float, keys: Sequence[str] = ()
) -> "list[IntelligentSearchResult]":
    """The memories relevant to a prompt, best first; often none.

    Words and the lexicon's synonyms find candidates: without shared words no memory passes. No learned embedder is
    loaded and no server asked; `static` computes the cosine instead.

    New memories may be indexed for up to `seconds`. `keys` are globs of paths; empty means all.
    """

    def find(index: "Index", snapshot: "Snapshot", query: "Query") -> "list[IntelligentSearchResult]":
        holding = query.where._replace(holds_at=query.now)  # an expired memory answers nobody
        words_alone = query._replace(weights={Words.name: 1.0, Concepts.name: 1.0}, where=holding)
        hits = index.read(snapshot, lambda view: _passing(view, words_alone))
        if not hits:
            return []  # the usual case: skip the imports below
        from memoir.recall.answer import add_authors, fetch

        return add_authors(store, snapshot, fetch(snapshot, hits, "simple"), hurried=True)

    return _ask(store, prompt, {"limit": _MOST, "keys": list(keys)}, find, seconds)


_PREFERRED = 0.7
"""The threshold for a preference."""


def standing(store: "Store", prompt: str, *, seconds: float) -> "Sequence[StandingInstruction]":
    """The standing instructions relevant to a prompt, nearest first.

    A prompt is usually a task, so a preference needs a higher relevance than for a question. The arguments are those of
    `relevant`.
    """

    def find(index: "Index", snapshot: "Snapshot", query: "Query") -> "list[StandingInstruction]":
        from memoir.recall.standing_instructions import standing_on

        bound = binding(query.text, standing_on(index, snapshot, query))
        return [each for each in bound if each.kind == DIRECTIVE or each.relevance >= _PREFERRED]

    return _ask(store, prompt, {}, find, seconds)


def _ask(
    store: "Store",
    prompt: str,
    fields: "QueryFields",
    question: "Callable[[Index, Snapshot, Query], list[T]]",
    seconds: float,
) -> list[T]:
    """Run a question about a prompt on a store's index, without a learned embedder.

    The answer is empty if the prompt is blank, or if the index contradicts the store.
    """
    text = prompt[:LONGEST]
    if not text.strip():
        return []
    from contextlib import closing

    from memoir.embedders.choose_embedder import embedder_of
    from memoir.index.index import Index, IndexMismatch
    from memoir.recall.parse import parse

    query, snapshot = parse(text, {"mode": "simple", **fields}, store.config), store.at(None)
    embedder = embedder_of(store)
    with closing(Index(store, None if embedder.learned else embedder)) as index:
        index.begin(seconds=seconds)
        try:
            return question(index, snapshot, query)
        except IndexMismatch:
            index.discard()
            return []


def _passing(view: "View", query: "Query") -> "list[RankedCandidate]":
    """The memories that pass, best first; their relevance is the product, at most 1."""
    from memoir.recall.ranking import rank

    ranking = rank(view, query)
    terms, most = ranking.clues.words.terms, view.greatest_idf()
    candidates = {each.document.id: each for each in ranking.candidates[:_MOST]}
    concepts = ranking.clues.concepts.scores if ranking.clues.concepts else {}
    words = {
        identity: (view.word_coverage(terms, identity) + _CONCEPT * concepts.get(identity, 0.0)) / most
        for identity in candidates
    }
    cosines = _cosines(view, query, [identity for identity in words if words[identity] >= ENOUGH])
    strengths = {identity: words[identity] * cosine for identity, cosine in cosines.items()}
    best = sorted((identity for identity in strengths if strengths[identity] >= ENOUGH), key=lambda i: -strengths[i])
    return [candidates[identity]._replace(relevance=min(strengths[identity], 1.0), items=()) for identity in best]


def _cosines(view: "View", query: "Query", ids: Sequence[int]) -> dict[int, float]:
    if not ids:
        return {}
    vector = view.vector(query.text)
    return view.cosines(vector, ids) if vector else view.quick_cosines(query.text, ids)
