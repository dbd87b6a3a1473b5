"""A value that is far larger than its pack is left unread by every read."""

import pytest
from hostile import Forge

from memoir.errors import DamagedStore, InvalidInput
from memoir.git import object_reader
from memoir.git.objects import Unread
from memoir.records import record
from memoir.records.record import Memory, decode, encode
from memoir.repository.repository import Repository
from memoir.tree.edit import apply


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bound be passed without much to write."""
    for module in (object_reader, record):
        monkeypatch.setattr(module, "MAX_VALUE_BYTES", 10_000)


@pytest.mark.usefixtures("small_limit")
def test_an_oversized_value_hides_no_other_record(repository: Repository) -> None:
    for name in ("a.first", "a.last"):
        repository.remember(Memory.of(name), name)
    forge = Forge(repository.store)
    bomb = b'{"memories":[{"content":"%s"}]}' % (b"a" * 5_000_000)
    rows = dict(repository.store.head().tree.scan()) | {
        b"default=a.bomb": forge.blob(bomb),
        b"default=a.bomb2": forge.blob(bomb + b" "),
    }
    forge.commit(apply(repository.store.tree(None), rows, forge.pack), lies=False)

    values = dict(repository.store.head().scan())

    assert [len(values[key]) for key in (b"default=a.bomb", b"default=a.bomb2")] == [0, 0]
    assert decode(values[b"default=a.last"])[0].content == "a.last"
    with pytest.raises(DamagedStore, match="5,000,029 bytes"):
        repository.get("a.bomb")
    assert repository.get("a.first")


@pytest.mark.usefixtures("small_limit")
def test_no_record_is_written_that_could_not_be_read() -> None:
    with pytest.raises(InvalidInput, match="memories of a path"):
        encode([Memory.of("a" * 6_000), Memory.of("b" * 6_000)])


def test_a_record_of_more_memories_than_a_path_holds_is_damaged() -> None:
    one = Memory.of("a")
    full = [*[one.superseded()] * record.MAX_SUPERSEDED, *[one] * record.MAX_ACTIVE]

    assert len(decode(encode(full))) == 1008
    with pytest.raises(DamagedStore, match="1,009 memories"):
        decode(encode([*full, one]))


def test_a_placeholder_says_what_it_replaces() -> None:
    with pytest.raises(DamagedStore, match="it takes 999 bytes"):
        decode(Unread.of_size(999))
