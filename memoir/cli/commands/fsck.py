"""`memoir fsck`."""

import typer

from memoir.cli.session import session
from memoir.memory.record import problem
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store.verify import fsck
from memoir.taxonomy.paths import address, from_key


def command(ctx: typer.Context) -> Answer:
    """Check every object and invariant of the store; exit 7 if anything is wrong.

    git's own check, then memoir's: the tree's canonical shape, its counts, every record, and that each commit's
    trailers name what it changed.
    """
    return stores.fsck(fsck(session(ctx).store, _problem))


def _problem(key: bytes, value: bytes) -> str | None:
    place = from_key(key)
    address(place.path, place.namespace)
    return problem(value)
