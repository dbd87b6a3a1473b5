"""`memoir recall`."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from memoir.cli import complete
from memoir.cli.options import At, Globs, Namespaces, Wait
from memoir.cli.session import session
from memoir.cli.stdin import text_or_stdin
from memoir.errors import ExitCode, InvalidInput
from memoir.output import envelope, recall
from memoir.output.answer import Answer
from memoir.output.recall import Shown
from memoir.output.terminal import Progress
from memoir.recall.engine import Engine
from memoir.recall.options import parse_fields
from memoir.settings import LLM_MODEL, RECALL_LIMIT, RECALL_MODE, RERANK

_LONGEST_QUERY = 1 << 20


def command(
    ctx: typer.Context,
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY", help="A question, in your own words; '-' reads it from standard input.", show_default=False
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="simple: ranked without a model; single: one call to a model; tiered: two or three smaller calls.",
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
    person: Annotated[
        str | None, typer.Option("--person", metavar="NAME", help="Only memories about this person.")
    ] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="DATE", help="Only what happened since then.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Only what happened by then.")] = None,
    now: Annotated[
        str | None, typer.Option("--now", metavar="DATE", help="What 'yesterday' and decay count from (MEMOIR_NOW).")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", metavar="X", help="Only memories this relevant, 0 to 1.")
    ] = None,
    max_chars: Annotated[
        int | None, typer.Option("--max-chars", metavar="N", min=1, help="At most N characters of content in all.")
    ] = None,
    tau: Annotated[
        str | None, typer.Option("--tau", metavar="DAYS", help="Let age count: e^(-age/DAYS); 'off' for not at all.")
    ] = None,
    boost: Annotated[
        list[str] | None, typer.Option("--boost", metavar="GLOB=FACTOR", help="Multiply scores (repeatable).")
    ] = None,
    rerank: Annotated[
        str | None,
        typer.Option(
            "--rerank",
            metavar="HOW",
            help="A second look in simple mode: none, deterministic or llm.",
            autocompletion=complete.words(*RERANK.kind.words),
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help=f"The model ({LLM_MODEL.variables[0]}, {LLM_MODEL.key})."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask the model even if the answer is known.")] = False,
    prompts: Annotated[bool, typer.Option("--prompts", help="Show the prompts sent.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every candidate and its numbers (simple mode).")] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Show the time of each step.")] = False,
    batch: Annotated[
        str | None,
        typer.Option("--batch", metavar="FILE", help="Answer JSON lines {query, ...} from a file or '-', one by one."),
    ] = None,
    wait: Wait = False,
    at: At = None,
) -> Answer:
    """Find the memories that answer a question.

    Without --mode it is your own memoir.recall.mode, else simple, which needs no model: a key in the environment
    changes nothing. With --mode single or tiered, a model that is missing or fails is exit status 6; with the setting,
    the answer is ranked without it and says so.
    """
    fields = {
        "query": query, "mode": mode, "limit": limit, "namespace": namespace, "at": at, "keys": keys, "person": person,
        "since": since, "until": until, "now": now, "tau": tau, "threshold": threshold, "model": model,
        "max_chars": max_chars, "rerank": rerank, "boost": boost, "cache": not no_cache,
    }  # fmt: skip
    here, shown = session(ctx), Shown(timings, prompts, trace)
    if batch is not None:
        if query is not None:
            raise InvalidInput("--batch takes its queries from the file", "leave out QUERY")
        engine = Engine(here.repository, wait=wait)
        return _batch(engine, batch, {name: value for name, value in fields.items() if name != "query"}, shown)
    if query is not None:
        fields["query"] = text_or_stdin(query, _LONGEST_QUERY)
    text, options = parse_fields(fields)
    with Progress("indexing", shown=here.chatty) as progress:
        engine = Engine(here.repository, progress=progress, wait=wait)
        resolved = engine.query(text, options)
        if trace and resolved.mode != "simple":
            raise InvalidInput(f"--trace shows how simple recall ranks; this is {resolved.mode}", "add --mode simple")
        return recall.recall(engine.recall(resolved), shown)


def _batch(engine: Engine, file: str, defaults: dict[str, Any], shown: Shown) -> Answer:
    parse_fields(defaults | {"query": "-"})  # a bad option is the caller's mistake, not each line's
    if file != "-":
        open(file, "rb").close()  # a file that is not there is an error before the first answer
    failures: list[ExitCode] = []
    return Answer(
        {},
        stream=_answers(engine, file, defaults, shown, failures),
        ended=lambda: failures[0] if failures else ExitCode.OK,
    )


def _answers(
    engine: Engine, file: str, defaults: dict[str, Any], shown: Shown, failures: list[ExitCode]
) -> Iterator[bytes]:
    from memoir.recall.batch import read_lines, recall_lines

    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as lines:
        for answer, error in recall_lines(engine, read_lines(lines), defaults):
            if answer:
                yield envelope.dump(envelope.success("recall", recall.data(answer, shown)))
            elif error:
                failures.append(error.exit_code)
                yield envelope.dump(envelope.failure("recall", error))
