"""The commands `recall`, `explain`, `timeline` and `eval`; and the options of a question, each declared once."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memoir import settings
from memoir.answers import recall as shapes
from memoir.answers.answer import Answer, dump, fields_of_failure
from memoir.answers.recall import Display
from memoir.cli.complete import keys, words
from memoir.cli.options import LLM_CALLS, LLM_TOKENS, At, Globs, Key, Namespaces, Origin, Person, argument, option
from memoir.cli.session import Session, prepare_embedder, session, text_or_stdin
from memoir.errors import ExitCode, InvalidInput
from memoir.recall.query import MOST_MOMENTS
from memoir.repository.searches import Searches

if TYPE_CHECKING:
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.batch import BatchOutcome
    from memoir.types import Survey

TUNING = "Tune and trace the ranking"
"""The heading, in the help, of the rarely used options."""


def _kind_and_default(kind: Any, about: str, *names: str, **rest: Any) -> tuple[Any, Any]:
    """The type and the default of an option; Typer accepts the option as default, which is faster than `Annotated`."""
    return kind, option(about, False if kind is bool else None, *names, **rest)


QUESTION: Mapping[str, tuple[Any, Any]] = {
    "mode": _kind_and_default(
        str | None,
        "simple: by words and vectors; deep: further by names; agent: in steps; single, tiered: by a model.",
        metavar="MODE",
        completion=words(*settings.RECALL_MODE.kind.words),
    ),
    "limit": _kind_and_default(
        int | None,
        f"At most N memories ({settings.RECALL_LIMIT.key}, {settings.RECALL_LIMIT.default_text}).",
        "-l",
        "-k",
        "--limit",
        metavar="N",
        min=1,
    ),
    "namespace": (Namespaces, None),
    "keys": (Globs, None),
    "person": (Person, None),
    "where": _kind_and_default(
        list[str] | None, "Only memories with this field of metadata (repeatable).", metavar="KEY=VALUE"
    ),
    "origin": (Origin, None),
    "since": _kind_and_default(str | None, "Only memories of events from this date on.", metavar="DATE"),
    "until": _kind_and_default(str | None, "Only memories of events up to this date.", metavar="DATE"),
    "now": _kind_and_default(
        str | None,
        "The present, for 'yesterday' and ages (default: now, or MEMOIR_NOW).",
        metavar="DATE",
        heading=TUNING,
    ),
    "threshold": _kind_and_default(
        float | None, "Only memories of at least this relevance, 0 to 1.", metavar="X", heading=TUNING
    ),
    "max_chars": _kind_and_default(int | None, "At most N characters of content in all.", metavar="N", min=1),
    "context": _kind_and_default(
        int | None,
        "Show up to N neighbours before and after each memory, such as the turns around it.",
        metavar="N",
        min=0,
    ),
    "gather": _kind_and_default(
        bool, "Gather a list: up to 40 memories in order of time, each cut to the sentence that answers.", "--gather"
    ),
    "strict": _kind_and_default(
        bool, "Leave out memories without evidence, even if none is left (default: show the best five).", "--strict"
    ),
    "fresh": _kind_and_default(bool, "Leave out memories whose code has changed since or is gone.", "--fresh"),
    "expired": _kind_and_default(bool, "Find memories that have expired, too.", "--expired"),
    "layers": _kind_and_default(
        bool, "Show insights and captions of sources too, as in the modes deep and agent.", "--layers"
    ),
    "sources": _kind_and_default(
        str | None,
        "Search passages of sources beside memories (yes, the default), only them, or no.",
        metavar="WHICH",
        completion=words("yes", "only", "no"),
    ),
    "tau": _kind_and_default(
        str | None, "Rank old memories lower, by e^(-age/DAYS); 'off': do not.", metavar="DAYS", heading=TUNING
    ),
    "boost": _kind_and_default(
        list[str] | None, "Multiply the scores of paths that match (repeatable).", metavar="GLOB=FACTOR", heading=TUNING
    ),
    "weight": _kind_and_default(
        list[str] | None,
        "The weight of a part of the ranking, such as words, vectors or person; 0: none (repeatable).",
        metavar="NAME=X",
        heading=TUNING,
    ),
    "rerank": _kind_and_default(
        str | None,
        "Rank the best memories again: none, deterministic or llm.",
        metavar="HOW",
        completion=words(*settings.RERANK.kind.words),
        heading=TUNING,
    ),
    "model": _kind_and_default(
        str | None,
        f"The model ({settings.LLM_MODEL.variables[0]}, {settings.LLM_MODEL.key}).",
        metavar="NAME",
        heading=TUNING,
    ),
    "planner": _kind_and_default(
        str | None,
        "The planner in the modes deep and agent: auto (a model if one is configured) or rules.",
        metavar="WHO",
        completion=words("auto", "rules"),
        heading=TUNING,
    ),
    "strategy": _kind_and_default(
        str | None,
        f"How mode agent searches: auto, direct, split or chain ({settings.AGENT_STRATEGY.key}).",
        metavar="NAME",
        completion=words(*settings.AGENT_STRATEGY.kind.words),
        heading=TUNING,
    ),
    "max_attempts": _kind_and_default(
        int | None, f"At most N searches of a chain ({settings.AGENT_ATTEMPTS.key}).", metavar="N", heading=TUNING
    ),
    "min_confidence": _kind_and_default(
        float | None,
        f"The confidence at which a chain ends, 0 to 1 ({settings.AGENT_CONFIDENCE.key}).",
        metavar="X",
        heading=TUNING,
    ),
    "llm_calls": _kind_and_default(int | None, LLM_CALLS, metavar="N", min=0, heading=TUNING),
    "llm_tokens": _kind_and_default(int | None, LLM_TOKENS, metavar="N", min=0, heading=TUNING),
    "at": (At, None),
}
"""The options of a question, in the order of the help, each by its field of `memoir.recall.query.QueryFields`."""
Wait = Annotated[bool, option("Complete the index first, however long it takes.", "--wait")]


def takes(*names: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Replace a command's `**fields` by the named options of a question, or by all of them.

    They come before the command's own options, except `at`, which always comes last.
    """

    def decorate(command: Callable[..., Answer]) -> Callable[..., Answer]:
        whole, by_name = signature(command), Parameter.KEYWORD_ONLY
        own = list(whole.parameters.values())[:-1]
        count = sum(each.kind is not by_name for each in own)
        rows = ((name, *QUESTION[name]) for name in names or QUESTION)
        given = [Parameter(name, by_name, annotation=kind, default=default) for name, kind, default in rows]
        ordered = [*own[:count], *given[:-1], *own[count:], given[-1]]
        command.__signature__ = whole.replace(parameters=ordered)  # type: ignore[attr-defined]
        return command

    return decorate


_LONGEST_QUERY = 1 << 20
MOST_WITHIN = 100
"""How many memories --max-tokens chooses from without --limit."""


@takes()
def recall(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None, argument("[QUERY...]", "A question in your own words; '-' reads it from standard input.")
    ] = None,
    *,
    no_cache: Annotated[
        bool, option("Ask the model again, even if its answer is cached.", "--no-cache", heading=TUNING)
    ] = False,
    max_tokens: Annotated[
        int | None,
        option(
            "As many memories as fit into N tokens, counting all output; a token is four characters.",
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

    The default mode is the setting memoir.recall.mode, else simple, which needs no model. An API key in the environment
    does not change it. --mode single or tiered without a model exits with 6.
    """
    fields["cache"] = not no_cache
    here, display = session(ctx), Display(timings, prompts, trace, full, lean=session(ctx).lean)
    joined = full or ((here.json or batch is not None) and not here.lean)  # a line shows one turn only
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
    cut = _cut(max_tokens, here, answer, display, is_json=here.json)
    return shapes.recall(cut, display, lambda: _survey(here, fields["at"]))


def _survey(here: Session, at: str | None) -> "Survey":
    from memoir.repository.reads import Reads

    return here.door(Reads).summarize(at=at)


def _cut(
    tokens: int | None, here: Session, answer: "RecallAnswer", display: Display, *, is_json: bool
) -> "RecallAnswer":
    """Cut an answer to some tokens, as the session prints it; None: do not cut."""
    if tokens is None:
        return answer
    from memoir.answers.token_budget import cut_to

    return cut_to(answer, display, tokens, (lambda data: len(_json(here, data).decode())) if is_json else None)


def _json(here: Session, data: Mapping[str, object]) -> bytes:
    from memoir.cli.main import answer_fields

    return dump(answer_fields(here, data))


def _batch(here: Session, outcomes: "Iterator[BatchOutcome]", display: Display, max_tokens: int | None) -> Answer:
    failures: list[ExitCode] = []

    def answers() -> Iterator[bytes]:
        for answer, error in outcomes:
            if answer:
                shown = _cut(max_tokens, here, answer, display, is_json=True)
                yield _json(here, shapes.data(shown, display))
            elif error:
                failures.append(error.exit_code)
                yield dump(fields_of_failure("recall", error))

    return Answer({}, stream=answers(), finish=lambda: failures[0] if failures else ExitCode.OK)


@takes(
    "mode", "planner", "limit", "namespace", "keys", "person", "where", "origin", "since", "until", "now", "threshold",
    "strict", "tau", "boost", "weight", "rerank", "at",
)  # fmt: skip
def explain(
    ctx: typer.Context, query: Annotated[str, argument("QUERY", "The question.")], key: Key, **fields: Any
) -> Answer:
    """Show why a memory ranks where it does for a question, or why recall does not find it.

    For 'recall --mode simple' it shows the memory's rank and score by words and by vectors, the additions of people,
    times and other channels, decay, boosts, the final score, and why the memory was dropped. With --mode deep it also
    shows which memory led to it. In the other modes it answers the question as well, and shows the rank in the answer.
    'recall --trace' shows the same for all candidates. The index is completed first.
    """
    from memoir.answers import trace

    here = session(ctx)
    with here.progress("indexing") as progress:
        return trace.explain(here.repository, query, key, progress=progress, **fields)


def timeline(
    ctx: typer.Context,
    around: Annotated[
        str | None, option("Memories learnt around the same time as this one.", metavar="KEY", completion=keys)
    ] = None,
    since: Annotated[str | None, option("Only memories learnt from this date on.", metavar="DATE")] = None,
    until: Annotated[str | None, option("Only memories learnt up to this date.", metavar="DATE")] = None,
    limit: Annotated[int, option("At most N memories.", "-l", "--limit", metavar="N", min=1)] = MOST_MOMENTS,
    namespace: Namespaces = None,
    wait: Wait = False,
    at: At = None,
) -> Answer:
    """Show memories by the time they were learnt, newest first, including superseded ones."""
    here = session(ctx)
    with here.progress("indexing") as progress:
        return shapes.timeline(
            here.repository, around, since, until, limit, namespace, at, wait=wait, progress=progress
        )


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
            completion=words("simple", "deep", "agent"),
        ),
    ] = None,
    embedder: Annotated[
        list[str] | None,
        option(
            "An embedder, such as static or minilm (repeatable; default: the one that is set).",
            metavar="NAME",
            completion=words(*settings.EMBED_PROVIDER.kind.words),
        ),
    ] = None,
    budget: Annotated[int, option("The tokens within which evidence counts.", metavar="N", min=1)] = 2000,
    namespace: Namespaces = None,
) -> Answer:
    """Measure how well recall finds the expected memories of questions, on this store.

    A line is {"query": "how do we test?", "expected": ["preferences.coding.testing"]}; KEY#id is one memory of several.
    The table has, for each mode and embedder, the share of the expected memories that came first, within 5 and within
    10, the mean reciprocal rank of the first of them, and the share whose whole content was within the budget (4
    characters a token, and 8 tokens a hit). The last line names the best mode and embedder.
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
