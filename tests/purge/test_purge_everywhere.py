"""What is purged goes from where no commit has it (a log, a tag, a capture), and from remotes with nothing else."""

import shlex
from pathlib import Path

import orjson
import pytest
from support import git

from memoir import user_folders
from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.errors import NotFound
from memoir.git.git import Git
from memoir.memory.write_options import WriteOptions
from memoir.purge.sought import places, without_cut
from memoir.repository.repository import Repository

SECRET = "The safe opens with 4711-0815."
KEY = "project.safe.code"
WHO = ("-c", "user.name=T", "-c", "user.email=t@example.org")


def _has(git_dir: Path, text: str) -> bool:
    """Whether a text is in any object, by plain git, or in any file."""
    found = Git(git_dir).read("cat-file", "--batch-all-objects", "--batch")
    files = [path.read_bytes() for path in git_dir.rglob("*") if path.is_file()]
    return any(text.encode() in data for data in (found, *files))


def test_the_sentence_of_an_item_goes_from_its_document_too_though_that_breaks_it(
    repository: Repository, tmp_path: Path
) -> None:
    document = tmp_path / "decisions.md"
    document.write_text("We decided that the safe is opened\n  with 4711-0815, and by\tnobody else.\nWe like Rome.\n")
    repository.sources.ingest(document)
    keys = [*repository.keys()]
    (item,) = [key for key in keys if "safe" in str(repository.content(key.path))]

    repository.upkeep.purge(item.full_key)

    (segment,) = repository.get("default:raw:sources.decisions.0001") or ()
    assert segment.content.splitlines()[-1] == "We like Rome." and segment.content.count("\n") == 3
    assert not any(_has(repository.path, word) for word in ("safe", "4711", "nobody"))


def test_a_caption_keeps_no_beginning_of_what_is_purged(repository: Repository, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    long = (
        "My diagnosis is known to the doctor, who sees me on the first Monday of every month, when nobody else is in."
    )
    talk.write_text(f"Ada: {long}\nBen: I see.\n")
    repository.sources.ingest(talk)
    assert _has(repository.path, "my diagnosis is known".capitalize())

    repository.upkeep.purge(texts=[long])

    assert not _has(repository.path, "diagnosis")
    (segment,) = repository.get("default:raw:sources.talk.0001") or ()
    assert segment.metadata["caption"] == "Ada and Ben: …"


def test_of_a_caption_goes_what_can_only_be_the_beginning() -> None:
    assert without_cut("Ada: The s …", ["The safe"], "…") == "Ada: …"
    for caption in ("Ada: The …", "Ada: The s"):
        assert without_cut(caption, ["The safe"], "…") == caption


def test_a_text_goes_from_where_no_commit_has_it(repository: Repository) -> None:
    """From a log, the message of a tag, and an object that nothing reaches."""
    repository.remember("Plain.", "notes.plain")
    head = repository.store.head().id
    repository.branches.create("about-4711-0815")
    repository.branches.rename("about-it", "about-4711-0815")
    git(f"--git-dir={repository.path}", *WHO, "tag", "-a", "v1", "-m", "4711-0815", "main")
    repository.store.git.run("hash-object", "-w", "--stdin", stdin=SECRET.encode())

    planned = repository.upkeep.purge(texts=["4711-0815"], dry_run=True)
    done = repository.upkeep.purge(texts=["4711-0815"])

    assert not _has(repository.path, "4711-0815") and done.search and done.search.found == []
    assert planned.files == done.files == [str(repository.path / "logs/refs/heads/about-it")]
    assert repository.store.head().id == head and not done.commits
    with pytest.raises(NotFound):
        repository.upkeep.purge(texts=["4711-0815"])


def test_what_is_only_in_a_name_is_told_and_not_denied(repository: Repository) -> None:
    repository.remember("Plain.", "notes.plain")
    repository.branches.create("about-4711-0815")

    done = repository.upkeep.purge(texts=["4711-0815"])

    assert done.search and str(repository.path / "refs/heads/about-4711-0815") in done.search.found


def test_credentials_go_from_logs_and_captures_where_no_commit_has_them(repository: Repository) -> None:
    one, two = ("ghp_" + each * 36 for each in ("a8Bc9D"[:6], "x7Yz6W"))
    one, two = one[:40], two[:40]
    repository.remember("Plain.", "notes.plain")
    head = str(repository.store.head().id)
    repository.store.git.run("update-ref", "-m", f"by hand> with {one}> so", "--create-reflog", "refs/heads/side", head)
    spool = TurnSpool(repository.path)
    spool.switch(True)
    turn = SessionTurn("claude", "d2f1e4c8b6a7958493021fedcba98765", 1.0, "user", "We use pytest.")
    spool.add(turn)
    line = orjson.dumps([*turn._replace(text=f"As if nobody had known what this is: {two}")])
    with (spool.folder or Path()).joinpath(turn.file).open("ab") as file:
        file.write(line + b"\n")

    done = repository.upkeep.purge(secrets=True)

    assert len(done.files) == 2 and not _has(repository.path, one)
    assert [turn.text for turn in spool.read()[0]] == ["We use pytest."]


def test_what_an_editor_had_and_could_not_be_stored_goes_too(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = user_folders.new_draft()
    drafts = [first, first.with_name("MEMORY.md~")]
    for draft in drafts:
        draft.write_text(SECRET)
    own = tmp_path / "memoir-projects" / "MEMORY.md"
    own.parent.mkdir(0o755)
    kept = [user_folders.new_draft(), first.with_name("own.txt"), own]
    for file in kept:
        file.write_text("Something else." if file == kept[0] else SECRET)
    repository.remember(SECRET, KEY)

    done = repository.upkeep.purge(KEY)

    assert (
        set(done.files) == {*map(str, drafts)}
        and all(file.exists() for file in kept)
        and not any(draft.exists() for draft in drafts)
    )


def test_a_blank_at_an_end_counts(repository: Repository) -> None:
    repository.remember("The cat\nlikes fish.", "notes.cat")
    repository.remember("Her bobcat likes fish.", "notes.bobcat")

    repository.upkeep.purge(texts=[" cat likes"])

    assert not repository.get("notes.cat") and repository.get("notes.bobcat")
    assert not [*places("\t" * 20, "Blanks alone\tare nothing.")]


def test_where_another_store_is_and_what_was_said_and_read_meanwhile_stays(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "safe-project").mkdir()
    other = TurnSpool(tmp_path / "safe-project")
    other.switch(True)
    spool = TurnSpool(repository.path)
    spool.switch(True)
    turns = [SessionTurn("claude", "s", 1.0, "user", text) for text in ("The safe-project.", "One.", "Two.", "Three.")]
    for turn in turns[:2]:
        spool.add(turn)
    read = spool.read()[1]

    monkeypatch.setattr("memoir.purge.wanted.flush", lambda file: spool.add(turns[2]))
    repository.upkeep.purge(texts=["safe-project"])
    spool.add(turns[3])

    assert other.folder and (other.folder / "store").exists()
    assert [turn.text for turn in spool.read()[0]] == ["One.", "Two.", "Three."]
    assert [turn.text for turn in spool.read(read)[0]] == ["Two.", "Three."]


def test_notes_of_git_stay_and_are_told_if_they_have_it(repository: Repository) -> None:
    repository.remember(SECRET, KEY)
    git(f"--git-dir={repository.path}", *WHO, "notes", "add", "-m", "It is known.", "main")
    repository.upkeep.purge(KEY)
    repository.remember("Plain.", "notes.plain")
    git(f"--git-dir={repository.path}", *WHO, "notes", "add", "-m", SECRET, "main")

    done = repository.upkeep.purge(texts=[SECRET])

    assert not done.commits and done.search and [each.partition(" ")[0] for each in done.search.found] == ["blob"]
    assert repository.upkeep.fsck().report.problems == []
    assert "It is known." in repository.store.git.read("log", "--format=%s%n%b", "-p", "refs/notes/commits").decode()


@pytest.mark.parametrize("remote", ["origin", "team/hub.v2"])
def test_what_a_colleague_sent_stays_at_a_remote_that_is_cleaned(
    repository: Repository, tmp_path: Path, remote: str
) -> None:
    """It was fetched, and is in no branch here: of main, and of a branch that there is only there."""
    hub = tmp_path / "a hub.git"
    repository.remember(SECRET, KEY)
    repository.tags.create("v1")
    repository.branches.create("ours")
    git("clone", "--quiet", "--bare", str(repository.path), str(hub))
    with Repository.clone(str(hub), tmp_path / "ben") as ben:
        ben.remember("Ben's own.", "notes.ben")
        ben.branches.create("side")
        ben.remember("On the side.", "notes.side", options=WriteOptions(branch="side"))
        ben.remotes.push(all_branches=True)
    git(f"--git-dir={hub}", "branch", "it's;true", "main")
    repository.remotes.add(remote, str(hub))
    repository.remotes.fetch(remote)
    git(f"--git-dir={repository.path}", "update-ref", "refs/remotes/former/side", f"refs/remotes/{remote}/side")

    done = repository.upkeep.purge(KEY)

    assert [ref for ref, (_, new) in done.refs.items() if not new] == [f"refs/remotes/{remote}/ours"]
    for trace in done.remotes:
        git(*shlex.split(trace.command)[1:])

    with Repository.clone(str(hub), tmp_path / "new") as new:
        assert new.content("notes.ben") and new.content("notes.side", at="side") and not _has(new.path, "4711-0815")
        assert [tag.name for tag in new.tags.list()] == ["v1"]
    repository.remotes.sync(remote)
    assert repository.content("notes.side", at="refs/remotes/former/side")
    assert repository.content("notes.ben") and not _has(repository.path, "4711-0815")


def test_a_short_number_is_not_taken_out_of_ids_and_times(repository: Repository) -> None:
    repository.remember("Plain.", "notes.plain")
    tip = repository.remember("Ruff.", "notes.ruff").commit
    assert tip
    pin = str(tip.id)[12:16]
    repository.remember(f"Her PIN is {pin}.", "notes.pin")
    states = [(str(entry.commit), entry.reason) for entry in repository.reflog()]

    done = repository.upkeep.purge(texts=[pin])

    assert done.search and done.search.found == [] and repository.get("notes.pin") is None
    assert [(str(entry.commit), entry.reason) for entry in repository.reflog()][1:] == states[1:]
    assert repository.upkeep.fsck().report.problems == []
    repository.undo(2)
    assert repository.get("notes.ruff") is None and repository.get("notes.plain")


def test_of_a_line_of_a_log_that_is_cut_goes_what_is_sought_and_nothing_else(repository: Repository) -> None:
    repository.remember(SECRET, KEY)
    log = repository.path / "logs/refs/heads/main"
    whole = log.read_bytes()
    ids = b"%d %d" % (0, 0)
    log.write_bytes(ids + b" Ada 4711-0815\n" + whole + ids)

    repository.upkeep.purge(texts=["4711-0815"])

    first, *_, last = log.read_bytes().split(b"\n")
    assert (first, last) == (ids + " Ada …".encode(), ids)
