"""The spool: off until it is switched on, private, bounded, without credentials, apart by session."""

import os
import threading
import time
from pathlib import Path

import pytest

from memoir.capture import spool as module
from memoir.capture.spool import SessionTurn, SpoolLimits, TurnSpool
from memoir.capture.spool_place import STORE
from memoir.secrets import secrets
from memoir.secrets.secrets import CredentialFinding


@pytest.fixture
def spool(tmp_path: Path) -> TurnSpool:
    spool = TurnSpool(tmp_path)
    spool.switch(True)
    return spool


def turn(text: str, session: str = "s", role: str = "user") -> SessionTurn:
    return SessionTurn("claude", session, time.time(), role, text)


def files(spool: TurnSpool) -> list[Path]:
    assert spool.folder
    return sorted(spool.folder.glob("*.jsonl"))


def test_nothing_is_kept_before_it_is_switched_on(tmp_path: Path) -> None:
    spool = TurnSpool(tmp_path)
    spool.add(turn("We use tabs."))

    assert not spool.is_on and spool.read()[0] == []
    assert spool.folder and not spool.folder.exists()


def test_what_is_kept_stays_when_it_is_switched_off(spool: TurnSpool) -> None:
    spool.add(turn("We use tabs."))
    spool.switch(False)
    spool.add(turn("We use spaces."))

    assert [each.text for each in spool.read()[0]] == ["We use tabs."]


def test_a_store_cannot_switch_it_on(tmp_path: Path) -> None:
    (tmp_path / "on").touch()
    (tmp_path / "spool").mkdir()

    assert not TurnSpool(tmp_path).is_on


def test_what_is_private_is_not_kept(spool: TurnSpool) -> None:
    spool.add(turn("Use tabs. <PRIVATE>My landlord\nis Mr. Silva.</private> Always."))
    spool.add(turn("<private>" + "x" * 9_000 + "</private> Use spaces."))

    assert [each.text for each in spool.read()[0]] == ["Use tabs. … Always.", "… Use spaces."]


def test_sessions_are_kept_apart_and_only_their_user_reads_them(spool: TurnSpool) -> None:
    for name in ("one", "../../two", "three\n"):
        spool.add(turn(name, name))

    assert len(files(spool)) == 3
    assert {file.stat().st_mode & 0o777 for file in files(spool)} == {0o600}
    assert spool.folder and spool.folder.stat().st_mode & 0o777 == 0o700
    assert [(each.session, each.text) for each in spool.read()[0]] == [(n, n) for n in ("one", "../../two", "three\n")]


def test_credentials_are_removed_before_anything_is_written(spool: TurnSpool) -> None:
    spool.add(turn("the password is hunter2hunter2, and postgres://bob:s3cr3tpass99@db/x"))

    assert "hunter2" not in files(spool)[0].read_text() and "s3cr3t" not in files(spool)[0].read_text()


def test_it_is_bounded(tmp_path: Path) -> None:
    spool = TurnSpool(tmp_path, SpoolLimits(session=20_000, sessions=3))
    spool.switch(True)
    for number in range(6):
        spool.add(turn("x" * 50_000, "long"))
        spool.add(turn("y", str(number)))

    assert max(file.stat().st_size for file in files(spool)) < 30_000
    assert len(spool.read()[0]) <= 6 and len(files(spool)) == 3


def at_day(spool: TurnSpool, monkeypatch: pytest.MonkeyPatch, day: float) -> list[str]:
    """What a spool has when so many days have gone by."""
    now = time.time() + day * 24 * 3600
    with monkeypatch.context() as patch:
        patch.setattr("memoir.capture.spool.time.time", lambda: now)
        return [each.text for each in spool.read()[0]]


def test_a_session_is_dropped_after_30_days(spool: TurnSpool, monkeypatch: pytest.MonkeyPatch) -> None:
    spool.add(turn("old", "old"))

    assert [at_day(spool, monkeypatch, day) for day in (1, 28, 29.1, 29.9)] == [["old"]] * 4
    assert at_day(spool, monkeypatch, 30.2) == []


def test_a_clock_that_is_wrong_for_once_drops_nothing(spool: TurnSpool, monkeypatch: pytest.MonkeyPatch) -> None:
    spool.add(turn("new", "new"))

    assert [at_day(spool, monkeypatch, day) for day in (60, 60.5, 0, 60, 1, 20, 60)] == [["new"]] * 7
    assert [at_day(spool, monkeypatch, day) for day in (60.5, 61.1)] == [["new"], []]


def test_a_clock_that_is_wrong_for_once_drops_no_new_session_where_old_ones_go_each_day(
    spool: TurnSpool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for age in (1.0, 28.5, 29.5):
        spool.add(turn(f"{age}", f"{age}"))
        (file,) = (each for each in files(spool) if f'"{age}"' in each.read_text())
        os.utime(file, (0, time.time() - age * 24 * 3600))

    assert len(at_day(spool, monkeypatch, 0)) == 3
    assert sorted(at_day(spool, monkeypatch, 1.1)) == ["1.0", "28.5"]
    assert "1.0" in at_day(spool, monkeypatch, 60)


def test_what_is_said_after_a_review_is_not_dropped_with_it(spool: TurnSpool) -> None:
    spool.add(turn("before"))
    spool.add(turn("alone", "other"))
    turns, ends = spool.read()
    spool.add(turn("after"))
    spool.drop(ends)

    assert sorted(each.text for each in turns) == ["alone", "before"]
    assert [each.text for each in spool.read()[0]] == ["after"]
    assert len(files(spool)) == 1 and files(spool)[0].stat().st_mode & 0o777 == 0o600


def test_a_turn_that_waits_for_a_drop_is_kept(spool: TurnSpool) -> None:
    spool.add(turn("before"))
    with module._held(files(spool)[0]):
        thread = threading.Thread(target=spool.add, args=(turn("meanwhile"),))
        thread.start()
        time.sleep(0.05)
        files(spool)[0].unlink()
    thread.join()

    assert [each.text for each in spool.read()[0]] == ["meanwhile"]


@pytest.mark.parametrize("before", [[], ["an earlier turn"]], ids=["of a new session", "of a session that goes on"])
def test_a_turn_that_is_on_its_way_when_all_is_switched_off_and_purged_is_not_kept(
    spool: TurnSpool, monkeypatch: pytest.MonkeyPatch, before: list[str]
) -> None:
    for text in before:
        spool.add(turn(text))

    def strike(text: str) -> tuple[str, list[CredentialFinding]]:
        spool.switch(False)
        spool.purge()
        return text, []

    monkeypatch.setattr(secrets, "strike", strike)
    spool.add(turn("said meanwhile"))

    assert spool.folder and not spool.folder.exists()


def test_who_switches_it_on_while_another_purges_has_a_whole_spool(
    spool: TurnSpool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool.switch(False)
    begun = threading.Thread(target=TurnSpool(tmp_path).switch, args=(True,))
    unlink = Path.unlink

    def begin_before(path: Path, **options: bool) -> None:
        if path.name == STORE:
            begun.start()
            begun.join(0.2)
        unlink(path, **options)

    monkeypatch.setattr(Path, "unlink", begin_before)
    spool.purge()
    begun.join()

    moved = tmp_path.rename(tmp_path.with_name("moved"))
    assert TurnSpool(moved).is_on, "what ties it to the store is there"


def test_turns_that_were_read_are_not_read_again(spool: TurnSpool) -> None:
    spool.add(turn("one"))
    _, ends = spool.read()
    spool.add(turn("two"))

    assert [each.text for each in spool.read(ends)[0]] == ["two"]
    assert [each.text for each in spool.read(dict.fromkeys(ends, 10000))[0]] == ["one", "two"]


def test_a_line_that_a_full_disk_has_cut_takes_no_other_turn_away(spool: TurnSpool) -> None:
    spool.add(turn("one"))
    spool.add(turn("cut"))
    file = files(spool)[0]
    file.write_bytes(file.read_bytes()[:-10])
    _, ends = spool.read()
    spool.add(turn("three"))

    assert [each.text for each in spool.read()[0]] == ["one", "three"]
    assert [each.text for each in spool.read(ends)[0]] == ["three"]
    spool.drop(ends)
    assert [each.text for each in spool.read()[0]] == ["three"]


def test_no_other_user_may_write_to_a_folder_above_the_spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path / "home" / ".local" / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(base))
    before = os.umask(0)
    try:
        (tmp_path / "home").mkdir(0o755)
        TurnSpool(tmp_path).switch(True)
        folders = [base.parent, base, base / "memoir", base / "memoir" / "spool"]
        assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 4
        folders[2].chmod(0o777)
        TurnSpool(tmp_path / "other").switch(True)
        assert folders[2].stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


def test_a_damaged_line_costs_only_itself(spool: TurnSpool) -> None:
    spool.add(turn("one"))
    with files(spool)[0].open("ab") as file:
        file.write(b'\xff{"\n[1]\n')
    spool.add(turn("two"))

    assert [each.text for each in spool.read()[0]] == ["one", "two"]
