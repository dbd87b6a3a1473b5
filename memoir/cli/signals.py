"""Ctrl-C, SIGTERM and SIGHUP: each ends a command once, at a moment when that does no harm.

From the start of the process, signals wait until `deliver`. Then the first raises `KeyboardInterrupt`, and further ones
are held back, so that the command can clean up, report once and end. Printing the answer is not interrupted either.

The module `signal` wraps `_signal`; importing it would cost each command a millisecond.
"""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = (raw.SIGINT, raw.SIGTERM, raw.SIGHUP)


class _State:
    """How many callers delay the signals, and whether a signal waits."""

    holders = 1
    is_waiting = False


def take() -> None:
    """Handle the signals from now on, and delay them; a signal that is ignored, as under nohup, stays ignored."""
    for number in ENDING:
        if raw.getsignal(number) in (raw.SIG_DFL, raw.default_int_handler):
            raw.signal(number, _arrive)


def _arrive(number: int, frame: object) -> None:
    if _State.holders:
        _State.is_waiting = True
    else:
        hold()
        raise KeyboardInterrupt


def hold() -> None:
    """Delay the signals from now on."""
    _State.holders += 1


def deliver() -> None:
    """Let signals interrupt; a waiting one does so at once."""
    _State.holders = 0
    _interrupt_if_waiting()


@contextmanager
def held() -> Iterator[None]:
    """Delay the signals in a block that must not be interrupted, such as the import of a module written in C."""
    hold()
    try:
        yield
    finally:
        _State.holders -= 1
    _interrupt_if_waiting()


def _interrupt_if_waiting() -> None:
    if _State.is_waiting and not _State.holders:
        hold()
        raise KeyboardInterrupt


@contextmanager
def interrupts_left_to_child() -> Iterator[None]:
    """Ignore Ctrl-C in a block: every program on the terminal gets it, and a child such as an editor handles it."""
    before = raw.getsignal(raw.SIGINT)
    if before == raw.SIG_IGN:
        yield
        return
    raw.signal(raw.SIGINT, lambda number, frame: None)  # unlike SIG_IGN, a child does not inherit it
    try:
        yield
    finally:
        raw.signal(raw.SIGINT, before)
