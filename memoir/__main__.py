"""The entry point of the `memoir` command and of `python -m memoir`."""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
import gc
import sys
from typing import NoReturn

_ENDING = (raw.SIGINT, raw.SIGTERM, raw.SIGHUP)


def main() -> NoReturn:
    """Run the command line.

    The garbage collector is off from the first import on, since a command lives for milliseconds; longer-lived commands
    turn it on again. A hook is answered before any code that could refuse its arguments.
    """
    gc.disable()
    if sys.argv[1:2] == ["hook"] and any(not word.startswith("-") for word in sys.argv[2:]):
        from memoir.cli.deferral import defer, load_orjson
        from memoir.hosts.entry import leave_with_answer

        defer("inspect")  # `dataclasses` imports it, but needs it only to define classes
        leave_with_answer(sys.argv[2:], load_orjson)
    before = raw.pthread_sigmask(raw.SIG_BLOCK, _ENDING)  # until there is a handler for them
    from memoir.cli import signals

    signals.take()
    raw.pthread_sigmask(raw.SIG_SETMASK, before)
    from memoir.cli.deferral import defer

    defer()
    from memoir.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
