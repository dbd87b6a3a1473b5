"""`memoir index`."""

from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.output.terminal import Progress


def command(
    ctx: typer.Context,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Throw the index away first.")] = False,
) -> Answer:
    """Complete the index that recall ranks by.

    recall does so by itself, a second's work each time, and says what is missing until then; this does the rest at
    once. It also removes the words of forgotten memories from a large index. The index holds nothing that the store
    does not: it can be deleted at any time.
    """
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        done = here.repository.upkeep.index(rebuild=rebuild, progress=progress)
    return shapes.completed(done, rebuilt=rebuild)
