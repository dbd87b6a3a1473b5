"""`memoir fetch`."""

import typer

from memoir.cli.options import Remote
from memoir.cli.session import session
from memoir.memory.soundness import fault
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store import remote


def command(ctx: typer.Context, name: Remote = "origin") -> Answer:
    """Get a remote's branches and tags, to be read as REMOTE/BRANCH; nothing here changes."""
    found = remote.fetch(session(ctx).store, name, fault)
    remote.refuse(found)
    return stores.fetched(name, found)
