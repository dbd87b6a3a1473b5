"""Refs: compare-and-swap, names, reflogs."""

import errno
import os
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from support import path_of, write

from memoir.errors import Conflict, DamagedStore, GitError, InvalidInput, NotFound
from memoir.git import reflog
from memoir.git.fsync import Unsettled
from memoir.git.git import Git
from memoir.git.messages import DISK_HINT, failure
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.store.rewind import rename
from memoir.store.store import Store


def test_an_update_needs_the_old_value(store: Store) -> None:
    first, second = write(store, {"default=a": "1"}), write(store, {"default=a": "2"})

    assert not store.refs.update(BRANCHES + "main", first.id, first.id, "stale")
    assert store.refs.update(BRANCHES + "main", first.id, second.id, "fresh")
    assert store.refs.read(BRANCHES + "main") == first.id


def test_a_ref_is_read_from_its_file_and_git_is_asked_for_what_that_does_not_say(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = write(store, {"default=a": "1"}).id, write(store, {"default=a": "2"}).id
    store.refs.create("branch", "packed", first)
    store.git.run("pack-refs", "--all")
    store.refs.update(BRANCHES + "main", first, last, "it has a file again")
    store.refs.create("branch", "loose/x", last)
    store.git.run("symbolic-ref", "refs/tags/alias", "refs/heads/loose/x")
    (store.git_dir / "refs/heads/broken").write_text("no id\n")
    asked, run = [], store.git.try_run

    def note(*args: str, **more: Any) -> "CompletedProcess[bytes]":
        asked.append(args[-1])
        return run(*args, **more)

    monkeypatch.setattr(store.git, "try_run", note)

    in_files = {"HEAD": first, "refs/heads/main": first, "refs/heads/loose/x": last}
    absent = {"refs/heads/none": None, "refs/heads/loose": None, "refs/heads/loose/x/y": None}
    rest = {"refs/heads/packed": first, "refs/tags/alias": last, "refs/heads/packed~1": None, "refs/heads/broken": None}
    expected = in_files | absent | rest
    assert {name: store.refs.read(name) for name in expected} == expected
    assert asked == list(rest)


def test_refs_are_listed_from_their_files_as_git_lists_them(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = write(store, {"default=a": "1"}).id, write(store, {"default=a": "2"}).id
    store.refs.create("branch", "packed/é", first)
    store.refs.create("tag", "v1", first)
    store.git.run("tag", "-m", "one", "v2", str(first))
    store.git.run("pack-refs", "--all")
    store.refs.create("branch", "packed/a", last)
    store.refs.update(BRANCHES + "main", first, last, "it has a file again")
    (store.git_dir / "refs/heads/new.lock").touch()
    told = store.git.run("for-each-ref", "--format=%(refname) %(objectname)", BRANCHES).decode().splitlines()
    monkeypatch.setattr(store.git, "try_run", None)

    found = store.refs.list(BRANCHES)

    assert [f"{BRANCHES}{name} {oid}" for name, oid in found.items()] == told and len(told) == 3
    assert store.refs.list(BRANCHES + "packed/") == {"a": last, "é": first} and store.refs.list(REMOTES) == {}


def test_refs_in_a_folder_that_cannot_be_read_are_not_left_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.refs.create("branch", "team/x", write(store, {"default=a": "1"}).id)
    scan = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("team"):
            raise PermissionError(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)

    assert list(store.refs.list(BRANCHES)) == ["main", "team/x"]


@pytest.mark.parametrize(
    ("file", "text"), [("refs/heads/new", ""), ("refs/heads/a..b", "1" * 40), ("packed-refs", "x")]
)
def test_refs_that_git_would_not_list_are_damage(store: Store, file: str, text: str) -> None:
    write(store, {"default=a": "1"})
    (store.git_dir / file).write_text(text)

    with pytest.raises(DamagedStore):
        store.refs.list(BRANCHES)


def test_a_ref_that_git_cannot_write_is_an_error_not_a_lost_race(store: Store) -> None:
    first = write(store, {"default=a": "1"})

    with pytest.raises(GitError):
        store.refs.update(BRANCHES + "main", Oid(b"\1" * 20), first.id, "to an object that is not there")


def test_a_creation_that_fails_leaves_no_note_of_a_branch(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """git notes the creation first, and may then find that the disk is full."""
    commit, run = write(store, {"default=a": "1"}), store.git.try_run

    def note_and_fail(*args: str, **more: Any) -> "CompletedProcess[bytes]":
        if args[0] != "update-ref":
            return run(*args, **more)
        run(*args, **more)
        (store.git_dir / BRANCHES / "new").unlink()
        return CompletedProcess(args, 128, b"", b"fatal: cannot rename: No space left on device")

    monkeypatch.setattr(store.git, "try_run", note_and_fail)
    with pytest.raises(GitError, match="No space left"):
        store.refs.create("branch", "new", commit.id)
    monkeypatch.undo()

    assert list(store.refs.branches()) == ["main"]
    store.refs.create("branch", "new", commit.id)


def test_a_deleted_branch_has_no_log_even_if_git_could_not_remove_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, run = write(store, {"default=a": "1"}), store.git.try_run
    store.refs.create("branch", "new", commit.id)
    log = store.git_dir / "logs" / BRANCHES / "new"
    words = log.read_bytes()

    def keep_log(*args: str, **more: Any) -> "CompletedProcess[bytes]":
        done = run(*args, **more)
        if args[0] == "update-ref":
            log.write_bytes(words)
        return done

    monkeypatch.setattr(store.git, "try_run", keep_log)
    store.refs.delete("branch", "new")

    assert list(store.refs.branches()) == ["main"]


def test_a_log_that_cannot_be_removed_is_emptied(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = write(store, {"default=a": "1"}).id
    store.refs.create("branch", "new", commit)
    log = store.git_dir / "logs" / BRANCHES / "new"
    words = log.read_bytes()
    store.refs.delete("branch", "new")
    log.write_bytes(words)

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "unlink", refuse)
    store.refs.drop_orphaned_logs(BRANCHES)

    assert log.read_bytes() == b"" and list(store.refs.branches()) == ["main"]


def test_the_log_of_a_ref_that_git_could_not_make_goes_and_that_of_a_packed_one_stays(store: Store) -> None:
    commit, folder = write(store, {"default=a": "1"}).id, f"{REMOTES}origin/"
    for name in ("loose", "packed"):
        store.refs.update(folder + name, commit, None, "fetch")
    store.git.run("pack-refs", "--all")
    store.refs.update(f"{folder}loose", write(store, {"default=a": "2"}).id, commit, "fetch")
    logs = store.git_dir / "logs" / folder
    (logs / "never").write_bytes((logs / "packed").read_bytes())

    store.refs.drop_orphaned_logs(folder)

    assert sorted(os.listdir(logs)) == ["loose", "packed"]


@pytest.mark.parametrize(
    "words",
    [
        "fatal: update_ref failed for ref 'refs/tags/v1': unable to create directory for '/s/logs/refs/tags/v1': "
        "No such file or directory",
        "error: could not lock config file /s/.memoir/config.lock\n",
    ],
)
def test_git_says_that_it_could_not_write_and_the_hint_names_the_disk(words: str) -> None:
    assert failure("update-ref", words.encode()).hint == DISK_HINT


@pytest.mark.parametrize("name", ["", "-d", "a..b", "a b", "HEAD", "@", "a\nb", "x.lock", "a//b", "~", "refs/heads/x^"])
def test_names_that_git_would_not_take_are_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidInput):
        store.refs.check_name("branch", name)


@pytest.mark.parametrize("name", ["b" * 251, "é" * 126, "/".join(["b" * 100] * 11)], ids=["long", "bytes", "parts"])
def test_a_name_that_no_file_could_have_is_refused_wherever_it_is_named(store: Store, name: str) -> None:
    write(store, {"default=a": "1"})

    with pytest.raises(InvalidInput, match="too long") as error:
        store.refs.create("branch", name, Oid(bytes(20)))
    assert "250 bytes" in str(error.value.hint)
    for missing in (name, "b" * 300):
        with pytest.raises(InvalidInput, match="too long"):
            store.head(missing)


def test_the_longest_name_can_be_used(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id

    store.refs.create("branch", "b" * 250, commit)
    store.refs.switch("b" * 250)
    assert store.refs.delete("branch", "b" * 250) == commit


def test_branches_and_tags_are_listed_sorted(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    for name in ("zebra", "agent/one", "alpha"):
        store.refs.create("branch", name, commit)
    store.refs.create("tag", "v1", commit)

    assert list(store.refs.list(BRANCHES)) == ["agent/one", "alpha", "main", "zebra"]
    assert store.refs.list(TAGS) == {"v1": commit}


@pytest.mark.parametrize("name", ["a\u2028b", "a\u0085b"], ids=ascii)
def test_a_branch_whose_name_holds_a_line_separator_is_listed(store: Store, name: str) -> None:
    commit = write(store, {"default=a": "1"})
    store.git.run("update-ref", f"refs/heads/{name}", str(commit.id))

    assert list(store.refs.branches()) == [name, "main"]


def test_creating_twice_and_deleting_nothing_are_errors(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    store.refs.create("branch", "side", commit)

    with pytest.raises(Conflict):
        store.refs.create("branch", "side", commit)
    with pytest.raises(Conflict):
        store.refs.create("branch", "side/deeper", commit)
    with pytest.raises(NotFound):
        store.refs.delete("branch", "none")


def test_the_reflog_tells_each_move_newest_first(store: Store) -> None:
    first, second = write(store, {"default=a": "1"}, "one"), write(store, {"default=a": "2"}, "two")

    assert [(move.old, move.new, move.reason) for move in reflog.read(store.git_dir, "main")] == [
        (first.id, second.id, "two"),
        (None, first.id, "one"),
    ]


def test_a_log_with_a_time_of_thousands_of_digits_is_damaged(store: Store) -> None:
    tip = write(store, {"default=a": "1"}).id
    with (store.git_dir / "logs" / BRANCHES / "main").open("a") as log:
        log.write(f"{tip} {tip} A <a> {'9' * 5000} +0000\tx\n")

    with pytest.raises(DamagedStore, match="cannot be read"):
        list(reflog.read(store.git_dir, "main"))


def test_a_line_that_git_wrote_under_a_clock_after_2099_is_read(store: Store) -> None:
    tip = write(store, {"default=a": "1"}).id
    with (store.git_dir / "logs" / BRANCHES / "main").open("a") as log:
        log.write(f"{'0' * 40} {tip} A <a> 4733617442 -12184715\tbranch: created\n")

    assert next(reflog.read(store.git_dir, "main")).time == 4733617442


def test_a_ref_update_that_wrote_nothing_is_an_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write(store, {"default=a": "1"})
    really = store.git.try_run

    def lie(*args: str, **options: Any) -> Any:
        return really(*(("version",) if args[0] == "update-ref" else args), **options)

    monkeypatch.setattr(store.git, "try_run", lie)
    with pytest.raises(GitError, match="has not moved"):
        write(store, {"default=b": "2"})
    with pytest.raises(GitError, match="has not moved"):
        store.refs.create("branch", "side", first.id)
    with pytest.raises(GitError, match="has not moved"):
        store.refs.delete("branch", "main")


def test_a_full_disk_is_not_reported_as_a_name_in_use(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = write(store, {"default=a": "1"}).id
    full = CompletedProcess([], 128, b"", b"fatal: could not write: No space left on device")
    really = store.git.try_run
    monkeypatch.setattr(store.git, "try_run", lambda *a, **o: full if a[0] == "update-ref" else really(*a, **o))

    for kind in ("branch", "tag"):
        with pytest.raises(GitError, match="No space left"):
            store.refs.create(kind, "side", commit)


def test_what_moved_a_branch_is_on_disk_before_it_is_acknowledged(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = set()
    real = os.fsync

    def note(file: int) -> None:
        paths.add(path_of(file))
        real(file)

    monkeypatch.setattr(os, "fsync", note)
    write(store, {"default=a": "1"})

    at = store.git_dir.resolve()
    places = {at / "logs/refs/heads/main", at / "logs/refs/heads", at / "refs/heads", at / "objects/pack"}
    assert {str(path) for path in places} <= paths


def test_a_move_that_the_disk_will_not_confirm_is_taken_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller is told that nothing has been done; so neither a ref nor a log may have it."""
    first, last = write(store, {"default=a": "1"}).id, write(store, {"default=a": "2"}).id
    log = store.git_dir / "logs" / BRANCHES / "main"
    before = log.read_bytes()
    monkeypatch.setattr(os, "fsync", _fail)

    with pytest.raises(OSError, match="broken"):
        store.refs.update(BRANCHES + "main", first, last, "back")
    with pytest.raises(OSError, match="broken"):
        store.refs.create("branch", "new", first)

    assert store.refs.branches() == {"main": last}
    assert log.read_bytes() == before and not log.with_name("new").exists()


def test_what_counts_is_where_the_ref_is_and_not_how_git_ended(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there was no ref before, or is none after, another program may have made or deleted it."""
    first, last = write(store, {"default=a": "1"}).id, write(store, {"default=a": "2"}).id
    run = store.git.try_run

    def move_and_fail(*args: str, **more: Any) -> "CompletedProcess[bytes]":
        done = run(*args, **more)
        return done if args[0] != "update-ref" else CompletedProcess(args, 128, b"", b"fatal: killed")

    monkeypatch.setattr(store.git, "try_run", move_and_fail)

    assert store.refs.update(BRANCHES + "main", first, last, "back")
    assert not store.refs.update(BRANCHES + "new", first, None, "new")
    assert not store.refs.update(BRANCHES + "new", None, first, "gone")


def test_a_deletion_that_the_disk_will_not_confirm_stands(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.refs.create("branch", "old", write(store, {"default=a": "1"}).id)
    monkeypatch.setattr(os, "fsync", _fail)

    with pytest.raises(Unsettled):
        store.refs.delete("branch", "old")

    assert list(store.refs.branches()) == ["main"]


def _fail(descriptor: int) -> None:
    raise OSError(errno.EIO, "the disk is broken")


@pytest.mark.parametrize(
    "revision",
    [
        "main@{9999}",
        "@{7}",
        "HEAD@{2}",
        "main@{u}",
        "@{upstream}",
        "@{push}",
        "no@{u}",
        "main:../x",
        ":./x",
        "logs/HEAD",
    ],
)
def test_what_a_log_does_not_reach_back_to_is_not_found(store: Store, revision: str) -> None:
    write(store, {"default=a": "1"})

    with pytest.raises(NotFound):
        store.at(revision)
    assert len(list(store.at("main@{0}").scan())) == 1


def test_the_command_that_failed_is_named_behind_its_settings(store: Store) -> None:
    with pytest.raises(GitError, match=r"^git repack failed"):
        store.git.run("-c", "a.b=c", "repack", "--no-such-option")


def test_a_file_system_that_takes_capitals_for_small_letters_is_recognised(store: Store) -> None:
    assert not store.git.folds_case
    with Store(store.git_dir) as there:
        (store.git_dir / "head").symlink_to("HEAD")  # as if HEAD answered to that name, too
        assert there.git.folds_case


@pytest.mark.parametrize("name", ["Side", "SIDE/x"])
def test_a_name_that_has_the_file_of_another_branch_there_is_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(Git, "folds_case", True)
    tip = write(store, {"default=a": "1"}).id
    store.refs.create("branch", "side", tip)
    store.refs.create("tag", "v1", tip)

    for use in (
        lambda: store.refs.create("branch", name, tip),
        lambda: store.refs.delete("branch", name),
        lambda: rename(store, "side", name),
        lambda: store.head(name),
        lambda: store.refs.create("tag", "V1", tip),
    ):
        with pytest.raises(Conflict, match=r"cannot tell the (branch|tag) '.*' from '(side|v1)'"):
            use()

    assert store.refs.branches() == {"main": tip, "side": tip}
    assert store.head("side").commit is not None


def test_a_name_for_another_branch_goes_alone(store: Store) -> None:
    tip = write(store, {"default=a": "1"}).id
    for name in ("other", "third"):
        store.git.run("symbolic-ref", BRANCHES + name, "refs/heads/main")

    store.refs.delete("branch", "other")
    rename(store, "third", "own")

    assert store.refs.list(BRANCHES) == {"main": tip, "own": tip}
    assert len(reflog.lines(store.git_dir, "refs/heads/main")) == 1
    assert store.refs.read("refs/heads/other") is None
