"""`memoir timeline`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import At, Namespaces, Wait
from memoir.cli.session import session
from memoir.output import recall as shapes
from memoir.output.answer import Answer
from memoir.output.terminal import Progress
from memoir.recall.timeline import DEFAULT_LIMIT


def command(
    ctx: typer.Context,
    around: Annotated[
        str | None,
        typer.Option(
            "--around", metavar="KEY", help="What was learnt about when this was.", autocompletion=complete.keys
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only what was learnt since then.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Only what was learnt by then.")] = None,
    limit: Annotated[
        int, typer.Option("-l", "--limit", metavar="N", min=1, help="At most N memories.")
    ] = DEFAULT_LIMIT,
    namespace: Namespaces = None,
    wait: Wait = False,
    at: At = None,
) -> Answer:
    """Show what was learnt when, the newest first; superseded memories too."""
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        found = here.repository.timeline(
            around=around, since=since, until=until, limit=limit, namespaces=namespace or (), at=at, wait=wait,
            progress=progress,
        )  # fmt: skip
        return shapes.timeline(found)
