"""A commit below a sound one from elsewhere is not believed if it misstates its tree or what it changed."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hostile import RECORD, Forge

from memoir.exchange import fetch
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid
from memoir.records.record import Memory
from memoir.repair import checks
from memoir.repair.fsck import fsck
from memoir.repository.repository import Repository
from memoir.store.commit import BULK, ChangeList, encode
from memoir.tree import edit
from memoir.tree.edit import apply
from memoir.tree.tree import Tree

MANY = 300


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[Repository]:
    """A store that another user writes."""
    with Repository.init(tmp_path / "theirs") as theirs:
        theirs.import_lines(b'{"path":"a.k%d","content":"text %d"}' % (n, n) for n in range(MANY))
        yield theirs


@pytest.fixture
def ours(theirs: Repository, tmp_path: Path) -> Iterator[Repository]:
    """A clone of it, before it turned hostile."""
    with Repository.clone(str(theirs.store.git_dir), tmp_path / "ours") as ours:
        yield ours


def _wrong_counts(theirs: Repository, count: int = 10**14) -> Oid:
    """A commit whose tree says that each of its nodes holds so many memories."""
    forge, top = Forge(theirs.store), theirs.store.head().tree.top
    return forge.commit(forge.internal([(k, o, count) for k, o in zip(top.keys, top.ids, strict=True)], root=True))


def _restore(theirs: Repository, tree: Oid | None) -> None:
    """A sound commit of a tree that was there before."""
    assert tree
    Forge(theirs.store).commit(tree, lies=False)


@pytest.mark.slow
def test_wrong_counts_of_the_past_are_not_believed(ours: Repository, theirs: Repository, tmp_path: Path) -> None:
    """Neither after a fetch, nor once the commit is history here, nor in a clone; `summarize REV` would show them."""
    sound = theirs.store.head().tree.root
    wrong = _wrong_counts(theirs)
    same = Forge(theirs.store).commit(theirs.store.commits([wrong])[0].tree)  # it shares the nodes of the wrong one
    _restore(theirs, sound)
    assert theirs.store.of(wrong).tree.count() != MANY

    (branch,) = fetch.fetch(ours.store, "origin").moves
    ours.merge("origin/main")

    assert not branch.refused
    with Repository.clone(str(theirs.store.git_dir), tmp_path / "late") as late:
        for repository in (ours, late):
            assert [repository.store.of(each).tree.count() for each in (wrong, same)] == [MANY, MANY]
            assert fsck(repository.store).problems == []


def test_fsck_names_wrong_counts_of_the_past_that_are_here_already(theirs: Repository) -> None:
    sound = theirs.store.head().tree.root
    wrong = _wrong_counts(theirs)
    _restore(theirs, sound)

    assert any(f"{wrong:.12}" in problem for problem in fsck(theirs.store).problems)


@pytest.mark.usefixtures("near_or_far")
def test_a_change_list_of_the_past_that_hides_a_change_is_not_believed(ours: Repository, theirs: Repository) -> None:
    """The forged commit says that it changed nothing, so `blame` of the key would name nobody."""
    forge, head = Forge(theirs.store), theirs.store.head()
    rows = dict([*head.tree.scan(), (b"default=a.new", forge.blob(RECORD))])
    commit = forge.commit(apply(theirs.store.tree(None), rows, forge.pack))
    _restore(theirs, head.tree.root)

    fetch.fetch(ours.store, "origin")
    ours.merge("origin/main")

    assert commit in [version.commit.id for version in ours.blame("a.new")]


def test_too_many_wrong_commits_are_refused(
    ours: Repository, theirs: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is read as a whole."""
    sound = theirs.store.head().tree.root
    for count in (7, 8):
        _wrong_counts(theirs, count)
    _restore(theirs, sound)
    monkeypatch.setattr(checks, "_MOST_WRONG", 1)

    (branch,) = fetch.fetch(ours.store, "origin").moves

    assert branch.refused and "more than 1 commits before it" in (branch.foreign or "")


def test_few_trees_out_of_shape_are_read_as_a_whole(
    ours: Repository, theirs: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands on a further one is not believed; its counts are right all the same."""
    sound, above = theirs.store.head().tree.root, list[Oid]()
    for count in range(3):
        top, forge = theirs.store.head().tree.top, Forge(theirs.store)
        rows = [(key, oid, count + 1) for key, oid in zip(top.keys, top.ids, strict=True)]
        forge.commit(forge.internal(rows, root=True), lies=False)
        assert sound
        above.append(forge.commit(sound))
    _restore(theirs, sound)
    rebuilt: list[Tree] = []
    rebuild = edit.rebuilt

    def count_rebuilt(tree: Tree) -> Tree:
        rebuilt.append(tree)
        return rebuild(tree)

    monkeypatch.setattr(checks, "_WHOLE", 1)
    monkeypatch.setattr(edit, "rebuilt", count_rebuilt)

    fetch.fetch(ours.store, "origin")

    assert len(rebuilt) == 1
    assert ours.store.distrusted == {*above[1:]}
    assert [ours.store.of(commit).tree.count() for commit in above] == [MANY] * 3


@pytest.mark.parametrize("whose", ["the new commit", "one that is here"])
def test_a_node_that_has_the_whole_tree_of_a_commit_below_it_is_refused(
    ours: Repository, theirs: Repository, whose: str
) -> None:
    """Such a tree was looked at as that commit's already, and is no node below another one."""
    here = theirs.store.head().tree
    theirs.remember(Memory.of("text"), "b.new")
    new = theirs.store.head().tree.root
    forge, whole = Forge(theirs.store), new if whose == "the new commit" else here.root
    assert whole
    forge.commit(forge.internal([(here.top.keys[0], whole, MANY)], root=True))
    _restore(theirs, new)

    (branch,) = fetch.fetch(ours.store, "origin").moves

    assert branch.refused and "it has the whole tree of a commit in it" in (branch.foreign or "")


def test_the_past_is_compared_with_what_it_was_made_from(ours: Repository, theirs: Repository) -> None:
    """So a commit costs the nodes that it changed, however many memories there are."""
    for number in range(3):
        theirs.forget(f"a.k{number}")
    trees: list[Oid] = []
    read = ours.store.reader.read

    def count(ids: list[Oid], kind: str) -> list[bytes]:
        trees.extend(ids if kind == "tree" else [])
        return read(ids, kind)

    ours.store.reader.read = count  # type: ignore[method-assign, assignment]
    fetch.fetch(ours.store, "origin")
    ours.store.tree.cache_clear()
    trees.clear()
    new = ours.store.git.read("rev-list", "--reverse", "main..origin/main").decode().split()
    checks.distrust_wrong(ours.store, map(Oid.fromhex, new), ours.store.tree(None))

    assert len(new) == 3 and 0 < len(trees) <= 8 * len(new)


@pytest.mark.parametrize("surplus", [0, 1, -1])
@pytest.mark.parametrize("early", [0, 3])
def test_a_commit_that_misstates_how_many_it_brought_is_not_believed(tmp_path: Path, early: int, surplus: int) -> None:
    """There are too many for their keys to be listed; how many there are is known from the tree, once that is sound.

    Of the early ones one stays, one is changed and one is gone.
    """
    with Repository.init(tmp_path / "theirs") as theirs:
        for number in range(early):
            theirs.remember(Memory.of("early"), f"a.early{number}")
        parent = theirs.store.head().commit
        theirs.import_lines(b'{"path":"a.k%d","content":"text"}' % n for n in range(BULK + 1))
        if early:
            theirs.forget("a.early1")
            theirs.remember(Memory.of("changed"), "a.early2")
        last = theirs.store.head().commit
        assert last
        brought = BULK + 1 + (2 if early else 0)
        changes = ChangeList(parent and parent.tree, bulk=brought + surplus)
        data = encode(last.tree, [parent.id] if parent else [], last.author, last.committer, "many", changes)
        forged = Forge(theirs.store).raw_commit(data)
        assert theirs.store.refs.update("refs/heads/main", forged, last.id, "forged")
        theirs.remember(Memory.of("late"), "a.late")

        with Repository.clone(str(theirs.store.git_dir), tmp_path / "late") as late:
            assert (forged in late.store.distrusted) == bool(surplus)
            assert late.count() == theirs.count()


@pytest.mark.parametrize("fault", ["count", "first key"])
def test_a_first_commit_out_of_shape_is_found_though_the_newest_tree_has_all_its_nodes(
    tmp_path: Path, fault: str
) -> None:
    """Its root alone is its own, and it counts its changes as that root counts."""
    with Repository.init(tmp_path / "theirs") as theirs:
        theirs.import_lines(b'{"path":"a.k%d","content":"text"}' % n for n in range(BULK + 100))
        head = theirs.store.head()
        top, last = head.tree.top, head.commit
        assert last and top.counts and head.tree.root
        rows = list(zip(top.keys, top.ids, top.counts, strict=True))
        key, oid, count = rows[1]
        rows[1] = (key, oid, count + 1) if fault == "count" else (key + b"x", oid, count)
        forge = Forge(theirs.store)
        changes = ChangeList(bulk=sum(row[2] for row in rows))
        data = encode(forge.internal(rows, root=True), [], last.author, last.committer, "first", changes)
        first = forge.raw_commit(data)
        assert theirs.store.refs.update("refs/heads/main", first, last.id, "forged")
        _restore(theirs, head.tree.root)

        with Repository.clone(str(theirs.store.git_dir), tmp_path / "late") as late:
            assert first in late.store.distrusted
            assert late.count() == BULK + 100


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize("after", [0, 3])
def test_a_clone_opens_each_leaf_once(tmp_path: Path, before: int, after: int) -> None:
    """Whatever was written before and after the commit that brought most: the tip's tree vouches for what it shares."""
    opened: list[Oid] = []
    read, read_some = ObjectReader.read, ObjectReader.read_some

    def count(reader: ObjectReader, ids: Sequence[Oid], kind: str) -> list[bytes]:
        opened.extend(ids if kind == "tree" else ())
        return read(reader, ids, kind)

    def count_some(reader: ObjectReader, ids: Sequence[Oid], kind: str, most_bytes: int) -> list[bytes]:
        opened.extend(ids if kind == "tree" else ())
        return read_some(reader, ids, kind, most_bytes)

    with Repository.init(tmp_path / "theirs") as theirs, pytest.MonkeyPatch.context() as patched:
        for number in range(before):
            theirs.remember(Memory.of("an early one"), f"b.early{number}")
        theirs.import_lines(b'{"path":"a.k%d","content":"text"}' % n for n in range(5 * BULK))
        for number in range(after):
            theirs.remember(Memory.of("a late one"), f"b.late{number}")
        tree = theirs.store.head().tree
        leaves = [oid for node in ([tree.top] if tree.height == 1 else tree.nodes(tree.top.ids)) for oid in node.ids]
        patched.setattr(ObjectReader, "read", count)
        patched.setattr(ObjectReader, "read_some", count_some)
        Repository.clone(str(theirs.store.git_dir), tmp_path / "late").close()

    again = sum(opened.count(oid) - 1 for oid in leaves)
    assert {*leaves} <= {*opened} and again <= 1 + 3 * (before + after) < len(leaves) / 2
