"""Three clones and a bare remote against a model: whatever the order of writes, merges, undos and syncs.

The model of a commit is the set of what is active in it: pairs of a path and the words of a memory. Every memory has
words of its own, so a merge is set arithmetic: what both sides kept, and what either added. Where that cannot be
decided because both sides ended the same memory, memoir may refuse; with the strategy `append` it may not.
"""

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from support import git

from memoir.errors import Conflict
from memoir.git.objects import Oid
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, Record, decode
from memoir.repository.repository import Repository
from memoir.store import ancestry
from memoir.store.rewind import HistoryStep
from memoir.store.store import Store
from memoir.store.three_way import merge_bases
from memoir.taxonomy.paths import from_key

Model = frozenset[tuple[str, str]]
PATHS = ("experience.day", "experience.week", "facts.port", "facts.host", "context.now")
"""New memories are added to the first two; they take the place of what is at the others."""
BRANCHES = ("main", "side")
DEEDS = (*["remember"] * 3, "edit", "forget", *["move"] * 2, *["merge"] * 2, *["sync"] * 3, "undo", "redo")
"""What is done in a clone, some of it more often than the rest."""


def three_way(base: Model, ours: Model, theirs: Model) -> Model:
    """What both sides kept, and what either added."""
    return (ours & theirs) | (ours - base) | (theirs - base)


def read(store: Store, commit: Oid) -> Model:
    """What is active in a commit."""
    records = ((from_key(key).path, decode(value)) for key, value in store.at(str(commit)).scan())
    return frozenset((path, memory.content) for path, record in records for memory in record if memory.active)


class Clone:
    """A clone, and for each of its branches the commits before every move that undo and redo can go back to."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.past: dict[str, list[Oid]] = {name: [] for name in BRANCHES}
        self.future: dict[str, list[Oid]] = {name: [] for name in BRANCHES}

    @property
    def store(self) -> Store:
        return self.repository.store

    @property
    def tip(self) -> Oid:
        commit = self.store.head().commit
        assert commit
        return commit.id

    def note_move(self, old: Oid) -> None:
        """Note that the branch was somewhere else before, if it was."""
        if self.tip != old:
            self.past[self.repository.branch].append(old)
            self.future[self.repository.branch].clear()


class Clones(RuleBasedStateMachine):
    """Each rule is one operation in one clone; each checks the state that results against the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.models: dict[Oid, Model] = {}
        self.words = 0
        self.writers: dict[str, str] = {}
        self.doubles: set[str] = set()
        self.acting: Clone | None = None

    @initialize()
    def begin(self) -> None:
        folder = Path(self.folder.name)
        with Repository.init(folder / "first") as first:
            first.remember(Memory.of("the beginning", timestamp="2026-01-01"), "a.first")
            git("clone", "-q", "--bare", str(first.path), str(folder / "hub.git"))
            tip = first.store.commit("main").id
        self.models[tip] = frozenset({("a.first", "the beginning")})
        self.writers["the beginning"] = "remember a.first: the beginning"
        self.clones = [Clone(Repository.clone(str(folder / "hub.git"), folder / f"clone{n}")) for n in range(3)]
        for clone in self.clones:
            clone.store.refs.create("branch", "side", tip)

    def teardown(self) -> None:
        for clone in getattr(self, "clones", ()):
            clone.repository.close()
        self.folder.cleanup()

    @rule(
        number=st.integers(0, 2),
        branch=st.sampled_from(["main", "main", "side"]),
        deed=st.sampled_from(DEEDS),
        data=st.data(),
    )
    def act(self, number: int, branch: str, deed: str, data: st.DataObject) -> None:
        """Do something on a branch of a clone. One rule for all, because of many rules some are left out for long."""
        self.acting = clone = self.clones[number]
        if clone.repository.branch != branch:
            clone.repository.branches.checkout(branch)
        old, model = clone.tip, self.models[clone.tip]
        getattr(self, deed)(clone, old, model, data)

    def expect(self, clone: Clone, old: Oid, model: Model) -> None:
        self.models.setdefault(clone.tip, model)
        self.doubles |= {words for words, paths in Counter(words for _, words in model).items() if paths > 1}
        assert self.models[clone.tip] == model
        clone.note_move(old)

    def new_memory(self, path: str) -> Memory:
        self.words += 1
        words = f"w{self.words}"
        self.writers[words] = f"write {words}"
        return Memory.of(words, timestamp=f"2026-02-01T00:{self.words // 60:02}:{self.words % 60:02}Z")

    def remember(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(PATHS))
        new = self.new_memory(path)
        clone.repository.remember(new, path, options=WriteOptions(f"write {new.content}"))
        stays = {pair for pair in model if pair[0] != path or path.startswith("experience")}
        self.expect(clone, old, frozenset({*stays, (path, new.content)}))

    def edit(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        pair = data.draw(st.sampled_from(sorted(model)))
        new = self.new_memory(pair[0])

        def revise(record: Record) -> Sequence[Memory]:
            return [new if memory.active and memory.content == pair[1] else memory for memory in record]

        clone.repository.edit(pair[0], revise, options=WriteOptions(f"write {new.content}"))
        self.expect(clone, old, model - {pair} | {(pair[0], new.content)})

    def forget(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        paths = sorted({path for path, _ in model} - {"a.first"})
        if paths:
            path = data.draw(st.sampled_from(paths))
            clone.repository.forget(path)
            self.expect(clone, old, frozenset(pair for pair in model if pair[0] != path))

    def move(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        new = data.draw(st.sampled_from(PATHS))
        paths = sorted({path for path, _ in model} - {"a.first", new})
        if paths:
            path = data.draw(st.sampled_from(paths))
            clone.repository.move(path, new, append=True)
            self.expect(clone, old, frozenset((new if each == path else each, words) for each, words in model))

    def merge(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([*BRANCHES, *(f"origin/{name}" for name in BRANCHES)]))
        if name.startswith("origin"):
            clone.repository.remotes.fetch()
        if (theirs := clone.store.resolve(name)) is None:
            return
        bases = [commit.id for commit in merge_bases(clone.store, old, theirs.id)]
        expected = self.merge_of(bases, model, self.models[theirs.id])
        try:
            event(f"merge: {clone.repository.merge(name).outcome} with {len(bases)} bases")
        except Conflict:
            event("merge: refused")
            assert clone.tip == old
            assert len(bases) > 1 or self.rivals(bases[0], model, self.models[theirs.id])
            clone.repository.merge(name, strategy="append")
        self.expect(clone, old, expected)

    def merge_of(self, bases: Sequence[Oid], ours: Model, theirs: Model) -> Model:
        """With several bases each has an outcome, and these are merged in their turn."""
        first, *others = (self.models[base] for base in bases)
        result = three_way(first, ours, theirs)
        for other in others:
            result = three_way(first, result, three_way(other, ours, theirs))
        return result

    def rivals(self, base: Oid, ours: Model, theirs: Model) -> bool:
        """Whether both sides ended the same memory, which alone is a reason to refuse."""
        return bool(self.models[base] - ours - theirs)

    def sync(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        branch = clone.repository.branch
        clone.repository.remotes.fetch()
        theirs = clone.store.resolve(f"origin/{branch}")
        states, rivals = self.replay(clone.store, old, theirs.id) if theirs else ([self.models[old]], False)
        try:
            event(f"sync: {clone.repository.remotes.sync().outcome}")
        except Conflict:
            event("sync: refused")
            assert clone.tip == old
            assert rivals
            clone.repository.remotes.sync(strategy="append")
        for commit in clone.store.git.read("rev-list", str(clone.tip), "--").decode().split():
            oid = Oid.fromhex(commit)
            if oid not in self.models:
                self.models[oid] = read(clone.store, oid)
                assert self.models[oid] in states
        self.expect(clone, old, states[-1])
        assert git("rev-parse", branch, cwd=Path(self.folder.name) / "hub.git").strip() == str(clone.tip)

    def replay(self, store: Store, ours: Oid, theirs: Oid) -> tuple[list[Model], bool]:
        """The states of the branch after a sync, one for each commit that it makes, and whether one may be refused."""
        if ancestry.is_ancestor(store, theirs, ours):
            return [self.models[ours]], False
        line = store.git.read("rev-list", "--first-parent", "--reverse", str(ours), f"^{theirs}", "--").decode().split()
        bases = [commit.id for commit in merge_bases(store, ours, theirs)]
        if line and bases != [*store.commits([Oid.fromhex(line[0])])[0].parents[:1]]:  # a merge of theirs is among them
            model, other = self.models[ours], self.models[theirs]
            return [self.merge_of(bases, model, other)], len(bases) > 1 or self.rivals(bases[0], model, other)
        states, rivals = [self.models[theirs]], False
        for commit in store.commits([Oid.fromhex(each) for each in line]):
            (base, *_), after = commit.parents, self.models[commit.id]
            rivals |= self.rivals(base, states[-1], after)
            states.append(three_way(self.models[base], states[-1], after))
        return states, rivals

    def undo(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        if past := clone.past[clone.repository.branch]:
            self.step(clone, clone.repository.undo(), past.pop())
            clone.future[clone.repository.branch].append(old)

    def redo(self, clone: Clone, old: Oid, model: Model, data: st.DataObject) -> None:
        if future := clone.future[clone.repository.branch]:
            self.step(clone, clone.repository.redo(), future.pop())
            clone.past[clone.repository.branch].append(old)

    def step(self, clone: Clone, done: HistoryStep, target: Oid) -> None:
        """See that an undo or a redo went to a commit, or made its memories anew on top of what a remote has."""
        event(f"step: {done.remote and 'by a commit, ' * (not done.returns)}{done.remote}")
        assert done.new == clone.tip
        assert done.new == target or (done.remote and not done.returns)
        self.models.setdefault(done.new, self.models[target])
        assert self.models[done.new] == self.models[target]

    @invariant()
    def the_clone_is_sound_and_reads_as_the_model_says(self) -> None:
        if self.acting is None:
            return
        clone, self.acting = self.acting, None
        model = self.models[clone.tip]
        assert read(clone.store, clone.tip) == model
        assert clone.repository.upkeep.fsck().report.problems == []
        for path in PATHS:
            record = clone.repository.get(path)
            words = {memory.content for memory in record or () if memory.active}
            assert words == {words for place, words in model if place == path}
            if record:
                self.check_blame(clone, path, record, words)

    def check_blame(self, clone: Clone, path: str, record: Record, active: set[str]) -> None:
        """The newest version is what is there now, and whoever wrote a memory is among those to blame for it.

        A memory that two clones moved to two paths is at both after a sync; blame of the second ends with its move.
        """
        versions = clone.repository.blame(path)
        assert versions[0].record == record
        subjects = {version.commit.message for version in versions}
        assert {self.writers[words] for words in active - self.doubles} <= subjects


@pytest.mark.parametrize(("examples", "steps"), [(7, 30), pytest.param(200, 50, marks=pytest.mark.soak)])
def test_three_clones_do_as_the_model_says(examples: int, steps: int) -> None:
    """The short run is the same every time, the long one never is."""
    short = examples < 100
    profile = settings(max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=short)
    run_state_machine_as_test(Clones, settings=profile)
