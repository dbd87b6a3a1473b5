"""`memoir explain`."""

from typing import Annotated

import typer

from memoir.answers import trace
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli import complete
from memoir.cli.options import At, Globs, Key, Namespaces
from memoir.cli.ranking_options import (
    TUNING,
    Boost,
    Now,
    Person,
    Since,
    Tau,
    Threshold,
    Until,
    Weight,
    Where,
)
from memoir.cli.session import session
from memoir.settings import RECALL_MODE


def command(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question.", show_default=False)],
    key: Key,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="The mode to explain, as for recall.",
            autocompletion=complete.words(*RECALL_MODE.kind.words),
        ),
    ] = None,
    planner: Annotated[
        str | None,
        typer.Option(
            "--planner",
            metavar="WHO",
            help="Who plans in the modes deep and agent, as for recall: auto or rules.",
            autocompletion=complete.words("auto", "rules"),
            rich_help_panel=TUNING,
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="The --limit of the recall to explain.")
    ] = None,
    namespace: Namespaces = None,
    keys: Globs = None,
    person: Person = None,
    where: Where = None,
    since: Since = None,
    until: Until = None,
    now: Now = None,
    threshold: Threshold = None,
    tau: Tau = None,
    boost: Boost = None,
    weight: Weight = None,
    rerank: Annotated[
        str | None,
        typer.Option("--rerank", metavar="HOW", help="As for recall: none or deterministic.", rich_help_panel=TUNING),
    ] = None,
    at: At = None,
) -> Answer:
    """Show why a memory ranks where it does for a question, or why recall does not find it.

    For 'recall --mode simple' it shows the rank and the score of the memory by words and by vectors, what people, times
    and other channels add, decay, boosts, the final score, and why the memory was dropped. With --mode deep it also
    shows which memory led to it. In the other modes it answers the question as well, and the rank is that in the
    answer. 'recall --trace' shows the same for all candidates. The index is completed first.
    """
    here = session(ctx)
    with Progress("indexing", shown=here.chatty) as progress:
        explanation = here.repository.explain(
            query, key, progress=progress, mode=mode, planner=planner,
            limit=limit, namespace=namespace, at=at, keys=keys, person=person,
            since=since, until=until, now=now, threshold=threshold, tau=tau, boost=boost, where=where, weight=weight,
            rerank=rerank,
        )  # fmt: skip
    return trace.explain(explanation)
