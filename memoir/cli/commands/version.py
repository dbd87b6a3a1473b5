"""`memoir version`."""

import platform
from typing import TYPE_CHECKING

import typer

from memoir import __version__
from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.store import git_version
from memoir.store.node import FORMAT_MARKER

if TYPE_CHECKING:
    from memoir.output.contract.store import Version


def command(ctx: typer.Context) -> Answer:
    """Show memoir's version, and those of Python, git and the store format."""
    found: Version = {
        "memoir": __version__,
        "python": platform.python_version(),
        "git": git_version.version(),
        "format": FORMAT_MARKER.decode(),
    }
    return shapes.version(found)
