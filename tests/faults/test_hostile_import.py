"""An import takes everything or nothing, whatever stands in its lines and whatever interrupts it."""

import json
import os
import signal
import subprocess
import time

import pytest
from fault_tools import assert_sound, finish, lines, start, state, status
from support import Memoir

_BAD_LINES = {
    "not JSON": b"nonsense",
    "half an object": b'{"path": "a.b", "content": "x"',
    "an array": b'["a.b", "x"]',
    "a number": b"1",
    "null": b"null",
    "two objects": b'{"path": "a.b", "content": "x"} {"path": "a.c", "content": "x"}',
    "no path": b'{"content": "x"}',
    "no content": b'{"path": "a.b"}',
    "a null content": b'{"path": "a.b", "content": null}',
    "a numeric content": b'{"path": "a.b", "content": 1}',
    "a blank content": b'{"path": "a.b", "content": " "}',
    "a numeric path": b'{"path": 1, "content": "x"}',
    "a bad path": b'{"path": "../x", "content": "x"}',
    "a path with its namespace": b'{"path": "n:a.b", "content": "x"}',
    "a bad namespace": b'{"path": "a.b", "namespace": "a=b", "content": "x"}',
    "an unknown field": b'{"path": "a.b", "content": "x", "contents": "y"}',
    "a bad confidence": b'{"path": "a.b", "content": "x", "confidence": 2}',
    "a confidence that is not a number": b'{"path": "a.b", "content": "x", "confidence": NaN}',
    "a textual confidence": b'{"path": "a.b", "content": "x", "confidence": "1"}',
    "a true confidence": b'{"path": "a.b", "content": "x", "confidence": true}',
    "a bad timestamp": b'{"path": "a.b", "content": "x", "timestamp": "2026-02-30"}',
    "a bad status": b'{"path": "a.b", "content": "x", "status": "gone"}',
    "bad metadata": b'{"path": "a.b", "content": "x", "metadata": []}',
    "half a character": b'{"path": "a.b", "content": "\\ud800"}',
    "bytes that are not text": b'{"path": "a.b", "content": "\xff"}',
    "a deep nest": b'{"path": "a.b", "content": "x", "metadata": ' + b'{"x":' * 2000 + b"1" + b"}" * 2000 + b"}",
    "a huge number": b'{"path": "a.b", "content": "x", "metadata": {"n": 1' + b"0" * 400 + b"}}",
}


def test_every_bad_line_is_named_and_nothing_is_imported(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    before = state(memoir)
    good = b'{"path": "a.good", "content": "good"}'
    data = b"\n".join(line for bad in _BAD_LINES.values() for line in (good, bad)) + b"\n"

    error = memoir.json("import", "-", stdin=data, status=2)["error"]

    messages = {each["line"]: each["message"] for each in error["lines"]}
    expected = {2 * number: name for number, name in enumerate(_BAD_LINES, 1)}
    assert {name: number for number, name in expected.items() if number not in messages} == {}
    assert set(messages) == set(expected) and all(messages.values())
    assert state(memoir) == before


def test_bad_lines_are_named_to_people_too(memoir: Memoir) -> None:
    done = memoir.run("import", "-", stdin=lines(3) + b"\x1b[2J nonsense\n")

    assert done.status == 2 and "line 4" in done.err and "\x1b" not in done.err


def test_blank_lines_bom_and_carriage_returns_are_accepted(memoir: Memoir) -> None:
    memoir.ok(
        "import", "-", stdin=b'\xef\xbb\xbf{"path": "a.b", "content": "x"}\r\n\r\n\n  \n{"path": "a.c", "content": "y"}'
    )

    assert (memoir.content("a.b"), memoir.content("a.c")) == ("x", "y")
    assert_sound(memoir)


@pytest.mark.parametrize("group", [False, True], ids=["memoir alone", "its git as well"])
def test_an_interrupted_import_leaves_the_store_as_it_was(memoir: Memoir, group: bool) -> None:
    memoir.remember("a.first", "first")
    before = state(memoir)
    process = start(memoir, "import", "-", "--json")
    assert process.stdin
    process.stdin.write(lines(2000))
    process.stdin.flush()
    os.killpg(process.pid, signal.SIGINT) if group else process.send_signal(signal.SIGINT)

    code, out, err = finish(process)
    assert code == 130, (out, err)
    assert json.loads(out)["error"]["code"] == "interrupted" and "Traceback" not in err
    assert state(memoir) == before
    memoir.remember("a.second", "second")
    assert_sound(memoir)


def _interrupt(memoir: Memoir, delay: float, *args: str) -> tuple[int, str, str]:
    """Run a command and press Ctrl-C on it: on a terminal that reaches its git too."""
    process = start(memoir, *args)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    return finish(process)


@pytest.mark.parametrize("moment", [0.3, 0.5, 0.7, 0.9])
def test_an_import_interrupted_while_it_writes_is_whole_or_absent(memoir: Memoir, moment: float) -> None:
    begin = time.monotonic()
    memoir.ok("import", "-", stdin=lines(3000))
    span = time.monotonic() - begin
    path = memoir.folder / "more.jsonl"
    path.write_bytes(lines(3000, first=3000))

    code, out, err = _interrupt(memoir, moment * span, "import", str(path))

    assert code in (0, 130, -signal.SIGINT), (code, out, err)
    assert "Traceback" not in err
    assert status(memoir) in ([(6000, 2)] if code == 0 else [(3000, 1), (6000, 2)])
    assert_sound(memoir)


@pytest.mark.parametrize("command", ["get a.first", "remember second -p a.second"])
def test_a_command_interrupted_while_it_starts_ends_quietly(memoir: Memoir, command: str) -> None:
    """Dying of the signal is fine then: a shell calls that 130 as well. Python's own start is not memoir's to mend."""
    begin = time.monotonic()
    memoir.remember("a.first", "first")
    span = time.monotonic() - begin
    for step in range(3, 10):
        code, out, err = _interrupt(memoir, span * step / 10, *command.split())
        assert code in (0, 130, -signal.SIGINT) or "memoir/" not in err, (step, code, out, err)
        assert code >= -signal.SIGINT and "memoir/cli" not in err, (step, code, out, err)
    assert_sound(memoir)


@pytest.mark.parametrize("command", ["export", "log --json-lines", "ls", "log", "get --stdin"])
def test_a_closed_output_ends_the_command_quietly(memoir: Memoir, command: str) -> None:
    memoir.ok(
        "import",
        "-",
        stdin=lines(5000),
    )
    keys = b"\n".join(b"bulk.topic%d.n%d" % (n % 50, n) for n in range(5000))
    if command.startswith("log"):
        memoir.remember("a.long", "x", "-m", "long " * 25_000)
    process = start(memoir, *command.split())
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(keys if "--stdin" in command else b"")
    process.stdin.close()
    os.read(process.stdout.fileno(), 100)  # far less than is coming
    process.stdout.close()

    assert process.stderr.read() == b""
    assert process.wait(60) == 141


@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", ">&- 2>&-"])
def test_closed_standard_streams_do_not_crash(memoir: Memoir, redirect: str) -> None:
    memoir.remember("a.first", "first")
    argv = ["sh", "-c", f'"$0" remember second -p a.second {redirect} && "$0" status {redirect}', *memoir.argv()]

    done = subprocess.run(argv, capture_output=True, cwd=memoir.folder)

    assert b"Traceback" not in done.stderr, done
    assert done.returncode == 0 or redirect.startswith(">"), done
    assert memoir.content("a.second") == "second"
    assert_sound(memoir)
