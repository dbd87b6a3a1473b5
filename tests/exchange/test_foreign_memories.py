"""Commits from elsewhere are adopted if sound, repaired if only the shape of their tree is wrong, else refused."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from exchange.conftest import name_remote
from hostile import BAD_RECORDS, RECORD, Forge, bomb, chain
from support import contents, copied, without_endless_work

from memoir.errors import DamagedStore, GitError
from memoir.exchange import fetch, remotes
from memoir.exchange.merge import begin_branch, merge
from memoir.git.objects import Oid
from memoir.memory.write import restore
from memoir.records.record import Memory
from memoir.repair import foreign_commit
from memoir.repair.checks import CheckValue
from memoir.repair.fsck import fsck, repair_shapes
from memoir.repository.repository import Repository
from memoir.store.commit import Commit
from memoir.store.locate import DIRECTORY
from memoir.store.store import Store
from memoir.taxonomy.paths import memory_address
from memoir.tree.edit import apply

MANY = 300


def _build(folder: Path) -> None:
    with Repository.init(folder / "theirs") as theirs:
        theirs.import_lines(b'{"path":"a.k%d","content":"text %d"}' % (n, n) for n in range(MANY))
    Repository.clone(str(folder / "theirs" / DIRECTORY), folder / "ours").close()


@pytest.fixture
def both(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store and its clone."""
    made = tmp_path_factory.getbasetemp() / "foreign"
    folder = copied(tmp_path / "both", made, _build)
    name_remote(folder / "ours", made, folder)
    return folder


@pytest.fixture
def theirs(both: Path) -> Iterator[Repository]:
    """A store that another user writes."""
    with Repository.open(both / "theirs") as theirs:
        yield theirs


@pytest.fixture
def ours(both: Path) -> Iterator[Repository]:
    """A clone of it, before it turned hostile."""
    with Repository.open(both / "ours") as ours:
        yield ours


def _assert_refusal(
    ours: Repository, theirs: Repository, tmp_path: Path, match: str | None = None, faulty: Oid | None = None
) -> None:
    """Check that fetch says what is wrong, and that no command that builds on the commit moves a branch."""
    store, before = ours.store, ours.store.refs.list("refs/heads/")

    branches = fetch.fetch(store, "origin").moves

    assert [each.name for each in branches if each.refused] == ["main"]
    with pytest.raises(DamagedStore, match=match) as error:
        fetch.refuse(branches)
    assert error.value.hint
    for adopt in (
        lambda: merge(store, "origin/main"),
        lambda: merge(store, "origin/main", strategy="theirs"),
        lambda: begin_branch(store, "x", store.commit("origin/main")),
    ):
        with pytest.raises(DamagedStore, match=match):
            adopt()
    with pytest.raises(DamagedStore, match=match):
        Repository.clone(str(theirs.store.git_dir), tmp_path / "late")
    assert not (tmp_path / "late").exists()
    assert store.refs.list("refs/heads/") == before
    commit = faulty or theirs.store.refs.read("refs/heads/main")
    assert commit and any(f"{commit:.12}" in problem for problem in fsck(store).problems)


def _forge_leaf(theirs: Repository, key: bytes, value: bytes, *, lies: bool = True) -> Oid:
    """A tree in good shape, but for one key and value in it."""
    forge = Forge(theirs.store)
    rows = [*theirs.store.head().tree.scan(), (key, forge.blob(value))]
    return forge.commit(apply(theirs.store.tree(None), dict(rows), forge.pack), lies=lies)


@pytest.mark.parametrize("name", ["content a number", "metadata 900 deep", "nothing"])
def test_a_bad_record_is_refused(ours: Repository, theirs: Repository, tmp_path: Path, name: str) -> None:
    commit = _forge_leaf(theirs, b"default=a.bad", BAD_RECORDS[name])

    _assert_refusal(ours, theirs, tmp_path, rf"{commit:.12}.*default:a\.bad")


@pytest.mark.parametrize("key", [b"default=", b"default=\xff\xfe", b"default=a\nb"])
def test_a_bad_key_is_refused(ours: Repository, theirs: Repository, tmp_path: Path, key: bytes) -> None:
    _forge_leaf(theirs, key, b'{"memories":[]}')

    _assert_refusal(ours, theirs, tmp_path)


@pytest.mark.parametrize("kind", ["tree", "commit"])
@pytest.mark.parametrize("in_the_past", [False, True])
def test_what_is_no_value_is_refused_in_the_place_of_one(
    ours: Repository, theirs: Repository, tmp_path: Path, kind: str, in_the_past: bool
) -> None:
    """git moves such a tree, and says so only to whoever reads it."""
    head, forge = theirs.store.head(), Forge(theirs.store)
    assert head.commit and head.tree.root
    other = forge.leaf([(b"default=a.b", forge.blob())]) if kind == "tree" else head.commit.id
    forge.commit(apply(head.tree, {b"default=a.bad": other}, forge.pack), lies=False)
    if in_the_past:
        forge.commit(head.tree.root, lies=False)

    for bring in (
        lambda: Repository.clone(str(theirs.store.git_dir), tmp_path / "late"),
        lambda: fetch.refuse(fetch.fetch(ours.store, "origin").moves),
    ):
        with pytest.raises((DamagedStore, GitError), match=f"{other}|{kind}"):
            bring()
    assert not (tmp_path / "late").exists()
    assert len(contents(ours.store)) == MANY


@pytest.mark.usefixtures("near_or_far")
def test_a_malformed_tree_in_the_past_is_refused(ours: Repository, theirs: Repository, tmp_path: Path) -> None:
    """The newest commit is sound, but `blame` and `log` would never get past the one before it."""
    forge, sound = Forge(theirs.store), theirs.store.head().tree.root
    assert sound
    faulty = forge.commit(forge.raw((b"100644", b"junk", forge.blob())), lies=False)
    forge.commit(sound, lies=False)

    _assert_refusal(ours, theirs, tmp_path, "a commit before it has the tree", faulty)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"default=a.bad", BAD_RECORDS["timestamp null"]),
        (b"default=a.bad", BAD_RECORDS["nothing"]),  # git knows an empty file from the format's marker
        (b"default=a..b", RECORD),
    ],
)
def test_a_bad_record_or_key_of_the_past_is_refused(
    ours: Repository, theirs: Repository, tmp_path: Path, key: bytes, value: bytes
) -> None:
    """It is no longer there in the newest commit, but `--at` and `restore` would bring it back."""
    sound = theirs.store.head().tree.root
    assert sound
    faulty = _forge_leaf(theirs, key, value)
    Forge(theirs.store).commit(sound, lies=False)

    _assert_refusal(ours, theirs, tmp_path, r"in a commit before it, 'default:a\.(bad|\.b)'", faulty)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_bad_key_of_the_past_is_refused_though_its_value_is_sound_at_another_key(
    ours: Repository, theirs: Repository, is_known: bool
) -> None:
    """The other key comes after it and is here already, or before it and is new too."""
    theirs.remember(Memory.of("text"), "a.good")
    ours.remotes.pull()
    head, forge = theirs.store.head().tree, Forge(theirs.store)
    assert head.root
    value = head.get([b"default=a.good"])[b"default=a.good"] if is_known else forge.blob()
    more = {b"default=a.f..x": value} if is_known else {b"default=b.new": value, b"default=b.new..x": value}
    forge.commit(apply(theirs.store.tree(None), {**dict(head.scan()), **more}, forge.pack), lies=False)
    forge.commit(head.root, lies=False)

    (branch,) = fetch.fetch(ours.store, "origin").moves

    assert branch.refused and "..x" in (branch.foreign or "")


def test_a_commit_of_the_past_that_cannot_be_read_is_refused(ours: Repository, theirs: Repository) -> None:
    """`log` and `blame` would stop at it: it has no date."""
    head = theirs.store.head()
    assert head.commit and head.tree.root
    forge = Forge(theirs.store)
    text = f"tree {head.tree.root}\nparent {head.commit.id}\nauthor a <b>\ncommitter a <b>\n\nx\n"
    commit = forge.raw_commit(text.encode())
    above = text.replace(str(head.commit.id), str(commit)).replace("<b>", "<b> 1700000000 +0000")
    theirs.store.refs.update("refs/heads/main", forge.raw_commit(above.encode()), head.commit.id, "forged")

    (branch,) = fetch.fetch(ours.store, "origin").moves

    assert branch.refused and f"commit {commit} cannot be read" in (branch.foreign or "")


def test_a_bad_record_that_is_here_already_keeps_nothing_from_coming(ours: Repository, theirs: Repository) -> None:
    """A branch here had it before memoir refused such records."""
    sound = theirs.store.head().tree.root
    assert sound
    faulty = _forge_leaf(theirs, b"default=a.bad", BAD_RECORDS["timestamp null"])
    Forge(theirs.store).commit(sound, lies=False)
    fetch.fetch(ours.store, "origin")
    ours.store.refs.create("branch", "damaged", faulty)

    assert merge(ours.store, "origin/main").outcome == "fast_forward"
    assert len(contents(ours.store)) == MANY


def test_one_bad_branch_of_a_remote_does_not_taint_another(ours: Repository, theirs: Repository) -> None:
    """Nor does what a refused branch holds count as looked at: `over` has it in the past, by a merge alone."""
    head = theirs.store.head()
    assert head.commit and head.tree.root
    bad = _forge_leaf(theirs, b"default=a.bad", BAD_RECORDS["no JSON"])
    theirs.store.refs.create("branch", "bad", bad)
    theirs.store.refs.create("branch", "over", head.commit.id)
    Forge(theirs.store).commit(head.tree.root, bad, branch="over", lies=False)
    theirs.store.refs.update("refs/heads/main", head.commit.id, bad, "back")
    theirs.remember(Memory.of("good"), "b.good")

    branches = fetch.fetch(ours.store, "origin").moves

    assert {each.name: each.refused for each in branches} == {"bad": True, "main": False, "over": True}
    assert merge(ours.store, "origin/main").outcome == "fast_forward"


def test_many_branches_with_a_bad_past_are_not_walked_one_by_one(
    ours: Repository, theirs: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each walk may be long, and a remote may have any number of branches on it."""
    sound = theirs.store.head().tree.root
    assert sound
    _forge_leaf(theirs, b"default=a..b", RECORD)
    tip = Forge(theirs.store).commit(sound, lies=False)
    for number in range(5):
        theirs.store.refs.create("branch", f"b{number}", tip)
    walk, walks = foreign_commit.check_every_commit, list[int]()

    def count_checks(store: Store, tips: Sequence[Commit], check_value: CheckValue) -> None:
        walks.append(len(tips))
        walk(store, tips, check_value)

    monkeypatch.setattr(foreign_commit, "check_every_commit", count_checks)
    monkeypatch.setattr(fetch, "_ALONE", 4)
    branches = fetch.fetch(ours.store, "origin").moves

    assert walks == [6] and all(each.refused for each in branches)
    assert branches[0].foreign and "one of 6 branches is not adopted" in branches[0].foreign


@pytest.mark.parametrize("lies", [True, False])
@pytest.mark.parametrize("make", [bomb, chain])
def test_a_tree_that_could_exhaust_memory_is_refused_or_small(
    ours: Repository, theirs: Repository, make: Callable[[Forge], Oid], lies: bool
) -> None:
    forge = Forge(theirs.store)
    forge.commit(make(forge), lies=lies)
    before = ours.store.refs.read("refs/heads/main")

    try:
        with without_endless_work():
            fetch.fetch(ours.store, "origin")
            merge(ours.store, "origin/main", strategy="theirs")
    except DamagedStore:
        assert ours.store.refs.read("refs/heads/main") == before
    else:
        assert ours.store.head().tree.count() == len(contents(ours.store)) <= MANY


@pytest.mark.parametrize("lies", [True, False])
def test_wrong_counts_are_put_right_whatever_the_trailers_say(
    ours: Repository, theirs: Repository, tmp_path: Path, lies: bool
) -> None:
    """Neither after a fetch, nor when the commit is history, nor in a clone."""
    forge, top = Forge(theirs.store), theirs.store.head().tree.top
    assert top.counts
    rows = [(key, oid, 10**14) for key, oid in zip(top.keys, top.ids, strict=True)]
    commit = forge.commit(forge.internal(rows, root=True), lies=lies)

    (branch,) = fetch.fetch(ours.store, "origin").moves
    assert branch.foreign and not branch.refused
    assert ours.store.at("origin/main").tree.count() == MANY
    assert merge(ours.store, "origin/main").outcome == "merged"

    with Repository.clone(str(theirs.store.git_dir), tmp_path / "late") as late:
        for repository in (ours, late):
            assert repository.store.head().tree.count() == MANY
            assert repository.store.of(commit).tree.count() == MANY
            assert fsck(repository.store).problems == []


def test_fsck_repair_corrects_a_tip_with_wrong_counts(theirs: Repository) -> None:
    forge, top = Forge(theirs.store), theirs.store.head().tree.top
    assert top.counts
    forge.commit(forge.internal([(k, o, 7) for k, o in zip(top.keys, top.ids, strict=True)], root=True))
    assert fsck(theirs.store).problems

    assert repair_shapes(theirs.store) == ["main"]

    assert fsck(theirs.store).problems == []
    assert theirs.store.head().tree.count() == MANY


def test_a_sound_foreign_commit_is_adopted_as_it_is(ours: Repository, theirs: Repository) -> None:
    commit = _forge_leaf(theirs, b"default=a.new", _sound(), lies=False)

    assert fetch.fetch(ours.store, "origin").moves[0].foreign is None
    assert merge(ours.store, "origin/main").outcome == "fast_forward"
    assert ours.store.refs.read("refs/heads/main") == commit


def _sound() -> bytes:
    from memoir.records.record import encode

    return encode([Memory.of("text", timestamp="2026-01-01")])


def test_checking_a_commit_reads_only_what_it_changed(ours: Repository, theirs: Repository) -> None:
    theirs.import_lines(b'{"path":"b.k%d","content":"text"}' % n for n in range(1_000))
    fetch.fetch(ours.store, "origin")
    merge(ours.store, "origin/main")
    theirs.remember(Memory.of("one more"), "b.new")
    fetch.fetch(ours.store, "origin")
    reads: list[Oid] = []
    read = ours.store.reader.read

    def count_reads(ids: list[Oid], kind: str) -> list[bytes]:
        reads.extend(ids)
        return read(ids, kind)

    ours.store.tree.cache_clear()
    ours.store.checked.clear()
    ours.store.reader.read = count_reads  # type: ignore[method-assign, assignment]

    assert foreign_commit.check_tips(ours.store, ours.store.commit("origin/main"), ours.store.head().tree) is None
    assert 0 < len(reads) < 30


def test_a_record_restored_from_history_is_checked(theirs: Repository) -> None:
    bad = _forge_leaf(theirs, b"default=a.bad", BAD_RECORDS["timestamp null"])
    theirs.forget("a.bad")

    with pytest.raises(DamagedStore, match=r"default:a\.bad"):
        restore(theirs.store, [memory_address("a.bad")], theirs.store.of(bad))


def test_a_shallow_remote_is_refused_with_the_reason(theirs: Repository, tmp_path: Path) -> None:
    from support import git

    theirs.remember(Memory.of("more"), "a.more")
    git("clone", "--quiet", "--bare", "--depth=1", f"file://{theirs.store.git_dir}", str(tmp_path / "cut.git"))

    with pytest.raises(DamagedStore, match="shallow"):
        Repository.clone(str(tmp_path / "cut.git"), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    with Repository.init(tmp_path / "mine") as mine:
        remotes.add(mine.store, "origin", str(tmp_path / "cut.git"))
        with pytest.raises(DamagedStore, match="shallow"):
            fetch.fetch(mine.store, "origin")


def test_a_shallow_store_is_not_opened(theirs: Repository) -> None:
    tip = theirs.store.refs.read("refs/heads/main")
    (theirs.store.git_dir / "shallow").write_text(f"{tip}\n")

    with pytest.raises(DamagedStore, match="shallow clone: a part of its history is missing"):
        Store(theirs.store.git_dir)


def test_a_change_list_that_hides_a_change_is_not_believed(ours: Repository, theirs: Repository) -> None:
    """The forged commit says that it changed nothing."""
    commit = _forge_leaf(theirs, b"default=a.new", _sound(), lies=True)
    fetch.fetch(ours.store, "origin")
    merge(ours.store, "origin/main")

    assert [version.commit.id for version in ours.blame("a.new")] == [commit]


def test_fsck_repair_finds_a_change_list_that_hides_a_change(theirs: Repository) -> None:
    commit = _forge_leaf(theirs, b"default=a.new", _sound(), lies=True)

    repair_shapes(theirs.store)

    assert [version.commit.id for version in theirs.blame("a.new")] == [commit]
    assert fsck(theirs.store).problems == []
