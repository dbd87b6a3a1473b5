"""A change in portions is the change at once: the same root, the same list of changes."""

import random
from collections.abc import Mapping

import pytest

from memoir.git.pack_writer import PackWriter
from memoir.store import growth
from memoir.store.store import Store
from memoir.store.transaction import Change, write


def _change(store: Store, edits: Mapping[bytes, bytes | None]) -> None:
    write(store, lambda head: Change(edits.items(), "change"), reason="change")


@pytest.mark.parametrize("portion", [1, 7, 160])
@pytest.mark.parametrize("objects", [10, 50_000])
def test_the_root_is_that_of_the_change_at_once(
    store: Store, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, portion: int, objects: int
) -> None:
    from memoir.store.create import create

    chance = random.Random(portion)
    keys = [b"default=k.%d" % chance.randrange(10**6) for _ in range(280)]
    first = dict.fromkeys(keys[:200], b"one")
    second: dict[bytes, bytes | None] = {key: chance.choice([None, b"one", b"two"]) for key in keys[120:]}
    with create(tmp_path_factory.mktemp("other")) as other:
        for each in (first, second):
            _change(other, each)
        monkeypatch.setattr(growth, "PORTION", portion)
        monkeypatch.setattr(growth, "BULK", 120)
        monkeypatch.setattr(PackWriter, "MAX_OBJECTS", objects)
        for each in (first, second):
            _change(store, each)

        assert store.head().tree.root == other.head().tree.root
        assert dict(store.head().scan()) == dict(other.head().scan())


def test_changes_are_listed_up_to_a_number_and_counted_beyond(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "PORTION", 10)
    there = {b"default=a.%03d" % number: b"x" for number in range(1200)}
    _change(store, there)
    _change(store, {**there, b"default=a.007": b"y", b"default=a.900": None, b"default=b": b"z"})
    _change(store, there)
    newest, middle, oldest = (store.at(revision).commit for revision in ("HEAD", "HEAD~1", "HEAD~2"))

    assert oldest and oldest.changes and (oldest.changes.bulk, oldest.changes.put) == (1200, ())
    assert middle and middle.changes and middle.changes.bulk is None
    assert (middle.changes.put, middle.changes.forget) == ((b"default=a.007", b"default=b"), (b"default=a.900",))
    assert newest and newest.changes and newest.changes.put == (b"default=a.007", b"default=a.900")
