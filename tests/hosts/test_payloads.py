"""Payloads of every kind: nothing but one JSON object or nothing comes out, in time, with the exit status 0."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hosts.payloads import HookInput, payloads
from support import COMMAND

from memoir import Memory, Repository
from memoir.hosts import events, log
from memoir.hosts.payload import read_payload

WELL = ("standard input: ", "there is no such host or event")
"""What may stand in the log after payloads that are none."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with Repository.init(tmp_path) as repository:
        repository.remember(Memory.of("The staging server is db-2."), "system.servers.staging")
        repository.captures.switch(True)
        repository.captures.review()
        yield tmp_path


def from_pipe(data: bytes) -> Callable[[], dict[str, object]]:
    def read() -> dict[str, object]:
        with open(os.memfd_create("payload"), "w+b") as file:
            file.write(data)
            file.seek(0)
            return read_payload(file.fileno())

    return read


def check(output: bytes | None) -> None:
    if output:
        assert output.count(b"\n") == 1 and output.endswith(b"\n")
        answer = json.loads(output)
        text = answer.get("hookSpecificOutput", answer)
        assert not {"decision", "continue", "permissionDecision", "stopReason"} & {*answer, *text}
        assert len(output.decode()) < 10_000


def test_half_an_emoji_is_a_question_mark(tmp_path: Path) -> None:
    cut = json.dumps({"prompt": "We deploy on Fridays \U0001f680"}).replace("\\ude80", "").encode()

    assert from_pipe(cut)() == {"prompt": "We deploy on Fridays ?"}


def test_100_payloads(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    for payload in payloads(100, folder):
        monkeypatch.setattr(events, "read_payload", from_pipe(payload.data))
        output = events.answer(payload.arguments)
        check(output)
        count += bool(output)

    assert count > 10
    assert {entry.problem for entry in log.read() if not entry.problem.startswith(WELL)} == set()


@pytest.mark.soak
def test_2000_payloads_as_processes(folder: Path) -> None:
    def run(payload: HookInput) -> float:
        began = time.monotonic()
        done = subprocess.run(
            [COMMAND, "hook", *payload.arguments], input=payload.data, capture_output=True, cwd=folder, timeout=30
        )
        assert (done.returncode, done.stderr) == (0, b""), payload.arguments
        check(done.stdout)
        return time.monotonic() - began

    with ThreadPoolExecutor(2) as workers:
        times = list(workers.map(run, payloads(2_000, folder)))

    assert max(times) < 2
    assert {entry.problem for entry in log.read() if not entry.problem.startswith(WELL)} == set()
