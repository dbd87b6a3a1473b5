"""`memoir branch`."""

from typing import Annotated

import typer

from memoir.answers import branches as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import InvalidInput


def branch(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The branch.", show_default=False, autocompletion=complete.branches),
    ] = None,
    start: Annotated[
        str | None,
        typer.Argument(
            metavar="[START]", help="Where the new branch begins; with -m, the new name.", show_default=False
        ),
    ] = None,
    remotes: Annotated[bool, typer.Option("-r", "--remotes", help="List the branches of remotes.")] = False,
    delete: Annotated[bool, typer.Option("-d", "--delete", help="Delete the branch NAME.")] = False,
    rename: Annotated[bool, typer.Option("-m", "--move", help="Rename a branch: [OLD] NEW.")] = False,
    force: Annotated[
        bool, typer.Option("-f", "--force", help="With -d: even if no other branch has its commits.")
    ] = False,
    discard: Annotated[bool, typer.Option("-D", help="The same as -d -f.")] = False,
    landed: Annotated[
        bool, typer.Option("--landed", help="List the branches whose code has been merged and whose memory has not.")
    ] = False,
    listed: Annotated[
        bool, typer.Option("-l", "--list", "-v", "--verbose", hidden=True, help="Accepted as in git.")
    ] = False,
) -> Answer:
    """List, create, rename or delete branches.

    Without NAME the branches are listed. A new branch begins at START, by default at the current branch.
    """
    branches = session(ctx).repository.branches
    delete, force = delete or discard, force or discard
    if listed and name:
        raise InvalidInput("--list lists every branch", "leave out the name: 'memoir branch'")
    if landed and (name or remotes or delete or rename):
        raise InvalidInput("--landed lists branches", "'memoir merge --landed' merges them")
    if landed:
        return shapes.branches_to_merge(branches.landed(), branches.choice())
    if remotes and (name or delete or rename):
        raise InvalidInput(
            "-r lists the branches of remotes", "'memoir push REMOTE BRANCH --delete' deletes a branch there"
        )
    if name is None:
        if delete or rename:
            raise InvalidInput("no branch given", "'memoir branch' lists the branches")
        return shapes.branches(branches.list(remotes=remotes), branches.choice())
    if rename:
        old, new = (name, start) if start else (branches.choice().branch, name)
        return shapes.branch_change(new, "renamed", branches.rename(new, old), old)
    if delete:
        return shapes.branch_change(name, "deleted", branches.delete(name, force=force))
    return shapes.branch_change(name, "created", branches.create(name, start).id)
