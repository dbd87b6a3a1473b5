"""`kill -9` at any moment: what was acknowledged is there, and the store goes on working.

The moments are random but seeded. Half of them kill memoir alone, so that the git it started
lives on for a while; half kill the whole process group, as a dying machine would.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import IO

import pytest
from fault_tools import assert_sound, finish, kill, lines, start, state, status
from support import Memoir

_KILLS = [10, pytest.param(300, marks=pytest.mark.soak)]

# Writes for ever, and says after each memory that it is stored.
_WRITER = """
import sys
from memoir import Repository
from memoir.records.record import Memory
with Repository.open(sys.argv[1]) as repository:
    for number in range(1_000_000):
        key = f"{sys.argv[2]}.n{number}"
        repository.remember(Memory.of(key), key)
        print(key, flush=True)
"""


def _duration(memoir: Memoir, *args: str, stdin: bytes = b"") -> float:
    """How long a command takes on this machine: the span in which to kill its like."""
    begin = time.monotonic()
    memoir.ok(*args, stdin=stdin)
    return time.monotonic() - begin


@pytest.mark.parametrize("kills", _KILLS)
def test_a_memory_whose_command_succeeded_survives_everykill(memoir: Memoir, kills: int) -> None:
    random = Random(kills)
    span = _duration(memoir, "remember", "first", "-p", "kept.first")
    texts = {"kept.first": "first"}
    for number in range(kills):
        process = start(memoir, "remember", f"content {number}", "-p", f"victim.n{number}")
        time.sleep(random.uniform(0, 1.2 * span))
        kill(process, group=random.random() < 0.5)
        if finish(process)[0] == 0:
            texts[f"victim.n{number}"] = f"content {number}"
        texts[f"kept.n{number}"] = f"after {number}"
        memoir.remember(f"kept.n{number}", f"after {number}")

    items = memoir.json("get", *texts)["items"]
    assert {item["key"]: item["value"] and item["value"]["content"] for item in items} == texts
    assert_sound(memoir)


@pytest.mark.parametrize("kills", [5, pytest.param(60, marks=pytest.mark.soak)])
def test_a_killed_library_process_loses_no_reported_write(memoir: Memoir, kills: int) -> None:
    random = Random(kills)
    keys = []
    for number in range(kills):
        argv = [sys.executable, "-c", _WRITER, str(memoir.folder), f"run{number}"]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        assert process.stdout
        keys.append(process.stdout.readline().decode().strip())
        time.sleep(random.uniform(0, 0.3))
        kill(process, group=random.random() < 0.5)
        keys += finish(process)[1].split()

    items = memoir.json("get", *keys)["items"]
    assert [item["key"] for item in items if not item["found"]] == []
    assert_sound(memoir)


@pytest.mark.parametrize("kills", [5, pytest.param(60, marks=pytest.mark.soak)])
def test_a_killed_import_is_there_whole_or_not_at_all(memoir: Memoir, tmp_path: Path, kills: int) -> None:
    random = Random(kills)
    size = 1500
    span = _duration(memoir, "import", "-", stdin=lines(size))
    for number in range(1, kills + 1):
        before = status(memoir)
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(lines(size, first=size * number))
        process = start(memoir, "import", str(path))
        time.sleep(random.uniform(0, 1.1 * span))
        kill(process, group=random.random() < 0.5)
        done = finish(process)[0] == 0
        time.sleep(0.1)  # a git that outlived memoir may be finishing
        whole = (before[0] + size, before[1] + 1)
        assert status(memoir) in ([whole] if done else [before, whole])

    memoir.remember("kept.after", "the next write works")
    assert_sound(memoir)


def test_an_import_killed_while_reading_changes_nothing(memoir: Memoir) -> None:
    memoir.remember("kept.first", "first")
    before = state(memoir)
    process = start(memoir, "import", "-")
    assert process.stdin
    _feed(process.stdin, lines(2000))
    kill(process, group=True)

    assert finish(process)[0] == -signal.SIGKILL
    assert state(memoir) == before
    memoir.remember("kept.second", "second")
    assert_sound(memoir)


def _feed(pipe: IO[bytes], data: bytes) -> None:
    """Send the data without ending the input: once it fits, the reader has taken all but a pipe's worth."""
    pipe.write(data)
    pipe.flush()
