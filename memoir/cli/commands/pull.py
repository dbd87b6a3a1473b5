"""`memoir pull`."""

from typing import Annotated

import typer

from memoir.cli.options import Remote, Strategy
from memoir.cli.session import session
from memoir.errors import NotFound
from memoir.memory.integrate import merge_each
from memoir.memory.soundness import fault
from memoir.output import sync as shapes
from memoir.output.answer import Answer
from memoir.store import remote
from memoir.store.layout import place
from memoir.store.strays import known


def command(
    ctx: typer.Context,
    name: Remote = "origin",
    branch: Annotated[
        str | None,
        typer.Argument(
            metavar="[BRANCH]", help="The remote's branch (default: the current one's name).", show_default=False
        ),
    ] = None,
    strategy: Strategy = None,
) -> Answer:
    """Fetch, and merge the remote's branch into the current one, memory by memory."""
    store = session(ctx).store
    target = store.branch()
    there = place(store, name)
    found = remote.fetch(store, name, fault, at=there)
    theirs = known(store, name, branch or target)
    if not theirs:
        wanted = branch or target
        hint = f"'memoir push {name} {wanted}' makes it" if branch else f"'memoir push {name}' makes it"
        raise NotFound(f"{name} has no branch {wanted!r}", hint, revision=f"{name}/{wanted}")
    return shapes.pulled(there, target, found, merge_each(store, theirs, strategy=strategy))
