"""`memoir timeline`."""

from typing import Annotated

import typer

from memoir.answers import timeline as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import At, Namespaces, Wait, option
from memoir.cli.session import session
from memoir.recall.timeline import DEFAULT_LIMIT


def command(
    ctx: typer.Context,
    around: Annotated[
        str | None, option("Memories learnt around the same time as this one.", metavar="KEY", completion=complete.keys)
    ] = None,
    since: Annotated[str | None, option("Only memories learnt from this date on.", metavar="DATE")] = None,
    until: Annotated[str | None, option("Only memories learnt up to this date.", metavar="DATE")] = None,
    limit: Annotated[int, option("At most N memories.", "-l", "--limit", metavar="N", min=1)] = DEFAULT_LIMIT,
    namespace: Namespaces = None,
    wait: Wait = False,
    at: At = None,
) -> Answer:
    """Show memories by the time they were learnt, newest first, including superseded ones."""
    here = session(ctx)
    with here.progress("indexing") as progress:
        return shapes.timeline(
            here.repository, around, since, until, limit, namespace, at, wait=wait, progress=progress
        )
