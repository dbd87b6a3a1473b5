"""`memoir init`."""

from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store.create import create


def command(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="The folder (default: the current one).", show_default=False)
    ] = None,
    sha256: Annotated[bool, typer.Option("--sha256", help="Name objects by SHA-256 instead of SHA-1.")] = False,
) -> Answer:
    """Create a store in a folder.

    Makes DIR/.memoir, a bare git repository. Inside another git project the store is listed in that project's
    info/exclude, and 'git clean -fdx' there leaves it alone. 'new' is another name for this command.
    """
    here = session(ctx)
    store = here.adopt(create(folder or here.named_folder() or ".", "sha256" if sha256 else "sha1"))
    return stores.created(str(store.git_dir), store.branch(), "created")
