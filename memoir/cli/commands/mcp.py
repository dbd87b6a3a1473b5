"""`memoir mcp`."""

from typing import Annotated

import typer

from memoir.answers import agents as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.session import session


def mcp(
    ctx: typer.Context,
    namespace: Annotated[
        str | None,
        typer.Option(
            "-n",
            "--namespace",
            metavar="NAME",
            help="Show and change this namespace only.",
            autocompletion=complete.namespaces,
        ),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that writes.")] = False,
    max_chars: Annotated[
        int | None,
        typer.Option("--max-chars", metavar="N", min=1000, help="At most N characters in an answer (default: 4,000)."),
    ] = None,
) -> Answer:
    """Serve the store to an agent over the Model Context Protocol, on standard input and output.

    An agent's host starts this command; it ends when its input ends. Its seven tools are recall, summarize, get,
    remember, forget, history and status. The store is that of --store or MEMOIR_STORE. Without these it is that of the
    project which the host names (CLAUDE_PROJECT_DIR, or the client's roots), never that of the folder where the host
    starts the command. With --global it is your own store.
    """
    from memoir.mcp.client_store import StorePlace
    from memoir.mcp.server import serve
    from memoir.mcp.service import BUDGET, Service

    here = session(ctx)
    folder = str(here.git_dir()) if here.user else here.explicit_folder()
    place = StorePlace(folder, here.selection())
    service = Service(place, namespace=namespace, read_only=read_only, budget=max_chars or BUDGET)
    serve(service)
    return shapes.mcp(service.calls)
