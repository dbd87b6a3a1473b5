"""The commands that serve a store over HTTP: `serve` and `ui`."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from memoir.answers import explorer as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import option
from memoir.cli.session import Session, session
from memoir.errors import ExitCode, InvalidInput

if TYPE_CHECKING:
    from memoir.ui.listening import Listener

Port = Annotated[
    int | None, option("Listen on this port (default: 7717, or a free one).", metavar="N", min=1, max=65535)
]
Host = Annotated[str, option("Listen on this address; others need --token-file.", metavar="ADDRESS")]
ReadOnly = Annotated[bool, option("Refuse every write.", "--read-only")]
TokenFile = Annotated[str | None, option("Read the token from FILE, or write a new one there.", metavar="FILE")]
_HERE = "127.0.0.1"


def serve(
    ctx: typer.Context, port: Port = None, host: Host = _HERE, read_only: ReadOnly = False, token_file: TokenFile = None
) -> Answer:
    """Serve the store as an HTTP API, and the explorer with it.

    The answers are the JSON of the commands: GET /api/recall?query=TEXT, GET /api/get?keys=KEY, POST /api/remember and
    so on; /api/openapi.json describes them. Each request needs the token of the printed link. Without --host, only
    this machine can reach the server. With --json one object is printed when the server listens.
    """
    from memoir.ui.listening import listen

    here = session(ctx)
    store = str(here.git_dir())
    listener = listen(host, port, token_file)
    return shapes.listening(listener.endpoint, store, _runner(here, listener, store, read_only), read_only=read_only)


def ui(
    ctx: typer.Context,
    demo: Annotated[bool, option("Show an example store, in a folder that is then deleted.", "--demo")] = False,
    no_open: Annotated[bool, option("Only print the link.", "--no-open")] = False,
    port: Port = None,
    host: Host = _HERE,
    read_only: ReadOnly = False,
    token_file: TokenFile = None,
) -> Answer:
    """Open the explorer: the memories, who stored them, what changed, and why recall finds them.

    It serves the store like 'memoir serve', and opens the link in your browser. The link holds a token, and works until
    the server ends.
    """
    from memoir.ui.listening import listen

    here, end = session(ctx), ExitStack()
    if demo and (here.folder or here.user):
        raise InvalidInput("--demo shows a store of its own", "leave out -s and --global")
    store = "" if demo else str(here.git_dir())
    listener = listen(host, port, token_file)
    if demo:
        from memoir.ui.demo import demo_store

        with here.progress("building the example") as progress:
            store = end.enter_context(demo_store(progress))
    opened = not no_open and _open_link(listener.endpoint.link)
    run = _runner(here, listener, store, read_only, end)
    return shapes.listening(listener.endpoint, store, run, read_only=read_only, opened=opened)


def _runner(
    here: Session, listener: "Listener", store: str, read_only: bool, end: ExitStack | None = None
) -> Callable[[], ExitCode]:
    """The function that answers requests, called once the address is printed."""
    from memoir.ui.listening import Ending

    ending = Ending()
    ending.take_signals()

    def run() -> ExitCode:
        from memoir.mcp.client_store import StorePlace
        from memoir.ui.listening import serve
        from memoir.ui.served_store import ServedStore

        with end or ExitStack():
            serve(listener, ServedStore(StorePlace(store, here.selection()), read_only=read_only), ending)
        return ExitCode.OK

    return run


def _open_link(link: str) -> bool:
    """Ask a graphical browser to open a link; a browser in the terminal would block the server's output."""
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    if not has_windows:
        return False
    import webbrowser

    return webbrowser.open(link)
