"""`memoir get`."""

import sys
from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Namespace, argument, option
from memoir.cli.session import decoded, require_keys, session
from memoir.errors import InvalidInput
from memoir.repository.reads import Reads


def command(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None,
        argument("KEY...", "Paths, or namespace:path; '*' and other wildcards match.", completion=complete.keys),
    ] = None,
    prefix: Annotated[bool, option("Read everything at or under each KEY.", "--prefix")] = False,
    stdin: Annotated[bool, option("Read further keys from standard input, one a line.", "--stdin")] = False,
    context: Annotated[
        int, option("Read N turns, or neighbours, before and after.", "-C", "--context", metavar="N", min=0)
    ] = 0,
    raw: Annotated[bool, option("Print the exact content of one key and nothing else.", "--raw")] = False,
    exit_code: Annotated[bool, option("Exit 4 if a key has no memory.", "--exit-code")] = False,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Read memories by path, by glob, or all under a prefix; KEY#id is one of several at a path.

    A key without a memory is not an error: its answer has found: false. With --raw it is an error, and with
    --exit-code the exit status is 4.
    """
    all_keys = [*require_keys(keys, unless=stdin), *(_keys_from_stdin() if stdin else [])]
    reads = session(ctx).door(Reads)
    if not raw:
        return shapes.get(reads, all_keys, prefix, namespace, at, context=context, exit_code=exit_code)
    items = reads.get_many(all_keys, namespace=namespace, prefix=prefix, context=context, at=at)
    if len(items) != 1:
        raise InvalidInput("--raw prints one key", "give exactly one")
    content = reads.content(items[0].target.full_key, at=at)
    return Answer({}, stream=iter([content.encode()]), exact=True)


def _keys_from_stdin() -> list[str]:
    lines = (line.removesuffix("\r") for line in decoded(sys.stdin.buffer.read()).split("\n"))
    return [line for line in lines if line.strip()]
