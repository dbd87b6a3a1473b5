"""`memoir eval`."""

import sys
from contextlib import nullcontext
from typing import Annotated

import typer

from memoir.answers import recall as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli import complete
from memoir.cli.options import Namespaces, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.settings import EMBED_PROVIDER


def command(
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
        Progress("asking", shown=session(ctx).chatty) as progress,
    ):
        found = repository.evaluate(
            lines, modes=mode or ("simple", "deep"), embedders=embedder or (), budget=budget, progress=progress
        )
    return shapes.evaluation(found, budget)
