"""`memoir remote`."""

from typing import Annotated

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.session import session

remote = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=False,
    invoke_without_command=True, help="Add, remove, change and list remotes.",
)  # fmt: skip

_Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The name of the remote.", show_default=False, autocompletion=complete.remotes),
]
_Url = Annotated[str, typer.Argument(metavar="URL", help="Any URL or path that git can push to.", show_default=False)]


@remote.callback()
def remotes(
    ctx: typer.Context,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", hidden=True, help="Accepted as in git.")] = False,
) -> Answer | None:
    """Add, remove, change and list remotes."""
    return None if ctx.invoked_subcommand else list_(ctx)


@remote.command("add")
def add(ctx: typer.Context, name: _Name, url: _Url) -> Answer:
    """Add a remote."""
    return shapes.remote_change(name, session(ctx).repository.remotes.add(name, url), "added")


@remote.command("remove")
def remove(ctx: typer.Context, name: _Name) -> Answer:
    """Remove a remote, and what was fetched of its branches."""
    session(ctx).repository.remotes.remove(name)
    return shapes.remote_change(name, None, "removed")


@remote.command("set-url")
def set_url(ctx: typer.Context, name: _Name, url: _Url) -> Answer:
    """Change the URL of a remote."""
    return shapes.remote_change(name, session(ctx).repository.remotes.set_url(name, url), "changed")


@remote.command("list")
def list_(ctx: typer.Context) -> Answer:
    """List the remotes and their URLs."""
    return shapes.remotes(session(ctx).repository.remotes.list())
