"""`memoir index`."""

from typing import Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.session import session


def index(
    ctx: typer.Context,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Delete the index first.")] = False,
) -> Answer:
    """Complete the index that recall ranks by.

    Each recall works on the index for a second at most, and says what is still missing; this command does the rest at
    once. It also removes the words of forgotten memories from a large index. The index is made from the store, so it
    can be deleted at any time.
    """
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        done = here.repository.upkeep.index(rebuild=rebuild, progress=progress)
    return shapes.index(done, rebuilt=rebuild)
