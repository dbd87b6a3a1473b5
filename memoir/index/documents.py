"""The documents of the index: one for each active memory, and for each passage of a source."""

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from memoir.english.stopwords import STOP_WORDS
from memoir.git.objects import blake2b, sha1
from memoir.records.metadata import persons
from memoir.records.record import Memory, Record, active_facets
from memoir.taxonomy.paths import Address, sequence_of

if TYPE_CHECKING:
    from memoir.memory.passages import Passage


Place = tuple[Address, int]
"""A document's address and its index in the record there."""
_RAW = -15
"""zlib's `wbits` for data without a header."""
_LEVEL = 9


def content(document: str) -> str:
    """SQL for the content of a document.

    The column `content` has the text of a memory. For a passage it has the id of a row in the table `segment`, where
    the texts of all passages of a segment are compressed as one, because sources are far longer than memories.
    """
    return (
        f"CASE typeof({document}.content) WHEN 'integer' THEN part_of("
        f"(SELECT texts FROM segment WHERE id = {document}.content), {document}.ordinal) ELSE {document}.content END"
    )


def told_id(document: str) -> str:
    """SQL for the id under which the vector of a document's own text is stored."""
    return f"ifnull({document}.told_id, {document}.content_id)"


def compress(texts: Sequence[str]) -> bytes:
    """Compress texts to about half of their bytes."""
    lengths = " ".join(str(len(text)) for text in texts)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_common())
    return packer.compress("\n".join((lengths, "".join(texts))).encode()) + packer.flush()


def part_of(value: Any, number: Any) -> str:
    """One of several compressed texts, by its index; also used as an SQL function.

    Raises:
        apsw.CorruptError: there is no such text.
    """
    try:
        return str(_parts(value)[number])
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise apsw.CorruptError("a passage cannot be read") from error


def register(database: apsw.Connection) -> None:
    """Register `part_of` as an SQL function."""
    database.create_scalar_function("part_of", lambda *values: part_of(*values), 2, deterministic=True)


@lru_cache(maxsize=64)
def _parts(value: bytes) -> list[str]:
    """Decompress texts; cached, because those of one segment are mostly read in a row."""
    lengths, _, text = zlib.decompressobj(_RAW, zdict=_common()).decompress(value).decode().partition("\n")
    bounds = accumulate(map(int, lengths.split()), initial=0)
    return [text[start:end] for start, end in pairwise(bounds)]


@cache
def _common() -> bytes:
    """The compression dictionary: frequent words. Text compressed with another dictionary cannot be read."""
    return " ".join(sorted(STOP_WORDS)).encode()


class IndexedDocument(NamedTuple):
    """The fields of a document that ranking needs.

    `people` are case-folded; only passages have `role`, `turn` and `is_code`.
    """

    id: int
    address: Address
    ordinal: int
    content: str
    people: frozenset[str]
    learnt: float
    event_time: float
    role: str = ""
    turn: int = 0
    is_code: bool = False

    @property
    def place(self) -> tuple[Address, int]:
        """The sort key of documents that are otherwise equal."""
        return self.address, self.ordinal


def details(database: apsw.Connection, ids: Sequence[int]) -> Iterator[IndexedDocument]:
    """Look up documents by their ids, in no particular order."""
    sql = (
        f"SELECT id, namespace, path, ordinal, {content('d')}, person, learnt, occurred, role, turn, code"
        f" FROM document d WHERE id IN ({','.join(map(str, ids))})"
    )
    for identity, namespace, path, ordinal, text, person, learnt, occurred, role, turn, code in database.execute(sql):
        people = frozenset(filter(None, person.casefold().split("\n")))
        where = Address(namespace, path)
        yield IndexedDocument(identity, where, ordinal, text, people, learnt, occurred, role, turn, bool(code))


def documents(address: Address, record: Record) -> Iterator[tuple[Any, ...]]:
    """The rows of the table `document` for the active memories of a record, without ids."""
    sequence = sequence_id(address)
    for ordinal, memory in enumerate(record):
        if memory.active:
            learnt = memory.instant.timestamp()
            yield (
                address.namespace, address.path, ordinal,
                sequence, place_of(address, ordinal),
                memory.content, sha1(memory.content.encode()), "\n".join(persons(memory.metadata)),
                "", 0, False, learnt, time_of_event(memory, learnt),
            )  # fmt: skip


def passage_rows(
    address: Address, record: Record, passages: Sequence["Passage"], segment: int
) -> Iterator[tuple[Any, ...]]:
    """The rows of the table `document` for the passages of a segment, without ids."""
    from memoir.english.code_text import is_mostly_code
    from memoir.memory.speaker import ASSISTANT, TALK, USER

    facets = active_facets(record)
    sequence, learnt = sequence_id(address), facets[0].instant.timestamp() if facets else 0.0
    for number, passage in enumerate(passages):
        yield (
            address.namespace, address.path, number,
            sequence, place_of(address, number),
            segment, sha1(passage.searched.encode()),
            passage.speaker if passage.role == TALK else "",
            passage.role, passage.turn, passage.role in (USER, ASSISTANT) and is_mostly_code(passage.searched),
            learnt, _seconds(passage.when, learnt),
        )  # fmt: skip


def sequence_id(address: Address) -> int:
    """The sequence that a path belongs to, as a number of 64 bits."""
    return int.from_bytes(blake2b(sequence_of(address).encode(), size=8), "big", signed=True)


def place_of(address: Address, ordinal: int | str) -> str:
    """The sort key within a sequence, whose paths differ only in the numbers of their last segments.

    As `ordinal`, the empty text sorts before all positions, and `~` after all.
    """
    last = re.sub("[0-9]+", lambda digits: _number(digits[0]), address.path.rpartition(".")[2])
    return f"{last}\t{ordinal if isinstance(ordinal, str) else _number(str(ordinal))}"


def _number(digits: str) -> str:
    """Digits that sort as a number: a letter for their count comes first."""
    digits = digits.lstrip("0")
    return chr(ord("A") + len(digits)) + digits


def moments_of(address: Address, record: Record, *, is_source: bool) -> Iterator[tuple[Any, ...]]:
    """The rows of the table `moment` for a record: the time of each memory, and whether it is active."""
    for ordinal, memory in enumerate(record):
        yield *address, ordinal, memory.instant.timestamp(), memory.active, is_source


def name_parts(name: str) -> set[str]:
    """The case-folded words of a name, such as `ada` and `lovelace`; each of them finds it."""
    return set(re.findall(r"[^\W_]+", name.casefold()))


def time_of_event(memory: Memory, otherwise: float) -> float:
    """The time of a memory's event: `metadata.occurred_at` if that is a date, else `otherwise`."""
    return _seconds(memory.metadata.get("occurred_at"), otherwise)


def _seconds(date: object, otherwise: float) -> float:
    """A date in seconds since 1970; `otherwise` if it is not a date."""
    from memoir.times import read_instant

    instant = read_instant(date)
    return instant.timestamp() if instant else otherwise
