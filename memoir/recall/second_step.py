"""The second step: memories that the best ones lead to, and those about other things the question names.

"Who is older, the director of Alba or the author of Emma?" takes four memories, and two of them have hardly a word of
the question. A memory is usually about what it begins with, its subject. So a memory whose subject is a name in another
one is probably the next step from there, and one whose subject is in the question is a good place to start.

Leads among the memories found move: the best sure one to the fourth place, the others to the fifth and every third
after it. The best lead of all, if it is sure, is at least 0.6 times as relevant as the memory it comes from, even if
the question did not find it. Talk is left as it is: the names that people share lead to chatter.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from memoir.english.requests import count_relations
from memoir.english.subjects import stands_in, subject
from memoir.memory.speaker import ASSISTANT, TEXT, USER
from memoir.recall.associations import HOP
from memoir.recall.channel import READ_CHARACTERS, Search
from memoir.recall.channels import Candidates, extend
from memoir.recall.ranking import RankedCandidate, Ranking, in_order
from memoir.recall.shared_names import SEEDS, Lead, follow, in_order_of_leads, names_in

LATE = 5
"""The first result that may be any lead: the best ones stay, and an answer of five has one."""
EVERY = 3
"""How far apart such results are: the 5th, the 8th, the 11th."""
OF_SEED = 0.6
"""How relevant the best lead is, as a share of the memory that it comes from."""
TWO_STEPS = 4
"""The fewest known words of a question that takes two steps: each step has its own words."""
RARE_SHARE = 0.1
"""The largest share of memories that contain the rarest word of a name in a question."""
_FEW = 2
"""A number of memories that is small in any store."""

Subjects = Mapping[int, str]
"""The subjects of memories by their ids."""


def add_second_step(search: Search, candidates: Candidates, ranking: Ranking, depth: int | None = None) -> Ranking:
    """Move leads forward in a ranking, unless the best memories are talk.

    A moved lead is at most as relevant as its predecessor, so sorting by relevance keeps its place. `depth` is the
    number of memories that the answer needs, None for all.
    """
    best = ranking.candidates[:SEEDS]
    if search.query.strict or search.query.weight(HOP.name) <= 0 or not best or _are_talk(search, best):
        return ranking
    subjects = {each.document.id: subject(each.document.content) for each in ranking.candidates}
    named = _named(search, ranking, subjects)
    leads = _leads(search, ranking, subjects, [*named.values()])
    return _lift(search, candidates, _move(search, ranking, named, leads, depth), leads)


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
    few = max(RARE_SHARE * search.view.total(), _FEW)
    rare = search.view.stems(" ".join(term.word for term in search.clues.words.terms if term.documents <= few))
    return {
        its: each
        for its, each in found.items()
        if not any(its != other and stands_in(its, other) for other in found) and search.view.stems(its) & rare
    }


def _leads(search: Search, ranking: Ranking, subjects: Subjects, named: Sequence[RankedCandidate]) -> Sequence[Lead]:
    """The leads of the memories about named things, else of the best memories; sure ones first.

    A lead is sure if its subject is a name in the seed and not in the question. Others have to be found already, by a
    question that describes something.
    """
    candidates, describes = ranking.candidates, _describes(search)
    found = {each.document.id: each.document for each in candidates}
    seeds = {each.document.id: each for each in (*named[:SEEDS], *candidates[:SEEDS])}
    leads = list[Lead]()
    for seed in [*seeds.values()][:SEEDS]:
        is_next = _test_for_next(search, seed)
        has_leads = describes or any(map(is_next, subjects.values()))
        for lead in follow(search, seed, found if has_leads else {}):
            its = subjects.get(lead.document.id) or subject(lead.document.content)
            is_sure = any(names_in(its, lead.names)) and is_next(its)
            if is_sure or (describes and lead.document.id in found):
                leads.append(lead._replace(is_sure=is_sure))
    return in_order_of_leads(search, candidates, leads)


def _test_for_next(search: Search, seed: RankedCandidate) -> Callable[[str], bool]:
    """A test whether a subject is in a memory about something else, and not in the question."""
    own, text, question = subject(seed.document.content), _text(seed), search.query.text.lower()
    return lambda its: its != own and stands_in(its, text) and not stands_in(its, question)


def _move(
    search: Search,
    ranking: Ranking,
    named: Mapping[str, RankedCandidate],
    leads: Sequence[Lead],
    depth: int | None,
) -> Ranking:
    """Move leads and missing named things among the candidates to the fourth, fifth, eighth, … place."""
    by_id = {each.document.id: each for each in ranking.candidates}
    sure, reasons = _next_step(search, ranking, named, [lead for lead in leads if lead.document.id in by_id])
    if not reasons:
        return ranking
    order, base = list[RankedCandidate](), list(dict.fromkeys((*list(by_id)[: LATE - 2], *sure, *by_id)))
    for identity, is_led in weave(base, list(reasons), depth):
        each = by_id[identity]
        if is_led or identity in sure:
            each = each._replace(relevance=order[-1].relevance, lead=str(reasons[identity]))
        order.append(each)
    return ranking._replace(candidates=tuple(order))


def _next_step(
    search: Search, ranking: Ranking, named: Mapping[str, RankedCandidate], leads: Sequence[Lead]
) -> tuple[list[int], dict[int, str | Lead]]:
    """The memory for the fourth place, if there is one, and those for the other places with the reasons."""
    best = [each.document.id for each in ranking.candidates[: LATE - 1]]
    by_id = {lead.document.id: lead for lead in leads}
    sure = [lead.document.id for lead in leads if lead.is_sure and lead.document.id not in best[:-1]][:1]
    shown = [each for each in ranking.candidates if each.document.id in (*best[: LATE - 1 - len(sure)], *sure)]
    missing = {each.document.id: f"named: {its}" for its, each in _missing(search, named, shown).items()}
    return sure, {**missing, **{identity: lead for identity, lead in by_id.items() if identity not in missing}}


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


def weave(base: Sequence[int], leads: Sequence[int], depth: int | None = None) -> Iterator[tuple[int, bool]]:
    """Order ids: the `LATE`th and every `EVERY`th after it from `leads`, which are all in `base`, the others from it.

    Each id comes with whether it was taken from `leads`, which happens within the first `depth` only.
    """
    past_ids: set[int] = set()
    by_rank, by_lead = iter(base), iter(leads)
    for place in range(1, len(base) + 1):
        is_turn = place >= LATE and (place - LATE) % EVERY == 0 and (depth is None or place <= depth)
        identity = next((i for i in by_lead if i not in past_ids), None) if is_turn else None
        is_led = identity is not None
        if identity is None:
            identity = next(i for i in by_rank if i not in past_ids)
        past_ids.add(identity)
        yield identity, is_led


def _lift(search: Search, candidates: Candidates, ranking: Ranking, leads: Sequence[Lead]) -> Ranking:
    """Place the best lead, if it is sure, by the relevance of its seed; not before the first memory."""
    if not leads or not (lead := leads[0]).is_sure:
        return ranking
    each = _candidate(search, candidates, ranking, lead)
    rest = [other for other in ranking.candidates if other.document.id != each.document.id]
    relevance = max(each.relevance, OF_SEED * lead.seed.relevance)
    at = max(bisect_right(rest, -relevance, key=lambda other: -other.relevance), 1)
    if each in ranking.candidates[: at + 1]:
        return ranking
    lifted = each._replace(relevance=min(relevance, rest[at - 1].relevance), dropped=None, lead=str(lead))
    others = tuple(other for other in ranking.others if other.document.id != each.document.id)
    return ranking._replace(candidates=(*rest[:at], lifted, *rest[at:]), others=others)


def _candidate(search: Search, candidates: Candidates, ranking: Ranking, lead: Lead) -> RankedCandidate:
    """A lead as a candidate, scored now if the question did not find it."""
    identity = lead.document.id
    by_id = {each.document.id: each for each in ranking.everyone}
    if identity not in by_id:
        extended = in_order(search, extend(search, candidates, [identity]))
        by_id = {each.document.id: each for each in extended.everyone}
    return by_id[identity]


def _text(candidate: RankedCandidate) -> str:
    return candidate.document.content[:READ_CHARACTERS].lower()
