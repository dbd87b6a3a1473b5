"""`memoir consolidate`."""

import sys
from contextlib import ExitStack
from functools import partial
from typing import Annotated

import typer

from memoir.answers import filing
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress, note
from memoir.cli.options import DryRun, Message, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.filing.duplicates import THRESHOLD, Pair
from memoir.memory.write_options import WriteOptions

_WORK = ("indexing", "comparing")


def consolidate(
    ctx: typer.Context,
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="COSINE", help="The least similarity of candidates, from 0.5 to 1.")
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
    """Mark near-duplicates as superseded, and list memories that are only similar.

    Two memories are near-duplicates if they differ only in articles, in 'is' and 'are', in contractions and in a final
    full stop. The newer one stays active. If both have the same time, the one with the higher confidence stays, then
    the one whose path comes first. Memories that are only similar are candidates, which are superseded only if you
    accept them: "it works" and "it fails" are similar, too. All changes are one commit, which 'memoir undo' takes back.
    """
    here = session(ctx)
    if ask and (here.json or dry_run or not sys.stdin.isatty()):
        raise InvalidInput("--ask needs a terminal", "name candidates with --accept ID instead")
    options = WriteOptions(message, dry_run=dry_run)
    with ExitStack() as bars:
        indexing, comparing = (bars.enter_context(Progress(what, shown=here.chatty)) for what in _WORK)
        done = here.repository.consolidate(
            threshold=threshold, accept=accept or [], choose=partial(_choose, bars) if ask else None,
            namespaces=namespace or [], indexing=indexing, comparing=comparing, options=options,
        )  # fmt: skip
    return filing.consolidate(done, dry_run=dry_run)


def _choose(bars: ExitStack, candidates: list[Pair]) -> list[Pair]:
    """Ask somebody at the terminal which candidates to accept, once the bars are gone; 'q' ends the questions."""
    bars.close()
    pairs: list[Pair] = []
    for number, pair in enumerate(candidates, 1):
        note(filing.question(pair, number, len(candidates)))
        answer = sys.stdin.readline().strip().lower()
        if answer == "q":
            break
        if answer in ("y", "yes"):
            pairs.append(pair)
    return pairs
