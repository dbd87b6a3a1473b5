"""Runs a script in a Python of its own."""

import os
import subprocess
import sys

_CHILDREN = """
import os, sys

def children():
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
"""


def printed(script: str, *arguments: str, **variables: str) -> str:
    """What a script prints; `children()` in it says whether it has a child process, or None if it has not."""
    command = [sys.executable, "-c", _CHILDREN + script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, timeout=60)
    assert not done.returncode, done.stderr
    return done.stdout
