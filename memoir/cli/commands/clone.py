"""`memoir clone`."""

from typing import Annotated

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository import Repository


def clone(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="A URL, or the folder of a store.", show_default=False)],
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIR]", help="The folder to create (default: the last part of the URL).", show_default=False
        ),
    ] = None,
) -> Answer:
    """Clone a store with all its branches, tags and history."""
    here = session(ctx)
    target = folder or here.explicit_folder() or _last_part(url)
    repository = here.adopt(Repository.clone(url, target, tell=here.git_progress()))
    return shapes.clone(str(repository.path), repository.branch, repository.count())


def _last_part(url: str) -> str:
    path = url.rstrip("/").removesuffix("/.memoir").removesuffix(".git")
    name = path.replace(":", "/").rpartition("/")[2]
    if not name or name.startswith("."):
        raise InvalidInput(f"{url!r} does not end in a name for a folder", "name the folder: memoir clone URL DIR")
    return name
