"""The differences between two records of one path: memories that came, went or were edited, and changed fields."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from memoir.memory.facets import with_ids
from memoir.records.record import Memory, Record

_LIKE, _LIKE_AT_ONE_PATH = 0.6, 0.5
"""The least similarity of an edited memory to its earlier form: the share of common words (`SequenceMatcher.ratio`)."""
_MOST_PAIRS = 100_000
"""The most pairs that are compared; with more, no change counts as an edit."""
_Key = TypeVar("_Key", int, str, tuple[str, str])


class FieldChange(NamedTuple):
    """One field of one memory before and after; None where the memory lacks the field.

    The field is `confidence`, `timestamp`, `status` or a key of the metadata. A memory that only one record has changes
    its `status`.
    """

    memory: Memory
    field: str
    old: Any
    new: Any


_Row = tuple[str, Memory]
"""The id of a memory, empty if it is the only one at its path, and the memory."""


class Turnover(NamedTuple):
    """The active memories that changed between two records, as pairs (removed, replacement).

    A memory without a replacement is paired with None, and so is a new one that replaces nothing. `kept` has the
    memories whose words are unchanged, before and after.
    """

    pairs: list[tuple[_Row | None, _Row | None]]
    kept: list[tuple[Memory, Memory]]


def turnover(old: Record, new: Record) -> Turnover:
    """Compare two records by the words of their active memories; either may be empty."""
    rows = with_ids(old) if old else []
    before: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        before[row[1].content].append(row)
    kept: list[tuple[Memory, Memory]] = []
    came: list[_Row] = []
    for row in with_ids(new) if new else ():
        if twins := before[row[1].content]:
            kept.append((twins.pop(0)[1], row[1]))
        else:
            came.append(row)
    gone = [row for row in rows if any(row is each for each in before[row[1].content])]
    losers = [memory.content for memory in new if not memory.active]
    return Turnover(list(_pairs(gone, came, losers)), kept)


def _pairs(
    gone: Sequence[_Row], came: Sequence[_Row], losers: Sequence[str]
) -> Iterator[tuple[_Row | None, _Row | None]]:
    """Pair each removed memory with its edited form, or with the one that superseded it if its words are in `losers`.

    The only memory before and the only one after are always a pair.
    """
    news, lost = ({at: memory.content for at, (_, memory) in enumerate(rows)} for rows in (came, gone))
    replacements = {old: new for new, old in edited(news, lost, _LIKE_AT_ONE_PATH)}
    free = iter([at for at in range(len(came)) if at not in replacements.values()])
    for old, (identity, memory) in enumerate(gone):
        is_alone = not identity and not any(other for other, _ in came)
        if old not in replacements and (is_alone or memory.content in losers) and (new := next(free, None)) is not None:
            replacements[old] = new
        yield gone[old], came[replacements[old]] if old in replacements else None
    yield from ((None, came[at]) for at in free)


def edited(news: Mapping[_Key, str], lost: Mapping[_Key, str], least: float = _LIKE) -> Iterator[tuple[_Key, _Key]]:
    """Pair the keys of new texts with those of the lost texts that they are edited forms of, most similar first."""
    if not news or not lost or len(news) * len(lost) > _MOST_PAIRS:
        return
    from difflib import SequenceMatcher

    new_words, old_words = ({key: text.split() for key, text in texts.items()} for texts in (news, lost))
    likeness = {
        (new, old): SequenceMatcher(None, new_words[new], old_words[old], autojunk=False).ratio()
        for new in news
        for old in lost
    }
    taken_new, taken_old = set[_Key](), set[_Key]()
    for (new, old), ratio in sorted(likeness.items(), key=lambda item: (-item[1], item[0])):
        if ratio >= least and new not in taken_new and old not in taken_old:
            taken_new.add(new)
            taken_old.add(old)
            yield new, old


def changes(old: Record, new: Record) -> list[FieldChange]:
    """The changed fields of each memory in the order of the newer record, then the removed memories."""
    rest = list(old)
    field_changes: list[FieldChange] = []
    for memory in new:
        twin = next((other for other in rest if other.content == memory.content), None)
        if twin is None:
            field_changes.append(FieldChange(memory, "status", None, memory.status))
        else:
            rest.remove(twin)
            field_changes += _field_changes(twin, memory)
    return [*field_changes, *(FieldChange(memory, "status", memory.status, None) for memory in rest)]


def _field_changes(old: Memory, new: Memory) -> Iterator[FieldChange]:
    """The fields in which two memories with the same words differ."""
    for field in ("confidence", "timestamp", "status"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield FieldChange(new, field, before, after)
    for key in sorted(old.metadata.keys() | new.metadata.keys()):
        before, after = old.metadata.get(key), new.metadata.get(key)
        if before != after:
            yield FieldChange(new, key, before, after)
