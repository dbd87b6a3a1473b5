"""What is purged is in no object and no file any more, and everything else is as it was."""

import errno
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import built_once, contents, examples, git, write

from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.errors import Conflict, GitError, InvalidInput, MemoirError, NotFound, StoreBusy
from memoir.git.lock import LOCK_NAME, held
from memoir.git.objects import Oid, object_id
from memoir.git.pack_writer import PackWriter
from memoir.memory import tombstones
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, encode
from memoir.repository.repository import Repository
from memoir.store import switchover
from memoir.store.maintenance import REPACK_LOCK
from memoir.store.store import Store
from memoir.store.walk import everything
from memoir.tree.node import encode_internal, encode_leaf

SECRET = "The safe opens with 4711-0815."
KEY = "project.safe.code"
WHO = ("-c", "user.name=T", "-c", "user.email=t@example.org")


@built_once
def used(repository: Repository) -> None:
    """A store with a secret amid its history: on two branches, at a tag, under two paths, in a message, and undone."""
    repository.remember("Use pytest.", "preferences.tests")
    repository.remember(SECRET, KEY, options=WriteOptions(message=f"note: {SECRET}"))
    repository.tags.create("v1")
    repository.branches.create("side")
    repository.remember("Kept on the side.", "notes.side", options=WriteOptions(branch="side"))
    repository.move(KEY, "project.vault.code")
    repository.remember("Somebody else's.", "project.vault.code", policy="append")
    repository.remember("Use pytest -x.", "preferences.tests", policy="replace")
    repository.remember("Use ruff.", "preferences.lint")
    repository.merge("side")
    repository.forget("project.vault.code")
    repository.undo()
    repository.remember("The last one.", "notes.last")


def _has(git_dir: Path, text: str) -> bool:
    """Whether a text is in any object, by plain git, or in any file."""
    found = subprocess.run(
        ["git", f"--git-dir={git_dir}", "cat-file", "--batch-all-objects", "--batch"], capture_output=True, check=True
    ).stdout
    files = [path.read_bytes() for path in git_dir.rglob("*") if path.is_file()]
    return any(text.encode() in data for data in (found, *files))


def test_a_key_is_purged_from_all_history_and_the_rest_stays(used: Repository) -> None:
    before = used.store.refs.list("refs/")
    old = {commit.id: commit for commit in everything(used.store)}
    states = [entry.reason for entry in used.reflog()]

    done = used.upkeep.purge(KEY)

    assert done.search and done.search.found == [] and not _has(used.path, "4711-0815")
    assert {value.action for value in done.values} == {"removed", "reduced"}
    assert used.upkeep.fsck().report.problems == []
    assert used.get("preferences.tests") and used.get("notes.last") and used.get("notes.side")
    assert used.get("project.vault.code", at="HEAD") and used.get(KEY, at="v1") is None
    after = used.store.refs.list("refs/")
    assert after == {name: done.commits.get(commit, commit) for name, commit in before.items()} and after != before
    for one, two in done.commits.items():
        new = used.store.commits([two])[0]
        was, now = old[one].changes, new.changes
        assert was and now and {*now.put} <= {*was.put} and {*now.forget} <= {*was.forget}
        assert (new.author, new.committer) == (old[one].author, old[one].committer)
        assert new.message == old[one].message.replace(SECRET, "…")
        assert new.parents == tuple(done.commits.get(parent, parent) for parent in old[one].parents)
    assert [entry.reason for entry in used.reflog()] == [reason.replace(SECRET, "…") for reason in states]
    used.undo(3)
    assert used.get("preferences.lint") is None and used.get("project.vault.code")


def test_what_came_before_the_secret_keeps_its_ids(used: Repository) -> None:
    first = [commit.id for commit in everything(used.store)][-1]
    done = used.upkeep.purge(KEY)
    assert first not in done.commits
    lines = Path(done.map or "").read_text().splitlines()
    assert lines == [f"{old} {new}" for old, new in done.commits.items()]


def _files(folder: Path) -> dict[Path, bytes]:
    """The files of a store and what they hold, locks left out."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"}


def test_a_dry_run_changes_nothing(used: Repository) -> None:
    files = _files(used.path)
    planned = used.upkeep.purge(KEY, dry_run=True)
    assert _files(used.path) == files
    done = used.upkeep.purge(KEY)
    assert (planned.commits, planned.values) == (done.commits, done.values)


def test_a_text_goes_with_the_memories_that_have_it(used: Repository) -> None:
    used.remember(Memory.of("Ask Ben.", metadata={"note": 'He said "4711-0815"'}), "people.ben")
    used.remember('Quote: "4711-0815"\nand a line', "notes.quoted")
    used.upkeep.purge(texts=["4711-0815"])
    assert not _has(used.path, "4711-0815") and not _has(used.path, SECRET)
    assert used.get("people.ben") is None and used.get("notes.quoted") is None and used.get("preferences.tests")


def test_no_subject_of_a_commit_tells_how_a_purged_memory_begins(repository: Repository) -> None:
    """A subject has one line of fifty characters of a memory, which is not the text that is sought."""
    long = "Her diagnosis is known to the doctor, who sees her on the first Monday of every month."
    repository.remember("pin 4711", "people.gil")
    repository.remember(long, "people.eve")
    repository.remember("The first line.\nThe second one, with the zebra.", "people.fay")
    repository.remember("pin 4712", "people.gil", policy="replace")
    repository.remember("Use pytest.", "preferences.tests")

    repository.upkeep.purge("people.gil", "people.eve")
    repository.upkeep.purge(texts=["with the zebra"])

    told = [commit.message.strip() for commit in everything(repository.store)]
    assert sorted(told) == [
        "remember people.eve: …",
        "remember people.fay: …",
        "remember people.gil: …",
        "remember people.gil: …",
        "remember preferences.tests: Use pytest.",
    ]
    assert not any(_has(repository.path, text) for text in ("diagnosis", "The first line", "4711", "4712"))


def test_one_memory_of_several_is_purged(repository: Repository) -> None:
    repository.remember("Keep this one, please.", "notes.both", policy="append")
    repository.remember("Drop this other one.", "notes.both", policy="append")
    entries = repository.get_many(["notes.both"])
    assert len(entries[0].record or ()) == 2
    from memoir.memory.facets import ids_of

    record = repository.get("notes.both")
    assert record
    repository.upkeep.purge(f"notes.both#{ids_of(record)[1]}")
    assert [facet.content for facet in repository.get("notes.both") or ()] == ["Keep this one, please."]
    assert not _has(repository.path, "Drop this other")


def test_credentials_are_struck_and_the_rest_of_the_memory_stays(repository: Repository) -> None:
    token = "ghp_" + "a8Bc9De0Fg1Hi2Jk3Lm4No5Pq6Rs7Tu8Vw9X"[:36]
    repository.remember(f"CI uses {token} until May.", "settings.ci.token", options=WriteOptions(allow_secrets=True))
    repository.remember("Plain.", "notes.plain")
    done = repository.upkeep.purge(secrets=True)
    record = repository.get("settings.ci.token")
    assert record and record[0].content == "CI uses … until May." and not _has(repository.path, token)
    assert [value.action for value in done.values] == ["blotted"]
    with pytest.raises(NotFound):
        repository.upkeep.purge(secrets=True)


def test_a_password_in_a_field_that_is_named_so_is_struck(repository: Repository) -> None:
    """By itself it is a word like any other."""
    metadata = {"password": "Tr0ub4dor&3", "session": "d2f1e4c8b6a7958493021fedcba98765"}
    options = WriteOptions(allow_secrets=True, message="note: it is Tr0ub4dor&3")
    repository.remember(Memory.of("The database.", metadata=metadata), "db", options=options)

    repository.upkeep.purge(secrets=True)

    record = repository.get("db")
    assert record and {name: record[0].metadata[name] for name in metadata} == metadata | {"password": "…"}
    assert not _has(repository.path, "Tr0ub4dor")


def test_a_damaged_record_goes_if_it_has_the_text_and_else_stays(repository: Repository) -> None:
    """A content that is as short as "yes" goes with its key alone."""
    other = '{"content":"yes", and a half'
    write(repository.store, {"default=bad.one": "{ Ask Benjamin first", "default=bad.two": other})
    repository.remember("yes", "answer")

    done = repository.upkeep.purge("answer", texts=["Ask Benjamin"])

    assert {value.address.path: value.action for value in done.values} == {"answer": "removed", "bad.one": "removed"}
    assert contents(repository.store) == {"default=bad.two": other}


def test_a_segment_keeps_what_else_was_said(repository: Repository, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text(f"Ada: Good morning.\nBen: {SECRET}\nAda: Thanks, I moved to Rome in May.\n")
    repository.sources.ingest(talk)
    repository.remember(SECRET, KEY)
    repository.recall("Where is Ada?")
    done = repository.upkeep.purge(KEY)
    assert sorted(value.action for value in done.values) == ["blotted", "removed"]
    assert not _has(repository.path, "4711-0815")
    assert "Rome" in str(repository.recall("Where did Ada move?").memories)
    assert repository.upkeep.fsck().report.problems == []


def test_what_says_the_same_goes_wherever_it_is_and_however_short(repository: Repository) -> None:
    repository.remember("4711", "people.gil")
    repository.remember("4711", "notes.pin")
    repository.remember("It is 4711.", "notes.more")
    repository.remember("Zebras graze.", "notes.zebra")
    repository.remember("Zebras graze.", "animals.zebra")

    done = repository.upkeep.purge("people.gil", "animals.zebra")

    paths = ["people.gil", "notes.pin", "notes.more", "notes.zebra", "animals.zebra"]
    assert [path for path in paths if repository.get(path)] == ["notes.more"]
    assert done.too_short == ["4711"]


def test_one_of_many_is_purged(repository: Repository) -> None:
    texts = {number: encode([Memory.of(f"The {number}.", timestamp="2026-01-01")]) for number in range(600)}
    write(repository.store, {f"default=many.k{number}": text.decode() for number, text in texts.items()})
    assert repository.store.head().tree.height

    repository.upkeep.purge("many.k317")

    assert len([*repository.keys()]) == 599 and not _has(repository.path, "The 317.")
    assert repository.upkeep.fsck().report.problems == []


def test_a_store_that_is_open_does_not_go_on_reading_it(used: Repository) -> None:
    old = used.store.commit("v1").id

    used.upkeep.purge(KEY)

    assert not used.store.reader.has(old)


def test_it_is_told_where_a_name_still_has_it(used: Repository) -> None:
    used.branches.create("about-4711-0815", "side")

    done = used.upkeep.purge(texts=["4711-0815"])

    assert done.search and {Path(path).name for path in done.search.found} >= {"about-4711-0815"}


def test_before_it_is_decided_a_failure_leaves_no_pack(used: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    packs = set(used.path.glob("objects/pack/*"))

    def fail(*args: object) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(tombstones, "add", fail)
    with pytest.raises(OSError, match="broken"):
        used.upkeep.purge(KEY)

    assert set(used.path.glob("objects/pack/*")) == packs


def test_captures_and_caches_lose_it(used: Repository) -> None:
    spool = TurnSpool(used.path)
    spool.switch(True)
    spool.add(SessionTurn("claude", "s1", 1.0, "user", SECRET))
    spool.add(SessionTurn("claude", "s1", 2.0, "user", "We use pytest."))
    done = used.upkeep.purge(KEY)
    assert [turn.text for turn in spool.read()[0]] == ["We use pytest."] and len(done.files) == 1


def test_what_is_captured_again_meanwhile_is_named(used: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = TurnSpool(used.path)
    spool.switch(True)

    def capture(step: str) -> None:
        if step == "dropped":
            spool.add(SessionTurn("claude", "s1", 1.0, "user", SECRET))

    monkeypatch.setattr(switchover, "reached", capture)
    done = used.upkeep.purge(KEY)

    assert done.search and [Path(path).parent for path in done.search.found] == [spool.folder]


def test_tags_and_refs_of_other_writers_are_rewritten(used: Repository) -> None:
    tip = str(used.store.refs.read("refs/heads/main"))
    git_dir = f"--git-dir={used.path}"
    git(git_dir, *WHO, "tag", "-a", "annotated", "-m", f"about {SECRET}", "v1")
    git(git_dir, *WHO, "tag", "-a", "nested", "-m", "about a tag", "annotated")
    git(git_dir, "update-ref", "refs/memoir/writers/ben", tip)
    used.upkeep.purge(KEY)
    assert not _has(used.path, "4711-0815")
    assert git(git_dir, "rev-parse", "nested^{commit}") == git(git_dir, "rev-parse", "v1")
    assert used.store.refs.read("refs/memoir/writers/ben") == used.store.refs.read("refs/heads/main")
    assert git(git_dir, "fsck", "--full", "--strict").strip() in ("", "notice: HEAD points to an unborn branch (main)")


def test_a_revert_names_the_new_commit(used: Repository) -> None:
    newest = used.remember("To be reverted.", "notes.revert").commit
    assert newest
    used.revert(str(newest.id))
    done = used.upkeep.purge(KEY)
    head = used.store.head().commit
    assert head and f"This reverts commit {done.commits[newest.id]}." in head.message


@pytest.mark.parametrize("name", [LOCK_NAME, REPACK_LOCK])
def test_it_waits_for_whoever_writes_or_packs_and_refuses_if_that_takes_too_long(
    used: Repository, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with held(used.path / name):
        monkeypatch.setenv("MEMOIR_LOCK_TIMEOUT", "0")
        with pytest.raises(StoreBusy):
            used.upkeep.purge(KEY)
    monkeypatch.delenv("MEMOIR_LOCK_TIMEOUT")
    is_held, may_end = threading.Event(), threading.Event()

    def work() -> None:
        with held(used.path / name):
            is_held.set()
            may_end.wait(0.2)

    thread = threading.Thread(target=work)
    thread.start()
    is_held.wait()
    assert used.upkeep.purge(KEY).commits
    thread.join()


def test_the_end_of_a_fetch_by_git_does_not_end_it(used: Repository) -> None:
    keep = used.path / "objects" / "pack" / "pack-1.keep"
    keep.symlink_to("gone")  # listed, but not there when it is read

    with pytest.raises(InvalidInput, match="keep a pack"):
        used.upkeep.purge(KEY)


def test_nothing_to_purge_is_an_error(used: Repository) -> None:
    with pytest.raises(NotFound) as missed:
        used.upkeep.purge("no.such.path")
    assert missed.value.details == {"keys": ["default:no.such.path"]}
    with pytest.raises(NotFound) as missed:
        used.upkeep.purge(texts=["never written"])
    assert missed.value.details == {}
    with pytest.raises(InvalidInput):
        used.upkeep.purge()
    for short in ("ab", "", " \n"):  # of an empty text every memory would be a hit
        with pytest.raises(InvalidInput, match="too short"):
            used.upkeep.purge(texts=["long enough", short])
    with pytest.raises(InvalidInput, match="not valid Unicode"):
        used.upkeep.purge(texts=["4711", "safe \udcff"])


def test_a_commit_of_another_program_is_rewritten_too(used: Repository) -> None:
    """Its tree is out of shape, as a hosted merge leaves it; memoir has committed on top of it since."""
    store, git_dir = used.store, f"--git-dir={used.path}"
    small = [*store.head().tree.scan()]
    rows = sorted([*small, *((b"default=many.%03d" % number, small[0][1]) for number in range(500))])
    others = [row for row in small if b"vault" not in row[0]]
    roots = [_out_of_shape(store, some) for some in (rows, others)]
    for root in roots:
        who, parent = ("-c", "user.name=X", "-c", "user.email=x@example.org"), str(store.refs.read("refs/heads/main"))
        made = git(git_dir, *who, "commit-tree", str(root), "-p", parent, "-m", "by a button").strip()
        git(git_dir, "update-ref", "refs/heads/main", made)
    used.remember("On top of it.", "notes.top")

    used.upkeep.purge(KEY)

    assert not _has(used.path, "4711-0815") and used.upkeep.fsck().report.problems == []
    assert len([*used.store.at("HEAD~2").tree.scan()]) == len(rows)
    assert used.store.commit("HEAD~1").tree == roots[1]


def test_what_git_remembers_of_its_last_commands_is_no_obstacle(used: Repository) -> None:
    git_dir = f"--git-dir={used.path}"
    for name in ("ORIG_HEAD", "MERGE_HEAD"):  # as 'git --work-tree=… reset' leaves the first, with a log
        git(git_dir, *WHO, "update-ref", name, "v1")

    used.upkeep.purge(KEY)

    assert not _has(used.path, "4711-0815")


def test_code_that_was_pushed_into_the_store_is_no_obstacle(used: Repository) -> None:
    git_dir = f"--git-dir={used.path}"
    code = git(git_dir, "hash-object", "-t", "tree", "-w", os.devnull).strip()
    for branch, parents in (("apart", ()), ("on-top", ("-p", "main"))):
        made = git(git_dir, *WHO, "commit-tree", code, *parents, "-m", f"begin anew without: {SECRET}").strip()
        git(git_dir, "update-ref", f"refs/heads/{branch}", made)

    used.upkeep.purge(KEY)

    assert not _has(used.path, "4711-0815")
    assert git(git_dir, "rev-parse", "on-top^1") == git(git_dir, "rev-parse", "main")
    assert git(git_dir, "rev-parse", "apart^{tree}", "on-top^{tree}").split() == [code, code]


def _out_of_shape(store: Store, rows: list[tuple[bytes, Oid]]) -> Oid:
    """A tree of two leaves, though the keys have room in one."""
    pack = PackWriter(store.git, store.hash)
    leaves = [(half[0][0], pack.add("tree", encode_leaf(half, None)), len(half)) for half in (rows[:1], rows[1:])]
    root = pack.add("tree", encode_internal(leaves, object_id(store.hash, "blob", b"")))
    pack.flush()
    pack.release()
    return root


@pytest.mark.parametrize("step", ["rewritten", "drafted", "staged", "refs", "logs", "derived", "dropped"])
def test_killed_at_any_step_it_leaves_the_old_state_or_the_new_one(used: Repository, step: str) -> None:
    folder, path = used.path.parent, used.path
    before = used.store.refs.list("refs/")
    expected = used.upkeep.purge(KEY, dry_run=True).commits
    used.close()
    child = os.fork()
    if child == 0:
        switchover.reached = lambda name: os._exit(9) if name == step else None  # type: ignore[assignment]
        try:
            with Repository.open(folder) as mine:
                mine.upkeep.purge(KEY)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

    with Repository.open(folder) as again:
        after = again.store.refs.list("refs/")
        assert again.upkeep.fsck().report.problems == []
        if step in ("rewritten", "drafted"):
            assert after == before and again.get(KEY, at="v1")
        else:
            assert after == {name: expected.get(commit, commit) for name, commit in before.items()}
            assert not _has(path, "4711-0815")
        again.remember("Life goes on.", "notes.after")
        assert [*again.reflog()]
        if step in ("rewritten", "drafted"):
            again.upkeep.purge(KEY)
        assert not _has(path, "4711-0815")
        again.undo(2)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), GitError("git update-ref failed")])
def test_what_is_decided_is_finished_by_whoever_opens_the_store_next(
    used: Repository, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(step: str) -> None:
        if step == "refs":
            raise error

    monkeypatch.setattr(switchover, "reached", fail)
    with pytest.raises(MemoirError, match="decided, but not finished"):
        used.upkeep.purge(KEY)
    monkeypatch.undo()

    with Repository.open(used.path) as again:
        assert not _has(used.path, "4711-0815") and again.upkeep.fsck().report.problems == []


@settings(max_examples=examples(6))
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["the secret thing", "plain words here", ""])), max_size=9
    )
)
def test_the_rest_is_what_it_would_be_without(
    tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[str, str]]
) -> None:
    """Purging a text leaves the store as if nobody had ever said it, whatever was written in whatever order."""
    folder = tmp_path_factory.mktemp("purged")
    with Repository.init(folder / "one") as one, Repository.init(folder / "two") as two:
        one.remember("a beginning", "x.start")
        two.remember("a beginning", "x.start")
        for name, text in writes:
            for each in (one, two):
                if text and not (each is two and "secret" in text):
                    each.remember(f"{text} {name}", f"x.{name}", policy="append")
                elif not text and each.get(f"x.{name}"):
                    each.forget(f"x.{name}")
        said = any("secret" in text for _, text in writes)
        if said:
            one.upkeep.purge(texts=["the secret thing"])
        assert not _has(one.path, "the secret thing")
        assert one.store.head().tree.root == two.store.head().tree.root
        assert one.upkeep.fsck().report.problems == []


def test_a_clone_that_still_has_it_does_not_bring_it_back(used: Repository, tmp_path: Path) -> None:
    git("init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    used.remotes.add("origin", str(tmp_path / "hub.git"))
    used.remotes.push(all_branches=True, tags=True)
    with Repository.clone(str(tmp_path / "hub.git"), tmp_path / "clone") as clone:
        done = used.upkeep.purge(KEY)
        assert [trace.branch for trace in done.remotes] == ["main", "side", "refs/tags/v1"] and not _has(
            used.path, "4711-0815"
        )
        with pytest.raises(Conflict, match="purged here"):
            used.remotes.sync()
        assert not _has(used.path, "4711-0815")
        for trace in done.remotes:
            subprocess.run(trace.command.split(" "), check=True, capture_output=True)
        assert used.remotes.sync().outcome == "up_to_date"
        with Repository.clone(str(tmp_path / "hub.git"), tmp_path / "told") as told:
            shutil.copy(used.path / tombstones.FILE, told.path)
            clone.remember("News of the clone.", "notes.clone")
            clone.remotes.fetch()
            clone.merge("origin/main")
            clone.remotes.sync()  # told to, it brings its own commits, old ones included
            for each in (used, told):
                with pytest.raises(Conflict, match="purged here"):
                    each.remotes.sync()
                assert not _has(each.path, "4711-0815")


@pytest.fixture
def hub(used: Repository, tmp_path: Path) -> Path:
    """A remote that has all that the store has, and is fetched."""
    hub = tmp_path / "hub.git"
    git("clone", "--quiet", "--bare", str(used.path), str(hub))
    used.remotes.add("origin", str(hub))
    used.remotes.fetch()
    return hub


def purge_there_too(used: Repository) -> None:
    """Purge the key, and run what that says is to be run for each remote."""
    for trace in used.upkeep.purge(KEY).remotes:
        subprocess.run(trace.command.split(" "), check=True, capture_output=True)


def test_a_clone_that_was_told_nothing_joins_no_rewritten_branch_by_itself(
    used: Repository, hub: Path, tmp_path: Path
) -> None:
    with Repository.clone(str(hub), tmp_path / "clone") as clone:
        purge_there_too(used)
        used.remember("News of the store.", "notes.store")
        used.remotes.sync()
        clone.remember("News of the clone.", "notes.clone")
        there = git("rev-parse", "main", cwd=hub)

        for bring_together in (clone.remotes.sync, clone.remotes.pull, clone.remotes.sync, clone.remotes.fold):
            with pytest.raises(Conflict, match="was rewritten") as caught:
                bring_together()
            assert "memoir purge KEY" in str(caught.value.hint)
        assert git("rev-parse", "main", cwd=hub) == there and clone.get("notes.clone")

        clone.upkeep.purge(KEY)
        clone.remotes.sync()
        used.remotes.sync()
        assert clone.get("notes.store") and used.get("notes.clone") and not _has(clone.path, "4711-0815")
        assert not git("log", "--format=%H", "-S", "4711-0815", "main", cwd=hub)


def test_a_clone_that_was_told_nothing_sends_it_by_no_other_branch(used: Repository, hub: Path, tmp_path: Path) -> None:
    with Repository.clone(str(hub), tmp_path / "clone") as clone:
        clone.branches.checkout("feature", create=True)
        clone.remember("News of the clone.", "notes.clone")
        purge_there_too(used)

        for send in (clone.remotes.sync, clone.remotes.push, lambda: clone.remotes.push(all_branches=True)):
            with pytest.raises(Conflict, match="origin/main was rewritten") as caught:
                send()
            assert "memoir purge KEY" in str(caught.value.hint)
        assert "feature" not in git("branch", cwd=hub)
        clone.tags.create("of-feature", "feature")
        clone.branches.create("without-it", "origin/main")
        with pytest.raises(Conflict, match="origin/main was rewritten"):
            clone.remotes.push(branch="without-it", tags=True)
        assert "of-feature" not in git("tag", cwd=hub)

        clone.upkeep.purge(KEY)
        clone.remotes.sync()
        assert "feature" in git("branch", cwd=hub)
        assert not git("log", "--format=%H", "-S", "4711-0815", "feature", cwd=hub)


def test_a_writer_that_was_told_nothing_sends_it_to_its_own_ref_no_more(used: Repository, tmp_path: Path) -> None:
    """As where main is protected, so that only the writer's own ref ever had it."""
    hub, own = tmp_path / "hub.git", "refs/memoir/writers/ada/main"
    used.remember("Use pytest.", "tools.tests")
    git("init", "--quiet", "--bare", "-b", "main", str(hub))
    git("push", "--quiet", str(hub), "main~1:refs/heads/main", cwd=used.path)
    used.remotes.add("origin", str(hub))
    with Repository.clone(str(hub), tmp_path / "clone") as clone:
        clone.config.set("memoir.writer", "ada")
        clone.config.set("memoir.remote.origin.writers", "own")
        clone.remember("The key is under the ninth stone.", "notes.key")
        git("push", "--quiet", "origin", f"main:{own}", cwd=clone.path)
        clone.remotes.fetch()
        used.remotes.pull()
        for trace in used.upkeep.purge("notes.key").remotes:
            if trace.branch == own:
                subprocess.run(trace.command.split(" "), check=True, capture_output=True)

        for bring_together in (clone.remotes.sync, clone.remotes.pull, clone.remotes.push):
            with pytest.raises(Conflict, match="ada/main was rewritten"):
                bring_together()
        assert "ninth stone" not in git("log", "-p", "--all", cwd=hub)

        clone.upkeep.purge("notes.key")
        clone.remotes.sync()
        assert "ninth stone" not in git("log", "-p", "--all", cwd=hub)


@pytest.mark.parametrize("branch", ["main", "topic"], ids=["of this branch", "of another"])
def test_what_writers_have_of_it_at_a_remote_is_named_and_replaced(
    used: Repository, tmp_path: Path, branch: str
) -> None:
    ref = f"refs/memoir/writers/ada/{branch}"
    git("clone", "--quiet", "--bare", str(used.path), str(tmp_path / "hub.git"))
    used.remotes.add("origin", str(tmp_path / "hub.git"))
    git("push", "--quiet", str(tmp_path / "hub.git"), f"main:{ref}", cwd=used.path)
    used.remotes.fetch()
    done = used.upkeep.purge(KEY)

    assert ref in [trace.branch for trace in done.remotes]
    for trace in done.remotes:
        subprocess.run(trace.command.split(" "), check=True, capture_output=True)
    there = git("rev-parse", ref, cwd=tmp_path / "hub.git").strip()
    assert there == git("rev-parse", f"refs/writers/origin/ada/{branch}", cwd=used.path).strip()
    assert "4711-0815" not in git("log", "-p", ref, cwd=tmp_path / "hub.git")


@pytest.mark.parametrize("name", ["v\u20281", "v\u00851"], ids=ascii)
def test_a_tag_whose_name_holds_a_line_separator_moves_too(repository: Repository, name: str) -> None:
    repository.remember(SECRET, KEY)
    tagged = repository.store.head().id
    repository.store.git.run("tag", name, str(tagged))

    repository.upkeep.purge(KEY)

    assert repository.store.refs.list("refs/tags/")[name] != tagged
