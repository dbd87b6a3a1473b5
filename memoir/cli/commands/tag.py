"""`memoir tag`."""

from fnmatch import fnmatchcase
from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import InvalidInput, MemoirError
from memoir.output import branches as shapes
from memoir.output.answer import Answer
from memoir.store.refs import TAGS


def command(
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
        bool, typer.Option("-l", "--list", help="List the tags; with NAME, a glob, those that match.")
    ] = False,
    delete: Annotated[bool, typer.Option("-d", "--delete", help="Delete the tag NAME.")] = False,
) -> Answer:
    """List, create or delete tags."""
    store = session(ctx).store
    if listed and not delete:
        found = store.refs.list(TAGS)
        return shapes.tags([tag for tag in found if name is None or fnmatchcase(tag.name, name)])
    if name is None:
        if delete:
            raise InvalidInput("no tag named", "'memoir tag' lists the tags")
        return shapes.tags(store.refs.list(TAGS))
    if delete:
        return shapes.tag_changed(name, "deleted", store.refs.delete("tag", name))
    commit = store.at(revision).commit
    if commit is None:
        raise MemoirError("there is no commit to tag yet", "remember something first")
    store.refs.create("tag", name, commit.id)
    return shapes.tag_changed(name, "created", commit.id)
