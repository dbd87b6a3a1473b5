"""`memoir tag`."""

from typing import Annotated

import typer

from memoir.answers import branches as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import InvalidInput


def tag(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The tag.", show_default=False)] = None,
    revision: Annotated[
        str | None,
        typer.Argument(
            metavar="[REV]",
            help="What to tag (default: the newest commit).",
            show_default=False,
            autocompletion=complete.revisions,
        ),
    ] = None,
    listed: Annotated[
        bool, typer.Option("-l", "--list", help="List the tags; with NAME, only those that match this pattern.")
    ] = False,
    delete: Annotated[bool, typer.Option("-d", "--delete", help="Delete the tag NAME.")] = False,
) -> Answer:
    """List, create or delete tags."""
    tags = session(ctx).repository.tags
    if listed and not delete:
        return shapes.tags(tags.list(name))
    if name is None:
        if delete:
            raise InvalidInput("no tag given", "'memoir tag' lists the tags")
        return shapes.tags(tags.list())
    if delete:
        return shapes.tag_change(name, "deleted", tags.delete(name))
    return shapes.tag_change(name, "created", tags.create(name, revision))
