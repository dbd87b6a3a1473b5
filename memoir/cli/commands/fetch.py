"""`memoir fetch`."""

import typer

from memoir.cli.options import Remote
from memoir.cli.session import session
from memoir.memory.soundness import fault
from memoir.output import sync as shapes
from memoir.output.answer import Answer
from memoir.store import remote
from memoir.store.layout import place


def command(ctx: typer.Context, name: Remote = "origin") -> Answer:
    """Get a remote's branches and tags, to be read as REMOTE/BRANCH; nothing here changes."""
    store = session(ctx).store
    there = place(store, name)
    found = remote.fetch(store, name, fault, at=there)
    remote.refuse(found)
    return shapes.fetched(there, found)
