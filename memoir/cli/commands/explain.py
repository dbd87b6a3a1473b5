"""`memoir explain`."""

from typing import Annotated

import typer

from memoir.cli.options import At, Globs, Key, Namespaces
from memoir.cli.session import session
from memoir.output import recall
from memoir.output.answer import Answer
from memoir.output.terminal import Progress
from memoir.recall.engine import Engine
from memoir.recall.options import parse_fields
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, address


def command(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question.", show_default=False)],
    key: Key,
    limit: Annotated[
        int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="The limit that recall would have.")
    ] = None,
    namespace: Namespaces = None,
    keys: Globs = None,
    person: Annotated[str | None, typer.Option("--person", metavar="NAME", help="As for recall.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="DATE", help="As for recall.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="As for recall.")] = None,
    now: Annotated[str | None, typer.Option("--now", metavar="DATE", help="As for recall.")] = None,
    threshold: Annotated[float | None, typer.Option("--threshold", metavar="X", help="As for recall.")] = None,
    tau: Annotated[str | None, typer.Option("--tau", metavar="DAYS", help="As for recall.")] = None,
    boost: Annotated[
        list[str] | None, typer.Option("--boost", metavar="GLOB=FACTOR", help="As for recall (repeatable).")
    ] = None,
    rerank: Annotated[str | None, typer.Option("--rerank", metavar="HOW", help="none or deterministic.")] = None,
    at: At = None,
) -> Answer:
    """Show why a memory ranks where it does for a question, or why recall does not find it.

    It is 'recall --mode simple' that is explained: rank and raw score in each leg, channels, decay, boost, the
    score, and what dropped the memory. 'recall --trace' shows the same of all candidates. The index is completed first.
    """
    text, options = parse_fields(
        {
            "query": query, "limit": limit, "namespace": namespace, "at": at, "keys": keys, "person": person,
            "since": since, "until": until, "now": now, "threshold": threshold, "tau": tau, "boost": boost,
            "rerank": rerank,
        }
    )  # fmt: skip
    only = namespace[0] if namespace and len(namespace) == 1 else DEFAULT_NAMESPACE
    place = address(key, only)
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        engine = Engine(here.repository, progress=progress)
        return recall.explain(engine.explain(engine.query(text, options), place), place)
