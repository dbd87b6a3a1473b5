"""`memoir forget`."""

from typing import Annotated

import typer

from memoir.cli.options import DEFAULT, Branch, DryRun, Keys, Message, Namespace, addresses
from memoir.cli.session import session
from memoir.memory.read import require, under_prefix
from memoir.memory.write import forget
from memoir.output import items
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    keys: Keys,
    prefix: Annotated[bool, typer.Option("--prefix", help="Forget everything at or under each KEY.")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
    branch: Branch = None,
) -> Answer:
    """Remove memories, as one commit; history keeps them.

    If one of the keys holds nothing, nothing is forgotten and the exit status is 4.
    """
    store = session(ctx).store
    places = addresses(keys, namespace)
    if prefix:
        head = store.head(branch)
        places = list(dict.fromkeys(each for place in places for each in under_prefix(head, place)))
    if dry_run:
        require(store.head(branch), places)
        return items.written(places, None, "forgotten", dry_run=True)
    return items.written(places, forget(store, places, message=message, branch=branch), "forgotten")
