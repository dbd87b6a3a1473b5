"""Runs one memoir command under cProfile, its own imports done before, and prints what each package took.

    python -I profile_memoir.py get KEY --json

Prints JSON: package to milliseconds spent in its functions. `startup.py` runs this.
"""

import cProfile
import gc
import json
import os
import pstats
import sys
from collections import Counter

gc.disable()

from memoir.cli.deferral import defer  # noqa: E402

defer()

from memoir.cli.main import run  # noqa: E402


def package(file: str) -> str:
    """Whose a function is: an installed package's, the standard library's, or the interpreter's (waiting included)."""
    if "site-packages" in file:
        return file.split("site-packages" + os.sep)[1].split(os.sep)[0]
    return "the interpreter" if file.startswith(("~", "<")) else "the standard library"


def main() -> None:
    """Profile the command, its output discarded."""
    answer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    profile = cProfile.Profile()
    profile.runcall(run, sys.argv[1:])
    spent: Counter[str] = Counter()
    for (file, _, _), (_, _, seconds, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        spent[package(file)] += 1000 * seconds
    os.write(answer, json.dumps(spent).encode())


if __name__ == "__main__":
    main()
