"""`memoir version`."""

import platform
import subprocess

import typer

from memoir import __version__
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store.git import check_version, environment
from memoir.store.node import FORMAT_MARKER


def command(ctx: typer.Context) -> Answer:
    """Show memoir's version, and those of Python, git and the store format."""
    check_version()
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, env=environment()).stdout
    found = {
        "memoir": __version__,
        "python": platform.python_version(),
        "git": git.removeprefix("git version ").strip(),
        "format": FORMAT_MARKER.decode(),
    }
    return stores.version(found)
