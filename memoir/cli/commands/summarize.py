"""`memoir summarize`."""

from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import At, Globs, Namespaces
from memoir.cli.session import session


def summarize(
    ctx: typer.Context,
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", min=1, help="Count paths by their first N segments.")
    ] = None,
    keys: Globs = None,
    limit: Annotated[int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="List at most N keys.")] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="KEY", help="Continue after this key (namespace:path).")
    ] = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show what is stored, as counts and keys, complete and sorted.

    --depth groups paths by their first segments. --keys lists the paths that match, and restricts the groups to them.
    --limit and --after page through a long list.
    """
    survey = session(ctx).repository.summarize(
        namespace or [],
        depth=depth,
        globs=keys or [],
        limit=limit,
        after=after,
        at=at,
    )
    return shapes.summarize(survey, depth)
