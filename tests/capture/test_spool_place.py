"""The spool's place: it goes with a store that is moved, and with no other."""

import os
import shutil
import time
from pathlib import Path

import pytest

from memoir.capture import spool as module
from memoir.capture.spool import SessionTurn, TurnSpool


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder for a store whose capture is on, with a turn that nobody has reviewed."""
    store = tmp_path / "project" / ".memoir"
    store.mkdir(parents=True)
    TurnSpool(store).switch(True)
    TurnSpool(store).add(SessionTurn("claude", "s", time.time(), "user", "We use tabs."))
    return store


def texts(store: Path) -> list[str]:
    return [turn.text for turn in TurnSpool(store).read()[0]]


def test_it_goes_with_a_store_that_is_moved_again_and_again(store: Path, tmp_path: Path) -> None:
    for name in ("renamed", "renamed\nagain", "project"):
        moved = tmp_path / name / ".memoir"
        os.rename(store.parent, moved.parent)
        store = moved

        assert TurnSpool(store).is_on and texts(store) == ["We use tabs."]


def test_a_copy_is_another_store(store: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(store, tmp_path / "copy")

    assert not TurnSpool(copy).is_on and texts(copy) == [] and texts(store) == ["We use tabs."]


def test_what_is_kept_of_a_moved_store_stays_when_it_is_switched_on_again(store: Path, tmp_path: Path) -> None:
    os.rename(store, moved := tmp_path / "moved")
    TurnSpool(moved).switch(True)

    assert texts(moved) == ["We use tabs."]


def test_a_store_that_comes_with_a_mark_of_its_own_has_nothing(store: Path, tmp_path: Path) -> None:
    marks = [b"", b"x", b"0" * 32, store.joinpath("memoir-captures").read_bytes() + b"\n"]
    shutil.rmtree(store)
    for number, mark in enumerate(marks):
        other = tmp_path / str(number)
        other.mkdir()
        (other / "memoir-captures").write_bytes(mark)

        assert not TurnSpool(other).is_on


def test_a_mark_that_is_no_plain_file_keeps_nobody_waiting(store: Path, tmp_path: Path) -> None:
    mark = shutil.move(store / "memoir-captures", tmp_path / "mark")
    shutil.rmtree(store)
    for name in ("fifo", "folder", "link"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "fifo" / "memoir-captures")
    os.mkdir(tmp_path / "folder" / "memoir-captures")
    os.symlink(mark, tmp_path / "link" / "memoir-captures")

    assert not any(TurnSpool(tmp_path / name).is_on for name in ("fifo", "folder", "link"))


def test_two_that_look_at_once_both_find_it(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.rename(store, moved := tmp_path / "moved")
    rename = os.rename

    def be_second(old: Path, new: Path) -> None:
        rename(old, new)
        raise FileNotFoundError(old)

    monkeypatch.setattr(os, "rename", be_second)

    assert TurnSpool(moved).is_on and texts(moved) == ["We use tabs."]


def test_what_belongs_to_the_place_is_not_what_is_kept(store: Path) -> None:
    spool = TurnSpool(store)
    spool.purge()

    assert spool.contents().size == 0 and module.kept_anywhere() is None
    spool.switch(False)
    spool.purge()
    assert spool.folder and not spool.folder.exists()
