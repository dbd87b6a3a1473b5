"""`memoir mv`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, DryRun, Message, Namespace
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.read import require, under_prefix
from memoir.memory.write import move, rebase
from memoir.output import write as shapes
from memoir.output.answer import Answer
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address, address


def command(
    ctx: typer.Context,
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD", help="A path, or namespace:path.", show_default=False, autocompletion=complete.keys
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new path, or namespace:path.", show_default=False)],
    prefix: Annotated[bool, typer.Option("--prefix", help="Move everything at or under OLD.")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Move a memory, or a whole prefix, to another path, as one commit that blame follows."""
    source, target = address(old, namespace), address(new, namespace)
    if source == target:
        raise InvalidInput("the old and the new path are the same")
    if TAXONOMY_NAMESPACE in (source.namespace, target.namespace):
        raise InvalidInput(
            f"{TAXONOMY_NAMESPACE} holds categories, no memories", "memoir taxonomy add PATH --about TEXT"
        )
    store = session(ctx).store

    def plan(head: Snapshot) -> list[tuple[Address, Address]]:
        places = under_prefix(head, source) if prefix else [source]
        require(head, places, prefixed=True)
        return [(place, rebase(place, source, target)) for place in places]

    if dry_run:
        return shapes.moved(plan(store.head()), None, dry_run=True)
    commit, pairs = move(store, plan, message=message)
    return shapes.moved(pairs, commit, dry_run=False)
