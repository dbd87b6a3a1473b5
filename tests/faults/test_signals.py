"""Ctrl-C, SIGTERM and SIGHUP at any moment: one JSON object, exit 130, no crash, nothing acknowledged lost."""

import json
import os
import signal
import subprocess
import sys
import time
from random import Random

import pytest
from fault_tools import assert_sound, finish, lines, start
from support import Memoir

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Runs a command line as the installed command does, with a signal (or two) at an exact place.
_RUN = """
import os, signal, sys
from memoir.cli import signals
signals.take()
from memoir.cli import failures, main, session
number, place = int(sys.argv[1]), sys.argv[2]

def strike(*args, **options):
    os.kill(os.getpid(), number)
    os.kill(os.getpid(), signal.SIGTERM)

def before(owner, name):
    whole = getattr(owner, name)
    setattr(owner, name, lambda *args, **options: (strike(), whole(*args, **options))[1])

if place == "imports":
    strike()
elif place == "store":
    before(session, "load_orjson")
elif place == "success":
    before(main, "fields_of_success")
elif place == "written":
    before(session.Session, "close")
elif place == "failure":
    before(failures, "without_secrets")
elif place == "usage":
    before(failures, "usage")
os._exit(main.run(sys.argv[3:]))
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("asks_by", ["option", "variable"])
@pytest.mark.parametrize(
    ("place", "command", "status"),
    [
        ("imports", "status", 130),
        ("store", "status", 130),
        ("success", "status", 0),
        ("written", "status", 0),
        ("written", "remember new -p a.b", 0),
        ("failure", "show nothing", 4),
        ("usage", "get --nonsense", 130),
    ],
)
def test_a_signal_at_each_stage_gives_one_object(
    memoir: Memoir, number: int, asks_by: str, place: str, command: str, status: int
) -> None:
    argv = [sys.executable, "-c", _RUN, str(int(number)), place, *command.split()]
    argv, env = ([*argv, "--json"], {}) if asks_by == "option" else (argv, {"MEMOIR_JSON": "1"})
    done = subprocess.run(
        argv, cwd=memoir.folder, env={**os.environ, **env}, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == status, done
    answer = json.loads(done.stdout)  # one object and nothing else
    assert answer["success"] is (status == 0)
    assert status != 130 or answer["error"]["code"] == "interrupted"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_there_is_a_handler_waits_for_it(memoir: Memoir, number: int) -> None:
    early = (
        "import os, sys; import memoir.__main__ as entry\n"
        "class Strike:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'memoir.cli.signals': os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Strike()); sys.argv = ['memoir', 'status', '--json']; entry.main()"
    )
    argv = [sys.executable, "-c", early]
    done = subprocess.run(argv, cwd=memoir.folder, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (130, "interrupted"), done


def test_a_signal_that_the_caller_ignores_stays_ignored(memoir: Memoir) -> None:
    argv = [
        "sh",
        "-c",
        'trap "" HUP INT TERM; "$@"',
        "sh",
        sys.executable,
        "-c",
        _RUN,
        "1",
        "imports",
        "status",
        "--json",
    ]
    done = subprocess.run(argv, cwd=memoir.folder, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, json.loads(done.stdout)["success"]) == (0, True)


def test_a_stream_that_is_ended_ends_with_a_whole_line(memoir: Memoir) -> None:
    rows = ({"path": f"long.n{number}", "content": f"{number} " * 20_000} for number in range(9))
    memoir.ok("import", "-", stdin="\n".join(map(json.dumps, rows)))
    process = start(memoir, "export")
    assert process.stdout
    first = os.read(process.stdout.fileno(), 1)
    time.sleep(0.5)  # the pipe is full now, in the middle of a line

    process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    status, out, err = finish(process)

    assert (status, err) == (130, "memoir: interrupted\n")
    assert out.endswith("\n") and all(json.loads(line) for line in (first.decode() + out).splitlines())


@pytest.mark.parametrize("rounds", [12, pytest.param(400, marks=pytest.mark.soak)])
def test_signals_at_random_moments(memoir: Memoir, rounds: int) -> None:
    random = Random(rounds)
    begin = time.monotonic()
    memoir.remember("kept.first", "first")
    span = time.monotonic() - begin
    keys = {"kept.first"}
    commands = ["remember new -p {}", "import -", "summarize", "recall first", "undo", "fsck"]
    for number in range(rounds):
        key = f"victim.n{number}"
        command = random.choice(commands if number % 2 else commands[:1]).format(key).split()
        process = start(memoir, *command, "--json")
        time.sleep(random.uniform(0, 1.2 * span))
        os.kill(process.pid, random.choice(SIGNALS)) if process.poll() is None else None
        out, err = process.communicate(lines(200), timeout=60)
        _assert_one_object(process.returncode, out.decode(), err.decode())
        if command[0] == "remember" and process.returncode == 0:
            keys.add(key)
        if command[0] == "undo" and process.returncode == 0:
            memoir.ok("redo")

    assert all(memoir.content(key) for key in keys)
    memoir.remember("kept.last", "the next write works")
    assert_sound(memoir)


def _assert_one_object(status: int, out: str, err: str) -> None:
    if status in (-signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP, 1) and not out:
        return  # the interpreter itself was still starting
    assert status in (0, 130), (status, out, err)
    assert json.loads(out)["success"] is (status == 0)


def test_an_interrupted_stream_ends_with_an_error_line(memoir: Memoir) -> None:
    memoir.ok("import", "-", stdin=lines(3000))
    process = start(memoir, "export", "--json")
    assert process.stdout
    first = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    status, out, err = finish(process)

    assert (status, json.loads(first)["path"][:4]) == (130, "bulk"), err
    assert "Traceback" not in err
    assert "interrupted" in out
