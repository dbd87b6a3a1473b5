"""What a remote refuses is told at once, in its own words; only what another try can cure is tried again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from git_servers import LOOPBACK, HttpServer, processes_of, silent_port
from support import git

from memoir.errors import ExitCode, GitError
from memoir.exchange import transport
from memoir.exchange.push import Refusal, Rejection, Unwritable, refusal, said
from memoir.exchange.remote_health import Contact, read_contact, write_contact
from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HttpServer]:
    with HttpServer(tmp_path) as server:
        server.create("hub")
        yield server


@pytest.fixture
def mine(server: HttpServer, tmp_path: Path) -> Iterator[Repository]:
    with Repository.init(tmp_path / "mine") as mine:
        mine.remotes.add("origin", server.url("hub"))
        mine.remember(Memory.of("first"), "a.first")
        mine.remotes.sync()
        mine.remember(Memory.of("more"), "a.more")
        yield mine


def pushes(server: HttpServer) -> int:
    return sum("service=git-receive-pack" in each for each in server.requests)


def set_hook(hub: Path, name: str, script: str) -> None:
    hook = hub / "hooks" / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)


@pytest.mark.parametrize("hook", ["pre-receive", "update"])
def test_a_hooks_refusal_is_told_at_once_in_its_own_words(
    mine: Repository, server: HttpServer, tmp_path: Path, hook: str
) -> None:
    set_hook(tmp_path / "hub.git", hook, "printf 'no secrets here,\\033[31m please\\n' >&2; exit 1")
    server.requests.clear()

    with pytest.raises(Refusal) as error:
        mine.remotes.sync()

    assert pushes(server) == 1
    assert error.value.exit_code == ExitCode.FAILURE
    why = "pre-receive hook declined" if hook == "pre-receive" else "hook declined"
    words = rf"origin refused 'main': {why}; it says: no secrets here,\x1b[31m please"
    assert error.value.message.startswith(words)
    assert error.value.hint == "its own rules refuse this: change what they name, or ask whoever keeps it"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"transfer.hideRefs": "refs/heads"}, "hidden ref"),
        ({"receive.maxInputSize": "1"}, "unpack"),
    ],
)
def test_what_its_settings_refuse_is_tried_once(
    mine: Repository, server: HttpServer, tmp_path: Path, settings: dict[str, str], words: str
) -> None:
    for key, value in settings.items():
        git("config", key, value, cwd=tmp_path / "hub.git")
    server.requests.clear()

    with pytest.raises(GitError) as error:
        mine.remotes.sync()

    assert pushes(server) == 1
    assert words in error.value.message


@pytest.mark.slow
def test_what_is_no_rule_for_own_refs_keeps_no_store_from_using_its_own(
    mine: Repository, server: HttpServer, tmp_path: Path
) -> None:
    write_contact(mine.store, "origin", Contact(crowded=True))
    git("config", "receive.maxInputSize", "1", cwd=tmp_path / "hub.git")
    server.requests.clear()

    with pytest.raises(Refusal) as error:
        mine.remotes.sync()

    assert (type(error.value), pushes(server)) == (Refusal, 1)
    assert error.value.hint == "its disk may be full, or it limits what it takes: see there"
    git("config", "--unset", "receive.maxInputSize", cwd=tmp_path / "hub.git")
    done = mine.remotes.sync().gathering
    assert done and done.own


@pytest.mark.slow
def test_a_lock_that_a_killed_push_left_is_named_after_a_few_tries(
    mine: Repository, server: HttpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoir.exchange.sync._LONGEST_PAUSE", 0.01)
    (tmp_path / "hub.git" / "refs" / "heads" / "main.lock").touch()
    server.requests.clear()

    with pytest.raises(Unwritable, match=r"could not write 'main': .* exists") as error:
        mine.remotes.sync()

    assert pushes(server) == 4
    assert "remove the lock file" in (error.value.hint or "")


@pytest.mark.parametrize(
    ("status", "stderr", "kind"),
    [
        ("[rejected] (fetch first)", b"", Rejection),
        ("[rejected] (non-fast-forward)", b"", Rejection),
        ("[rejected] (stale info)", b"", Rejection),
        ("[remote rejected] (incorrect old value provided)", b"", Rejection),
        (
            "[remote rejected] (failed to update ref)",
            b"remote: error: cannot lock ref 'refs/heads/main': is at %s but expected %s\n" % (b"a" * 40, b"b" * 40),
            Rejection,
        ),
        (
            "[remote rejected] (failed to update ref)",
            b"remote: error: cannot lock ref 'refs/heads/main': reference already exists\n",
            Rejection,
        ),
        ("[remote rejected] (failed to update ref)", b"", Unwritable),
        ("[remote rejected] (reference already exists)", b"", Unwritable),
        ("[remote rejected] (refname conflict)", b"", Refusal),
        ("[remote rejected] (failed to update ref)", b"remote: error: 'a' exists; cannot create 'a/b'\n", Refusal),
        ("[remote rejected] (failed to write)", b"remote: fatal: write error: No space left on device\n", Refusal),
        ("[remote rejected] (unpacker error)", b"", Refusal),
        ("[remote rejected] (protected branch hook declined)", b"", Refusal),
        ("[remote failure] (remote failed to report status)", b"", Refusal),
    ],
)
def test_each_reason_is_of_one_kind(status: str, stderr: bytes, kind: type[Exception]) -> None:
    assert type(refusal("origin", "main", status, stderr)) is kind


def test_words_are_bounded() -> None:
    words = said(b"hint: not the remote\n" + b"remote: %s\n" % (b"x" * 10_000) * 100)
    assert len(words) < 2_000
    assert words.endswith("…")


def test_what_git_alone_was_told_is_said_too() -> None:
    stderr = b"error: remote unpack failed: unable to create temporary object directory\nTo http://x/hub.git\n"
    error = refusal("origin", "main", "[remote rejected] (unpacker error)", stderr)
    assert (
        error.message == "origin refused 'main': unpacker error; it says: unable to create temporary object directory"
    )
    assert error.hint == "its files cannot be written by the user that git runs as there"
    error = refusal("origin", "main", "[remote failure] (remote failed to report status)", b"")
    assert error.hint == "its git was ended, or the connection: 'memoir sync origin' tries again"


@pytest.mark.parametrize("begin", ["git://", "http://user:secret@"])
def test_a_clone_of_a_hub_that_says_nothing_is_given_up(
    begin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "_ANSWER_SECONDS", 0.3)
    with silent_port() as port, pytest.raises(GitError, match=r"no answer within 0\.3 seconds") as error:
        Repository.clone(url := f"{begin}{LOOPBACK}:{port}/hub", tmp_path / "mine")

    assert error.value.hint == f"see whether it runs; 'memoir clone {url.replace('user:secret@', '')}' tries again"
    assert "secret" not in str(error.value)
    assert not (tmp_path / "mine").exists()
    assert not processes_of(port)


def test_a_fetch_that_went_well_ends_the_trouble_with_a_remote(server: HttpServer, mine: Repository) -> None:
    write_contact(mine.store, "origin", Contact(problem="it refused a push").failed("no answer", 9.0))
    assert read_contact(mine.store, "origin").is_left_alone()

    mine.remotes.fetch()

    now = read_contact(mine.store, "origin")
    assert (now.is_left_alone(), now.trouble("origin")) == (False, "it refused a push"), "a fetch says nothing of that"
