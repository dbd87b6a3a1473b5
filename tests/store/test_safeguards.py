"""What a store that was made without memoir's settings gets at its next write."""

import subprocess

import pytest
from support import write

from memoir.git.lock import take_lock
from memoir.store import safeguards
from memoir.store.store import Store

KEY = "repack.packKeptObjects"


@pytest.fixture
def older(store: Store) -> Store:
    """A store from before memoir set how a user's own git packs, which was opened, and written to, long ago."""
    store.git.run("config", "--remove-section", "repack")
    (store.git_dir / safeguards.COPY).write_bytes((store.git_dir / "config").read_bytes())
    return store


def value(store: Store) -> bytes:
    """What the store's config says of it."""
    return store.git.run("config", "--local", "--get-all", KEY, ok=(0, 1))


def test_an_older_store_gets_what_keeps_a_users_gc_from_harm(older: Store) -> None:
    before = older.git.run("config", "--local", "--list")

    write(older, {"default=a": "1"})

    assert older.git.run("config", "--local", "--list") == before + b"repack.packkeptobjects=true\n"
    config = older.git_dir / "config"
    assert (older.git_dir / safeguards.COPY).read_bytes() == config.read_bytes()
    assert not config.with_name("config.lock").exists()
    Store(older.git_dir).close()  # the guard lets it in


def test_that_starts_no_process(older: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)

    safeguards.renew(older.git_dir)

    monkeypatch.undo()
    assert value(older) == b"true\n"


def test_what_its_user_has_set_stays(older: Store) -> None:
    older.git.run("config", KEY, "false")

    write(older, {"default=a": "1"})

    assert value(older) == b"false\n"


def test_no_write_waits_for_who_changes_the_config(older: Store) -> None:
    lock = take_lock(older.git_dir / "config")
    assert lock

    write(older, {"default=a": "1"})

    assert value(older) == b""
    lock.unlink()
    write(older, {"default=a": "2"})
    assert value(older) == b"true\n"
