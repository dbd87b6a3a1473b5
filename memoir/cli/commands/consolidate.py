"""`memoir consolidate`."""

from typing import Annotated

import typer

from memoir.cli.options import DryRun, Message, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.filing.consolidate import consolidate
from memoir.filing.sameness import THRESHOLD
from memoir.index.embedders.choose import embedder_of
from memoir.index.index import Index
from memoir.output import filing
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="COSINE", help="How alike, from 0.5 to 1.")
    ] = THRESHOLD,
    namespace: Namespaces = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Mark near-duplicates as superseded: of two memories that say the same, the newer stands.

    It is one commit, which 'memoir undo' takes back. Texts that differ in a number or in a negation never say the same.
    """
    if not 0.5 <= threshold <= 1:
        raise InvalidInput(f"threshold must be a cosine from 0.5 to 1, not {threshold:g}")
    store = session(ctx).store
    index = Index(store, embedder_of(store))
    done = consolidate(
        store,
        index,
        threshold=threshold,
        namespaces=namespace or [],
        dry_run=dry_run,
        message=message,
    )
    return filing.consolidated(done, dry_run=dry_run)
