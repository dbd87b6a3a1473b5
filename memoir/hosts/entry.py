"""The process of `memoir hook`: whatever happens inside, it exits 0 in time and prints one line of JSON or nothing.

A child process does the work, so that not even a crash in C or a deadlock can break these promises: the kernel ends it
by a timer. Its standard output and error are discarded; the answer comes through a pipe, and is printed only if it is
complete. The exit status matters: in some hosts, 2 erases the user's prompt.
"""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

WORK_SECONDS = 1.0
"""The processor time of the child; on a busy machine it may take longer by the clock."""
END_SECONDS = 1.6
"""The time limit of the process."""
LATE_SECONDS = 30.0
"""The time limit of the child. The host does not wait so long, but on a busy machine captures are still kept."""
_WITH_WORK = ("sessionstart", "sessionend", "pretooluse", "posttoolusefailure", "--recall", "--nudge")
"""Words of a command line, in any case, that mean that there may be work to do."""
_ENDING = (raw.SIGTERM, raw.SIGINT, raw.SIGHUP, raw.SIGALRM, raw.SIGPIPE)


def leave_with_answer(arguments: list[str], prepare: Callable[[], None] = lambda: None) -> NoReturn:
    """Answer one event, named by the arguments after `memoir hook`, and end the process with the status 0.

    If there is something to do, `prepare` is called before the code for it is imported.
    """
    try:
        if os.environ.get("MEMOIR_HOOKS", "").lower() not in ("off", "0", "false", "no") and _has_work(arguments):
            prepare()
            _answer(arguments)
    finally:
        os._exit(0)


def _has_work(arguments: list[str]) -> bool:
    """Whether there may be something to do: most prompts and turns are neither answered nor kept."""
    if any(word.lower() in _WITH_WORK for word in arguments):
        return True
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.isdir(os.path.join(state, "memoir", "spool"))


def _answer(arguments: list[str]) -> None:
    _end_quietly_at_signals()
    receiver, sender = os.pipe()
    parent = os.getpid()
    _Child.process = os.fork()
    if not _Child.process:
        os.close(receiver)
        _work(arguments, sender, parent)
    os.close(sender)
    raw.setitimer(raw.ITIMER_REAL, END_SECONDS)
    answer = b"".join(iter(lambda: os.read(receiver, 1 << 16), b""))
    _, status = os.waitpid(_Child.process, 0)
    if answer.endswith(b"\n"):
        _print(answer)
    if status:
        _report(arguments, status)


class _Child:
    """The id of the child process; 0 before it is started."""

    process = 0


def _end_quietly_at_signals() -> None:
    def end(number: int, frame: object) -> None:
        with suppress(OSError):
            if _Child.process and number != raw.SIGALRM:
                os.kill(_Child.process, raw.SIGKILL)
        os._exit(0)

    for number in _ENDING:
        raw.signal(number, end)


def _print(answer: bytes) -> None:
    with suppress(OSError):
        while answer:
            answer = answer[os.write(1, answer) :]


def _report(arguments: list[str], status: int) -> None:
    from memoir.hosts import log

    number = os.waitstatus_to_exitcode(status)
    slow = f"it was not done within {WORK_SECONDS:g} s"
    host, event, *_ = [*arguments, "", ""]
    log.write(host, event, slow if number == -raw.SIGPROF else f"it ended with the status {number}")


def _work(arguments: list[str], sender: int, parent: int) -> NoReturn:
    """Do the work in the child, write the answer to a pipe, and end."""
    status = 1
    try:
        for number in _ENDING:
            raw.signal(number, raw.SIG_DFL)
        raw.setitimer(raw.ITIMER_PROF, WORK_SECONDS)
        raw.signal(raw.SIGPIPE, raw.SIG_IGN)
        raw.setitimer(raw.ITIMER_REAL, LATE_SECONDS)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
        from memoir.hosts.events import answer

        if text := answer(arguments, lambda: os.getppid() == parent):
            _send(text, sender, arguments)
        status = 0
    finally:
        os._exit(status)


def _send(text: bytes, sender: int, arguments: list[str]) -> None:
    try:
        os.write(sender, text)
    except BrokenPipeError:
        from memoir.hosts import log

        host, event, *_ = [*arguments, "", ""]
        log.write(host, event, f"it was not done within {END_SECONDS:g} s")
