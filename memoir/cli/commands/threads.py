"""`memoir threads`."""

from typing import Annotated

import typer

from memoir.answers import layers as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.options import At, Namespaces
from memoir.cli.session import session
from memoir.layers.threads import DEFAULT_LIMIT


def threads(
    ctx: typer.Context,
    all_: Annotated[
        bool, typer.Option("--all", help="List dormant threads, and those without a subject, too.")
    ] = False,
    limit: Annotated[int, typer.Option("-l", "--limit", metavar="N", min=1, help="At most N threads.")] = DEFAULT_LIMIT,
    now: Annotated[
        str | None,
        typer.Option(
            "--now",
            metavar="DATE",
            help="The date from which two weeks are counted back (default: the newest memory's).",
        ),
    ] = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """List the topics that memories came back to over time; the one with the newest memory comes first.

    A thread joins memories that share names or rare words. Its title is a sentence of it that names what most of them
    are about. A thread without a new memory in the two weeks before the newest memory is dormant, and listed only if
    there is no other; the next memory revives it.
    """
    here = session(ctx)
    with Progress("connecting", shown=here.chatty) as progress:
        listing = here.repository.layers.threads(
            every=all_, limit=limit, namespaces=namespace or (), now=now, at=at, progress=progress
        )
        return shapes.threads(listing)
