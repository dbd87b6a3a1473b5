"""`memoir merge`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DryRun, Message, Strategy
from memoir.cli.session import session
from memoir.memory.options import WriteOptions
from memoir.output import branches as shapes
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="BRANCH",
            help="What to merge: a branch or any revision.",
            show_default=False,
            autocompletion=complete.revisions,
        ),
    ],
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="NAME",
            help="Merge into this branch (default: the current one); --branch does the same.",
            autocompletion=complete.branches,
        ),
    ] = None,
    strategy: Strategy = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Merge another branch, memory by memory.

    A change that only one side made is taken; of memories that both sides added to a path, all are kept. If both sides
    changed the same memory differently, nothing is changed, the exit status is 5, and each such path is listed with
    base, ours and theirs.
    """
    repository = session(ctx).repository
    result = repository.merge(source, strategy=strategy, options=WriteOptions(message, into, dry_run))
    return shapes.merge(result, source, into or repository.branch, strategy, dry_run=dry_run)
