"""Writing files whole, and bringing them to disk."""

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

import pytest

from memoir.git.fsync import replace, replacing, sync
from memoir.git.messages import NO_FSYNC_HINT, failure

FULL = 51
"""The order of a Mac that a disk empty its cache."""


@pytest.mark.parametrize("answer", [0, errno.ENOTSUP, errno.EIO], ids=["done", "not there", "broken"])
def test_the_disk_of_a_mac_is_asked_to_empty_its_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: int
) -> None:
    """A file system that cannot pass that on does what it can."""
    orders: list[int] = []
    synced: list[int] = []

    def order(descriptor: int, command: int) -> int:
        orders.append(command)
        if answer:
            raise OSError(answer, "no")
        return 0

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", FULL, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", order)
    monkeypatch.setattr(os, "fsync", synced.append)
    if answer == errno.EIO:
        with pytest.raises(OSError, match="no"):
            replace(tmp_path / "a", b"x")
        assert not list(tmp_path.iterdir())
        return
    replace(tmp_path / "a", b"x")

    assert orders == [FULL, FULL], "of the file and its folder"
    assert bool(synced) is bool(answer)


def test_what_was_there_stays_if_the_new_file_is_not_finished(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    with suppress(EOFError), replacing(tmp_path / "a") as file:
        file.write(b"new")
        raise EOFError

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def test_a_file_with_the_longest_name_can_be_replaced(tmp_path: Path) -> None:
    replace(tmp_path / ("a" * 255), b"x")

    assert os.listdir(tmp_path) == ["a" * 255]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_brings_no_file_to_disk_is_named_as_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """By memoir, and by git, which writes packs; a folder may be passed over."""

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    sync(tmp_path)

    with pytest.raises(OSError, match="cannot bring a file to disk") as refusal:  # so that who needs no file goes on
        replace(tmp_path / "a", b"x")

    words = f"fatal: fsync error on '/a/pack/tmp_idx_a': {os.strerror(number)}"
    assert refusal.value.errno == errno.ENOTSUP
    assert failure("index-pack", words.encode()).hint == NO_FSYNC_HINT
    assert not os.listdir(tmp_path)


def test_a_failure_names_the_file_and_not_its_draft(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        replace(tmp_path / "nosuch" / "a", b"x")
    with pytest.raises(FileNotFoundError) as other, replacing(tmp_path / "a"):
        (tmp_path / "other").read_bytes()
    (tmp_path / "folder" / "file").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as folder:
        replace(tmp_path / "folder", b"x")

    names = [str(each.value.filename) for each in (missing, other, folder)]
    assert names == [f"{tmp_path}/nosuch/a", f"{tmp_path}/other", f"{tmp_path}/folder"]
    assert folder.value.filename2 is None
