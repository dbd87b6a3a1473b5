"""`memoir export`."""

from typing import Annotated

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import At, Globs, Namespaces
from memoir.cli.session import session


def export(
    ctx: typer.Context,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
    keys: Globs = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Export memories as JSON lines, one line per memory, in key order.

    An empty store that imports them gets the same root id. The lines are JSON already, so --json changes nothing
    unless they go to a file.
    """
    repository, names, globs = session(ctx).repository, namespace or [], keys or []
    if output is None:
        return Answer({}, stream=iter(repository.export_lines(globs, namespaces=names, at=at)), whole=True)
    count = repository.export_file(output, globs, namespaces=names, at=at)
    return shapes.export(output, count)._replace(whole=True)
