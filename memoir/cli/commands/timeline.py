"""`memoir timeline`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import At, Namespaces, Wait
from memoir.cli.session import session
from memoir.index.index import Index
from memoir.output import recall as shapes
from memoir.output.answer import Answer
from memoir.output.terminal import Progress
from memoir.recall.timeline import DEFAULT_LIMIT, Window, timeline
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, address
from memoir.times import end_of, parse_date


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
    names = tuple(namespace or ())
    window = Window(
        names,
        parse_date(since).timestamp() if since else None,
        end_of(until).timestamp() if until else None,
        limit,
    )
    place = address(around, names[0] if len(names) == 1 else DEFAULT_NAMESPACE) if around else None
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        index = Index(here.store, progress=progress, wait=wait)
        return shapes.timeline(timeline(index, here.store.at(at), window, place), index.degraded)
