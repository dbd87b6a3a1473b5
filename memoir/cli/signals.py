"""Ctrl-C, SIGTERM and SIGHUP: each ends a command, once, at a moment that can bear it.

From the process's start they wait till `deliver`. Then the first of them raises `KeyboardInterrupt`, and further ones
wait for ever: whoever is interrupted tidies up, says so once and ends. Nor is what is being said interrupted.

`_signal` is what the module `signal` wraps; importing that would cost each command a millisecond.
"""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = (raw.SIGINT, raw.SIGTERM, raw.SIGHUP)


class _State:
    """How many hold the signals back, and whether one waits."""

    holders = 1
    waiting = False


def take() -> None:
    """Take the signals over, and let them wait; one that our caller ignores (nohup's, say) stays ignored."""
    for number in ENDING:
        if raw.getsignal(number) in (raw.SIG_DFL, raw.default_int_handler):
            raw.signal(number, _arrive)


def _arrive(number: int, frame: object) -> None:
    if _State.holders:
        _State.waiting = True
    else:
        hold()
        raise KeyboardInterrupt


def hold() -> None:
    """From now on let them wait."""
    _State.holders += 1


def deliver() -> None:
    """Let them interrupt, one that has waited at once."""
    _State.holders = 0
    _interrupt_if_waiting()


@contextmanager
def held() -> Iterator[None]:
    """Let them wait while something is done that must not be torn, such as loading a module written in C."""
    hold()
    try:
        yield
    finally:
        _State.holders -= 1
    _interrupt_if_waiting()


def _interrupt_if_waiting() -> None:
    if _State.waiting and not _State.holders:
        hold()
        raise KeyboardInterrupt


@contextmanager
def interrupts_left_to_child() -> Iterator[None]:
    """Ctrl-C on a terminal goes to every program there; while an editor runs it is the editor's alone."""
    before = raw.getsignal(raw.SIGINT)
    if before == raw.SIG_IGN:
        yield
        return
    raw.signal(raw.SIGINT, lambda number, frame: None)  # a child does not inherit it, as it would SIG_IGN
    try:
        yield
    finally:
        raw.signal(raw.SIGINT, before)
