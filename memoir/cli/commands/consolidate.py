"""`memoir consolidate`."""

import sys
from contextlib import ExitStack
from typing import Annotated

import typer

from memoir.cli.options import DryRun, Message, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.filing.consolidate import THRESHOLD
from memoir.filing.duplicates import Pair
from memoir.memory.options import WriteOptions
from memoir.output import filing
from memoir.output.answer import Answer
from memoir.output.terminal import Progress, note

_WORK = ("indexing", "comparing")


def command(
    ctx: typer.Context,
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="COSINE", help="How alike candidates are, from 0.5 to 1.")
    ] = THRESHOLD,
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", metavar="ID", help="Supersede this candidate as well (repeatable)."),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask about each candidate, on a terminal.")] = False,
    namespace: Namespaces = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Mark near-duplicates as superseded, and list what is merely alike.

    Two memories are near-duplicates if they differ in nothing but articles, copulas, contractions and a closing full
    stop; the newer stands, of two of one time the surer, then the one whose path comes first. Whatever else is alike is
    a candidate, and superseded only if you accept it: alike are also "works" and "fails". It is one commit, which
    'memoir undo' takes back.
    """
    here = session(ctx)
    if ask and (here.json or dry_run or not sys.stdin.isatty()):
        raise InvalidInput("--ask needs a terminal", "name candidates with --accept ID instead")
    with ExitStack() as bars:
        indexing, comparing = (bars.enter_context(Progress(what, shown=here.chatty)) for what in _WORK)

        def choose(candidates: list[Pair]) -> list[Pair]:
            bars.close()
            return _accepted(candidates)

        done = here.repository.consolidate(
            threshold=threshold,
            accept=accept or [],
            choose=choose if ask else None,
            namespaces=namespace or [],
            indexing=indexing,
            comparing=comparing,
            options=WriteOptions(message, dry_run=dry_run),
        )
    return filing.consolidated(done, dry_run=dry_run)


def _accepted(candidates: list[Pair]) -> list[Pair]:
    """The candidates that somebody at the terminal accepts; 'q' ends the questions."""
    accepted: list[Pair] = []
    for number, pair in enumerate(candidates, 1):
        note(filing.question(pair, number, len(candidates)))
        answer = sys.stdin.readline().strip().lower()
        if answer == "q":
            break
        if answer in ("y", "yes"):
            accepted.append(pair)
    return accepted
