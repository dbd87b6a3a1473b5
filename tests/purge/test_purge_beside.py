"""A purge between finding what to build on and building on it: readers still have the removed packs open."""

import shlex
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support import git

from memoir.errors import Conflict, DamagedStore, NotFound, StoreBusy
from memoir.exchange import fetch, push, transport
from memoir.exchange import merge as merging
from memoir.git import lock
from memoir.git.objects import Oid
from memoir.index.index import Index
from memoir.memory.write_options import WriteOptions
from memoir.repository.repository import Repository
from memoir.store import chain, switchover, transaction
from memoir.store.transaction import Change

SECRET = "The safe opens with 4711-0815."
KEY = "project.safe.code"


def merge(repository: Repository) -> object:
    return repository.merge("side")


def revert(repository: Repository) -> object:
    return repository.revert("HEAD~1")


def restore(repository: Repository) -> object:
    return repository.restore(KEY, at="HEAD~2")


def sync(repository: Repository) -> object:
    return repository.remotes.sync()


@pytest.fixture
def used(repository: Repository, tmp_path: Path) -> Repository:
    """A store with a secret on a side branch, forgotten on main, and at a remote beside another memory."""
    repository.remember("Use pytest.", "preferences.tests")
    repository.branches.create("side")
    repository.remember("Kept on the side.", "notes.side", options=WriteOptions(branch="side"))
    repository.remember(SECRET, "notes.secret", options=WriteOptions(branch="side"))
    git("clone", "--quiet", "--bare", str(repository.path), str(tmp_path / "hub.git"))
    git("update-ref", "refs/heads/main", "side", cwd=tmp_path / "hub.git")
    repository.remember(SECRET, KEY)
    repository.forget(KEY)
    repository.remember("Use ruff.", "preferences.lint")
    repository.remotes.add("origin", str(tmp_path / "hub.git"))
    return repository


@pytest.mark.parametrize("deed", [merge, revert, restore, sync])
def test_nothing_is_built_on_what_a_purge_takes_meanwhile(
    used: Repository, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Repository], object]
) -> None:
    @contextmanager
    def after_a_purge(git_dir: Path) -> Iterator[None]:
        monkeypatch.undo()
        _purge(used.path)
        with lock.writer_lock(git_dir):
            yield

    monkeypatch.setattr(transaction, "writer_lock", after_a_purge)
    monkeypatch.setattr(chain, "writer_lock", after_a_purge)
    before = [*used.keys()]
    with pytest.raises(Conflict, match="meanwhile"):
        deed(used)

    with Repository.open(used.path) as again:
        assert [*again.keys()] == before
        again.store.git.run("fsck", "--strict", "--no-dangling")


@pytest.mark.parametrize(
    "deed",
    [
        lambda used: used.tags.create("new", "side"),
        lambda used: used.branches.create("new", "side"),
        lambda used: used.branches.checkout("new", create=True, start="side"),
        lambda used: used.merge("side", options=WriteOptions(branch="old")),
    ],
    ids=["tag", "branch", "checkout", "fast-forward"],
)
def test_no_ref_moves_onto_what_a_purge_takes_meanwhile(
    used: Repository, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Repository], object]
) -> None:
    used.branches.create("old", "side~2")
    hold = lock.writer_lock

    @contextmanager
    def after_a_purge(git_dir: Path) -> Iterator[None]:
        monkeypatch.undo()
        _purge(used.path)
        with hold(git_dir):
            yield

    for module in (lock, merging, transaction):
        monkeypatch.setattr(module, "writer_lock", after_a_purge)
    with pytest.raises(Conflict, match="meanwhile") as refusal:
        deed(used)

    assert str(refusal.value.hint).startswith("run the same command again")
    assert [branch.name for branch in used.branches.list()] == ["main", "old", "side"]
    assert not used.tags.list()
    deed(used)


@pytest.mark.parametrize("step", ["rewritten", "staged", "derived"])
def test_what_is_named_while_a_purge_goes_on_waits(
    used: Repository, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setenv("MEMOIR_LOCK_TIMEOUT", "0")

    def name(reached: str) -> None:
        if reached == step:
            for part in (used.tags, used.branches):
                with pytest.raises(StoreBusy):
                    part.create("new", "side")

    monkeypatch.setattr(switchover, "reached", name)
    _purge(used.path)

    assert SECRET.encode() not in used.store.git.run("cat-file", "--batch-all-objects", "--batch")


@pytest.mark.parametrize("step", ["rewritten", "staged", "derived"])
def test_who_had_the_store_open_before_reads_nothing_of_it_afterwards(
    used: Repository, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """As a server does, to which an agent names the old commit: it may have read at any step of the purge, too."""
    old = str(used.store.at("HEAD~2").id)
    with Repository.open(used.path.parent) as server:
        assert server.get(KEY, at=old)

        def read(reached: str) -> None:
            if reached == step:
                assert server.get(KEY, at=old)

        monkeypatch.setattr(switchover, "reached", read)
        with Repository.open(used.path.parent) as other:
            other.upkeep.purge(KEY)

        with pytest.raises(NotFound):
            server.get(KEY, at=old)
        assert server.content("preferences.lint") == "Use ruff."


def test_what_is_read_too_late_was_purged_and_is_no_damage(used: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = used.store.commit("side")

    def resolve(*args: object) -> object:
        monkeypatch.undo()
        _purge(used.path)
        used.store.close()  # as a git would find it that has not opened the pack yet
        return theirs

    monkeypatch.setattr(used.store, "commit", resolve)
    with pytest.raises(Conflict, match="purged, or dropped, meanwhile"):
        used.merge("side")
    with Repository.open(used.path) as again, pytest.raises(DamagedStore, match="missing"):  # nothing was purged since
        again.store.commits([theirs.id])


def _purge(folder: Path) -> None:
    with Repository.open(folder) as other:
        other.upkeep.purge(texts=[SECRET])


@pytest.mark.parametrize("bring", ["fetch", "pull", "sync"])
def test_what_a_fetch_brings_is_refused_if_it_was_purged_meanwhile(
    used: Repository, monkeypatch: pytest.MonkeyPatch, bring: str
) -> None:
    used.remotes.fetch()
    with Repository.clone(used.remotes.list()["origin"], used.path.parent / "clone") as clone:
        clone.remember("News.", "notes.news")
        clone.remotes.sync()

    def get_refs(*args: Any) -> None:
        monkeypatch.undo()
        _purge(used.path)
        fetch.get_refs(*args)

    monkeypatch.setattr(fetch, "get_refs", get_refs)
    with pytest.raises(Conflict, match="purged here"):
        getattr(used.remotes, bring)()
    assert SECRET.encode() not in used.store.git.run("cat-file", "--batch-all-objects", "--batch")


@pytest.mark.parametrize("is_purged_before", [True, False])
def test_what_a_fetch_only_notes_after_it_was_dropped_is_taken_back(
    used: Repository, monkeypatch: pytest.MonkeyPatch, is_purged_before: bool
) -> None:
    """A purge drops it, or after one a fetch that is refused."""
    gone = used.store.commit("side").id
    if is_purged_before:
        _purge(used.path)

    def get_refs(*args: Any) -> None:
        monkeypatch.undo()
        if not is_purged_before:
            _purge(used.path)
        _note(used, gone)

    monkeypatch.setattr(fetch, "get_refs", get_refs)
    with pytest.raises(Conflict, match="meanwhile"):
        used.remotes.fetch()

    used.store.git.run("fsck", "--strict", "--no-dangling")


def _note(used: Repository, gone: Oid) -> None:
    """Note what the remote has, as a git does that was started before a purge, and reads the removed packs still."""
    ref = used.path / "refs" / "remotes" / "origin" / "main"
    ref.parent.mkdir(parents=True, exist_ok=True)
    ref.write_text(f"{gone}\n")


@pytest.mark.parametrize("send", ["push", "sync"])
def test_what_was_sent_while_it_was_purged_is_noted_nowhere_and_can_be_replaced(
    used: Repository, monkeypatch: pytest.MonkeyPatch, send: str
) -> None:
    git("branch", "-D", "side", cwd=used.path.parent.parent / "hub.git")
    used.remotes.fetch()
    used.merge("side")
    sent = used.store.commit("main").id

    def push_to(*args: Any, **more: Any) -> object:
        monkeypatch.undo()
        done = transport.push_to(*args, **more)
        _purge(used.path)
        _note(used, sent)
        return done

    monkeypatch.setattr(push, "push_to", push_to)
    with pytest.raises(Conflict, match="origin was sent what was purged here meanwhile, in 'main'") as refusal:
        getattr(used.remotes, send)()

    used.store.git.run("fsck", "--strict", "--no-dangling")
    assert refusal.value.hint
    git(*shlex.split(refusal.value.hint)[1:])
    with Repository.open(used.path) as again:
        again.remotes.sync()
    assert git("rev-parse", "main", cwd=used.path.parent.parent / "hub.git").strip() == str(used.store.head().id)


@pytest.mark.parametrize("step", ["rewritten", "staged"])
def test_what_is_noted_of_a_push_while_a_purge_goes_on_is_removed_after_it(
    used: Repository, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    used.branches.checkout("side")
    sent, notes = used.store.commit("side").id, threading.Event()

    def wait(reached: str) -> None:
        if reached == step:
            _note(used, sent)
            notes.set()

    def push_to(*args: Any, **more: Any) -> object:
        monkeypatch.undo()
        done = transport.push_to(*args, **more)
        monkeypatch.setattr(switchover, "reached", wait)
        purging.start()
        assert notes.wait(30)
        return done

    purging = threading.Thread(target=_purge, args=(used.path,))
    monkeypatch.setattr(push, "push_to", push_to)
    with pytest.raises(Conflict, match="was sent what was purged here meanwhile"):
        used.remotes.push()
    purging.join()

    assert SECRET.encode() not in used.store.git.run("cat-file", "--batch-all-objects", "--batch")


@pytest.mark.parametrize("step", ["rewritten", "staged", "dropped"])
@pytest.mark.parametrize("talk", ["fetch", "push"])
def test_a_talk_with_a_remote_waits_for_a_purge_that_goes_on(
    used: Repository, monkeypatch: pytest.MonkeyPatch, talk: str, step: str
) -> None:
    monkeypatch.setenv("MEMOIR_LOCK_TIMEOUT", "0")
    used.branches.checkout("side")

    def begin(reached: str) -> None:
        if reached == step:
            with pytest.raises(StoreBusy):
                getattr(used.remotes, talk)()

    monkeypatch.setattr(switchover, "reached", begin)
    _purge(used.path)

    assert SECRET.encode() not in used.store.git.run("cat-file", "--batch-all-objects", "--batch")


def test_what_is_written_while_a_fetch_is_refused_stays(used: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    _purge(used.path)

    def get_refs(*args: Any) -> None:
        monkeypatch.undo()
        fetch.get_refs(*args)
        with Repository.open(used.path) as writer:
            writer.remember("Written meanwhile.", "notes.new")
            writer.tags.create("new")

    monkeypatch.setattr(fetch, "get_refs", get_refs)
    with pytest.raises(Conflict, match="purged here"):
        used.remotes.fetch()

    with Repository.open(used.path) as again:
        assert again.content("notes.new") == again.content("notes.new", at="new") == "Written meanwhile."


def test_a_purge_waits_for_what_a_sync_sends(used: Repository) -> None:
    with chain.holding(used.store):
        chain.replay(used.store, used.store.head().id, [Change([(b"default=a", b"1")], "put")])
        with pytest.raises(StoreBusy, match="syncs"):
            _purge(used.path)
    _purge(used.path)


@pytest.mark.parametrize("step", ["refs", "derived", "end"])
def test_no_index_keeps_what_is_purged_while_it_is_built(
    used: Repository, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    used.remember(SECRET, KEY)
    before = used.store.head()

    def build(reached: str) -> None:
        if reached == step:
            with closing(Index(used.store)) as index:
                index.read(before, lambda view: None)

    monkeypatch.setattr(switchover, "reached", build)
    _purge(used.path)
    if step == "end":
        with pytest.raises(Conflict, match="meanwhile"):
            build(step)

    assert not [path for path in used.path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
