"""Checks of a foreign commit before a branch moves to it.

Its tree is compared with a trusted one, and only the differences are opened. Wrong counts and boundaries are corrected
by a commit that memoir adds; a tree, key or value that memoir would never have written is refused, whatever the
trailers say.

The commits before it are checked, too. `blame`, `log` and the primer open their trees, so a malformed one would break
these for good; `--at` and `restore` bring their values back. A commit with only wrong counts or a wrong change list is
put on the list of distrusted commits (`memoir.repair.checks`).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from graphlib import TopologicalSorter
from itertools import islice

from memoir.errors import DamagedStore, MemoirError
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES
from memoir.memory.soundness import fault
from memoir.repair.checks import (
    CheckValue,
    Deltas,
    FewValues,
    change_list_problems,
    distrust_wrong,
    quote_key,
    value_problems,
)
from memoir.store.commit import Commit
from memoir.store.recent import recent
from memoir.store.store import Store
from memoir.tree.edit import rebuilt
from memoir.tree.node import NotMemoirs, OtherFormat, TreeNode, decode
from memoir.tree.shape import problems_and_leaves, shape_problems
from memoir.tree.tree import Tree, has_node, has_value, levels

_TIPS, _NODES, _BYTES = 500, 500, 64 << 20
"""The tips, tree nodes and bytes that are checked together."""
_KNOWN = 8
"""The known trees with which new nodes are compared; with more, comparing would cost more than checking again."""


def check_every_commit(store: Store, tips: Sequence[Commit], check_value: CheckValue) -> None:
    """Check every new commit, tree and value in the history of the tips once: those that no branch here reaches.

    The contents of the tips' own trees are skipped, because they have been checked.
    """
    for start in range(0, len(tips), _TIPS):
        _Past(store, check_value, tips[start : start + _TIPS]).check()


class _Past:
    """The history before the tips, walked from the trees' roots, one level of all trees at a time.

    Nodes that a known tree has at the same place are skipped; git could list the new objects, but would walk all trees.
    Known trees are the tips' own, and those of the local commits on which the new ones are based.
    """

    def __init__(self, store: Store, check_value: CheckValue, tips: Sequence[Commit]) -> None:
        self._store = store
        self._check_value = check_value
        self._commits: list[Oid] = []
        self._roots: set[Oid] = set()
        self._seen = dict.fromkeys(tip.tree for tip in tips)
        """The nodes that were checked, or need no check."""
        self._rows: set[tuple[bytes, Oid]] = set()
        self._values: dict[Oid, bytes] = {}
        sound = [store.tree(tip.tree) for tip in tips if store.checked.get(tip.id, "not yet") is None]
        self._sound = max(sound, key=Tree.count, default=store.tree(None))
        boundary = self._list([tip.id for tip in tips])
        roots = dict.fromkeys(root for root in (self._sound.root, *boundary, *self._seen) if root)
        self._known = [store.tree(root) for root in islice(roots, _KNOWN)]
        self._roots.update(boundary)
        self._seen |= dict.fromkeys(boundary)

    def _list(self, tips: Sequence[Oid]) -> list[Oid]:
        """List the new commits, children first, and return the trees of the local commits on which they are based."""
        known = tuple(self._store.checked_past)
        with suppress(MemoirError):  # git skips an unreadable branch
            bases = sorted({*known, *self._store.refs.list(BRANCHES).values()})
            if bases and (part := recent(self._store, [*tips, *bases])):
                new = part.beyond(tips, bases)
                ends = dict.fromkeys(parent for parents in new.values() for parent in parents if parent not in new)
                boundary = [commit.tree for commit in self._store.commits([*ends])]
                self._commits = [each for each in TopologicalSorter(new).static_order() if each in new][::-1]
                return boundary
        return self._list_by_git(tips, known)

    def _list_by_git(self, tips: Iterable[Oid], known: Iterable[Oid]) -> list[Oid]:
        boundary = []
        how = ("--topo-order", "--boundary", "--format=%T", "--ignore-missing")
        which = (*map(str, tips), *(f"^{each}" for each in known), "--not", "--branches")
        with self._store.git.stream("rev-list", *how, *which, "--") as lines:
            for line in lines:
                commit, tree = line.removeprefix(b"commit "), _oid(next(lines))
                if commit.startswith(b"-"):
                    boundary.append(tree)
                else:
                    self._commits.append(_oid(commit))
        return boundary

    def check(self) -> None:
        """Check every object.

        Raises:
            DamagedStore: one is malformed; the error names it.
        """
        for start in range(0, len(self._commits), _NODES):
            self._roots |= {commit.tree for commit in self._store.commits(self._commits[start : start + _NODES])}
        nodes = self._open(self._roots - self._seen.keys(), root=True)
        for _ in levels():
            if not (below := {oid for node in nodes for oid in self._check_node(node)}):
                break
            nodes = self._open(below, root=False)
        pairs = [(key, oid) for oid, key in self._values.items()]
        if problem := next(value_problems(self._store, pairs, self._check_value), None):
            raise DamagedStore(f"in a commit before it, {problem.text}")
        new = (each for each in reversed(self._commits) if each not in self._store.checked)
        distrust_wrong(self._store, new, self._sound)

    def _open(self, rest: set[Oid], *, root: bool) -> Iterator[TreeNode]:
        while batch := list(islice(rest, _NODES)):
            for oid, data in zip(batch, self._store.reader.read_some(batch, "tree", _BYTES), strict=False):
                rest.remove(oid)
                yield self._decode(oid, data, root=root)

    def _decode(self, oid: Oid, data: bytes, *, root: bool) -> TreeNode:
        try:
            node = decode(data, self._store.id_size, root=root)
            if node.counts is not None and not self._roots.isdisjoint(node.ids):
                raise DamagedStore("it has the whole tree of a commit in it")
        except DamagedStore as error:
            raise DamagedStore(f"a commit before it has the tree {oid:.12}: {error.message}") from error
        return node

    def _check_node(self, node: TreeNode) -> Iterator[Oid]:
        """The new nodes below a node; for a leaf, check its new keys and note their values."""
        rows = zip(node.keys, node.ids, strict=True)
        if node.counts is not None:
            for key, oid in rows:
                if oid not in self._seen:
                    self._seen[oid] = None
                    if not any(has_node(tree, key, oid) for tree in self._known):
                        yield oid
            return
        for row in rows:
            if row not in self._rows:
                self._rows.add(row)
                if not any(has_value(tree, *row) for tree in self._known):
                    self._check_row(*row)

    def _check_row(self, key: bytes, oid: Oid) -> None:
        if problem := self._check_value(key, None):
            raise DamagedStore(f"in a commit before it, {quote_key(key)}: {problem}")
        self._values.setdefault(oid, key)


def _oid(line: bytes) -> Oid:
    return Oid.fromhex(line.decode().rstrip())


HINT = (
    "no branch here has moved; in the store that wrote it, 'memoir fsck' names the faults, 'memoir forget KEY' removes"
    " one, and 'memoir export' and 'import' into a new store leave out those of older commits"
)


def check_tips(
    store: Store, commit: Commit, base: Tree, check_value: CheckValue = fault, *, past_is_sound: bool = False
) -> str | None:
    """Check a commit; return the fault in the shape or counts of its tree, which memoir corrects, or None.

    The commits before it are checked as well, unless `past_is_sound`.

    Raises:
        DamagedStore: a tree, a key or a value of it, or of a commit before it, is malformed; the error names the commit
            and the reason.
    """
    if commit.id not in store.checked:
        try:
            store.checked[commit.id] = _shape_problem(store, commit, base, check_value)
        except (NotMemoirs, OtherFormat):
            raise
        except DamagedStore as error:
            raise _refusal([commit], error) from error
    if not past_is_sound:
        check_past(store, [commit], check_value)
    return store.checked[commit.id]


def check_past(store: Store, tips: Sequence[Commit], check_value: CheckValue = fault) -> None:
    """Check the history before commits that are sound themselves, together, because they may share most of it.

    Raises:
        DamagedStore: a commit, a tree, a key or a value is malformed; the error names it.
    """
    tips = [tip for tip in tips if tip.parents and tip.id not in store.checked_past]
    try:
        check_every_commit(store, tips, check_value)
    except DamagedStore as error:
        raise _refusal(tips, error) from error
    store.checked_past.update(tip.id for tip in tips)


def _refusal(tips: Sequence[Commit], error: DamagedStore) -> DamagedStore:
    what = f"commit {tips[0].id:.12}" if len(tips) == 1 else f"one of {len(tips)} branches"
    return DamagedStore(f"{what} is not adopted: {error.message}", HINT)


def _shape_problem(store: Store, commit: Commit, base: Tree, check_value: CheckValue) -> str | None:
    tree, is_new = store.tree(commit.tree), base.root is None
    problem = _check_whole_tree(store, tree, check_value) if is_new else next(shape_problems(tree, base), None)
    if problem:
        tree = rebuilt(tree)
    if commit.changes:
        before = store.before(commit)
        wrong = change_list_problems(commit.changes, before.stored_root, Deltas(before.tree, tree))
        if problem or next(wrong, None):
            store.distrust(commit.id)
    if problem or not is_new:
        fresh = ((each.key, each.new) for each in Deltas(base, tree) if each.new is not None)
        _require_sound(store, fresh, check_value)
    return problem


def _check_whole_tree(store: Store, tree: Tree, check_value: CheckValue) -> str | None:
    """The first fault in the shape of a tree; checks the values of the leaves before the fault."""
    problems: list[str] = []
    few = check_value if isinstance(check_value, FewValues) else None
    if few:
        few.expect(tree.count())

    def pairs() -> Iterator[tuple[bytes, Oid]]:
        for found in problems_and_leaves(tree, store.tree(None)):
            if isinstance(found, str):
                problems.append(found)
                return
            if not (few and few.leaves(found)):
                yield from zip(found.keys, found.ids, strict=True)

    _require_sound(store, pairs(), check_value)
    return problems[0] if problems else None


def _require_sound(store: Store, pairs: Iterable[tuple[bytes, Oid]], check_value: CheckValue) -> None:
    if problem := next(value_problems(store, pairs, check_value), None):
        raise DamagedStore(problem.text)
