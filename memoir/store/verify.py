"""Checking the format's invariants: one tree's shape and counts, and a whole store.

A tree is checked against one already trusted, opening only what that one does not have: against
nothing it is a full check, against its parent commit's tree it costs O(changes * log n). So the
same function serves `fsck` and every commit that arrives from elsewhere.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from memoir.errors import MemoirError
from memoir.store import history
from memoir.store.chunking import level
from memoir.store.commit import BULK, ChangeList, Commit
from memoir.store.diff import Delta, diff
from memoir.store.node import Node
from memoir.store.odb import Oid
from memoir.store.refs import BRANCHES
from memoir.store.store import Store
from memoir.store.tree import LAST, Tree

_Claim = tuple[bytes, int, Oid]
"""What a node says of a child: its first key, its count, its id."""


def shape_problems(tree: Tree, trusted: Tree) -> Iterator[str]:
    """What is wrong with the shape and counts of a tree, in the parts that `trusted` does not share.

    Checked of every node: keys increase and stay below the next node's; each key stands at exactly
    the height its level asks for; each child begins where, and holds as many as, its parent says.
    """
    if tree.height and len(tree.top.keys) == 1:
        yield "the root has a single child"
    known = _Trusted(trusted)
    opened: list[tuple[Node, bytes]] = [(tree.top, LAST)]
    for height in range(tree.height, -1, -1):
        for node, bound in opened:
            yield from _node_problems(node, height, bound)
        if height == 0:
            return
        claims = {claim: bound for node, bound in opened for claim, bound in _claims(node, bound)}
        fresh = {claim: bound for claim, bound in claims.items() if claim not in known.claims(height)}
        children = tree.nodes([oid for _, _, oid in fresh])
        for (key, count, _), child in zip(fresh, children, strict=True):
            if not child.keys or child.keys[0] != key or child.total != count:
                yield f"the node at {key.decode()!r} is said to hold {count} and holds {child.total}"
        opened = list(zip(children, fresh.values(), strict=True))


def _node_problems(node: Node, height: int, bound: bytes) -> Iterator[str]:
    if (node.counts is None) != (height == 0):
        yield f"a node at height {height} is of the wrong kind"
        return
    for left, right in zip(node.keys, [*node.keys[1:], bound], strict=False):  # an empty root has no keys
        if left >= right:
            yield f"key {left.decode(errors='replace')!r} is out of order"
    for key in node.keys[1:]:
        if level(key) != height:
            yield f"key {key.decode(errors='replace')!r} stands at height {height}, not {level(key)}"


def _claims(node: Node, bound: bytes) -> Iterator[tuple[_Claim, bytes]]:
    """Each child's claim, with the key that everything below it must stay under."""
    if node.counts is not None:
        rows = zip(node.keys, node.counts, node.ids, strict=True)
        yield from zip(rows, [*node.keys[1:], bound], strict=True)


class _Trusted:
    """The claims of a trusted tree, height by height, opened no further than asked."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._height = tree.height
        self._nodes = [tree.top]

    def claims(self, height: int) -> set[_Claim]:
        if height > self._tree.height:
            return set()
        while self._height > height:
            self._nodes = self._tree.nodes([oid for node in self._nodes for oid in node.ids])
            self._height -= 1
        return {claim for node in self._nodes for claim, _ in _claims(node, LAST)}


class Report(NamedTuple):
    """What `fsck` looked at and what it found wrong."""

    commits: int
    values: int
    problems: list[str]


CheckValue = Callable[[bytes, bytes], str | None]
"""(key, value) -> what is wrong with the pair, or None."""


def fsck(store: Store, check_value: CheckValue) -> Report:
    """Check git's objects, then memoir's invariants in every commit any ref or reflog reaches."""
    check = _Fsck(store, check_value)
    problems = _git_problems(store)
    commits = 0
    try:
        for commit in history.walk(store, [], "--all", "--reflog"):
            commits += 1
            problems += [f"commit {commit.id[:12]}: {text}" for text in check.commit(commit)]
    except MemoirError as error:
        problems.append(error.message)
    return Report(commits, len(check.values), problems)


def _git_problems(store: Store) -> list[str]:
    done = store.git.try_run("fsck", "--full", "--strict", "--no-dangling", "--no-progress")
    words = (done.stdout + done.stderr).decode("utf-8", "replace").splitlines()
    notices = ("notice:", "Checking", "dangling")
    problems = [f"git: {line}" for line in words if line and not line.startswith(notices)]
    return problems if done.returncode else []


class _Fsck:
    """Checks commit after commit, each against its parent, each value once."""

    def __init__(self, store: Store, check_value: CheckValue) -> None:
        self.store = store
        self.check_value = check_value
        self.values: set[tuple[bytes, Oid]] = set()
        self.tips = {ref.commit for ref in store.refs.list(BRANCHES)}

    def commit(self, commit: Commit) -> Iterator[str]:
        """What is wrong with a commit's shape, change list and new values."""
        parents = self.store.commits(commit.parents[:1])
        before, after = self.store.tree(parents[0].tree if parents else None), self.store.tree(commit.tree)
        yield from self._shape(commit, after, before if parents and parents[0].changes else self.store.tree(None))
        deltas = list(diff(before, after))
        yield from _change_list_problems(commit.changes, before.root, deltas)
        yield from self._values(deltas)

    def _shape(self, commit: Commit, tree: Tree, trusted: Tree) -> Iterator[str]:
        """Another git's commit may have any shape once a commit of memoir's own stands on it."""
        if commit.changes is not None or commit.id in self.tips:
            yield from shape_problems(tree, trusted)

    def _values(self, deltas: list[Delta]) -> Iterator[str]:
        fresh = sorted({(d.key, d.new) for d in deltas if d.new is not None} - self.values)
        self.values.update(fresh)
        contents = self.store.reader.read([oid for _, oid in fresh], "blob")
        for (key, _), value in zip(fresh, contents, strict=True):
            if problem := self.check_value(key, value):
                yield f"{key.decode(errors='replace')!r}: {problem}"


def _change_list_problems(listed: ChangeList | None, base: Oid | None, deltas: list[Delta]) -> Iterator[str]:
    """A commit without a list, or with another base, is a foreign one: allowed, and never believed."""
    if listed is None or listed.base != base:
        return
    put = tuple(d.key for d in deltas if d.new is not None)
    forget = tuple(d.key for d in deltas if d.new is None)
    if listed.bulk is not None:
        if listed.bulk != len(deltas) or (0 < len(deltas) <= BULK):
            yield f"its trailers count {listed.bulk} changes and it made {len(deltas)}"
    elif (listed.put, listed.forget) != (put, forget):
        yield "its trailers do not name the keys it changed"
