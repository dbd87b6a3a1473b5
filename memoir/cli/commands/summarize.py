"""`memoir summarize`."""

from typing import Annotated

import typer

from memoir.cli.options import At, Globs, Namespaces, after_address
from memoir.cli.session import session
from memoir.output import read as shapes
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", min=1, help="Count paths by their first N segments.")
    ] = None,
    keys: Globs = None,
    limit: Annotated[int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="List at most N keys.")] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="KEY", help="Continue behind this key (namespace:path).")
    ] = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Survey what is stored, by counts and keys; complete and sorted, always.

    --depth groups paths by their first segments. --keys lists the paths that match, and restricts the groups to them.
    Long lists are paged with --limit and --after.
    """
    found = session(ctx).repository.summarize(
        namespace or [],
        depth=depth,
        globs=keys or [],
        limit=limit,
        after=after_address(after, namespace),
        at=at,
    )
    return shapes.summarize(found, depth)
