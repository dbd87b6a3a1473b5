"""`memoir reflog`."""

from itertools import islice

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import Limit
from memoir.cli.session import session


def reflog(ctx: typer.Context, limit: Limit = None) -> Answer:
    """List the states that undo can reach, newest first: 'memoir undo N' returns to entry N.

    Each entry is a state of the branch and the change that led to it; 0 is the present. A change that undo took back
    is not listed until redo brings it back.
    """
    repository = session(ctx).repository
    return shapes.reflog(repository.branch, list(islice(repository.reflog(), limit)))
