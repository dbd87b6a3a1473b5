"""Reading a great many blobs: every content in its place, whatever its size, in a file of a limited one."""

from collections.abc import Iterable, Iterator, Sequence

import pytest
from support import write

from memoir.errors import DamagedStore
from memoir.git import many_blobs
from memoir.git.many_blobs import contents
from memoir.git.objects import Oid
from memoir.store.store import Store

_LIMIT = 10_000


@pytest.fixture
def pairs(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, Oid]]:
    """The keys and ids of blobs that are read in several goes; some are empty, or look like what git says of them."""
    values = {f"n=k{number:03}": f"text {number}" for number in range(300)}
    values |= {"n=k050": "", "n=k100": "x" * 3 * _LIMIT, "n=k101": "y" * _LIMIT, "n=k200": f"{'a' * 40} blob 5\nab"}
    write(store, values)
    monkeypatch.setattr(many_blobs, "_BATCH", 80)
    monkeypatch.setattr(many_blobs, "_BYTES", _LIMIT)
    monkeypatch.setattr(many_blobs, "_MANY", 1)
    return list(store.head().tree.scan())


def test_each_blob_is_given_with_its_key(store: Store, pairs: list[tuple[bytes, Oid]]) -> None:
    twice = [*pairs, *pairs[::-1]]

    found = list(contents(store.reader, twice))

    assert [pair for pair, _ in found] == twice
    expected = dict(store.head().scan())
    assert [data for _, data in found] == [expected[key] for key, _ in twice]


def test_none_is_taken_alone_that_fits(
    store: Store, pairs: list[tuple[bytes, Oid]], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone: list[Oid] = []
    read = store.reader.read_some

    def read_some(ids: Sequence[Oid], kind: str, most: int) -> list[bytes]:
        alone.append(ids[0])
        return read(ids[:1], kind, most)

    monkeypatch.setattr(store.reader, "read_some", read_some)
    list(contents(store.reader, pairs))

    assert alone == [oid for key, oid in pairs if key in (b"n=k100", b"n=k101")]


def test_git_ends_where_the_file_is_full(
    store: Store, pairs: list[tuple[bytes, Oid]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    split = many_blobs._split

    def measure(answers: bytes, names: Iterable[bytes]) -> Iterator[bytes]:
        sizes.append(len(answers))
        return split(answers, names)

    monkeypatch.setattr(many_blobs, "_split", measure)
    list(contents(store.reader, pairs))

    assert max(sizes) == _LIMIT


@pytest.mark.parametrize("place", [0, 70, 299])
def test_what_is_missing_or_no_blob_is_named(store: Store, pairs: list[tuple[bytes, Oid]], place: int) -> None:
    commit = store.head().commit
    assert commit
    for wrong, match in ((Oid(b"\1" * 20), f"object {'01' * 20} is missing"), (commit.tree, "is a tree, not a blob")):
        pairs[place] = (b"n=wrong", wrong)
        found = contents(store.reader, pairs)
        with pytest.raises(DamagedStore, match=match):
            list(found)


def test_without_room_for_a_file_they_are_read_all_the_same(
    store: Store, pairs: list[tuple[bytes, Oid]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(many_blobs, "TemporaryFile", full)

    assert [data for _, data in contents(store.reader, pairs)] == [data for _, data in store.head().scan()]
