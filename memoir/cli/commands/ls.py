"""`memoir ls`."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer, Line, line
from memoir.cli import complete
from memoir.cli.options import At, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.taxonomy.paths import Address


def ls(
    ctx: typer.Context,
    prefix: Annotated[
        str | None,
        typer.Argument(
            metavar="[PREFIX]",
            help="Only paths at or under this one.",
            show_default=False,
            autocompletion=complete.keys,
        ),
    ] = None,
    long: Annotated[bool, typer.Option("-l", "--long", help="Show each memory's day and content, too.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Draw them as a tree.")] = False,
    namespace: Namespaces = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="At most N entries.")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="KEY", help="Continue after this key.")] = None,
    at: At = None,
) -> Answer:
    """List the paths under a prefix, by default in all namespaces; with --long, what is there.

    Layers (default:raw, default:insights) are listed if -n or PREFIX names them.
    """
    if long and tree:
        raise InvalidInput("--long and --tree exclude each other", "give one of them")
    repository = session(ctx).repository
    places = repository.keys(namespaces=namespace or [], prefix=prefix, after=after, at=at)
    is_stale = repository.staleness(at=at)
    answer = shapes.ls(places, is_stale, prefix, limit, partial(repository.records, at=at) if long else None)
    if not tree:
        return answer
    return answer._replace(human=lambda: _draw(islice(places, limit), is_stale), notes=lambda: ())


def _draw(addresses: Iterable[Address], is_stale: Callable[[Address], bool | None]) -> Iterable[Line]:
    """Draw paths as a tree with a branch for each segment."""
    from io import StringIO

    from rich.console import Console
    from rich.tree import Tree

    roots: dict[str, Tree] = {}
    nodes: dict[tuple[str, ...], Tree] = {}
    for place in addresses:
        node = roots.setdefault(place.namespace, Tree(place.namespace))
        segments = place.path.split(".")
        for depth, segment in enumerate(segments):
            step = (place.namespace, *segments[: depth + 1])
            if step not in nodes:
                nodes[step] = node.add(segment)
            node = nodes[step]
        if is_stale(place):
            node.label = f"{node.label}  (stale)"
    out = StringIO()
    console = Console(file=out, width=1000, color_system=None, markup=False, emoji=False, highlight=False)
    for root in roots.values():
        console.print(root)
    return [line(text.rstrip()) for text in out.getvalue().splitlines()]
