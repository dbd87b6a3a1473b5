"""The answers of `mcp`."""

from typing import TYPE_CHECKING

from memoir.output.answer import Answer

if TYPE_CHECKING:
    from memoir.output.contract import agents as types


def served(calls: int) -> Answer:
    """`mcp`, after its client has gone: how many calls it answered. People see nothing."""
    data: types.Mcp = {"calls": calls}
    return Answer(data)
