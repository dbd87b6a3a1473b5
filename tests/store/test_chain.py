"""Chains: several commits that a branch gets in one step, or not at all."""

from collections.abc import Iterator
from typing import Any

import pytest
from support import contents, write

from memoir.errors import InvalidInput
from memoir.store import chain, transaction
from memoir.store.ancestry import count_commits
from memoir.store.chain import Step, write_chain
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change


def put(key: str, value: str) -> Change:
    return Change([(key.encode(), value.encode())], f"put {key}")


def test_made_changes_share_a_pack_and_steps_see_what_came_before(store: Store) -> None:
    write(store, {"d=a": "1"})
    packs = len(list(store.git_dir.glob("objects/pack/*.pack")))

    def step(head: Snapshot) -> Change:
        return put("d=d", "".join(value.decode() for _, value in head.scan()))

    def plan(head: Snapshot) -> Iterator[Change | Step]:
        yield from (put("d=b", "2"), put("d=c", "3"), put("d=c", "4"), step, put("d=e", "5"))

    tip = write_chain(store, plan, reason="chain")

    assert tip and tip.message == "put d=e"
    assert contents(store) == {"d=a": "1", "d=b": "2", "d=c": "4", "d=d": "124", "d=e": "5"}
    assert count_commits(store, tip.id) == 6
    assert len(list(store.git_dir.glob("objects/pack/*.pack"))) == packs + 2


def test_a_chain_that_fails_leaves_the_branch_as_it_was(store: Store) -> None:
    before = write(store, {"d=a": "1"})

    def refuse(head: Snapshot) -> Change:
        raise InvalidInput("no")

    with pytest.raises(InvalidInput):
        write_chain(store, lambda head: [put("d=b", "2"), refuse], reason="chain")
    assert store.head().commit == before


def test_a_chain_that_changes_nothing_is_no_commit(store: Store) -> None:
    write(store, {"d=a": "1"})

    assert write_chain(store, lambda head: [put("d=a", "1"), put("d=a", "1")], reason="chain") is None


def test_a_gc_before_the_branch_moves_takes_nothing_of_a_chain(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, {"d=a": "1"})

    def advance(*args: Any) -> bool:
        store.git.run("gc", "--quiet", "--prune=now")
        return transaction.advance(*args)

    monkeypatch.setattr(chain, "advance", advance)
    write_chain(store, lambda head: [put("d=b", "2"), put("d=c", "3")], reason="chain")

    with Store(store.git_dir) as again:
        assert contents(again) == {"d=a": "1", "d=b": "2", "d=c": "3"}


def test_what_is_replayed_is_held_beside_writers_and_gc(store: Store) -> None:
    first = write(store, {"d=a": "1"})

    with chain.holding(store):
        tip = chain.replay(store, first.id, [put("d=b", "2")])
        with Store(store.git_dir) as other:
            write(other, {"d=c": "3"})
            other.git.run("gc", "--quiet", "--prune=now")
            assert contents(other, str(tip)) == {"d=a": "1", "d=b": "2"}

    assert not list(store.git_dir.glob("objects/pack/*.keep"))
