"""The hop: from the best memories to others that share rare names with them.

"Who maintains the service that Ada wrote?" takes two steps, and the memory of the second step shares few words with the
question. So the names in the best memories are searched for, and every third result comes from that search. Adding up
the scores found less, because the second memory is never similar to the question.

This is the hop of `deep`; `memoir.recall.second_step` has that of `simple`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.index.lexical import Term
from memoir.recall.associations import HOP
from memoir.recall.channel import READ_CHARACTERS, Search
from memoir.recall.channels import Candidates, extend
from memoir.recall.ranking import RankedCandidate, Ranking, in_order
from memoir.recall.scoring import weight_of
from memoir.taxonomy.paths import Address

SEEDS = 2
"""How many of the best memories the hop starts from."""
_MOST_NAMES = 8
"""How many of each memory's rarest names are followed."""
EVERY = 3
"""Every third result comes from the hop: the 3rd, the 6th, the 9th."""
POOL = 50
"""The most memories that the names of one memory lead to."""
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


def add_hop(search: Search, candidates: Candidates, ranking: Ranking, depth: int | None = None) -> Ranking:
    """Take every third memory of a ranking from the leads.

    `depth` is how many memories the answer needs; None means all.
    """
    if not search.query.weight(HOP.name):
        return ranking
    found = (lead for seed in ranking.candidates[:SEEDS] for lead in follow(search, seed))
    leads = {lead.document.id: lead for lead in in_order_of_leads(search, ranking.candidates, found)}
    order = list(weave([each.document.id for each in ranking.candidates], list(leads), depth))
    by_id = {each.document.id: each for each in (*ranking.candidates, *ranking.others)}
    by_id |= _score(search, candidates, [identity for identity, _ in order if identity not in by_id])
    new_order = [_as_lead(by_id[i], leads[i]) if is_led else by_id[i] for i, is_led in order]
    order_ids = {identity for identity, _ in order}
    others = tuple(each for each in ranking.others if each.document.id not in order_ids)
    return ranking._replace(candidates=tuple(new_order), others=others)


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


def weave(
    base: Sequence[int], targets: Sequence[int], depth: int | None = None, first: int = EVERY
) -> Iterator[tuple[int, bool]]:
    """Merge ids without duplicates: every `EVERY`th from `targets`, the others from `base`.

    `first` is the place of the first target. Each id comes with whether it was taken from `targets`, which happens
    within the first `depth` only. When `base` has ended, only a target that is due next may follow.
    """
    past_ids: set[int] = set()
    by_rank, by_name = iter(base), iter(targets)
    for place in count(1):
        is_turn = place >= first and (place - first) % EVERY == 0
        is_led = is_turn and (depth is None or len(past_ids) < depth)
        identity = next((i for i in by_name if i not in past_ids), None) if is_led else None
        is_led = identity is not None
        if identity is None:
            identity = next((i for i in by_rank if i not in past_ids), None)
        if identity is not None:
            past_ids.add(identity)
            yield identity, is_led
        elif (place + 1 - first) % EVERY:
            return


def follow(search: Search, seed: RankedCandidate, found: Mapping[int, IndexedDocument] | None = None) -> list[Lead]:
    """The leads of one memory: the documents that contain its rarest names, among all or those `found`."""
    names, absent_words = _names_to_follow(search, seed.document), _words_not_in(search, seed.document)
    if found is None:
        scores = dict(search.among.by_words(names[:_MOST_NAMES], POOL, own=True))
    else:
        scores = search.view.word_scores(names[:_MOST_NAMES], [*found], own=True)
    scores.pop(seed.document.id, None)
    for identity, score in search.view.word_scores(absent_words, [*scores], own=True).items():
        scores[identity] += MISSING_WEIGHT * score
    documents = [*search.view.documents([*scores])] if found is None else [found[identity] for identity in scores]
    for document in documents:
        scores[document.id] *= weight_of(search.query, document)
    best = max(scores.values(), default=0.0) or 1.0
    return [Lead(each, scores[each.id] / best, seed, names) for each in documents if scores[each.id] > 0]


def _names_to_follow(search: Search, document: IndexedDocument) -> list[Term]:
    """The names of a memory that are not in the question, rarest first."""
    question_stems = search.view.stems(search.query.text)
    names = search.view.find_connectors(document.content[:READ_CHARACTERS])
    return [name for name in names if not search.view.stems(name.word) <= question_stems]


def _words_not_in(search: Search, document: IndexedDocument) -> list[Term]:
    """The words of the question that a memory lacks."""
    stems = search.view.stems(document.content[:READ_CHARACTERS])
    return [term for term in search.clues.words.terms if not search.view.stems(term.word) <= stems]


def names_in(text: str, names: Iterable[Term]) -> Iterator[Term]:
    """The names that occur in a text, exactly as spelt."""
    small = text.lower()
    return (name for name in names if name.word in small and re.search(rf"\b{re.escape(name.word)}\b", small))


def _score(search: Search, candidates: Candidates, ids: Sequence[int]) -> dict[int, RankedCandidate]:
    """Rank further documents, given by id, among the candidates."""
    if not ids:
        return {}
    ranking = in_order(search, extend(search, candidates, ids))
    return {each.document.id: each for each in (*ranking.candidates, *ranking.others) if each.document.id in ids}


def _as_lead(candidate: RankedCandidate, lead: Lead) -> RankedCandidate:
    """A memory placed by the hop: at least as relevant as its seed times its share."""
    relevance = max(candidate.relevance, lead.seed.relevance * lead.share)
    return candidate._replace(relevance=relevance, dropped=None, lead=str(lead))
