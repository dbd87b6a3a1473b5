"""The commands that ask recall: `recall`, `explain`, `eval`."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memoir.answers import recall as shapes
from memoir.answers.answer import Answer, dump, fields_of_failure
from memoir.answers.recall import Display
from memoir.cli import complete
from memoir.cli.options import Key, Namespaces, Wait, argument, option
from memoir.cli.recall_options import TUNING, NoCache, takes
from memoir.cli.session import prepare_embedder, session, text_or_stdin
from memoir.errors import ExitCode, InvalidInput
from memoir.repository.searches import Searches
from memoir.settings import EMBED_PROVIDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memoir.cli.session import Session
    from memoir.recall.batch import BatchOutcome

_LONGEST_QUERY = 1 << 20
MOST_WITHIN = 100
"""How many memories --max-tokens chooses from where no limit is given."""


@takes()
def recall(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None, argument("[QUERY...]", "A question in your own words; '-' reads it from standard input.")
    ] = None,
    *,
    no_cache: NoCache = False,
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
    **fields: Any,
) -> Answer:
    """Find the memories that answer a question.

    Without --mode the setting memoir.recall.mode decides, else simple, which needs no model; an API key in the
    environment changes nothing. --mode single or tiered without a model is exit status 6.
    """
    fields["cache"] = not no_cache
    here, display = session(ctx), Display(timings, prompts, trace, full, lean=session(ctx).lean)
    joined = full or ((here.json or batch is not None) and not here.lean)  # a line shows one turn, and hides others
    if max_tokens and fields["limit"] is None:
        fields["limit"] = MOST_WITHIN
    if batch is not None:
        if query:
            raise InvalidInput("--batch reads its queries from the file", "leave out QUERY")
        prepare_embedder(here)
        lines = sys.stdin.buffer if batch == "-" else open(batch, "rb")  # noqa: SIM115 - read until the process ends
        outcomes = here.door(Searches).recall_lines(lines, wait=wait, joined=joined, **fields)
        return _batch(here, outcomes, display, max_tokens)
    if not query:
        raise InvalidInput("no query given", "memoir recall 'how do we test?'")
    text = text_or_stdin(" ".join(query), _LONGEST_QUERY)
    prepare_embedder(here, text)
    with here.progress("indexing") as progress:
        shown = progress if here.is_alone else None  # without, the engine is kept for the next question
        answer = here.door(Searches).recall(text, wait=wait, joined=joined, progress=shown, **fields)
    if max_tokens:
        from memoir.answers.token_budget import cut_to

        answer = cut_to(answer, display, max_tokens, _size_of_json(here) if here.json else None)
    return shapes.recall(answer, display)


def _size_of_json(here: "Session") -> "Callable[[Mapping[str, object]], int]":
    """What measures the JSON of an answer in characters, as the session prints it."""
    return lambda data: len(_json(here, data).decode())


def _json(here: "Session", data: "Mapping[str, object]") -> bytes:
    from memoir.cli.main import answer_fields

    return dump(answer_fields(here, data))


def _batch(here: "Session", outcomes: "Iterator[BatchOutcome]", display: Display, max_tokens: int | None) -> Answer:
    failures: list[ExitCode] = []

    def answers() -> Iterator[bytes]:
        for answer, error in outcomes:
            if answer:
                if max_tokens:
                    from memoir.answers.token_budget import cut_to

                    answer = cut_to(answer, display, max_tokens, _size_of_json(here))
                yield _json(here, shapes.data(answer, display))
            elif error:
                failures.append(error.exit_code)
                yield dump(fields_of_failure("recall", error))

    return Answer({}, stream=answers(), finish=lambda: failures[0] if failures else ExitCode.OK)


@takes(
    "mode", "planner", "limit", "namespace", "keys", "person", "where", "origin", "since", "until", "now", "threshold",
    "strict", "tau", "boost", "weight", "rerank", "at",
)  # fmt: skip
def explain(
    ctx: typer.Context,
    query: Annotated[str, argument("QUERY", "The question.")],
    key: Key,
    **fields: Any,
) -> Answer:
    """Show why a memory ranks where it does for a question, or why recall does not find it.

    For 'recall --mode simple' it shows the rank and the score of the memory by words and by vectors, what people, times
    and other channels add, decay, boosts, the final score, and why the memory was dropped. With --mode deep it also
    shows which memory led to it. In the other modes it answers the question as well, and the rank is that in the
    answer. 'recall --trace' shows the same for all candidates. The index is completed first.
    """
    from memoir.answers import trace

    here = session(ctx)
    with here.progress("indexing") as progress:
        return trace.explain(here.repository, query, key, progress=progress, **fields)


def eval_(
    ctx: typer.Context,
    file: Annotated[str | None, argument("QUESTIONS", "JSON lines, or '-' for standard input.")] = None,
    make: Annotated[
        int | None, option("Print N lines to fill in, of memories of this store.", metavar="N", min=1)
    ] = None,
    mode: Annotated[
        list[str] | None,
        option(
            "simple, deep or agent, without a model (repeatable; default: simple and deep).",
            metavar="MODE",
            completion=complete.words("simple", "deep", "agent"),
        ),
    ] = None,
    embedder: Annotated[
        list[str] | None,
        option(
            "An embedder, such as static or minilm (repeatable; default: the one that is set).",
            metavar="NAME",
            completion=complete.words(*EMBED_PROVIDER.kind.words),
        ),
    ] = None,
    budget: Annotated[int, option("The tokens within which evidence counts.", metavar="N", min=1)] = 2000,
    namespace: Namespaces = None,
) -> Answer:
    """Measure how well recall finds what questions are about, on this store.

    A line is {"query": "how do we test?", "expected": ["preferences.coding.testing"]}; KEY#id is one memory of several.
    The table has, for each mode and embedder, the share of the expected memories that came first, within 5 and within
    10, the mean reciprocal rank of the first of them, and the share whose whole content stood within the budget (4
    characters a token, and 8 tokens a hit). The last line says what finds most.
    """
    repository = session(ctx).repository
    if (file is None) == (make is None):
        raise InvalidInput("eval takes a file of questions, or --make N", "write 'memoir eval --make 30 > q.jsonl'")
    if make is not None:
        return Answer({}, stream=iter(repository.questions_to_fill(make, namespaces=namespace or ())), whole=True)
    with (
        nullcontext(sys.stdin.buffer) if file in (None, "-") else open(file, "rb") as lines,
        session(ctx).progress("asking") as progress,
    ):
        found = repository.evaluate(
            lines, modes=mode or ("simple", "deep"), embedders=embedder or (), budget=budget, progress=progress
        )
    return shapes.evaluation(found, budget)
