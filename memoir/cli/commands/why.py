"""`memoir why`."""

from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, At, Key, Namespace
from memoir.cli.session import session


def why(
    ctx: typer.Context,
    key: Key,
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", min=1, max=100, help="How many links deep, 100 at most.")
    ] = 5,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show what led to a memory, as a tree of the links that 'remember --link' sets.

    A link to a path that holds nothing is marked as dangling. What is behind a path is shown once, where the path is
    nearest to KEY.
    """
    return shapes.why(session(ctx).repository.why(key, depth=depth, namespace=namespace, at=at), depth)
