"""Merges records memory by memory: the additions of both sides are kept; only different changes of one memory conflict.

Memories have no stored id, so they are matched to the base's by content and timestamp, at any position. The rest are
paired in order where both sequences have a gap, since an edited memory keeps its position. There are two kinds of
conflicts: both sides changed or removed a memory differently, or superseded it by different memories. A memory that
both sides added in the same words becomes one. The result is sorted by time, so it depends neither on which side is
ours nor on the base; only the strategies `ours` and `theirs` name a side. Each conflict has its own choice (see
`memoir.exchange.merge_choices`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from memoir.exchange.merge_choices import Choices, Referee, Rivals
from memoir.records.damage import read_or_empty, read_record
from memoir.records.metadata import agree, confirmed_at, holds, join_metadata
from memoir.records.record import ABOUT, Memory, Name, Record, encode, fits, name_of, trim
from memoir.store.three_way import Clash, Matches, UndecidedKey
from memoir.taxonomy.paths import Address, from_key

Sides = tuple[Record, Record, Record]
"""The records of the base, ours and theirs."""


class Resolver:
    """Merges a key that both sides changed, for `memoir.store.three_way`; conflicts need a strategy.

    Args:
        strategy: The strategy for all paths.
        choices: The strategies for single paths and memories, which take precedence.
    """

    def __init__(self, strategy: str | None, choices: Choices | None = None) -> None:
        self._strategy = strategy
        self._choices = choices or Choices()

    def __call__(self, clash: Clash) -> bytes | None:
        """The bytes of the merged record, or None if the path is removed."""
        place = from_key(clash.key)
        ours, theirs = (() if value is None else read_record(place, value) for value in (clash.ours, clash.theirs))
        sides = read_or_empty(clash.base), ours, theirs
        referee = Referee(place, sides, self._strategy, self._choices)
        record = _join(*sides, referee, clash.matches)
        if referee.open:
            raise UndecidedKey
        return encode(record) if record else None


class _Alignment(NamedTuple):
    """Each base memory as one side has it now (None: removed), and the memories that only this side has."""

    fate: list[Memory | None]
    additions: list[Memory]


def rivals(place: Address, sides: Sides, choices: Choices, matches: Matches | None = None) -> list[Rivals]:
    """The conflicts of two records without a choice yet."""
    referee = Referee(place, sides, None, choices)
    _join(*sides, referee, matches)
    return referee.open


def _join(base: Record, ours: Record, theirs: Record, referee: Referee, matches: Matches | None) -> Record:
    """Merge two records; undecided conflicts are left out."""
    ours, theirs = _join_same_words(base, ours, theirs)
    ours, theirs = _unify_spelling(ours, theirs), _unify_spelling(theirs, ours)
    mine = _align_known(ours, matches.ours) if matches else align(base, ours)
    other = _align_known(theirs, matches.theirs) if matches else align(base, theirs)
    disputed = matches.disputed if matches else ()
    facets: list[Memory] = []
    ended: list[Memory] = []
    removals: set[str | None] = set()
    choices: dict[int, str | None] = {}
    brought_back: list[tuple[Memory, Memory]] = []
    for position, (facet, fate, other_fate) in enumerate(zip(base, mine.fate, other.fate, strict=True)):
        one, two = _join_confirmations(facet, fate, other_fate)
        if one == two:
            ended += [facet] if facet.active and one is not None and not one.active else []
            facets += [one] if one else []
        elif facet in (one, two) and position not in disputed:
            edit, side = (two, other) if one == facet else (one, mine)
            if edit and edit.active and not facet.active:  # in the place of what replaced it
                side.additions.append(edit)
                brought_back.append((facet, edit))
            else:
                facets += [edit] if edit else []
        else:
            sides = ([one] if one else [], [two] if two else [])
            strategy = referee.choose((facet,), *map(tuple, sides))
            if one and two and one.active != two.active:
                choices[position] = strategy = _side(strategy, (one, *mine.additions), (two, *other.additions))
            removals |= {strategy} if (one is None or two is None) and position not in disputed else set()
            facets += _settle(*sides, strategy)
    new = _stand(base, mine, choices, "theirs"), _stand(base, other, choices, "ours")
    additions = _merge_additions(tuple(ended), *new, removals, referee)
    facets += [facet for facet, edit in brought_back if edit not in additions and edit.superseded() not in additions]
    return trim(tuple(sorted((*facets, *additions), key=_order)))


def _side(strategy: str | None, ours: Record, theirs: Record) -> str | None:
    """The strategy for a memory that one side replaced; "newest" becomes the side that has the newest memory."""
    if strategy != "newest":
        return strategy
    return "theirs" if (_newest(theirs), encode(theirs)) > (_newest(ours), encode(ours)) else "ours"


def _stand(base: Record, side: _Alignment, choices: Mapping[int, str | None], other: str) -> list[Memory]:
    """A side's additions; superseded, if for all memories that they replaced the other side was chosen."""
    replaced = [at for at, (old, new) in enumerate(zip(base, side.fate, strict=True)) if old.active and _ended(new)]
    is_overruled = bool(replaced) and all(choices.get(at) == other for at in replaced)
    return [facet.superseded() for facet in side.additions] if is_overruled else side.additions


def _ended(facet: Memory | None) -> bool:
    return facet is not None and not facet.active


def _merge_additions(
    ended: Record, ours: list[Memory], theirs: list[Memory], removals: set[str | None], referee: Referee
) -> list[Memory]:
    """Merge both sides' additions.

    If one side removed a memory that the other changed, the additions follow the choice for that memory.
    """
    if None in removals:
        return []
    if removals - {"append"}:
        usual = min(filter(None, removals)) if len(removals) == 1 else None
        strategy = referee.choose((), tuple(ours), tuple(theirs), usual=usual) if ours or theirs else None
        return _settle(ours, theirs, strategy)
    return _unite(ended, ours, theirs, referee)


def _unify_spelling(record: Record, others: Record) -> Record:
    """Write equal memories of both sides with the same bytes: 1, 1.0 and true are equal, their bytes are not."""
    there: dict[Name, list[Memory]] = defaultdict(list)
    for other in (*others, *record):
        there[name_of(other)].append(other)
    alike = ((facet, [one for one in there[name_of(facet)] if one == facet]) for facet in record)
    return tuple(facet if len(equals) == 1 else min(equals, key=_canonical) for facet, equals in alike)


def _join_same_words(base: Record, ours: Record, theirs: Record) -> tuple[Record, Record]:
    """Replace memories that both sides added in the same words by a joined one, with the later time."""
    additions, other_additions = _additions(base, ours), _additions(base, theirs)
    both = {
        content: memory
        for content in additions.keys() & other_additions.keys()
        if (memory := _join_two(additions[content], other_additions[content]))
    }
    return _replace_added(base, ours, both), _replace_added(base, theirs, both)


def _additions(base: Record, side: Record) -> dict[str, Memory]:
    """The active memories that only this side has, by content; contents added more than once are left out."""
    before = {name_of(facet) for facet in base}
    by_content: dict[str, list[Memory]] = defaultdict(list)
    for facet in side:
        if name_of(facet) not in before:
            by_content[facet.content].append(facet)
    return {content: rows[0] for content, rows in by_content.items() if len(rows) == 1 and rows[0].active}


def _join_two(one: Memory, two: Memory) -> Memory | None:
    """Join two memories with the same words; None if they are equal, or their metadata contradict each other."""
    if one == two or not agree(one.metadata, two.metadata):
        return None
    first, second = sorted((one, two), key=_canonical)
    metadata = join_metadata(first.metadata, second.metadata)
    if not fits(metadata):
        return None
    since = max((one, two), key=lambda facet: (facet.instant, facet.timestamp)).timestamp
    return first._replace(metadata=metadata, timestamp=since, confidence=float(max(one.confidence, two.confidence)))


def _replace_added(base: Record, side: Record, by: dict[str, Memory]) -> Record:
    before = {name_of(facet) for facet in base}
    return tuple(facet if name_of(facet) in before else by.get(facet.content, facet) for facet in side)


def _join_confirmations(base: Memory, one: Memory | None, two: Memory | None) -> tuple[Memory | None, Memory | None]:
    """Both sides' versions of a memory, joined if each side only confirmed it or added metadata."""
    if one is None or two is None or one == two:
        return one, two
    base, first, second = _renew_anchors(base, one, two)
    if _adds_to(base, first) and _adds_to(base, second) and agree(first.metadata, second.metadata):
        first, second = sorted((first, second), key=_canonical)
        metadata = join_metadata(first.metadata, second.metadata)
        if fits(metadata):
            both = base._replace(metadata=metadata, confidence=float(max(one.confidence, two.confidence)))
            return both, both
    return one, two


def _renew_anchors(base: Memory, one: Memory, two: Memory) -> tuple[Memory, Memory, Memory]:
    """All three with the anchors of the later confirmation: it renewed them, so the older ones are no contradiction."""
    early, late = sorted((one, two), key=lambda side: (confirmed_at(side.metadata), _canonical(side)))
    if not (ABOUT in early.metadata and confirmed_at(late.metadata) > confirmed_at(base.metadata)):
        return base, one, two
    from memoir.records.anchor import join_anchors  # needed only for a memory about code

    anchors = join_anchors(base.metadata, early.metadata, late.metadata)
    first, second, third = (each._replace(metadata={**each.metadata, ABOUT: anchors}) for each in (base, one, two))
    return first, second, third


def _adds_to(base: Memory, side: Memory) -> bool:
    """Whether a side keeps the base's words and metadata, with at least its confidence."""
    same = (side.content, side.timestamp, side.status) == (base.content, base.timestamp, base.status)
    return same and holds(side.metadata, base.metadata) and side.confidence >= base.confidence


def _align_known(side: Record, matches: Sequence[bool]) -> _Alignment:
    """The alignment of a side that starts with the base memories marked in `matches`."""
    rest = iter(side)
    return _Alignment([next(rest) if has else None for has in matches], [*rest])


def align(base: Record, side: Record) -> _Alignment:
    """Match memories by identity, in any order, then pair the rest where both sequences have a gap."""
    before, after = ([*map(name_of, record)] for record in (base, side))
    twins = _match_identities(before, after)
    twin_places = set(twins.values())
    fate = [side[twins[position]] if position in twins else None for position in range(len(base))]
    additions: list[Memory] = []
    for _, low, high, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old = [position for position in range(low, high) if position not in twins]
        new = [side[position] for position in range(start, stop) if position not in twin_places]
        for position, facet in zip_longest(old, new):
            if position is None:
                additions.append(facet)
            else:
                fate[position] = facet
    return _Alignment(fate, additions)


def _match_identities(before: list[Name], after: list[Name]) -> dict[int, int]:
    """Map positions before to positions after by identity; equal identities are matched in order."""
    places: dict[Name, list[int]] = {}
    for position, identity in enumerate(after):
        places.setdefault(identity, []).append(position)
    pairs = ((position, places.get(identity)) for position, identity in enumerate(before))
    return {position: rest.pop(0) for position, rest in pairs if rest}


def _unite(ended: Record, ours: list[Memory], theirs: list[Memory], referee: Referee) -> list[Memory]:
    """Unite both sides' additions; if both sides superseded the same memories, a choice is needed."""
    common = _distinct([facet for facet in ours if facet in theirs])
    one = [facet for facet in ours if facet not in common]
    two = [facet for facet in theirs if facet not in common]
    if not (any(f.active for f in one) and any(f.active for f in two)):
        return [*common, *one, *two]
    strategy = referee.choose(ended, tuple(one), tuple(two)) if ended else "append"
    return [*common, *_settle(one, two, strategy)]


def _order(facet: Memory) -> tuple[object, ...]:
    return (facet.instant, facet.content, facet.confidence, facet.status, _canonical(facet))


def _canonical(facet: Memory) -> bytes:
    """The last sort key, so that the result does not depend on which side a memory came from."""
    return encode((facet,))


def _settle(ours: list[Memory], theirs: list[Memory], strategy: str | None) -> list[Memory]:
    """Choose between two conflicting groups of memories by a strategy; the losers stay as superseded.

    A group is empty if its side removed what the other changed; if that side wins, the memory is removed. A removal has
    no time, so `newest` treats it as the older. Without a strategy, the result is empty.
    """
    if strategy is None:
        return []
    if strategy == "append":
        return _distinct(ours + theirs)
    winner, loser = (theirs, ours) if strategy == "theirs" else (ours, theirs)
    if strategy == "newest":
        loser, winner = sorted((ours, theirs), key=lambda facets: (_newest(facets), encode(facets)))
    return [*(facet.superseded() for facet in loser), *winner] if winner else []


def _newest(facets: Iterable[Memory]) -> float:
    return max((facet.instant.timestamp() for facet in facets), default=float("-inf"))


def _distinct(facets: list[Memory]) -> list[Memory]:
    return [facet for position, facet in enumerate(facets) if facet not in facets[:position]]
