"""What was looked through before is known again, and a change is never missed."""

import os
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from memoir.errors import UnsafeStore
from memoir.store import config, guard
from memoir.store.store import Store


@pytest.fixture
def large(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Store:
    """A store of many branches, at rest for long enough to be noted."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for number in range(200):
        (store.git_dir / "refs" / "heads" / f"b{number}").write_text("0" * 40)
    (store.git_dir / "refs" / "heads" / "deep").mkdir()
    with patch("memoir.store.guard._MOMENT", -1):
        guard.inspect(store.git_dir)
    return store


def _refs_read(store: Store) -> list[str]:
    with patch.object(guard, "_check_folder", wraps=guard._check_folder) as look:
        guard.inspect(store.git_dir)
    return [call.args[1] for call in look.call_args_list]


def test_a_large_folder_is_not_looked_through_again(large: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "json", None)  # every command would load it for this alone

    assert "refs/heads/" not in _refs_read(large)
    assert "refs/heads/deep/" in _refs_read(large)


@pytest.mark.parametrize("place", ["refs/heads/x", "refs/heads/deep/x", "refs/heads/b7"])
def test_every_change_is_noticed(large: Store, place: str) -> None:
    (large.git_dir / place).unlink(missing_ok=True)
    (large.git_dir / place).symlink_to("/etc/passwd")

    with pytest.raises(UnsafeStore):
        guard.inspect(large.git_dir)


def test_a_time_set_back_hides_nothing(large: Store) -> None:
    heads = large.git_dir / "refs" / "heads"
    before = heads.stat()
    (heads / "b7").unlink()
    (heads / "b7").symlink_to("/etc/passwd")
    os.utime(heads, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(UnsafeStore):
        guard.inspect(large.git_dir)


def test_a_folder_that_has_just_changed_is_not_noted(store: Store, tmp_path: Path) -> None:
    for number in range(200):
        (store.git_dir / "refs" / "heads" / f"b{number}").write_text("0" * 40)
    guard.inspect(store.git_dir)

    assert "refs/heads/" in _refs_read(store)


@pytest.mark.parametrize(
    "notes",
    [b"", b"{", b"1", b"a\0b", b"a\0..", b"a\0b/c", b"\0" * 100_000, b"a\0\0\0b", b"\xff"],
)
def test_notes_that_make_no_sense_cost_only_time(large: Store, tmp_path: Path, notes: bytes) -> None:
    (file,) = (tmp_path / "cache" / "memoir").glob("folders-*")
    file.write_bytes(notes)

    assert "refs/heads/" in _refs_read(large)
    (large.git_dir / "refs" / "heads" / "b7").unlink()
    (large.git_dir / "refs" / "heads" / "b7").symlink_to("/etc/passwd")
    with pytest.raises(UnsafeStore):
        guard.inspect(large.git_dir)


def test_notes_use_times_that_cannot_be_set(large: Store, tmp_path: Path) -> None:
    (file,) = (tmp_path / "cache" / "memoir").glob("folders-*")
    stamp, *names = file.read_text().split("\0")

    assert names == ["deep"]
    assert str((large.git_dir / "refs" / "heads").stat().st_ctime_ns) in stamp
    assert time.time_ns() > int(stamp.split()[3])


def test_settings_that_memoir_changed_are_read_again_alone(store: Store) -> None:
    with patch.object(guard, "check_files", wraps=guard.check_files) as check:
        config.put(store, "memoir.repackAt", "7")

    assert store.settings["memoir.repackat"] == ["7"]
    assert not check.called
