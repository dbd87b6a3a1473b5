"""`memoir push`."""

from typing import Annotated

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import Remote
from memoir.cli.session import session
from memoir.errors import InvalidInput


def push(
    ctx: typer.Context,
    name: Remote = "origin",
    branch: Annotated[
        str | None,
        typer.Argument(
            metavar="[BRANCH]",
            help="The branch to push (default: the current one).",
            show_default=False,
            autocompletion=complete.branches,
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("-d", "--delete", help="Delete BRANCH at the remote.")] = False,
    all_branches: Annotated[bool, typer.Option("--all", help="Push every branch.")] = False,
    tags: Annotated[bool, typer.Option("--tags", help="Push every tag too.")] = False,
    force: Annotated[
        bool,
        typer.Option("-f", "--force", help="Replace the remote's branch, unless it has moved since the last fetch."),
    ] = False,
) -> Answer:
    """Send commits to a remote; exit 5 if the remote has commits that are not here.

    If the branches of a remote hold code, memories are kept beside them under refs/memoir/; the branches themselves are
    never touched.
    """
    remotes = session(ctx).repository.remotes
    if all_branches and branch:
        raise InvalidInput("--all pushes every branch", "leave out the branch")
    if remove:
        if branch is None or all_branches or tags or force:
            raise InvalidInput("--delete deletes one branch", "write 'memoir push REMOTE BRANCH --delete'")
        return shapes.push(*remotes.delete_branch(name, branch))
    return shapes.push(*remotes.push(name, branch, all_branches=all_branches, tags=tags, force=force))
