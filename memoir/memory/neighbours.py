"""The neighbours of an address: passages beside a passage of a source, memories beside one of a sequence.

A passage can also be named by the end of its address, as recall prints it after naming the source once.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from memoir.errors import InvalidInput, NotFound
from memoir.memory.passages import passage_id, passage_numbers, passages
from memoir.memory.read import keys, records, segment_named
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import (
    MARK,
    SHORTENED,
    SOURCES,
    Address,
    MemoryAddress,
    memory_address,
    sequence_of,
    sort_key,
)

_LEAST_CUT = 1_000
"""The least characters of a segment that was cut from a longer text."""
_MOST_NAMED = 5
"""The most addresses that an error names."""


def around(snapshot: Snapshot, target: MemoryAddress, reach: int) -> list[MemoryAddress]:
    """An address with up to `reach` neighbours on each side, in order; for passages of a segment, passages.

    A path outside a sequence, an empty path, and one memory of several have no neighbours.
    """
    sequence = sequence_of(target.place)
    parent = target.path.rpartition(".")[0]
    all_ = keys(snapshot, [target.namespace], prefix=parent)
    paths = sorted((each for each in all_ if sequence_of(each) == sequence), key=lambda each: sort_key(each.path))
    if target.place not in paths or (target.id and not target.names_passage):
        return [target]
    at = paths.index(target.place)
    if not target.id:
        return [MemoryAddress(each) for each in paths[max(at - reach, 0) : at + reach + 1]]
    first, last = passage_numbers(target.id)
    if last >= len(_passages_of(snapshot, target.place)):
        return [target]
    before = list(islice(_before(snapshot, paths[: at + 1], first), reach))
    return [*reversed(before), target, *islice(_after(snapshot, paths[at:], last), reach)]


def _before(snapshot: Snapshot, segments: Sequence[Address], number: int) -> Iterator[MemoryAddress]:
    """The passages before passage `number` of the last segment, nearest first."""
    yield from (MemoryAddress(segments[-1], passage_id(each)) for each in reversed(range(number)))
    for segment in reversed(segments[:-1]):
        yield from reversed(_passages_of(snapshot, segment))


def _after(snapshot: Snapshot, segments: Sequence[Address], number: int) -> Iterator[MemoryAddress]:
    """The passages after passage `number` of the first segment."""
    yield from _passages_of(snapshot, segments[0])[number + 1 :]
    for segment in segments[1:]:
        yield from _passages_of(snapshot, segment)


def _passages_of(snapshot: Snapshot, segment: Address) -> list[MemoryAddress]:
    record = records(snapshot, [segment], listed=True).get(segment, ())
    return [MemoryAddress(segment, passage_id(number)) for number in range(len(passages(record)))]


def shortened(snapshot: Snapshot, key: str, namespace: str) -> MemoryAddress:
    """Read a key that is `~` and the end of an address: a passage, or all passages of a segment.

    Raises:
        InvalidInput: it is not the end of an address, or several sources have it. NotFound: no source has it.
    """
    end = key.removeprefix(SHORTENED)
    is_segment = MARK not in end
    try:
        target = memory_address(f"{end}{MARK}{passage_id(0)}" if is_segment else end, namespace)
    except InvalidInput:
        target = None
    if target is None or not target.names_passage:
        raise InvalidInput(f"not the end of a source's key: {key!r}", "write the whole key, without '~'")
    found = whole(snapshot, target, key)
    if not found.path.startswith(f"{SOURCES}."):
        raise NotFound(f"no source has a segment {key!r}", "'memoir sources' lists the sources", keys=[key])
    return _whole_segment(snapshot, found) if is_segment else found


def whole(snapshot: Snapshot, target: MemoryAddress, typed: str = "") -> MemoryAddress:
    """The whole address of a passage that is named by its whole address, or by an ending that only one source has.

    A segment named without its layer means all of its passages.

    If the ending names the source or there is only one, the address is completed even if nothing is there, so that a
    list of keys can be read without the missing ones.

    Raises:
        InvalidInput: several sources have such a passage; the hint names them, the message says what was `typed`.
    """
    if not target.names_passage:
        segment = segment_named(snapshot, target.place)
        return _whole_segment(snapshot, MemoryAddress(segment, passage_id(0))) if segment else target
    if target.path.startswith(f"{SOURCES}."):
        return target
    source, dot, number = target.path.rpartition(".")
    names = [source] if dot else _sources(snapshot, target.namespace)
    addresses = [Address(target.namespace, f"{SOURCES}.{name}.{number}") for name in names]
    held = {address.key for address in addresses} & snapshot.tree.get([address.key for address in addresses]).keys()
    found = [target._replace(place=address) for address in addresses if address.key in held]
    if len(found) > 1:
        found = found if MARK in (typed or MARK) else [_whole_segment(snapshot, each) for each in found]
        named = ", ".join(each.short_key for each in found[:_MOST_NAMED])
        hint = f"name the source: {named}; 'memoir get {found[0].short_key}' reads the first"
        raise InvalidInput(f"{typed or target.label} is in {len(found)} sources", hint)
    if not found and len(addresses) == 1 and number.isdecimal():
        return target._replace(place=addresses[0])
    return found[0] if found else target


def passages_there(target: MemoryAddress, segment: Record) -> str:
    """A hint for a missing passage: the passages of its segment."""
    count = len(passages(segment))
    its = f"the passages p1 to p{count}" if count > 1 else "the passage p1 alone" if count else "no passages"
    return f"its segment has {its}; 'memoir get {target.path}' reads it"


def _whole_segment(snapshot: Snapshot, target: MemoryAddress) -> MemoryAddress:
    """All passages of the segment, given its first; unchanged if there is no such segment."""
    numbers = range(1, len(_passages_of(snapshot, target.place)) + 1)
    return target._replace(id=f"{target.id}-{numbers[-1]}") if len(numbers) > 1 else target


def say_where_it_goes_on(snapshot: Snapshot, target: MemoryAddress, record: Record, passage: Memory) -> Memory:
    """Add to the last passage of a conversation's segment the field `goes_on`, if its turn continues in the next one.

    The field is the key of the next passage. All segments of one turn have the same caption.
    """
    is_last = passage_numbers(target.id)[1] + 1 >= passage.metadata["passages"]
    parent, _, number = target.path.rpartition(".")
    may_go_on = is_last and "speaker" in passage.metadata and number.isdigit()
    if not may_go_on or len(record[0].content) < _LEAST_CUT:
        return passage
    following = target.place._replace(path=f"{parent}.{int(number) + 1:0{len(number)}d}")
    others = records(snapshot, [following], listed=True).get(following)
    if not others or others[0].metadata.get("caption") != record[0].metadata.get("caption"):
        return passage
    return passage._replace(metadata={**passage.metadata, "goes_on": MemoryAddress(following, passage_id(0)).short_key})


def _sources(snapshot: Snapshot, namespace: str) -> Iterator[str]:
    """The names of a namespace's sources, in O(sources * log n)."""
    start = f"{namespace}={SOURCES}."
    key = snapshot.tree.first(start.encode())
    while key is not None and (text := key.decode(errors="replace")).startswith(start):
        yield (name := text.removeprefix(start).partition(".")[0])
        key = snapshot.tree.first(f"{start}{name}/".encode())  # '/' follows '.', so this is after the source
