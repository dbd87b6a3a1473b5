"""`memoir recall`."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from memoir.answers import envelope, recall
from memoir.answers.answer import Answer
from memoir.answers.recall import Display
from memoir.answers.terminal import Progress
from memoir.cli import recall_options as options
from memoir.cli.options import At, Globs, Namespaces, Origin, Person, Wait, argument, option
from memoir.cli.recall_options import TUNING
from memoir.cli.session import prepare_embedder, session, text_or_stdin
from memoir.errors import ExitCode, InvalidInput
from memoir.repository.searches import Searches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memoir.cli.session import Session
    from memoir.recall.batch import BatchOutcome
    from memoir.recall.query import QueryFields

_LONGEST_QUERY = 1 << 20
MOST_WITHIN = 100
"""How many memories --max-tokens chooses from where no limit is given."""


def command(
    ctx: typer.Context,
    query: Annotated[
        str | None, argument("QUERY", "A question in your own words; '-' reads it from standard input.")
    ] = None,
    mode: options.Mode = None,
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
    max_chars: options.MaxChars = None,
    context: options.Context = None,
    gather: options.Gather = False,
    strict: options.Strict = False,
    fresh: options.Fresh = False,
    expired: options.Expired = False,
    layers: options.Layers = False,
    sources: options.Sources = None,
    tau: options.Tau = None,
    boost: options.Boost = None,
    weight: options.Weight = None,
    rerank: options.Rerank = None,
    model: options.Model = None,
    planner: options.Planner = None,
    strategy: options.Strategy = None,
    max_attempts: options.MaxAttempts = None,
    min_confidence: options.MinConfidence = None,
    llm_calls: options.LlmCalls = None,
    llm_tokens: options.LlmTokens = None,
    no_cache: options.NoCache = False,
    max_tokens: Annotated[
        int | None,
        option(
            "As many memories as fit into N tokens, everything printed counted; a token is four characters.",
            metavar="N",
            min=20,
        ),
    ] = None,
    full: Annotated[bool, option("Show whole contents, not only the sentence that answers.", "--full")] = False,
    prompts: Annotated[bool, option("Show the prompts sent to the model.", "--prompts", heading=TUNING)] = False,
    trace: Annotated[
        bool, option("Show every candidate with its numbers, and every step.", "--trace", heading=TUNING)
    ] = False,
    timings: Annotated[bool, option("Show the time of each step.", "--timings", heading=TUNING)] = False,
    batch: Annotated[
        str | None,
        option("Answer each line {query, ...} of a file of JSON lines, or of '-'.", "--batch", metavar="FILE"),
    ] = None,
    wait: Wait = False,
    at: At = None,
) -> Answer:
    """Find the memories that answer a question.

    Without --mode the setting memoir.recall.mode decides, else simple, which needs no model; an API key in the
    environment changes nothing. --mode single or tiered without a model is exit status 6.
    """
    fields: QueryFields = {
        "mode": mode, "limit": limit, "namespace": namespace, "at": at, "keys": keys, "person": person, "where": where,
        "origin": origin, "since": since, "until": until, "now": now, "threshold": threshold, "max_chars": max_chars,
        "context": context, "gather": gather, "strict": strict, "fresh": fresh, "expired": expired, "layers": layers,
        "sources": sources, "tau": tau, "boost": boost, "weight": weight,
        "rerank": rerank, "model": model, "planner": planner, "strategy": strategy, "max_attempts": max_attempts,
        "min_confidence": min_confidence, "llm_calls": llm_calls, "llm_tokens": llm_tokens, "cache": not no_cache,
    }  # fmt: skip
    here, display = session(ctx), Display(timings, prompts, trace, full, lean=session(ctx).lean)
    joined = full or ((here.json or batch is not None) and not here.lean)  # a line shows one turn, and hides others
    if max_tokens and limit is None:
        fields["limit"] = MOST_WITHIN
    if batch is not None:
        if query is not None:
            raise InvalidInput("--batch reads its queries from the file", "leave out QUERY")
        prepare_embedder(here)
        lines = sys.stdin.buffer if batch == "-" else open(batch, "rb")  # noqa: SIM115 - read until the process ends
        outcomes = here.door(Searches).recall_lines(lines, wait=wait, joined=joined, **fields)
        return _batch(here, outcomes, display, max_tokens)
    if query is None:
        raise InvalidInput("no query given", "memoir recall 'how do we test?'")
    text = text_or_stdin(query, _LONGEST_QUERY)
    prepare_embedder(here, text)
    with Progress("indexing", shown=here.chatty) as progress:
        shown = progress if here.is_alone else None  # without, the engine is kept for the next question
        answer = here.door(Searches).recall(text, wait=wait, joined=joined, progress=shown, **fields)
    if max_tokens:
        from memoir.answers.token_budget import cut_to

        answer = cut_to(answer, display, max_tokens, _size_of_json(here) if here.json else None)
    return recall.recall(answer, display)


def _size_of_json(here: "Session") -> "Callable[[Mapping[str, object]], int]":
    """What measures the JSON of an answer in characters, as the session prints it."""
    return lambda data: len(_json(here, data).decode())


def _json(here: "Session", data: "Mapping[str, object]") -> bytes:
    from memoir.cli.main import answer_fields

    return envelope.dump(answer_fields(here, data))


def _batch(here: "Session", outcomes: "Iterator[BatchOutcome]", display: Display, max_tokens: int | None) -> Answer:
    failures: list[ExitCode] = []

    def answers() -> Iterator[bytes]:
        for answer, error in outcomes:
            if answer:
                if max_tokens:
                    from memoir.answers.token_budget import cut_to

                    answer = cut_to(answer, display, max_tokens, _size_of_json(here))
                yield _json(here, recall.data(answer, display))
            elif error:
                failures.append(error.exit_code)
                yield envelope.dump(envelope.failure("recall", error))

    return Answer({}, stream=answers(), finish=lambda: failures[0] if failures else ExitCode.OK)
