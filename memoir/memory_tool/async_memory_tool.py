"""`AsyncMemoryTool`: the memory tool for `AsyncAnthropic`."""

import asyncio
from typing import TYPE_CHECKING

from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaFunctionToolResultType

from memoir.memory_tool.memory_tool import MemoryTool
from memoir.repository.repository import Repository

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam, BetaMemoryTool20250818Param


class AsyncMemoryTool(BetaAsyncBuiltinFunctionTool):
    """The memory tool on a store, whose commands run in threads: the event loop goes on meanwhile."""

    def __init__(
        self, repository: Repository, *, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        self.tool = MemoryTool(repository, cache_control=cache_control)
        """The tool that carries the commands out."""

    def to_dict(self) -> "BetaMemoryTool20250818Param":
        """The tool as a request names it."""
        return self.tool.to_dict()

    async def call(self, input: object) -> BetaFunctionToolResultType:  # noqa: A002 - the SDK calls it so
        """Carry out a command and return its answer.

        Raises:
            ToolFailure: it cannot be carried out.
        """
        return await asyncio.to_thread(self.tool.call, input)
