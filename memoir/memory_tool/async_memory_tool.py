"""`AsyncMemoryTool`: the memory tool for `AsyncAnthropic`."""

import asyncio
from typing import TYPE_CHECKING

from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaFunctionToolResultType

from memoir.memory_tool.memory_tool import MemoryTool
from memoir.repository.repository import Repository

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam, BetaMemoryTool20250818Param


class AsyncMemoryTool(BetaAsyncBuiltinFunctionTool):
    """The memory tool on a store; its commands run in threads, so that the event loop is not blocked."""

    def __init__(
        self, repository: Repository, *, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        self.tool = MemoryTool(repository, cache_control=cache_control)
        """The tool that executes the commands."""

    def to_dict(self) -> "BetaMemoryTool20250818Param":
        """The tool's definition for a request."""
        return self.tool.to_dict()

    async def call(self, input: object) -> BetaFunctionToolResultType:  # noqa: A002 - the SDK calls it so
        """Execute a command and return its answer.

        Raises:
            ToolFailure: the command failed.
        """
        return await asyncio.to_thread(self.tool.call, input)
