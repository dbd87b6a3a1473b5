"""`memoir log`."""

from itertools import islice
from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Limit, Namespace
from memoir.cli.session import session
from memoir.memory.versions import log_of
from memoir.output import history as shapes
from memoir.output.answer import Answer
from memoir.store import history
from memoir.store.commit import Commit
from memoir.taxonomy.paths import address
from memoir.times import end_of, parse_date


def command(
    ctx: typer.Context,
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="[KEY]",
            help="Only commits that changed this path.",
            show_default=False,
            autocompletion=complete.keys,
        ),
    ] = None,
    limit: Limit = None,
    oneline: Annotated[bool, typer.Option("--oneline", help="One line a commit.")] = False,
    since: Annotated[str | None, typer.Option("--since", metavar="DATE", help="Only commits from then on.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Only commits up to then.")] = None,
    author: Annotated[
        str | None,
        typer.Option("--author", metavar="TEXT", help="Only commits whose author's name or address holds this."),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="One JSON object a commit, as they are read.")
    ] = False,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show the commits, or those that changed one path, newest first."""
    store = session(ctx).store
    snapshot = store.at(at)
    place = address(key, namespace) if key else None
    first = int(parse_date(since).timestamp()) if since else None
    last = int(end_of(until).timestamp()) if until else None

    def wanted(commit: Commit) -> bool:
        who, when = f"{commit.author.name} <{commit.author.email}>", commit.committer.time
        return (author or "").lower() in who.lower() and (first or when) <= when <= (last or when)

    if place:
        commits = iter(log_of(store, place, snapshot))
    else:
        commits = history.walk(store, snapshot.commit) if snapshot.commit else iter(())
    chosen = islice(filter(wanted, commits), limit)
    return shapes.log_stream(chosen) if json_lines else shapes.log(list(chosen), place, oneline=oneline)
