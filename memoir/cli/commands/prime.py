"""`memoir prime`."""

from typing import Annotated

import typer

from memoir.answers import agents as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session
from memoir.primer.length import LEAST_CHARACTERS, MOST_CHARACTERS, USUAL_CHARACTERS


def prime(
    ctx: typer.Context,
    max_chars: Annotated[
        int,
        typer.Option(
            "--max-chars", metavar="N", min=LEAST_CHARACTERS, max=MOST_CHARACTERS, help="At most N characters."
        ),
    ] = USUAL_CHARACTERS,
    query: Annotated[
        str | None, typer.Option("--query", metavar="TEXT", help="Also quote memories that answer this question.")
    ] = None,
) -> Answer:
    """Print what an agent should know when a session begins.

    First come pinned memories ('memoir pin'), then rules and preferences, then the last ten changes, then the paths
    with their numbers of memories, then how to ask for more. It states facts, and memories are quoted as data. Of
    an empty store it says when and how to write to it. The same store always prints the same.
    """
    return shapes.prime(session(ctx).repository.agents.prime(max_chars=max_chars, query=query))
