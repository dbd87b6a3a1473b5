"""`memoir init`."""

from pathlib import Path
from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.store.create import create, protect
from memoir.store.locate import DIRECTORY, find, locate
from memoir.store.store import Store


def command(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="The folder (default: the current one).", show_default=False)
    ] = None,
    sha256: Annotated[bool, typer.Option("--sha256", help="Name objects by SHA-256 instead of SHA-1.")] = False,
) -> Answer:
    """Create a store in a folder.

    Makes DIR/.memoir, a bare git repository. Inside another git project the store is listed in that project's
    info/exclude, and 'git clean -fdx' there leaves it alone. A store that exists is left as it is. 'new' is another
    name for this command.
    """
    here = session(ctx)
    target = Path(folder or here.named_folder() or ".")
    if any(
        (target / inner / "HEAD").exists()
        for inner in (DIRECTORY, ".")
        if inner == DIRECTORY or target.name == DIRECTORY
    ):
        store = here.adopt(Store(locate(target)))
        protect(store.git_dir)
        return shapes.created(str(store.git_dir), store.branch(), new=False)
    hidden = find(target)
    store = here.adopt(create(target, "sha256" if sha256 else "sha1"))
    return shapes.created(str(store.git_dir), store.branch(), new=True, hidden=hidden)
