"""Undo and redo, read off a branch's reflog.

The reflog is the list of everything that ever moved the branch, undo and redo among it. Read
backwards, an undo cancels the move before it and a redo is a move again, like brackets:

    add A, add B, undo, undo, redo      ->  the next undo takes back A, the next redo brings back B
"""

from collections.abc import Iterable

from memoir.errors import MemoirError
from memoir.store.reflog import Move

UNDO, REDO = "undo: ", "redo: "


def undo_target(moves: Iterable[Move]) -> Move:
    """The newest move that is still in force (moves come newest first).

    Raises:
        MemoirError: nothing is left to undo.
    """
    cancelled = 0
    for move in moves:
        if move.reason.startswith(UNDO):
            cancelled += 1
        elif cancelled:
            cancelled -= 1
        else:
            return move
    raise MemoirError("nothing to undo on this branch", "'memoir log' shows its commits")


def redo_target(moves: Iterable[Move]) -> Move:
    """The newest undo that is still in force; any other move since ends what can be redone.

    Raises:
        MemoirError: nothing to redo.
    """
    redone = 0
    for move in moves:
        if move.reason.startswith(REDO):
            redone += 1
        elif not move.reason.startswith(UNDO):
            break
        elif redone:
            redone -= 1
        else:
            return move
    raise MemoirError("nothing to redo on this branch", "redo reverses an undo that nothing has followed")
