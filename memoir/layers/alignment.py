"""The alignment of a source's segments with those of the last time: kept, changed, new or gone."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memoir.layers.numbers import between, value


class StoredSegment(NamedTuple):
    """A stored segment: its number and its text."""

    number: str
    text: str


class Alignment(NamedTuple):
    """The number of each new segment, in order, and the numbers of the segments that are gone."""

    numbers: list[str]
    removals: list[str]


def align(before: Sequence[StoredSegment], texts: Sequence[str]) -> Alignment:
    """Give every new segment a number: an equal one keeps it, one in place of another takes it over."""
    slots: list[str | None] = [None] * len(texts)
    for old, new in _pairs([each.text for each in before], texts):
        slots[new] = before[old].number
    numbers = set(slots)
    return Alignment(_fill(slots), [each.number for each in before if each.number not in numbers])


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The positions before and after of segments that are equal, or that stand in place of each other."""
    if list(before) == list(after):
        yield from zip(range(len(before)), range(len(after)), strict=True)
        return
    for _, low, high, start, stop in SequenceMatcher(None, before, after).get_opcodes():
        yield from zip(range(low, high), range(start, stop), strict=False)


def _fill(numbers: Sequence[str | None]) -> list[str]:
    """The numbers, with new ones between those of their neighbours where there is none."""
    result: list[str] = []
    at = 0
    while at < len(numbers):
        number = numbers[at]
        if number is not None:
            result.append(number)
            at += 1
            continue
        stop = next((place for place in range(at, len(numbers)) if numbers[place] is not None), len(numbers))
        high = numbers[stop] if stop < len(numbers) else None
        result += between(value(result[-1] if result else "0"), value(high) if high else None, stop - at)
        at = stop
    return result
