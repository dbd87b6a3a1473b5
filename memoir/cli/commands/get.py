"""`memoir get`."""

import sys
from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Namespace, addresses
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.read import get, require
from memoir.memory.record import projection
from memoir.output import items
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY...", help="Paths, or namespace:path.", show_default=False, autocompletion=complete.keys
        ),
    ] = None,
    stdin: Annotated[bool, typer.Option("--stdin", help="Read further keys from standard input, one a line.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Print the exact content of one key and nothing else.")] = False,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Read memories by path.

    A key that holds nothing is answered with found: false, not with an error, so that a caller may guess.
    With --raw such a key is an error.
    """
    given = [*(keys or []), *(_lines() if stdin else [])]
    places = addresses(given, namespace) if given or not stdin else []
    snapshot = session(ctx).store.at(at)
    if not raw:
        return items.get(get(snapshot, places))
    if len(places) != 1:
        raise InvalidInput("--raw prints one key", "give exactly one")
    require(snapshot, places)
    content = projection(get(snapshot, places)[0].record or ())
    return Answer({}, stream=iter([content.encode()]), exact=True)


def _lines() -> list[str]:
    try:
        return [line for line in sys.stdin.buffer.read().decode().split("\n") if line.strip()]
    except UnicodeDecodeError:
        raise InvalidInput("standard input is not valid UTF-8 text") from None
