"""`memoir explain`."""

from typing import Annotated

import typer

from memoir.answers import trace
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli import recall_options as options
from memoir.cli.options import At, Globs, Key, Namespaces, Origin, Person, argument
from memoir.cli.session import session


def command(
    ctx: typer.Context,
    query: Annotated[str, argument("QUERY", "The question.")],
    key: Key,
    mode: options.Mode = None,
    planner: options.Planner = None,
    limit: options.Limit = None,
    namespace: Namespaces = None,
    keys: Globs = None,
    person: Person = None,
    where: options.Where = None,
    origin: Origin = None,
    since: options.Since = None,
    until: options.Until = None,
    now: options.Now = None,
    threshold: options.Threshold = None,
    strict: options.Strict = False,
    tau: options.Tau = None,
    boost: options.Boost = None,
    weight: options.Weight = None,
    rerank: options.Rerank = None,
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
            origin=origin, rerank=rerank, strict=strict,
        )  # fmt: skip
    return trace.explain(explanation)
