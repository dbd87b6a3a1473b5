"""`memoir.sync`: what is written goes to the remote by itself, where the user wants that, and fails no write."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import Memoir, git

from memoir.exchange import auto_sync, remote_health, transport
from memoir.exchange.auto_sync import AutoSync
from memoir.exchange.remote_health import read_contact
from memoir.exchange.sync import SyncResult, sync
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.store import Store


@pytest.fixture
def mine(hub: Path, tmp_path: Path) -> Iterator[Repository]:
    """A clone that this user has made: to what a copied folder names, nothing is sent by itself."""
    with Repository.clone(str(hub), tmp_path / "mine") as mine:
        yield mine


@pytest.fixture
def after_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_SYNC", "after-write")
    monkeypatch.setattr(auto_sync, "_MOST_SECONDS", 60.0)  # of a busy machine, and only here: the sync has its own


def subjects(hub: Path) -> list[str]:
    return git("log", "--format=%s", "main", cwd=hub).splitlines()


def write(repository: Repository, key: str = "a.new") -> AutoSync:
    repository.remember(Memory.of(f"at {key}"), key)
    return repository.remotes.sync_after_write()


def test_nothing_is_sent_unless_the_user_says_so(mine: Repository, hub: Path) -> None:
    git("config", "memoir.sync", "after-write", cwd=mine.path)
    mine.store.reload()

    assert write(mine) == AutoSync()
    assert len(subjects(hub)) == 1, "a store's own configuration does not decide what is sent"


@pytest.mark.usefixtures("after_write")
def test_a_write_is_sent_and_a_read_sends_nothing(mine: Repository, hub: Path, tmp_path: Path) -> None:
    assert write(mine) == AutoSync()
    assert subjects(hub)[0].startswith("remember a.new")
    hub.rename(tmp_path / "away")
    mine.get("a.new")

    assert mine.remotes.sync_after_write() == AutoSync()


@pytest.mark.usefixtures("after_write")
def test_a_store_that_came_with_a_project_sends_nothing_until_its_user_has_named_the_remote(
    mine: Repository, hub: Path, tmp_path: Path
) -> None:
    mine.path.parent.rename(tmp_path / "came")
    with Repository.open(tmp_path / "came") as came:
        assert "have not named" in (write(came).problem or "")
        assert len(subjects(hub)) == 1
        came.remotes.sync()
        assert write(came, "a.again") == AutoSync()
    assert subjects(hub)[0].startswith("remember a.again")


@pytest.mark.usefixtures("after_write")
def test_a_sync_that_fails_says_so_and_the_write_stands(hub: Path, mine: Repository, tmp_path: Path) -> None:
    hub.rename(tmp_path / "away")
    done = Memoir(mine.path.parent, MEMOIR_SYNC="after-write").run("remember", "text", "-p", "a.new", "--json")

    assert (done.status, json.loads(done.out)["success"]) == (0, True)
    assert done.err.startswith("not synced: origin could not be reached")
    (tmp_path / "away").rename(hub)
    synced = write(mine, "a.next")
    assert synced.problem is None
    assert (synced.relief or "").startswith(
        "origin answers again; it had not answered since 2026-01-02T03:04:05Z (once)"
    )
    assert len(subjects(hub)) == 3, "the next sync sends what that one has not"


def test_a_remote_that_does_not_answer_is_given_up(
    mine: Repository, monkeypatch: pytest.MonkeyPatch, after_write: None, tmp_path: Path
) -> None:
    monkeypatch.setattr(transport, "_ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(remote_health, "_AT_ONCE", 0.1)
    monkeypatch.setenv("GIT_SSH_COMMAND", f"sleep 20; touch {tmp_path}/waited-for; true")
    mine.remotes.set_url("origin", "ssh://nowhere.invalid/x.git")

    assert "no answer within 0.3 seconds" in (auto_sync.sync_alone(mine.store).problem or "")
    assert (write(mine).problem or "").endswith("the next try is in 30 s, or by 'memoir sync'")
    assert not (tmp_path / "waited-for").exists()
    monkeypatch.setenv("MEMOIR_NOW", "2025-01-01T00:00:00Z")
    assert not read_contact(mine.store, "origin").is_left_alone(), "the clock was wrong, and was put right"


def test_the_end_of_a_session_leaves_a_sync_to_another_process(mine: Repository, hub: Path) -> None:
    mine.remember(Memory.of("text"), "a.new")
    payload = {"session_id": "s", "cwd": str(mine.path.parent), "hook_event_name": "SessionEnd", "reason": "logout"}
    done = Memoir(mine.path.parent, MEMOIR_SYNC="on-session-end").run(
        "hook", "claude", "SessionEnd", stdin=json.dumps(payload)
    )
    assert done == (0, "", "")

    end = time.monotonic() + 20
    while len(subjects(hub)) == 1 and time.monotonic() < end:
        time.sleep(0.05)
    assert subjects(hub)[0].startswith("remember a.new")


def test_who_comes_too_late_for_a_sync_is_served_by_it_once_more(
    mine: Repository, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto_sync, "_MOST_SECONDS", 0.0)
    late: list[str | None] = []

    def sync_slowly(store: Store, name: str, *, seconds: float) -> SyncResult:
        done = sync(store, name, seconds=seconds)
        if not late:
            mine.remember(Memory.of("late"), "a.late")
            late.append(auto_sync.sync_alone(mine.store).problem)
        return done

    monkeypatch.setattr("memoir.exchange.sync.sync", sync_slowly)
    mine.remember(Memory.of("early"), "a.early")

    assert auto_sync.sync_alone(mine.store) == AutoSync()
    assert late[0] and "takes longer than" in late[0]
    assert subjects(hub)[0].startswith("remember a.late")
