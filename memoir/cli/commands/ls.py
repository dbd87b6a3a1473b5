"""`memoir ls`."""

from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import At, Namespaces, Origin, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.reads import Reads


def command(
    ctx: typer.Context,
    prefix: Annotated[
        str | None, argument("[PREFIX]", "Only paths at or under this one.", completion=complete.keys)
    ] = None,
    long: Annotated[bool, option("Show each memory's day and content, too.", "-l", "--long")] = False,
    expired: Annotated[bool, option("Only those where everything has expired.", "--expired")] = False,
    origin: Origin = None,
    tree: Annotated[bool, option("Draw them as a tree.", "--tree")] = False,
    namespace: Namespaces = None,
    limit: Annotated[int | None, option("At most N entries.", metavar="N", min=1)] = None,
    after: Annotated[str | None, option("Continue after this key.", metavar="KEY")] = None,
    at: At = None,
) -> Answer:
    """List the paths under a prefix, by default in all namespaces; with --long, what is there.

    Layers (default:raw, default:insights) are listed if -n or PREFIX names them.
    """
    if long and tree:
        raise InvalidInput("--long and --tree exclude each other", "give one of them")
    reads = session(ctx).door(Reads)
    return shapes.ls(reads, prefix, long, expired, namespace, limit, after, at, origin=origin or (), tree=tree)
