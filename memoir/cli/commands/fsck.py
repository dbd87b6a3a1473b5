"""`memoir fsck`."""

from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.output.terminal import Progress
from memoir.repository import Repository


def command(
    ctx: typer.Context,
    repair: Annotated[
        bool, typer.Option("--repair", help="First repair what can be repaired without losing a memory.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --repair: also set branches back to their newest sound commits.")
    ] = False,
) -> Answer:
    """Check every object and invariant of the store; exit 7 if anything is wrong.

    git's own check, then memoir's: refs and their logs, the tree's canonical shape, its counts, every record, and that
    each commit's trailers name what it changed. A commit by another git that broke the shape counts as long as it is a
    branch's newest.

    --repair rebuilds lost indexes of packs, HEAD, the config, lost branches and logs, and puts branches into shape
    that another git merged. What would cost memories it only lists; with --yes it does that too.
    """
    if yes and not repair:
        raise InvalidInput("--yes goes with --repair", "'memoir fsck --repair' says first what it would cost")
    here = session(ctx)
    restored = Repository.restore_files(here.named_folder()) if repair else []
    with Progress("checking", shown=here.chatty) as progress:
        found = here.repository.upkeep.fsck(repair=repair, accept_loss=yes, progress=progress if here.chatty else None)
    return shapes.fsck(found, restored, accepted=yes)
