"""Recall for prompts that did not ask memoir: it answers only if something is relevant.

A ranking always has a best memory. Its relevance to the prompt is the product of two numbers: the rarity of the shared
words (their summed idf, divided by the greatest possible idf of a word) and the cosine. `benchmarks.gate` prints what
passes.
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
"""The characters of a prompt that are read."""
_MOST = 10
"""How many of the best memories are tested."""
ENOUGH = 1.0
"""The threshold of the first number, and of the product."""
_CONCEPT = 0.5
"""The weight of a shared concept relative to a shared word."""

T = TypeVar("T")


def relevant(store: Store, prompt: str, *, seconds: float, keys: Sequence[str] = ()) -> "list[IntelligentSearchResult]":
    """The memories relevant to a prompt, best first; often none.

    Words and the lexicon's synonyms find candidates: without shared words no memory passes. No learned embedder is
    loaded and no server asked; `static` computes the cosine instead.

    New memories may be indexed for up to `seconds`. `keys` are globs of paths; empty means all.
    """
    text = prompt[:LONGEST]
    if not text.strip():
        return []
    snapshot = store.at(None)
    query = parse(text, {"mode": "simple", "limit": _MOST, "keys": list(keys)}, store.config)
    holding = query.where._replace(holds_at=query.now)  # an expired memory answers nobody
    words_alone = query._replace(weights={Words.name: 1.0, Concepts.name: 1.0}, where=holding)
    hits = _ask_index(store, seconds, lambda index: index.read(snapshot, lambda view: _passing(view, words_alone)))
    if not hits:
        return []  # the usual case: skip the imports below
    from memoir.recall.answer import add_authors, fetch

    return add_authors(store, snapshot, fetch(snapshot, hits, "simple"), hurried=True)


_PREFERRED = 0.7
"""The threshold for a preference."""


def standing(store: Store, prompt: str, *, seconds: float) -> "Sequence[StandingInstruction]":
    """The standing instructions relevant to a prompt, nearest first.

    A prompt is usually a task, so a preference needs a higher relevance than for a question. The arguments are those of
    `relevant`.
    """
    text = prompt[:LONGEST]
    if not text.strip():
        return []
    from memoir.recall.fit import binding
    from memoir.recall.standing_instructions import standing_on
    from memoir.taxonomy.kinds import DIRECTIVE

    query, snapshot = parse(text, {"mode": "simple"}, store.config), store.at(None)
    bound = binding(text, _ask_index(store, seconds, lambda index: standing_on(index, snapshot, query)))
    return [each for each in bound if each.kind == DIRECTIVE or each.relevance >= _PREFERRED]


def _ask_index(store: Store, seconds: float, question: Callable[[Index], list[T]]) -> list[T]:
    """Run a question on a store's index without a learned embedder; nothing if the index contradicts the store."""
    embedder = embedder_of(store)
    with closing(Index(store, None if embedder.learned else embedder)) as index:
        index.begin(seconds=seconds)
        try:
            return question(index)
        except IndexMismatch:
            index.discard()
            return []


def _passing(view: View, query: Query) -> list[RankedCandidate]:
    """The memories that pass, best first; their relevance is the product, at most 1."""
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
