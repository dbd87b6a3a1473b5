"""`memoir checkout`."""

from typing import Annotated

import typer

from memoir.answers import branches as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import InvalidInput


def checkout(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="BRANCH",
            help="The branch; '-' is the previous one.",
            show_default=False,
            autocompletion=complete.branches,
        ),
    ],
    start: Annotated[
        str | None, typer.Argument(metavar="[START]", help="With -b: where the new branch begins.", show_default=False)
    ] = None,
    create: Annotated[bool, typer.Option("-b", "-c", "--create", help="Create the branch first.")] = False,
) -> Answer:
    """Switch to a branch. 'switch' is another name for this command.

    You need not switch to read the past: the commands that read have --at.
    """
    here = session(ctx)
    if here.branch and not create:
        raise InvalidInput("checkout takes the branch as its argument", f"memoir checkout {here.branch}")
    branches = here.repository.branches
    name, commit = branches.checkout(name, create=create, start=start)
    return shapes.checkout(name, branches.choice(), created=create, commit=commit)
