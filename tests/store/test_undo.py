"""Undo and redo, read off a reflog."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import MemoirError
from memoir.store.reflog import Move
from memoir.store.undo import REDO, UNDO, redo_target, undo_target


class Branch:
    """A branch and its reflog, moved as memoir moves one; states are numbers."""

    def __init__(self) -> None:
        self.at = 0
        self.reflog: list[Move] = []

    def move(self, new: int, reason: str) -> None:
        self.reflog.insert(0, Move(str(self.at), str(new), reason))
        self.at = new

    def undo(self) -> None:
        move = undo_target(self.reflog)
        assert move.old
        self.move(int(move.old), UNDO + move.reason)

    def redo(self) -> None:
        move = redo_target(self.reflog)
        assert move.old
        self.move(int(move.old), REDO + move.reason)


@given(st.lists(st.sampled_from(["write", "undo", "redo"]), max_size=40))
def test_undo_and_redo_walk_a_line_of_states(operations: list[str]) -> None:
    """The model: a list of states and a position, cut off behind the position by every write."""
    branch, states, position = Branch(), [0], 0
    for number, operation in enumerate(operations, 1):
        if operation == "write":
            branch.move(number, "write")
            states[position + 1 :] = [number]
            position += 1
        elif operation == "undo" and position > 0:
            branch.undo()
            position -= 1
        elif operation == "redo" and position < len(states) - 1:
            branch.redo()
            position += 1
        else:
            with pytest.raises(MemoirError, match=r"nothing to (un|re)do"):
                getattr(branch, operation)()
        assert branch.at == states[position]
