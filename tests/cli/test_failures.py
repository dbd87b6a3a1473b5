"""What a command answers when the operating system fails, or nobody reads the answer."""

import errno
import os
import subprocess

import pytest
from support import Memoir

from memoir.cli.failures import error_of
from memoir.cli.session import Session
from memoir.git.messages import DISK_HINT, FULL_HINT, NO_FSYNC_HINT


@pytest.mark.parametrize(
    ("number", "hint"), [(errno.ENOSPC, FULL_HINT), (errno.EIO, DISK_HINT), (errno.ENOTSUP, NO_FSYNC_HINT)]
)
def test_a_failure_of_the_disk_comes_with_what_to_do(number: int, hint: str) -> None:
    error = error_of(OSError(number, os.strerror(number), "a.pack"), Session())

    assert (error.message, error.hint) == (f"a.pack: {os.strerror(number)}", hint)


@pytest.mark.parametrize(
    "failure", [MemoryError(), *(OSError(number, "…") for number in (errno.EMFILE, errno.EFBIG, errno.EAGAIN))]
)
def test_a_limit_that_is_met_is_no_bug_and_is_named(failure: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    error = error_of(failure, Session())

    assert "unexpected" not in error.message and "ulimit" in (error.hint or "")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["--version", "recall --help", "help", "status"])
def test_a_reader_that_has_ended_is_told_by_the_exit_status(memoir: Memoir, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(memoir.argv(*command.split()), cwd=memoir.folder, stdout=writer, stderr=subprocess.PIPE)

    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
