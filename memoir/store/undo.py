"""Undo and redo, read off a branch's reflog.

The reflog is the list of everything that ever moved the branch, undo and redo among it. Read
backwards, an undo cancels the move before it and a redo cancels an undo, like brackets:

    add A, add B, undo, undo, redo      ->  the next undo takes back A, the next redo brings back B

An undo of several moves at once is one bracket of that weight, and redo brings them all back.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from memoir.errors import MemoirError, NotFound
from memoir.git.reflog import BranchMove

_STEP = re.compile(r"(undo|redo)(?: ([1-9]\d*))?: ")


def moves_to_undo(moves: Iterable[BranchMove]) -> Iterator[BranchMove]:
    """The moves that undo can take back, newest first (`moves` come newest first)."""
    undos = redos = 0
    for move in moves:
        verb, weight = _next_step(move)
        if verb == "redo":
            redos += weight
        elif verb == "undo" and redos:
            redos -= weight
        elif verb == "undo":
            undos += weight
        elif undos:
            undos -= 1
        else:
            yield move


def undo_target(moves: Iterable[BranchMove], steps: int = 1) -> BranchMove:
    """The move whose beginning is so many steps back.

    Raises:
        MemoirError: nothing is left to undo. NotFound: not so much is.
    """
    newest = list(islice(moves_to_undo(moves), steps))
    if not newest:
        raise MemoirError("nothing to undo on this branch", "'memoir log' shows its commits")
    if len(newest) < steps:
        changes = "1 change" if len(newest) == 1 else f"{len(newest)} changes"
        raise NotFound(f"only {changes} can be undone, not {steps}", "'memoir reflog' lists them")
    return newest[-1]


def redo_target(moves: Iterable[BranchMove]) -> BranchMove:
    """The newest undo that no redo has reversed; any other move since ends what can be redone.

    Raises:
        MemoirError: nothing to redo.
    """
    redone = 0
    for move in moves:
        verb, weight = _next_step(move)
        if verb == "redo":
            redone += weight
        elif verb != "undo":
            break
        elif redone:
            redone -= weight
        else:
            return move
    raise MemoirError("nothing to redo on this branch", "redo reverses an undo, until the branch changes again")


def undo_reason(move: BranchMove, steps: int) -> str:
    """The entry of the log for an undo that ends with this move."""
    return f"undo{'' if steps == 1 else f' {steps}'}: {move.reason}"


def redo_reason(move: BranchMove) -> str:
    """The entry of the log for the redo of an undo."""
    return move.reason.replace("undo", "redo", 1)


def bare_reason(reason: str) -> str:
    """The change that an undo took back or a redo brought back, by its reason."""
    return _STEP.sub("", reason, count=1)


def _next_step(move: BranchMove) -> tuple[str | None, int]:
    match = _STEP.match(move.reason)
    return (match[1], int(match[2] or 1)) if match else (None, 1)
