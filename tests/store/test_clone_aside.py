"""A clone appears whole or not at all."""

import errno
import os
import signal
import subprocess
from pathlib import Path

import pytest
from support import Memoir

from memoir.errors import Conflict, NoStore
from memoir.git import git
from memoir.git.fsync import Unsettled
from memoir.repository.repository import Repository
from memoir.store import create as creation
from memoir.store.create import create, drafted
from memoir.store.locate import locate


def test_nothing_is_there_before_all_is(tmp_path: Path) -> None:
    target = tmp_path / "new" / "deep" / ".memoir"

    with drafted(target, "sha1") as draft:
        assert draft.is_dir() and not target.exists()
        with pytest.raises(NoStore):
            locate(target.parent)
    assert target.is_dir() and os.listdir(target.parent) == [".memoir"]


def test_a_failure_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), drafted(tmp_path / "new" / "deep" / ".memoir", "sha1"):
        raise KeyboardInterrupt

    assert os.listdir(tmp_path) == []


def test_what_is_left_of_a_draft_decides_whether_an_error_says_that_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = OSError(errno.EIO, "Input/output error")
    with pytest.raises(OSError, match="Input/output"), drafted(tmp_path / "new" / ".memoir", "sha1"):
        raise Unsettled(error) from error
    assert os.listdir(tmp_path) == []

    def fail(descriptor: int) -> None:
        if os.path.samestat(os.fstat(descriptor), os.stat(tmp_path)):
            raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Unsettled), drafted(tmp_path / ".memoir", "sha1"):
        pass
    assert locate(tmp_path) == tmp_path / ".memoir"


def test_the_link_by_which_git_tries_the_file_system_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = git.plain

    def leave_link(*args: str) -> "subprocess.CompletedProcess[bytes]":
        done = run(*args)
        Path(args[-1], "tXXXXXX").symlink_to("testing")
        return done

    monkeypatch.setattr(creation, "plain", leave_link)
    create(tmp_path).close()


def test_a_store_created_meanwhile_is_kept(tmp_path: Path) -> None:
    with pytest.raises(Conflict), drafted(tmp_path / ".memoir", "sha1"):
        create(tmp_path).close()

    assert os.listdir(tmp_path) == [".memoir"]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_an_interrupted_clone_leaves_no_store(memoir: Memoir, tmp_path: Path, end: signal.Signals) -> None:
    memoir.remember("a", "1")
    target = Memoir(tmp_path / "target")
    target.folder.mkdir()
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "git"  # a git whose fetch never ends, and says when it has begun
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    slow.write_text(
        f'#!/bin/sh\ncase "$*" in *" fetch "*) : > {tmp_path}/begun; exec sleep 60;; esac\nexec {real} "$@"\n'
    )
    slow.chmod(0o755)
    env = {**os.environ, "PATH": f"{slow.parent}{os.pathsep}{os.environ['PATH']}"}

    with subprocess.Popen(
        memoir.argv("clone", str(memoir.folder), str(target.folder)), env=env, stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, start_new_session=True,
    ) as clone:  # fmt: skip
        while not (tmp_path / "begun").exists():
            assert clone.poll() is None
            os.sched_yield()
        os.killpg(clone.pid, end)

    assert not target.git_dir.exists()
    assert target.run("status").status == 3
    target.ok("clone", str(memoir.folder), str(target.folder))
    assert target.content("a") == "1"
    assert os.listdir(target.folder) == [".memoir"]


def test_the_tags_of_a_clone_are_all_there(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a", "1")
    memoir.remember("a.b", "2")
    memoir.ok("tag", "v1")
    memoir.ok("undo")

    with Repository.clone(str(memoir.folder), tmp_path / "copy") as copy:
        assert copy.get("a.b") is None
        assert copy.get("a.b", at="v1")
