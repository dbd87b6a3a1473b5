"""`memoir diff`."""

from typing import Annotated

import typer

from memoir.answers import differences as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import Globs, Namespaces, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.past import History

_Revision = Annotated[str | None, argument("[REV]", "A revision or date.", completion=complete.revisions)]


def command(
    ctx: typer.Context,
    a: _Revision = None,
    b: _Revision = None,
    places: Annotated[
        list[str] | None, argument("[KEY]...", "Only these paths and those below them.", completion=complete.keys)
    ] = None,
    stat: Annotated[bool, option("Show only paths and totals.", "--stat")] = False,
    exit_code: Annotated[bool, option("Exit 1 if there are differences.", "--exit-code")] = False,
    keys: Globs = None,
    namespace: Namespaces = None,
) -> Answer:
    """Compare two revisions, or one with now; without any, the last commit with the one before it.

    'A..B' means A and B. KEYs may follow one revision, two, or a range.
    """
    past = session(ctx).door(History)
    places = places or []
    if a and b and (".." in a or past.is_key(b, a, namespaces=namespace or [])):
        places, b = [b, *places], None
    if a and not b and ".." in a:
        a, b = _commit_range(a)
    return shapes.diff(past, a, b, keys, places, namespace, stat=stat, exit_code=exit_code)


def _commit_range(text: str) -> list[str]:
    """Split `A..B` into its two sides; a side that is left out is HEAD.

    Raises:
        InvalidInput: it is `A...B`.
    """
    if "..." in text:
        raise InvalidInput("'A...B' is not supported", "'A..B' compares A with B")
    return [part or "HEAD" for part in text.split("..", 1)]
