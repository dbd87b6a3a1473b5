"""`memoir init`."""

from typing import Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session
from memoir.repository import Repository


def init(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="The folder (default: the current one).", show_default=False)
    ] = None,
    sha256: Annotated[bool, typer.Option("--sha256", help="Name objects by SHA-256 instead of SHA-1.")] = False,
) -> Answer:
    """Create a store in a folder.

    The store is DIR/.memoir, a bare git repository. A git project around it ignores it (in its info/exclude), and 'git
    clean -fdx' there leaves it alone. An existing store is left as it is. 'new' is another name for this command.
    """
    here = session(ctx)
    target = folder or here.explicit_folder() or "."
    other = Repository.find(target)
    repository = here.adopt(Repository.init(target, sha256=sha256))
    is_new = repository.is_new
    return shapes.init(str(repository.path), repository.branch, new=is_new, other=other if is_new else None)
