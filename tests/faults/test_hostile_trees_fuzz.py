"""Commits with faults at random: each ends in a refusal that moves nothing, or in a branch that is sound."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hostile import BAD_KEYS, BAD_RECORDS, RECORD, Forge, bomb, chain
from support import built_once

from memoir.errors import Conflict, DamagedStore
from memoir.exchange.merge import merge
from memoir.git.objects import Oid
from memoir.memory.soundness import fault
from memoir.repository.repository import Repository
from memoir.store.store import Store
from memoir.tree.node import TreeNode
from memoir.tree.shape import shape_problems

Rows = list[tuple[bytes, Oid]]
_KEYS = 400


class _Fuzz:
    """Makes a tree like the branch's own, with one to three faults."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store, self.forge, self.chance = store, Forge(store), random.Random(seed)

    def tree(self) -> Oid:
        """The root of a tree that is not quite right."""
        if self.chance.random() < 0.1:
            makers: list[Callable[[Forge], Oid]] = [bomb, chain]
            return self.chance.choice(makers)(self.forge)
        tree = self.store.head().tree
        leaves = [tree.node(oid) for oid in tree.top.ids]
        rows: list[tuple[bytes, Oid, int]] = [
            (leaf.keys[0], oid, leaf.total) for leaf, oid in zip(leaves, tree.top.ids, strict=True)
        ]
        for _ in range(self.chance.randint(1, 3)):
            at = self.chance.randrange(len(rows))
            rows[at] = self._leaf(leaves[at], rows[at]) if self.chance.random() < 0.5 else self._claim(rows, at)
            if self.chance.random() < 0.2 and len(rows) > 2:
                del rows[at]
        return self.forge.internal(list(dict.fromkeys(rows)), root=True)

    def _claim(self, rows: list[tuple[bytes, Oid, int]], at: int) -> tuple[bytes, Oid, int]:
        """A child that is not what its parent says."""
        key, oid, count = rows[at]
        return self.chance.choice([
            (key, oid, count + 1), (key, oid, 10**14), (key + b"x", oid, count), (b"default=zz", oid, count),
            (key, rows[-1 - at][1], count), (key, self.forge.blob(), count), (key, Oid(b"\1" * len(oid)), count),
            (key, self.forge.internal([(key, oid, count)]), count), (key, self.forge.leaf([], root=False), count),
            (key, self.forge.raw((b"100755", b"default=a", oid)), count), (b"nokey", oid, count),
        ])  # fmt: skip

    def _leaf(self, leaf: TreeNode, row: tuple[bytes, Oid, int]) -> tuple[bytes, Oid, int]:
        """A leaf with a fault, or just another one."""
        rows: Rows = list(zip(leaf.keys, leaf.ids, strict=True))
        at = self.chance.randrange(len(rows))
        kind = self.chance.randrange(6)
        if kind == 0:
            rows[at] = (rows[at][0], self.forge.blob(self.chance.choice(list(BAD_RECORDS.values()))))
        elif kind == 1:
            rows.append((self.chance.choice(BAD_KEYS), self.forge.blob()))
        elif kind == 2:
            rows.append((b"default=new%d" % self.chance.randrange(1000), self.forge.blob()))
        elif kind == 3 and len(rows) > 1:
            del rows[at]
        elif kind == 4:
            rows[at] = (rows[at][0], self.forge.marker)
        else:
            rows[at] = (rows[at][0], self.forge.blob(RECORD.replace(b"fine", b"changed")))
        return row[0], self.forge.leaf(list(dict(rows).items()), root=False), len(dict(rows))


def _run(repository: Repository, seed: int) -> str:
    """One case, from and back to the same branch; how it ended."""
    store = repository.store
    fuzz = _Fuzz(store, seed)
    before = store.refs.read("refs/heads/main")
    commit = fuzz.forge.child(fuzz.tree(), before, lies=bool(seed % 2))
    try:
        outcome = merge(store, str(commit), strategy="theirs").outcome
    except (DamagedStore, Conflict):
        outcome = "refused"
        assert store.refs.read("refs/heads/main") == before
        with suppress(DamagedStore):
            assert len(list(store.of(commit).tree.scan())) < 10 * _KEYS
    else:
        tree = store.head().tree
        assert list(shape_problems(tree, store.tree(None))) == []
        assert len(list(tree.scan())) == tree.count()
        assert [problem for key, value in store.head().scan() if (problem := fault(key, value))] == []
        assert store.refs.update("refs/heads/main", before, store.refs.read("refs/heads/main"), "back")
    return outcome


@built_once
def full_store(repository: Repository) -> None:
    repository.import_lines(b'{"path":"a.k%d","content":"text %d"}' % (n, n) for n in range(_KEYS))
    assert repository.store.head().tree.height == 1


def _ends(repository: Repository, cases: range) -> None:
    outcomes = {_run(repository, seed) for seed in cases}

    assert {"refused", "merged"} <= outcomes


def test_fifty_hostile_commits(full_store: Repository) -> None:
    _ends(full_store, range(50))


@pytest.mark.soak
@pytest.mark.parametrize("block", range(100))
def test_ten_thousand_hostile_commits(full_store: Repository, block: int) -> None:
    _ends(full_store, range(1000 + block * 100, 1100 + block * 100))
