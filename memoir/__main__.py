"""The entry point of the `memoir` command and of `python -m memoir`."""

import gc
import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line.

    The collector is off before the first import: a command lives for milliseconds. What
    lives longer turns it on again.
    """
    gc.disable()
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
