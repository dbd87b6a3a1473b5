"""`memoir remote`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.output import sync as shapes
from memoir.output.answer import Answer
from memoir.store import remotes as service

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=False,
    invoke_without_command=True, help="Add, remove, change and list remotes.",
)  # fmt: skip

_Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The remote.", show_default=False, autocompletion=complete.remotes)
]
_Url = Annotated[str, typer.Argument(metavar="URL", help="Any URL or path that git can push to.", show_default=False)]


@app.callback()
def remotes(
    ctx: typer.Context,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", hidden=True, help="As git has it.")] = False,
) -> Answer | None:
    """Add, remove, change and list remotes."""
    return None if ctx.invoked_subcommand else shapes.remotes(service.remotes(session(ctx).store))


@app.command("add")
def add(ctx: typer.Context, name: _Name, url: _Url) -> Answer:
    """Add a remote."""
    store = session(ctx).store
    service.add(store, name, url)
    return shapes.remote_changed(name, service.require(store, name), "added")


@app.command("remove")
def remove(ctx: typer.Context, name: _Name) -> Answer:
    """Remove a remote and its tracking branches."""
    service.remove(session(ctx).store, name)
    return shapes.remote_changed(name, None, "removed")


@app.command("set-url")
def set_url(ctx: typer.Context, name: _Name, url: _Url) -> Answer:
    """Change where a remote points."""
    store = session(ctx).store
    service.set_url(store, name, url)
    return shapes.remote_changed(name, service.require(store, name), "changed")


@app.command("list")
def list_(ctx: typer.Context) -> Answer:
    """List the remotes and their URLs."""
    return shapes.remotes(service.remotes(session(ctx).store))
