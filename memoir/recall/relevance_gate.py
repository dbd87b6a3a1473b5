"""Recall that answers only where something is relevant: for prompts that nobody has asked memoir about.

A ranking always has a best memory. Whether it has to do with the prompt, two numbers say together, multiplied: how many
rare words the two share (the idf of the shared words, in units of the greatest idf that there could be), and how near
their meanings are (the cosine). `benchmarks.gate` prints what that lets through.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from memoir.index.embedders.choose_embedder import embedder_of
from memoir.index.embedders.embedder import Embedder
from memoir.index.index import Index, IndexMismatch
from memoir.index.view import View
from memoir.recall.channels import Concepts, Words
from memoir.recall.parse import parse
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, rank
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

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
    with closing(Index(store, _quick(store))) as index:
        index.begin(seconds=seconds)
        try:
            hits = index.read(snapshot, lambda view: _hits(view, words_alone))
        except IndexMismatch:
            index.discard()
            return []
    if not hits:
        return []  # the usual case, in which what makes results is not imported
    from memoir.recall.answer import Hit, add_authors, fetch

    return add_authors(store, snapshot, fetch(snapshot, [Hit(*each) for each in hits], "simple"), hurried=True)


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
    with closing(Index(store, _quick(store))) as index:
        index.begin(seconds=seconds)
        try:
            bound = binding(text, standing_on(index, snapshot, query))
            return [each for each in bound if each.kind == DIRECTIVE or each.relevance >= _PREFERRED]
        except IndexMismatch:
            index.discard()
            return []


def _quick(store: Store) -> Embedder | None:
    """The embedder of a store, unless it is learned."""
    embedder = embedder_of(store)
    return None if embedder.learned else embedder


def _hits(view: View, query: Query) -> list[tuple[Address, int, float, dict[str, Any], bool]]:
    """The fields of what is enough, best first; see `Hit`."""
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
    return [_fields(candidates[identity], strengths[identity]) for identity in best]


def _fields(candidate: RankedCandidate, strength: float) -> tuple[Address, int, float, dict[str, Any], bool]:
    """The fields of a hit; see `memoir.recall.answer.Hit`."""
    document = candidate.document
    return (*document.place, min(strength, 1.0), candidate.fields(), bool(document.role))


def _cosines(view: View, query: Query, ids: Sequence[int]) -> dict[int, float]:
    if not ids:
        return {}
    vector = view.vector(query.text)
    return view.cosines(vector, ids) if vector else view.quick_cosines(query.text, ids)
