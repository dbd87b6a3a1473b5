"""The check of values and of the keys they stand at, in batches of a bounded size; what is sound, the caller knows."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.git.objects import MAX_VALUE_BYTES, Oid, Oversize
from memoir.store.store import Store

CheckValue = Callable[[bytes, bytes | None], str | None]
"""(key, value) -> what is wrong with the pair, or with the key alone if there is no value; None if nothing is."""

_BATCH_VALUES, _BATCH_BYTES = 500, 64 << 20


class ValueProblem(NamedTuple):
    """A key and value that do not belong into a store, and why, the key named."""

    pair: tuple[bytes, Oid]
    text: str


def value_problems(store: Store, pairs: Sequence[tuple[bytes, Oid]], check_value: CheckValue) -> Iterator[ValueProblem]:
    """The faults of values and of their keys."""
    sizes = _sizes(store, [oid for _, oid in pairs])
    batch: list[tuple[bytes, Oid]] = []
    batch_bytes = 0
    for (key, oid), size in zip(pairs, sizes, strict=True):
        if size > MAX_VALUE_BYTES:
            yield ValueProblem((key, oid), f"{quote_key(key)}: {Oversize.of(size).reason}")
            continue
        if batch and (len(batch) == _BATCH_VALUES or batch_bytes + size > _BATCH_BYTES):
            yield from _problems(store, batch, check_value)
            batch, batch_bytes = [], 0
        batch.append((key, oid))
        batch_bytes += size
    yield from _problems(store, batch, check_value)


def _sizes(store: Store, ids: Sequence[Oid]) -> list[int]:
    """How many bytes each value takes, without reading one.

    Raises:
        DamagedStore: one is missing, or is not a value.
    """
    if not ids:
        return []
    names = b"".join(oid.hex().encode() + b"\n" for oid in ids)
    answer = store.git.run("cat-file", "--batch-check=%(objecttype) %(objectsize)", stdin=names)
    rows = [line.split() for line in answer.splitlines()]
    for oid, row in zip(ids, rows, strict=True):
        if row[0] != b"blob":
            raise DamagedStore(f"object {oid} is missing, or is not a value")
    return [int(size) for _, size in rows]


def _problems(store: Store, batch: list[tuple[bytes, Oid]], check_value: CheckValue) -> Iterator[ValueProblem]:
    for pair, (key, value) in zip(batch, store.snapshot(None).values(batch), strict=True):
        if problem := check_value(key, value):
            yield ValueProblem(pair, f"{quote_key(key)}: {problem}")


def quote_key(key: bytes) -> str:
    """A key as people are shown it."""
    return repr(key.replace(b"=", b":", 1).decode(errors="replace"))
