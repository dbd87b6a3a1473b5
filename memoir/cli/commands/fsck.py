"""`memoir fsck`."""

from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.record import problem
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store.fsck import fsck
from memoir.store.refs import BRANCHES
from memoir.store.transaction import normalise
from memoir.taxonomy.paths import check_namespace, check_path, from_key


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
    store = session(ctx).store
    names = [ref.name for ref in store.refs.list(BRANCHES)] if repair else []
    repaired = [name for name in names if normalise(store, name)]
    return stores.fsck(fsck(store, _problem), repaired)


def _problem(key: bytes, value: bytes) -> str | None:
    place = from_key(key)
    try:
        check_namespace(place.namespace)
        check_path(place.path)
    except InvalidInput as error:
        return error.message
    return problem(value)
