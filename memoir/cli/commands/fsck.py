"""`memoir fsck`."""

from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.memory.soundness import fault
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.output.terminal import Progress
from memoir.store.fsck import fsck, repair_shapes


def command(
    ctx: typer.Context,
    repair: Annotated[
        bool, typer.Option("--repair", help="First put branches that another git merged into shape.")
    ] = False,
) -> Answer:
    """Check every object and invariant of the store; exit 7 if anything is wrong.

    git's own check, then memoir's: the tree's canonical shape, its counts, every record, and that each commit's
    trailers name what it changed. A commit by another git that broke the shape counts as long as it is a branch's
    newest; --repair adds a commit of memoir's own on top of it.
    """
    here = session(ctx)
    repaired = repair_shapes(here.store) if repair else []
    with Progress("checking", shown=here.chatty) as progress:
        report = fsck(here.store, fault, progress if here.chatty else None)
    return stores.fsck(report, repaired)
