"""Timing whole processes: seconds from start to exit by the clock, processor time, and peak memory.

Absolute times differ from machine to machine and from minute to minute. So commands that are to
be compared run in turn, in alternate order, and what is quoted is the median of the ratios of each
turn.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

_KIBIBYTE = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss


class Command(NamedTuple):
    """An argument vector that begins with an absolute path, and the environment to run it in."""

    argv: list[str]
    env: Mapping[str, str]


class Cost(NamedTuple):
    """What a process and its children took: seconds by the clock and of the processor, and the peak of memory in bytes.

    The peak is that of the largest of them.
    """

    seconds: float
    processor: float
    peak: int
    status: int


_TIMER = """
import json, os, sys, time
results, command = int(sys.argv[1]), sys.argv[2:]
os.set_inheritable(results, False)
start = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawn(command[0], command, os.environ), 0)
seconds = time.perf_counter() - start
row = [seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, status]
os.write(results, json.dumps(row).encode() + b"\\n")
"""
"""Runs a command from a small process: the kernel counts what its parent has in memory as the command's own."""


def run(command: Command) -> Cost:
    """Run a command to its end, its output discarded."""
    reader, writer = os.pipe()
    argv = [sys.executable, "-I", "-S", "-c", _TIMER, str(writer), *command.argv]
    nowhere = subprocess.DEVNULL
    with os.fdopen(reader) as results:
        subprocess.run(argv, env=command.env, pass_fds=[writer], stdout=nowhere, stderr=nowhere, check=True)
        os.close(writer)
        seconds, processor, peak, status = json.loads(results.readline())
    return Cost(seconds, processor, peak * _KIBIBYTE, os.waitstatus_to_exitcode(status))


def measure(command: Command) -> Cost:
    """Run a command that has to succeed."""
    cost = run(command)
    if cost.status:
        raise SystemExit(f"exit status {cost.status}: {' '.join(command.argv)}")
    return cost


def in_turn(
    commands: Mapping[str, Callable[[int], Command]], rounds: int, *, of_processor: bool = False
) -> dict[str, list[float]]:
    """The seconds each command took in each round, by the clock or of the processor; each first runs once unmeasured.

    A command is made for each round, since some may not repeat themselves.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    names = list(commands)
    for number in range(rounds + 1):
        names.reverse()
        for name in names:
            cost = measure(commands[name](number))
            if number:  # the first round only warms up
                seconds[name].append(cost.processor if of_processor else cost.seconds)
    return seconds


def ratio(seconds: Sequence[float], unit: Sequence[float]) -> float:
    """The median of the ratios of each round."""
    return statistics.median(a / b for a, b in zip(seconds, unit, strict=True))


def milliseconds(seconds: Sequence[float]) -> float:
    """The median, in milliseconds."""
    return 1000 * statistics.median(seconds)
