"""`memoir fsck`."""

from typing import Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository import Repository


def fsck(
    ctx: typer.Context,
    repair: Annotated[
        bool, typer.Option("--repair", help="First repair what can be repaired without losing a memory.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --repair: also set branches back to their newest sound commits.")
    ] = False,
) -> Answer:
    """Check every object and invariant of the store; exit 7 if anything is wrong.

    git's own check comes first, then memoir's: refs and their logs, the shape and counts of each tree, every record,
    and the list of changes in each commit. A merge that another program made with git can leave a tree out of shape;
    that is a problem as long as it is the newest commit of a branch. Paths that could be taken for others, because of
    their characters, are listed as well; they are no problem, and do not change the exit status.

    --repair rebuilds pack indexes, HEAD, the config, branches and logs that were lost, and corrects the trees of such
    merges. Repairs that would lose memories are only listed; --yes makes them, too.
    """
    if yes and not repair:
        raise InvalidInput("--yes needs --repair", "'memoir fsck --repair' first lists what would be lost")
    here = session(ctx)
    files = Repository.restore_files(here.explicit_folder()) if repair else []
    with Progress("checking", shown=here.chatty) as progress:
        check = here.repository.upkeep.fsck(repair=repair, accept_loss=yes, progress=progress if here.chatty else None)
    return shapes.fsck(check, files, accepted=yes)
