"""`memoir entities`."""

from typing import Annotated

import typer

from memoir.answers import layers as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.options import At, Namespaces
from memoir.cli.session import session
from memoir.layers.entity_list import DEFAULT_LIMIT


def entities(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Show the memories that name this, in any form.")
    ] = None,
    limit: Annotated[
        int, typer.Option("-l", "--limit", metavar="N", min=1, help="At most N entities, or memories of one.")
    ] = DEFAULT_LIMIT,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """List the people and things that memories name; those that most memories name come first.

    These are people (metadata 'person'), names in metadata 'entities', quoted titles, identifiers, and words that have
    a capital inside sentences. Forms that differ only in capitals, or in the plural, count as one.
    """
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        names = here.repository.layers.entities(name, limit=limit, namespaces=namespace or (), at=at, progress=progress)
        return shapes.entities(names)
