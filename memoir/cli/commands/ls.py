"""`memoir ls`."""

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer, Line, line
from memoir.cli import complete
from memoir.cli.options import At, Namespaces, Origin, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.reads import Reads
from memoir.taxonomy.paths import Address


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
    keys = reads.keys(namespaces=namespace or [], prefix=prefix, after=after, at=at)
    expiry = reads.expiry_marks(keys, at=at)
    addresses = expiry.addresses(expired_only=expired, origins=origin or ())
    checks = shapes.Checks(reads.staleness(at=at), expiry.is_expired)
    answer = shapes.ls(addresses, checks, prefix, limit, partial(reads.records, at=at) if long else None)
    if tree:
        answer.human, answer.notes = lambda: _draw(islice(addresses, limit), checks), lambda: ()
    return answer


def _draw(addresses: Iterable[Address], checks: shapes.Checks) -> Iterable[Line]:
    """Draw paths as a tree with a branch for each segment."""
    from io import StringIO

    from rich.console import Console
    from rich.tree import Tree

    roots: dict[str, Tree] = {}
    nodes: dict[tuple[str, ...], Tree] = {}
    for address in addresses:
        node = roots.setdefault(address.namespace, Tree(address.namespace))
        segments = address.path.split(".")
        for depth, segment in enumerate(segments):
            step = (address.namespace, *segments[: depth + 1])
            if step not in nodes:
                nodes[step] = node.add(segment)
            node = nodes[step]
        if marks := "".join(text for text, _ in checks.marks(address)):
            node.label = f"{node.label}{marks}"
    out = StringIO()
    console = Console(file=out, width=1000, color_system=None, markup=False, emoji=False, highlight=False)
    for root in roots.values():
        console.print(root)
    return [line(text.rstrip()) for text in out.getvalue().splitlines()]
