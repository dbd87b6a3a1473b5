"""`memoir blame`."""

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, At, Key, Limit, Namespace
from memoir.cli.session import session
from memoir.taxonomy.paths import address


def blame(ctx: typer.Context, key: Key, limit: Limit = None, namespace: Namespace = DEFAULT, at: At = None) -> Answer:
    """Show every version of a path, newest first: commit, author, date, operation, content.

    Each version is shown with the commit that wrote it, not with a merge that brought it. Moves are followed.
    """
    versions = session(ctx).repository.blame(key, namespace=namespace, limit=limit, at=at)
    return shapes.blame(versions, address(key, namespace))
