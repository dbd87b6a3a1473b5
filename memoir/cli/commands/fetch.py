"""`memoir fetch`."""

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import Remote
from memoir.cli.session import session


def fetch(ctx: typer.Context, name: Remote = "origin") -> Answer:
    """Get a remote's branches and tags, which can then be read as REMOTE/BRANCH; your own branches stay as they are."""
    return shapes.fetch(*session(ctx).repository.remotes.fetch(name))
