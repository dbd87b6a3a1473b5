"""A store against a model: dicts for snapshots, a list for history, under any sequence of operations."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support import contents, examples, write

from memoir.git.objects import Oid
from memoir.repair.fsck import fsck
from memoir.store import transaction
from memoir.store.create import create
from memoir.store.rewind import redo, undo
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import merge_bases, merge_trees
from memoir.store.transaction import Change

KEYS = st.sampled_from([f"default=k{number}" for number in range(200)])
EDITS = st.dictionaries(KEYS, st.one_of(st.none(), st.text("abc", min_size=1, max_size=3)), min_size=1, max_size=30)
Model = dict[str, str]


def three_way(base: Model, ours: Model, theirs: Model) -> Model:
    """What a merge must give when ours stands wherever both changed a key."""
    keys = base.keys() | ours.keys() | theirs.keys()
    values = {key: (theirs if ours.get(key) == base.get(key) else ours).get(key) for key in keys}
    return {key: value for key, value in values.items() if value is not None}


class Versions(RuleBasedStateMachine):
    """Writes, branches, merges, undo and redo; the model remembers every snapshot by its commit."""

    store: Store
    snapshots: dict[Oid, Model]

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store = create(Path(self.folder.name))
        self.snapshots = {}
        self.past: list[Oid] = []
        self.future: list[Oid] = []
        self.step({"default=k0": "begin"})

    def teardown(self) -> None:
        report = fsck(self.store, lambda key, value: None)
        self.store.close()
        self.folder.cleanup()
        assert report.problems == []

    def here(self) -> Model:
        commit = self.store.head().commit
        assert commit
        return self.snapshots[commit.id]

    def step(self, edits: dict[str, str | None]) -> None:
        head = self.store.head().commit
        rows = {**(self.snapshots[head.id] if head else {}), **edits}
        model = {key: value for key, value in rows.items() if value is not None}
        if head and model == self.snapshots[head.id]:
            return
        self.snapshots[write(self.store, edits).id] = model
        self.move(head.id if head else None)

    def move(self, old: Oid | None) -> None:
        if self.store.branch() == "main" and old:
            self.past.append(old)
            self.future.clear()

    @rule(edits=EDITS)
    def edit(self, edits: dict[str, str | None]) -> None:
        self.step(edits)

    @rule(name=st.sampled_from(["side", "other"]))
    def branch(self, name: str) -> None:
        head = self.store.head().commit
        assert head
        if self.store.refs.read(f"refs/heads/{name}") is None:
            self.store.refs.create("branch", name, head.id)

    @rule(name=st.sampled_from(["main", "side", "other"]))
    def switch(self, name: str) -> None:
        if self.store.refs.read(f"refs/heads/{name}"):
            self.store.refs.switch(name)

    @rule(name=st.sampled_from(["main", "side", "other"]))
    def merge_trees(self, name: str) -> None:
        theirs, ours = self.store.resolve(f"refs/heads/{name}"), self.store.head().commit
        assert ours
        if theirs is None:
            return
        bases = merge_bases(self.store, ours.id, theirs.id)
        if len(bases) != 1 or bases[0].id == theirs.id:
            return
        trees = [self.store.tree(base.tree) for base in bases]
        expected = three_way(self.snapshots[bases[0].id], self.here(), self.snapshots[theirs.id])

        def change(head: Snapshot) -> Change:
            result = merge_trees(self.store, head, self.store.tree(theirs.tree), trees, lambda clash: clash.ours)
            return Change(result.edits.items(), "merge", further_parents=(theirs.id,))

        commit = transaction.write(self.store, change, reason="merge")
        assert commit
        self.snapshots[commit.id] = expected
        self.move(ours.id)

    @precondition(lambda self: self.past and self.store.branch() == "main")
    @rule()
    def undo(self) -> None:
        self.future.append(self.store.commit("main").id)
        assert undo(self.store).new == self.past.pop()

    @precondition(lambda self: self.future and self.store.branch() == "main")
    @rule()
    def redo(self) -> None:
        self.past.append(self.store.commit("main").id)
        assert redo(self.store).new == self.future.pop()

    @invariant()
    def every_snapshot_is_as_it_was(self) -> None:
        if hasattr(self, "store"):
            assert contents(self.store) == self.here()

    @rule(data=st.data())
    def any_past_snapshot_reads_the_same(self, data: st.DataObject) -> None:
        commit = data.draw(st.sampled_from(sorted(self.snapshots)))
        assert contents(self.store, str(commit)) == self.snapshots[commit]


TestVersions = pytest.mark.slow(Versions.TestCase)
TestVersions.settings = settings(max_examples=examples(10), stateful_step_count=25, deadline=None, derandomize=True)
