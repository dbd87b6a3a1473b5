"""The second step of `simple`: memories that the best ones lead to, and those about other things the question names.

"Who is older, the director of Alba or the author of Emma?" takes four memories, and two of them have hardly a word of
the question. A memory is usually about what it begins with, its subject. So a memory whose subject is a name in another
one is probably the next step from there, and one whose subject is in the question is a good place to start.

The fourth place is for the best sure lead, the fifth and every third after it for all leads. Talk is left as it is: the
names that people share lead to chatter.
"""

from collections.abc import Mapping, Sequence

from memoir.english.requests import count_relations
from memoir.english.subjects import stands_in, subject
from memoir.memory.speaker import ASSISTANT, TEXT, USER
from memoir.recall.associations import HOP
from memoir.recall.channel import READ_CHARACTERS, Search
from memoir.recall.ranking import RankedCandidate, Ranking
from memoir.recall.shared_names import SEEDS, Lead, follow, in_order_of_leads, names_in, weave

LATE = 5
"""The first result that may be any lead: the best ones stay, and an answer of five has one."""
TWO_STEPS = 4
"""The fewest known words of a question that takes two steps: each step has its own words."""
RARE = 0.1
"""The largest share of memories that contain the rarest word of a name in a question."""
_FEW = 2
"""A number of memories that is small in any store."""

Subjects = Mapping[int, str]
"""The subjects of memories by their ids."""


def add_late_hop(search: Search, ranking: Ranking, depth: int | None = None) -> Ranking:
    """Move leads within a ranking to the fourth, fifth, eighth, … place.

    A lead takes the relevance of its predecessor, so sorting by relevance keeps its place. `depth` is the number of
    memories that the answer needs, None for all.
    """
    if not _may_take_two_steps(search, ranking, depth):
        return ranking
    sure, reasons = _next_step(search, ranking)
    if not reasons:
        return ranking
    by_id, order = {each.document.id: each for each in ranking.candidates}, list[RankedCandidate]()
    base = list(dict.fromkeys((*list(by_id)[: LATE - 2], *sure, *by_id)))
    for identity, is_led in weave(base, list(reasons), depth, LATE):
        each = by_id[identity]
        if is_led or identity in sure:
            each = each._replace(relevance=order[-1].relevance, lead=str(reasons[identity]))
        order.append(each)
    return ranking._replace(candidates=tuple(order))


def _next_step(search: Search, ranking: Ranking) -> tuple[list[int], dict[int, str | Lead]]:
    """The memory for the fourth place, if there is one, and those for the other places with the reasons."""
    best = [each.document.id for each in ranking.candidates[: LATE - 1]]
    subjects = {each.document.id: subject(each.document.content) for each in ranking.candidates}
    named = _named(search, ranking, subjects)
    leads = {lead.document.id: lead for lead in _leads(search, ranking, subjects, [*named.values()])}
    sure = [identity for identity, lead in leads.items() if lead.is_sure and identity not in best[:-1]][:1]
    shown = [each for each in ranking.candidates if each.document.id in (*best[: LATE - 1 - len(sure)], *sure)]
    missing = {each.document.id: f"named: {its}" for its, each in _missing(search, named, shown).items()}
    return sure, {**missing, **{identity: lead for identity, lead in leads.items() if identity not in missing}}


def _may_take_two_steps(search: Search, ranking: Ranking, depth: int | None) -> bool:
    """Whether names may be followed for a question: it asks for enough memories, and the best are not talk."""
    best = ranking.candidates
    return (
        not search.query.strict
        and search.query.weight(HOP.name) > 0
        and len(best[:depth]) >= LATE
        and not _are_talk(search, best[:SEEDS])
    )


def _are_talk(search: Search, candidates: Sequence[RankedCandidate]) -> bool:
    """Whether somebody says one of the memories; of a turn of an imported chat only the metadata tell."""
    if any(each.document.people or each.document.role not in ("", TEXT) for each in candidates):
        return True
    ids = [each.document.id for each in candidates]
    return any(search.view.with_field("role", role, ids) for role in (USER, ASSISTANT))


def _describes(search: Search) -> bool:
    """Whether a question describes something by a relation, and has words enough for two steps."""
    return len(search.clues.words.terms) >= TWO_STEPS and count_relations(search.query.text) > 0


def _named(search: Search, ranking: Ranking, subjects: Subjects) -> dict[str, RankedCandidate]:
    """The things that the question names, each with the best memory about it; a part of a longer name is none."""
    question = search.query.text.lower()
    found: dict[str, RankedCandidate] = {}
    for each in ranking.candidates:
        if stands_in(its := subjects[each.document.id], question):
            found.setdefault(its, each)
    if not found:
        return {}
    few = max(RARE * search.view.total(), _FEW)
    rare = search.view.stems(" ".join(term.word for term in search.clues.words.terms if term.documents <= few))
    return {
        its: each
        for its, each in found.items()
        if not any(its != other and stands_in(its, other) for other in found) and search.view.stems(its) & rare
    }


def _missing(
    search: Search, named: Mapping[str, RankedCandidate], shown: Sequence[RankedCandidate]
) -> dict[str, RankedCandidate]:
    """The named things that are in none of the memories shown, each with the best memory about it.

    A question that describes nothing has to name several things: it compares them.
    """
    if len(named) < SEEDS and not _describes(search):
        return {}
    texts = [_text(each) for each in shown]
    return {its: each for its, each in named.items() if not any(stands_in(its, text) for text in texts)}


def _leads(search: Search, ranking: Ranking, subjects: Subjects, named: Sequence[RankedCandidate]) -> Sequence[Lead]:
    """The leads of the memories about named things, else of the best memories; sure ones first.

    A lead is sure if its subject is a name in the seed. For a question that describes nothing there are no others.
    """
    candidates, describes = ranking.candidates, _describes(search)
    found = {each.document.id: each.document for each in candidates}
    seeds = {each.document.id: each for each in (*named[:SEEDS], *candidates[:SEEDS])}
    leads = list[Lead]()
    for seed in [*seeds.values()][:SEEDS]:
        about = _about(search, seed, subjects)
        for lead in follow(search, seed, found) if about or describes else ():
            its = subjects[lead.document.id] if lead.document.id in about else ""
            leads.append(lead._replace(is_sure=any(names_in(its, lead.names))))
    return in_order_of_leads(search, candidates, (lead for lead in leads if lead.is_sure or describes))


def _about(search: Search, seed: RankedCandidate, subjects: Subjects) -> set[int]:
    """The ids of the memories whose subject is in a memory and not in the question."""
    text, question = _text(seed), search.query.text.lower()
    own = subjects[seed.document.id]
    return {i for i, its in subjects.items() if its != own and stands_in(its, text) and not stands_in(its, question)}


def _text(candidate: RankedCandidate) -> str:
    return candidate.document.content[:READ_CHARACTERS].lower()
