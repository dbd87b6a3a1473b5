"""`memoir grep`."""

from typing import Annotated

import typer

from memoir.cli.options import At, Globs, Namespaces
from memoir.cli.session import session
from memoir.output import read as shapes
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    pattern: Annotated[
        str, typer.Argument(metavar="PATTERN", help="A regular expression (RE2's: no look-around).", show_default=False)
    ],
    fixed: Annotated[bool, typer.Option("-F", "--fixed-strings", help="Take the pattern as a plain string.")] = False,
    ignore_case: Annotated[bool, typer.Option("-i", "--ignore-case", help="Ignore case.")] = False,
    names_only: Annotated[bool, typer.Option("-l", "--name-only", help="Show only the keys that match.")] = False,
    keys: Globs = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Find memories whose content matches a pattern, line by line; exit 1 if there are none."""
    matches = session(ctx).repository.grep(
        pattern, globs=keys or [], namespaces=namespace or [], fixed=fixed, ignore_case=ignore_case, at=at
    )
    return shapes.grep(matches, pattern, names_only=names_only)
