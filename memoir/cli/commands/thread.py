"""`memoir thread`."""

from typing import Annotated

import typer

from memoir.answers import layers as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.options import At, Namespaces
from memoir.cli.session import session


def thread(
    ctx: typer.Context,
    thread: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The thread's id or its beginning, or the path of a memory in it.", show_default=False
        ),
    ],
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
    """Show one thread: its memories by date, the oldest first.

    The id of a thread is that of its oldest memory. Where two threads have joined, the id of the younger one leads to
    the older one.
    """
    here = session(ctx)
    with Progress("connecting", shown=here.chatty) as progress:
        story = here.repository.layers.thread(thread, namespaces=namespace or (), now=now, at=at, progress=progress)
        return shapes.thread(story)
