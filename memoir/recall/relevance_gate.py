"""Recall that answers only where something is relevant: for prompts that nobody has asked memoir about.

A ranking always has a best memory. Whether it has to do with the prompt, two numbers say together, multiplied: how many
rare words the two share (the idf of the shared words, in units of the greatest idf that there could be), and how near
their meanings are (the cosine). `benchmarks.gate` prints what that lets through.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from memoir.embedders.choose_embedder import embedder_of
from memoir.index.index import Index, IndexMismatch
from memoir.index.view import View
from memoir.recall.channels import Concepts, Words
from memoir.recall.parse import parse
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, rank
from memoir.store.store import Store

if TYPE_CHECKING:
    from memoir.recall.findings import StandingInstruction
    from memoir.recall.result import IntelligentSearchResult

LONGEST = 2_000
"""The characters of a prompt that are looked at."""
_MOST = 10
"""The memories that are looked at, best first."""
ENOUGH = 1.0
"""The least product with which a memory has to do with a prompt."""
_CONCEPT = 0.5
"""What a concept counts beside a word that is shared."""

T = TypeVar("T")


def relevant(store: Store, prompt: str, *, seconds: float, keys: Sequence[str] = ()) -> "list[IntelligentSearchResult]":
    """The memories that have to do with a prompt, best first; none if nothing has.

    Words find them, because without shared words nothing is enough, and the lexicon's words for the same. A learned
    embedder is not loaded, nor a server asked for vectors: then `static` says how near the meanings are.

    For some seconds memories may be indexed that are not yet. `keys` are globs of the paths that count, all without
    any.
    """
    text = prompt[:LONGEST]
    if not text.strip():
        return []
    snapshot = store.at(None)
    query = parse(text, {"mode": "simple", "limit": _MOST, "keys": list(keys)}, store.config)
    holding = query.where._replace(holds_at=query.now)  # an expired memory answers nobody
    words_alone = query._replace(weights={Words.name: 1.0, Concepts.name: 1.0}, where=holding)
    hits = _ask(store, seconds, lambda index: index.read(snapshot, lambda view: _hits(view, words_alone)))
    if not hits:
        return []  # the usual case, in which what makes results is not imported
    from memoir.recall.answer import add_authors, fetch

    return add_authors(store, snapshot, fetch(snapshot, hits, "simple"), hurried=True)


_PREFERRED = 0.7
"""The least relevance of a preference."""


def standing(store: Store, prompt: str, *, seconds: float) -> "Sequence[StandingInstruction]":
    """What users told an assistant to do from now on, as far as it bears on a prompt, nearest first.

    A prompt is mostly a task, so a preference has to be nearer to it than to a question. The arguments are as for
    `relevant`.
    """
    text = prompt[:LONGEST]
    if not text.strip():
        return []
    from memoir.recall.fit import binding
    from memoir.recall.standing_instructions import standing_on
    from memoir.taxonomy.kinds import DIRECTIVE

    query, snapshot = parse(text, {"mode": "simple"}, store.config), store.at(None)
    bound = binding(text, _ask(store, seconds, lambda index: standing_on(index, snapshot, query)))
    return [each for each in bound if each.kind == DIRECTIVE or each.relevance >= _PREFERRED]


def _ask(store: Store, seconds: float, question: Callable[[Index], list[T]]) -> list[T]:
    """What a store's index answers, without a learned embedder; nothing if the store does not hold what it says."""
    embedder = embedder_of(store)
    with closing(Index(store, None if embedder.learned else embedder)) as index:
        index.begin(seconds=seconds)
        try:
            return question(index)
        except IndexMismatch:
            index.discard()
            return []


def _hits(view: View, query: Query) -> list[RankedCandidate]:
    """What is enough, best first; its relevance is that product, 1 at most."""
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


def _cosines(view: View, query: Query, ids: Sequence[int]) -> dict[int, float]:
    if not ids:
        return {}
    vector = view.vector(query.text)
    return view.cosines(vector, ids) if vector else view.quick_cosines(query.text, ids)
