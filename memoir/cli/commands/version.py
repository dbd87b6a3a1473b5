"""`memoir version`."""

import typer

from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.repository import Repository


def command(ctx: typer.Context) -> Answer:
    """Show memoir's version, and those of Python, git and the store format."""
    return shapes.version(Repository.versions())
