"""Undo and redo, read off a reflog."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import MemoirError
from memoir.git.objects import Oid
from memoir.git.reflog import BranchMove
from memoir.store.rewind import moves_taken_back, moves_to_undo, redo_reason, redo_target, undo_reason


def _id(number: int) -> Oid:
    return Oid(number.to_bytes(20, "big"))


def _number(oid: Oid) -> int:
    return int.from_bytes(oid, "big")


class Branch:
    """A branch and its reflog, moved as memoir moves one; states are numbers."""

    def __init__(self) -> None:
        self.at = 0
        self.reflog: list[BranchMove] = []

    def move(self, new: int, reason: str) -> None:
        self.reflog.insert(0, BranchMove(_id(self.at), _id(new), reason))
        self.at = new

    def undo(self, steps: int = 1) -> None:
        move = moves_taken_back(self.reflog, steps)[-1]
        assert move.old
        self.move(_number(move.old), undo_reason(move, steps))

    def redo(self) -> None:
        move = redo_target(self.reflog)
        assert move.old
        self.move(_number(move.old), redo_reason(move))


@given(st.lists(st.sampled_from(["write", "undo 1", "undo 2", "undo 3", "redo"]), max_size=40))
def test_undo_and_redo_walk_a_line_of_states(operations: list[str]) -> None:
    """The model: a list of states and a position, cut off behind the position by every write.

    `forward` holds the position before each undo that redo can still reverse.
    """
    branch, states, position = Branch(), [0], 0
    forward: list[int] = []
    for number, operation in enumerate(operations, 1):
        verb, _, steps = operation.partition(" ")
        if verb == "write":
            branch.move(number, "write")
            states[position + 1 :] = [number]
            position, forward = position + 1, []
        elif verb == "undo" and position >= int(steps):
            branch.undo(int(steps))
            forward.append(position)
            position -= int(steps)
        elif verb == "redo" and forward:
            branch.redo()
            position = forward.pop()
        else:
            with pytest.raises(MemoirError, match=r"nothing to (un|re)do|can be undone"):
                branch.undo(int(steps)) if verb == "undo" else branch.redo()
        assert branch.at == states[position]
        assert [_number(move.new) for move in moves_to_undo(branch.reflog)] == states[1 : position + 1][::-1]
