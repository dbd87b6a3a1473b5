"""`memoir version`."""

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.repository import Repository


def version(ctx: typer.Context) -> Answer:
    """Show the versions of memoir, Python, git and the store format."""
    return shapes.version(Repository.versions())
