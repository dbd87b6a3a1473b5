"""`memoir related`."""

from typing import Annotated

import typer

from memoir.answers import layers as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.options import DEFAULT, At, Key, Namespace
from memoir.cli.session import session
from memoir.layers.relations import DEFAULT_LIMIT


def related(
    ctx: typer.Context,
    key: Key,
    limit: Annotated[
        int, typer.Option("-l", "--limit", metavar="N", min=1, help="At most N memories.")
    ] = DEFAULT_LIMIT,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show the memories related to one, the nearest first, and why.

    Two memories are related by a link, by names that few others have, by their places in a sequence, or by their
    meaning.
    """
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        relatives = here.repository.layers.related(key, limit=limit, namespace=namespace, at=at, progress=progress)
        return shapes.relatives(relatives)
