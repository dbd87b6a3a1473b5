"""`memoir merge`."""

from typing import Annotated

import typer

from memoir.answers import branches as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DryRun, Message, Ours, Strategy, Theirs, chosen_strategy
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions


def merge(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[BRANCH]",
            help="What to merge: a branch or any revision.",
            show_default=False,
            autocompletion=complete.revisions,
        ),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="NAME",
            help="Merge into this branch (default: the current one); --branch does the same.",
            autocompletion=complete.branches,
        ),
    ] = None,
    landed: Annotated[
        bool, typer.Option("--landed", help="Merge every branch that 'memoir branch --landed' lists.")
    ] = False,
    strategy: Strategy = None,
    ours: Ours = False,
    theirs: Theirs = False,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Merge another branch, memory by memory.

    A change that only one side made is taken. If both sides added memories at a path, all are kept. If both sides
    changed the same memory differently, nothing is changed, the exit status is 5, and each such path is listed with
    base, ours and theirs.
    """
    strategy = chosen_strategy(strategy, ours=ours, theirs=theirs)
    repository, options = session(ctx).repository, WriteOptions(message, into, dry_run)
    if landed == (source is not None):
        raise InvalidInput("name one branch to merge, or give --landed", "'memoir branch' lists the branches")
    if source is None:
        results = repository.branches.merge_landed(strategy=strategy, options=options)
        return shapes.merge_landed(results, into or repository.branch, dry_run=dry_run)
    result = repository.merge(source, strategy=strategy, options=options)
    return shapes.merge(result, source, into or repository.branch, strategy, dry_run=dry_run)
