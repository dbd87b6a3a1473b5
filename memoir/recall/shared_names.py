"""Leads: memories that share rare names with the best ones.

"Who maintains the service that Ada wrote?" takes two steps, and the memory of the second step shares few words with the
question. So the rare names in the best memories are searched for: all of them in the memories that were found, and very
rare ones, which hardly any other memory contains, in all others. `memoir.recall.second_step` decides what becomes of
the leads.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.index.lexical import Term
from memoir.recall.associations import HOP
from memoir.recall.channel import READ_CHARACTERS, Search
from memoir.recall.ranking import RankedCandidate
from memoir.recall.scoring import weight_of
from memoir.taxonomy.paths import Address

SEEDS = 2
"""How many of the best memories lead to others."""
_MOST_NAMES = 8
"""How many of each memory's rarest names are followed."""
RARE = 5
"""The most memories that contain a name which is searched for beyond the memories found."""
POOL = 50
"""The most memories that the very rare names of one memory lead to: a rare name may have a frequent stem."""
MISSING_WEIGHT = 0.5
"""The weight of a question word that the first memory lacks; a name counts 1."""
OF_BASE = 0.3
"""The weight of a memory's own score among the memories that names lead to."""


class Lead(NamedTuple):
    """A memory that names lead to, its match relative to the best (0 to 1), the memory it came from, and the names.

    It is sure if it is about one of these names.
    """

    document: IndexedDocument
    share: float
    seed: RankedCandidate
    names: Sequence[Term]
    is_sure: bool = False

    @property
    def strength(self) -> float:
        """Its share of its seed's score."""
        return self.share * max(self.seed.score, 0.0)

    def __str__(self) -> str:
        words = ", ".join(name.word for name in names_in(self.document.content[:READ_CHARACTERS], self.names))
        return f"hop: {self.seed.document.address.short_key} via {words or self.names[0].word}"


def in_order_of_leads(search: Search, candidates: Sequence[RankedCandidate], leads: Iterable[Lead]) -> list[Lead]:
    """The best lead to each memory, best first; sure leads before the others.

    A lead's strength includes its seed's score, so of two equal leads the one from the better seed wins.
    """
    base, weight = {each.document.id: each.score for each in candidates}, search.query.weight(HOP.name)
    top = max(base.values(), default=0.0) or 1.0
    best: dict[int, Lead] = {}
    for lead in leads:
        rival = best.setdefault(lead.document.id, lead)
        if (lead.is_sure, lead.strength) > (rival.is_sure, rival.strength):
            best[lead.document.id] = lead

    def order(lead: Lead) -> tuple[bool, float, Address, int]:
        score = weight * lead.strength + OF_BASE * base.get(lead.document.id, 0.0)
        return (not lead.is_sure, -score / top, *lead.document.place)

    return sorted(best.values(), key=order)


def follow(search: Search, seed: RankedCandidate, found: Mapping[int, IndexedDocument]) -> list[Lead]:
    """The leads of one memory: those `found` that contain its rarest names, and others that contain very rare ones."""
    names, absent_words = _names_to_follow(search, seed.document), _words_not_in(search, seed.document)
    rare = [name for name in names if name.documents <= RARE]
    further = search.among.by_words(rare, POOL, own=True) if rare else ()
    others = {identity: score for identity, score in further if identity not in found}
    scores = {**others, **search.view.word_scores(names, [*found], own=True)}
    scores.pop(seed.document.id, None)
    documents = {**found, **{each.id: each for each in search.view.documents([*others])}}
    for identity, score in search.view.word_scores(absent_words, [*scores], own=True).items():
        scores[identity] += MISSING_WEIGHT * score
    for identity in scores:
        scores[identity] *= weight_of(search.query, documents[identity])
    best = max(scores.values(), default=0.0) or 1.0
    shares = {identity: score / best for identity, score in scores.items() if score > 0}
    return [Lead(documents[i], share, seed, names if i in found else rare) for i, share in shares.items()]


def _names_to_follow(search: Search, document: IndexedDocument) -> list[Term]:
    """The rarest names of a memory that are not in the question, rarest first."""
    question_stems = search.view.stems(search.query.text)
    names = search.view.find_connectors(document.content[:READ_CHARACTERS])
    return [name for name in names if not search.view.stems(name.word) <= question_stems][:_MOST_NAMES]


def _words_not_in(search: Search, document: IndexedDocument) -> list[Term]:
    """The words of the question that a memory lacks."""
    stems = search.view.stems(document.content[:READ_CHARACTERS])
    return [term for term in search.clues.words.terms if not search.view.stems(term.word) <= stems]


def names_in(text: str, names: Iterable[Term]) -> Iterator[Term]:
    """The names that occur in a text, exactly as spelt."""
    small = text.lower()
    return (name for name in names if name.word in small and re.search(rf"\b{re.escape(name.word)}\b", small))
