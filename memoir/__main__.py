"""The entry point of the `memoir` command and of `python -m memoir`."""

import gc
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line.

    The collector is off before the first import: a command lives for milliseconds. What
    lives longer turns it on again. A hook is answered before anything that could refuse its arguments.
    """
    gc.disable()
    if sys.argv[1:2] == ["hook"] and any(not word.startswith("-") for word in sys.argv[2:]):
        from memoir.cli.deferred import defer
        from memoir.hosts.entry import leave_with_answer

        defer()
        leave_with_answer(sys.argv[2:])
    try:
        from memoir.cli import signals

        signals.take()
        from memoir.cli.deferred import defer

        defer()
        from memoir.cli.main import main as run

        run()
    except KeyboardInterrupt:  # before there was anything to clean up
        os._exit(130)


if __name__ == "__main__":
    main()
