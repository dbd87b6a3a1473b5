"""`memoir recall`."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from memoir.answers import envelope, recall
from memoir.answers.answer import Answer
from memoir.answers.recall import Display
from memoir.answers.terminal import Progress
from memoir.cli import complete
from memoir.cli.options import At, Globs, Namespaces, Wait
from memoir.cli.ranking_options import (
    TUNING,
    Boost,
    Now,
    Person,
    RankingCalls,
    RankingTokens,
    Since,
    Tau,
    Threshold,
    Until,
    Weight,
    Where,
)
from memoir.cli.session import session, text_or_stdin
from memoir.errors import ExitCode, InvalidInput
from memoir.settings import (
    AGENT_ATTEMPTS,
    AGENT_CONFIDENCE,
    AGENT_STRATEGY,
    LLM_MODEL,
    RECALL_LIMIT,
    RECALL_MODE,
    RERANK,
)

if TYPE_CHECKING:
    from memoir.recall.batch import BatchOutcome
    from memoir.recall.query import QueryFields

_LONGEST_QUERY = 1 << 20


def command(
    ctx: typer.Context,
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY", help="A question in your own words; '-' reads it from standard input.", show_default=False
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="simple: by words and vectors; deep: by names too; agent: in steps; single, tiered: by a model.",
            autocompletion=complete.words(*RECALL_MODE.kind.words),
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "-l",
            "-k",
            "--limit",
            metavar="N",
            min=1,
            help=f"At most N memories ({RECALL_LIMIT.key}, {RECALL_LIMIT.default_text}).",
        ),
    ] = None,
    namespace: Namespaces = None,
    keys: Globs = None,
    person: Person = None,
    where: Where = None,
    since: Since = None,
    until: Until = None,
    now: Now = None,
    threshold: Threshold = None,
    max_chars: Annotated[
        int | None, typer.Option("--max-chars", metavar="N", min=1, help="At most N characters of content in all.")
    ] = None,
    context: Annotated[
        int | None,
        typer.Option(
            "--context",
            metavar="N",
            min=0,
            help="Show up to N neighbours before and after each memory, such as the turns around it.",
        ),
    ] = None,
    gather: Annotated[
        bool,
        typer.Option(
            "--gather", help="Gather a list: up to 40 memories in the order of time, of each the sentence that answers."
        ),
    ] = False,
    layers: Annotated[
        bool,
        typer.Option("--layers", help="Show insights and captions of sources too, as in the modes deep and agent."),
    ] = False,
    sources: Annotated[
        str | None,
        typer.Option(
            "--sources",
            metavar="WHICH",
            help="Search passages of sources beside memories (yes, the default), only them, or no.",
            autocompletion=complete.words("yes", "only", "no"),
        ),
    ] = None,
    tau: Tau = None,
    boost: Boost = None,
    weight: Weight = None,
    rerank: Annotated[
        str | None,
        typer.Option(
            "--rerank",
            metavar="HOW",
            help="How the best are ranked again: none, deterministic or llm.",
            autocompletion=complete.words(*RERANK.kind.words),
            rich_help_panel=TUNING,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help=f"The model ({LLM_MODEL.variables[0]}, {LLM_MODEL.key}).",
            rich_help_panel=TUNING,
        ),
    ] = None,
    planner: Annotated[
        str | None,
        typer.Option(
            "--planner",
            metavar="WHO",
            help="Who plans in the modes deep and agent: auto (a model if one is configured) or rules.",
            autocompletion=complete.words("auto", "rules"),
            rich_help_panel=TUNING,
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help=f"How mode agent searches: auto, direct, split or chain ({AGENT_STRATEGY.key}).",
            autocompletion=complete.words(*AGENT_STRATEGY.kind.words),
            rich_help_panel=TUNING,
        ),
    ] = None,
    max_attempts: Annotated[
        int | None,
        typer.Option(
            "--max-attempts",
            metavar="N",
            help=f"At most N searches of a chain ({AGENT_ATTEMPTS.key}).",
            rich_help_panel=TUNING,
        ),
    ] = None,
    min_confidence: Annotated[
        float | None,
        typer.Option(
            "--min-confidence",
            metavar="X",
            help=f"How sure a chain must be to end, 0 to 1 ({AGENT_CONFIDENCE.key}).",
            rich_help_panel=TUNING,
        ),
    ] = None,
    llm_calls: RankingCalls = None,
    llm_tokens: RankingTokens = None,
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Ask the model again, even if its answer is kept.", rich_help_panel=TUNING),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show whole contents, not only the sentence that answers.")
    ] = False,
    prompts: Annotated[
        bool, typer.Option("--prompts", help="Show the prompts sent to the model.", rich_help_panel=TUNING)
    ] = False,
    trace: Annotated[
        bool,
        typer.Option("--trace", help="Show every candidate with its numbers, and every step.", rich_help_panel=TUNING),
    ] = False,
    timings: Annotated[
        bool, typer.Option("--timings", help="Show the time of each step.", rich_help_panel=TUNING)
    ] = False,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch", metavar="FILE", help="Answer each line {query, ...} of a file of JSON lines, or of '-'."
        ),
    ] = None,
    wait: Wait = False,
    at: At = None,
) -> Answer:
    """Find the memories that answer a question.

    Without --mode your setting memoir.recall.mode decides, else the mode is simple, which needs no model: an API key in
    the environment changes nothing. If you give --mode single or tiered and no model answers, the exit status is 6; if
    only your setting wants a model, the memories are ranked without it, and the answer says so.
    """
    fields: QueryFields = {
        "mode": mode, "limit": limit, "namespace": namespace, "at": at, "keys": keys, "person": person, "since": since,
        "until": until, "now": now, "tau": tau, "threshold": threshold, "model": model, "max_chars": max_chars,
        "gather": gather,
        "context": context, "layers": layers, "rerank": rerank, "boost": boost, "where": where, "weight": weight,
        "planner": planner, "strategy": strategy, "max_attempts": max_attempts, "min_confidence": min_confidence,
        "llm_calls": llm_calls, "llm_tokens": llm_tokens, "sources": sources, "cache": not no_cache,
    }  # fmt: skip
    here, display = session(ctx), Display(timings, prompts, trace, full)
    if batch is not None:
        if query is not None:
            raise InvalidInput("--batch reads its queries from the file", "leave out QUERY")
        lines = sys.stdin.buffer if batch == "-" else open(batch, "rb")  # noqa: SIM115 - read until the process ends
        return _batch(here.repository.recall_lines(lines, wait=wait, **fields), display)
    if query is None:
        raise InvalidInput("no query given", "memoir recall 'how do we test?'")
    text = text_or_stdin(query, _LONGEST_QUERY)
    joined = here.json or full  # a line for people shows one turn, and would hide the others
    with Progress("indexing", shown=here.chatty) as progress:
        answer = here.repository.recall(text, wait=wait, joined=joined, progress=progress, **fields)
    return recall.recall(answer, display)


def _batch(outcomes: "Iterator[BatchOutcome]", display: Display) -> Answer:
    failures: list[ExitCode] = []

    def answers() -> Iterator[bytes]:
        for answer, error in outcomes:
            if answer:
                yield envelope.dump(envelope.success("recall", recall.data(answer, display)))
            elif error:
                failures.append(error.exit_code)
                yield envelope.dump(envelope.failure("recall", error))

    return Answer({}, stream=answers(), finish=lambda: failures[0] if failures else ExitCode.OK)
