"""A large clone leaves most values to be checked later: until then none that is unsound is shown, or sent on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hostile import BAD_KEYS, BAD_RECORDS, RECORD, Forge
from support import Memoir, contents, copied, git

from memoir.errors import DamagedStore, GitError, MemoirError
from memoir.hosts.doctor import examine
from memoir.records.record import Memory
from memoir.repair import checks
from memoir.repair.fsck import fsck
from memoir.repository.repository import Repository
from memoir.store.store import UNCHECKED, Store
from memoir.taxonomy.paths import address
from memoir.tree.edit import apply

MANY = 700
"""More than a file of values is worth, and than a node holds."""
BAD = address("a.bad")
UNSOUND = {
    **{name: value for name, value in BAD_RECORDS.items() if value},
    "not canonical": RECORD.replace(b'"content":', b'"content": '),
    "a field twice": RECORD.replace(b'"content":', b'"content":"another","content":'),
}


@pytest.fixture(autouse=True)
def _leave_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone of any size leaves its values, as a large one does."""
    monkeypatch.setattr(checks, "AT_ONCE", 0)


@pytest.fixture
def theirs(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """A store that another user writes."""
    with Repository.open(copied(tmp_path / "theirs", tmp_path_factory.getbasetemp() / "theirs", _fill)) as theirs:
        yield theirs


def _fill(folder: Path) -> None:
    with Repository.init(folder) as repository:
        repository.import_lines(b'{"path":"a.k%d","content":"text %d"}' % (n, n) for n in range(MANY))


def _put(theirs: Repository, values: Mapping[bytes, bytes], *, then_gone: bool = False) -> None:
    """A commit with values that memoir would never have written; `then_gone`, one without them on top."""
    forge, head = Forge(theirs.store), theirs.store.head()
    assert head.tree.root
    blobs = {key: forge.blob(value) for key, value in values.items()}
    forge.commit(apply(head.tree, blobs, forge.pack), lies=False)
    if then_gone:
        forge.commit(head.tree.root, lies=False)


def _clone(theirs: Repository, tmp_path: Path) -> Repository:
    """A clone of a hub of the store, before anything of it is checked."""
    git("clone", "-q", "--bare", str(theirs.store.git_dir), str(tmp_path / "hub.git"))
    return Repository.clone(str(tmp_path / "hub.git"), tmp_path / "ours")


def _is_marked(repository: Repository) -> bool:
    return (repository.path / UNCHECKED).exists()


def test_unsound_values_are_never_shown_nor_sent(theirs: Repository, tmp_path: Path) -> None:
    bad = {f"a.bad{number}": value for number, value in enumerate(UNSOUND.values())}
    _put(theirs, {address(path).key: value for path, value in bad.items()})

    with _clone(theirs, tmp_path) as ours:
        ours.remember(Memory.of("an apple"), "b.apple")
        hub = git("rev-parse", "main", cwd=tmp_path / "hub.git")

        assert ours.get("b.apple")
        assert ours.get("a.k5")
        for path in bad:
            with pytest.raises(DamagedStore, match=rf"{path}\b"):
                ours.get(path)
        for send in (ours.remotes.push, ours.remotes.sync, lambda: ours.upkeep.purge("a.k5")):
            with pytest.raises(DamagedStore, match=r"this clone is not sound: 'default:a\.bad") as error:
                send()
            assert error.value.hint
        assert git("rev-parse", "main", cwd=tmp_path / "hub.git") == hub
        assert len(list(ours.export_lines())) == MANY + 1
        assert {*ours.store.damage} == {f"default:{path}" for path in bad}
        problems = ours.upkeep.fsck().report.problems
        for path in bad:
            assert [version.record[0].content[:9] for version in ours.blame(path) if version.record] == ["(damaged:"]
            assert any(f"'default:{path}'" in problem for problem in problems), path
        assert _is_marked(ours)


def test_no_answer_has_an_unsound_value_in_it(theirs: Repository, tmp_path: Path) -> None:
    """Not even one that reads well, as it does where somebody has made it without a clone."""
    theirs.remember(Memory.of("the codeword is heron"), "b.sound")
    _put(theirs, {BAD.key: RECORD.replace(b'"fine"', b' "the codeword is osprey"')})
    assert theirs.get("a.bad")

    with _clone(theirs, tmp_path) as ours:
        assert [hit.path for hit in ours.recall("what is the codeword?", wait=True).memories][:1] == ["b.sound"]
        assert not [hit for hit in ours.recall("osprey", wait=True).memories if hit.path == "a.bad"]
        assert not list(ours.grep("osprey"))
        with pytest.raises(DamagedStore, match="canonical"):
            ours.get("a.bad")
        with pytest.raises(MemoirError, match=r"a\.bad"):
            ours.remember(Memory.of("more"), "a.bad")


def test_an_unsound_value_of_the_past_is_not_brought_back_nor_sent(theirs: Repository, tmp_path: Path) -> None:
    _put(theirs, {BAD.key: RECORD.replace(b":", b": ")}, then_gone=True)

    with _clone(theirs, tmp_path) as ours:
        assert ours.get("a.k5")
        with pytest.raises(DamagedStore, match=r"a\.bad"):
            ours.get("a.bad", at="HEAD~1")
        with pytest.raises(DamagedStore, match=r"a\.bad"):
            ours.restore("a.bad", at="HEAD~1")
        with pytest.raises(DamagedStore, match=r"'default:a\.bad'"):
            ours.remotes.push()
        assert fsck(ours.store).problems


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, RECORD) for key in BAD_KEYS),
        (BAD.key, b""),  # git knows an empty file from the format's marker
        (b"memoir:layers=x.y", RECORD),
        (b"memoir:lexicon=a.b", RECORD),
    ],
)
@pytest.mark.parametrize("then_gone", [False, True])
def test_a_bad_key_and_what_memoir_keeps_for_itself_are_refused_at_once(
    theirs: Repository, tmp_path: Path, key: bytes, value: bytes, then_gone: bool
) -> None:
    _put(theirs, {key: value}, then_gone=then_gone)

    with pytest.raises((DamagedStore, GitError)):
        Repository.clone(str(theirs.path), tmp_path / "ours")
    assert not (tmp_path / "ours").exists()


@pytest.mark.parametrize("kind", ["tree", "commit"])
def test_what_is_no_value_is_not_read_as_one(theirs: Repository, tmp_path: Path, kind: str) -> None:
    head, forge = theirs.store.head(), Forge(theirs.store)
    assert head.commit
    other = forge.leaf([(b"default=a.b", forge.blob())]) if kind == "tree" else head.commit.id
    forge.commit(apply(head.tree, {BAD.key: other}, forge.pack), lies=False)

    with (
        suppress(DamagedStore, GitError),
        _clone(theirs, tmp_path) as ours,
    ):  # git refuses it at the latest from 2.40 on
        for act in (lambda: ours.get("a.bad"), ours.remotes.push):
            with pytest.raises(DamagedStore, match=f"{other}"):
                act()


def test_a_sound_clone_is_checked_before_the_first_push_and_once(
    theirs: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _clone(theirs, tmp_path) as ours:
        ours.remember(Memory.of("an apple"), "b.apple")
        assert _is_marked(ours)
        assert [each.health for each in examine(str(tmp_path / "ours")) if each.name == "store"] == ["warning"]

        ours.remotes.push()

        assert not _is_marked(ours)
        assert contents(ours.store)["default=b.apple"]
        assert [each.health for each in examine(str(tmp_path / "ours")) if each.name == "store"] == ["ok"]
        monkeypatch.setattr(checks, "value_problems", None)
        ours.remember(Memory.of("a pear"), "b.pear")
        ours.remotes.sync()
    with Repository.clone(str(tmp_path / "hub.git"), tmp_path / "third") as third:
        assert third.get("b.pear")


@pytest.mark.parametrize("check", [lambda ours: ours.upkeep.fsck(), lambda ours: ours.remotes.sync()])
def test_fsck_and_a_sync_check_it_too(
    theirs: Repository, tmp_path: Path, check: Callable[[Repository], object]
) -> None:
    with _clone(theirs, tmp_path) as ours:
        check(ours)

        assert not _is_marked(ours)


def test_every_value_that_a_clone_left_is_read(theirs: Repository, tmp_path: Path) -> None:
    """Those of all branches, and of the past; each once."""
    theirs.remember(Memory.of("of the past"), "a.past")
    theirs.forget("a.past")
    theirs.branches.create("other")
    with Repository.open(tmp_path / "theirs", branch="other") as other:
        other.remember(Memory.of("of another branch"), "a.other")
    read: list[bytes] = []

    with _clone(theirs, tmp_path) as ours:
        checks.read_the_rest(ours.store, lambda key, value: read.append(key))

    expected = {address(f"a.k{n}").key for n in range(MANY)} | {address("a.past").key, address("a.other").key}
    assert sorted(read) == sorted(expected)


def test_a_check_that_is_killed_is_begun_again(theirs: Repository, tmp_path: Path) -> None:
    """`kill -9` between a clone and the end of the check loses neither the clone nor the need of a check."""
    _put(theirs, {b"default=z.bad": BAD_RECORDS["confidence 7"]})
    _clone(theirs, tmp_path).close()
    process = os.fork()
    if not process:
        with Store(tmp_path / "ours" / ".memoir") as store:
            checks.read_the_rest(store, lambda key, value: os.kill(os.getpid(), signal.SIGKILL))
        os._exit(0)

    assert os.waitpid(process, 0)[1] == signal.SIGKILL
    with Repository.open(tmp_path / "ours") as ours:
        assert _is_marked(ours)
        assert ours.get("a.k5")
        with pytest.raises(DamagedStore):
            ours.get("z.bad")
        with pytest.raises(DamagedStore, match=r"z\.bad"):
            ours.remotes.push()


def test_a_small_clone_is_checked_or_refused_as_a_whole(
    theirs: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "AT_ONCE", MANY)
    with _clone(theirs, tmp_path) as ours:
        assert not _is_marked(ours)
    _put(theirs, {b"default=a.a": BAD_RECORDS["confidence 7"]})
    with Repository.clone(str(theirs.path), tmp_path / "larger") as larger:
        assert _is_marked(larger)
    monkeypatch.setattr(checks, "AT_ONCE", MANY + 1)

    with pytest.raises(DamagedStore, match=r"a\.a"):
        Repository.clone(str(theirs.path), tmp_path / "late")


_CLONE = """
import sys
from memoir.__main__ import main
from memoir.repair import checks
checks.AT_ONCE = 20
main()
"""
"""The command, of which a clone reads a few values itself; its arguments follow."""


@pytest.mark.slow
def test_the_process_that_a_clone_leaves_checks_it(tmp_path: Path) -> None:
    """And recall answers at once; of an unsound store the mark stays, and the next push names the fault."""
    with Repository.init(tmp_path / "theirs") as theirs:
        theirs.import_lines(b'{"path":"a.k%d","content":"text %d"}' % (n, n) for n in range(50))
        git("clone", "-q", "--bare", str(theirs.path), str(tmp_path / "sound.git"))
        _put(theirs, {b"default=z.bad": BAD_RECORDS["confidence 7"]})
    for place, sound in (("sound.git", True), ("theirs", False)):
        command = [sys.executable, "-c", _CLONE, "clone", place, f"of-{place}", "--json"]
        answer = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=60).stdout
        assert json.loads(answer)["checking"]
        ours = Memoir(tmp_path / f"of-{place}")
        assert ours.json("recall", "text 40", "--mode", "simple")["memories"]
        for _ in range(600 if sound else 0):
            if not (ours.git_dir / UNCHECKED).exists():
                break
            time.sleep(0.1)
        assert (ours.git_dir / UNCHECKED).exists() is not sound
    assert "z.bad" in ours.run("push").err
    assert (ours.git_dir / UNCHECKED).exists()
