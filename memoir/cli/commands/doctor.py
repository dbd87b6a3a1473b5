"""`memoir doctor`."""

import typer

from memoir.answers import agents as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session


def doctor(ctx: typer.Context) -> Answer:
    """Check that everything works, and say how to repair what does not; exit 1 if something does not.

    It looks at git, the store, the index, the embedder, captures, permissions, the hosts that are set up, and at what
    went wrong in their hooks. Nothing is changed.
    """
    from memoir.hosts.doctor import examine

    return shapes.doctor(examine(session(ctx).explicit_folder()))
