"""The user's cache costs time when it fails, and nothing else; what is made for a moment goes."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from memoir import user_folders


def test_a_kept_value_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    user_folders.write_cached("a", b"one")
    user_folders.write_cached("a", b"two")

    assert user_folders.read_cached("a") == b"two"
    assert [entry.name for entry in (tmp_path / "memoir").iterdir()] == ["a"]
    assert user_folders.read_cached("b") is None


def test_threads_that_write_at_once_all_find_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    together = Barrier(8)

    def write_and_read(name: str) -> bytes | None:
        together.wait()
        user_folders.write_cached(name, b"one")
        return user_folders.read_cached(name)

    with ThreadPoolExecutor(8) as pool:
        for turn in range(50):
            assert [*pool.map(write_and_read, [f"key{turn}"] * 8)] == [b"one"] * 8


@pytest.mark.parametrize("kind", ["missing", "file", "relative", "fifo", "link", "writable", "folder", "huge"])
def test_an_untrusted_cache_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache" if kind == "relative" else str(tmp_path / "cache"))
    place = tmp_path / "cache" / "memoir"
    if kind == "file":
        (tmp_path / "cache").write_text("")
    elif kind not in ("missing", "relative"):
        place.mkdir(parents=True)
        _spoil(place / "a", kind)

    assert user_folders.read_cached("a") is None
    if kind in ("file", "relative", "folder"):
        user_folders.write_cached("a", b"one")
        assert user_folders.read_cached("a") is None


def _spoil(path: Path, kind: str) -> None:
    path.with_name("other").write_bytes(b"x")
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("other")
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"x" * (2 << 20 if kind == "huge" else 1))
        path.chmod(0o666 if kind == "writable" else 0o600)


def test_a_scratch_folder_goes_though_its_removal_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shutil.rmtree
    attempts: list[str] = []

    def interrupted_once(folder: str, ignore_errors: bool = False) -> None:
        attempts.append(folder)
        if len(attempts) == 1:
            raise KeyboardInterrupt
        whole(folder, ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", interrupted_once)
    with pytest.raises(KeyboardInterrupt), user_folders.scratch_folder() as folder:
        (folder / "file").write_text("what a remote sent")

    assert not folder.exists()
