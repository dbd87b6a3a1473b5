"""`memoir log`."""

from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import At, Limit, Namespaces, Signatures, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.past import History


def command(
    ctx: typer.Context,
    key: Annotated[
        str | None,
        argument(
            "[A..B|KEY]",
            "Only commits that are in B and not in A; or those that changed this path, prefix or namespace.",
            completion=complete.keys,
        ),
    ] = None,
    more: Annotated[str | None, argument("[KEY]", "After A..B: only commits that changed this path.")] = None,
    limit: Limit = None,
    oneline: Annotated[bool, option("Print one line per commit.", "--oneline")] = False,
    since: Annotated[str | None, option("Only commits from this date on.", metavar="DATE")] = None,
    until: Annotated[str | None, option("Only commits up to this date.", metavar="DATE")] = None,
    author: Annotated[
        str | None, option("Only commits whose author's name or address contains this.", metavar="TEXT")
    ] = None,
    json_lines: Annotated[
        bool, option("Print one JSON object per commit, as soon as it is read.", "--json-lines")
    ] = False,
    signatures: Signatures = False,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show the commits, or those that changed one path, prefix or namespace, newest first. '-3' is '--limit 3'.

    With --signatures, each commit is shown with who signed it. gpg.ssh.allowedSignersFile in your own git configuration
    names the file that says whose keys are whose.
    """
    old, key, at = _versions_range(key, more, at)
    if json_lines and signatures:
        raise InvalidInput("--json-lines leaves out --signatures", "give --json instead")
    return shapes.log(
        session(ctx).door(History), key, old, author or "", since, until, limit, signatures, namespace, at,
        oneline=oneline, json_lines=json_lines,
    )  # fmt: skip


def _versions_range(first: str | None, more: str | None, at: str | None) -> tuple[str | None, str | None, str | None]:
    """Where the commits end, the key, and where they begin: no path holds '..', so it can only be a range.

    Raises:
        InvalidInput: two keys, a range of another kind, or a range beside --at.
    """
    if first is None or ".." not in first:
        if more:
            raise InvalidInput("one KEY at a time", "'memoir log A..B KEY' keeps to a range of commits")
        return None, first, at
    if "..." in first or at:
        raise InvalidInput("a range is written A..B, without --at", "'memoir log A..B'")
    old, _, new = first.partition("..")
    return old or "HEAD", more, new or "HEAD"
