"""The memory tool in an event loop."""

import asyncio
from typing import Any

import pytest
from messages_api import MessagesApi, tool_use

from memoir.repository.repository import Repository

CREATE = {"command": "create", "path": "/memories/user/drinks.md", "file_text": "Likes coffee."}


def test_an_awaited_runner_carries_out_commands_and_hears_of_refusals(api: MessagesApi, repository: Repository) -> None:
    from anthropic import AsyncAnthropic

    from memoir.memory_tool import AsyncMemoryTool

    api.answers.extend([tool_use("memory", **CREATE), tool_use("memory", **CREATE), "I knew that."])

    async def ask() -> str:
        async with AsyncAnthropic(api_key="none", base_url=api.url) as client:
            runner = client.beta.messages.tool_runner(
                model="any",
                max_tokens=100,
                messages=[{"role": "user", "content": "I like coffee."}],
                tools=[AsyncMemoryTool(repository)],
            )
            (block,) = (await runner.until_done()).content
            return block.text if block.type == "text" else ""

    assert asyncio.run(ask()) == "I knew that."
    assert repository.content("user:drinks") == "Likes coffee."
    assert api.requests[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    stored, refused = (request.body["messages"][-1]["content"][0] for request in api.requests[1:])
    assert (stored["content"], refused["content"]) == (
        "File created successfully at: /memories/user/drinks.md",
        "Error: File /memories/user/drinks.md already exists",
    )
    assert refused["is_error"]


def test_the_loop_goes_on_while_a_command_is_carried_out(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoir.memory_tool import AsyncMemoryTool

    tool = AsyncMemoryTool(repository)
    began, go_on = asyncio.Event(), asyncio.Event()

    async def main() -> Any:
        loop = asyncio.get_running_loop()

        def slow(command: object) -> str:
            loop.call_soon_threadsafe(began.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(10)
            return "done"

        monkeypatch.setattr(tool.tool, "call", slow)
        answer = asyncio.create_task(tool.call({}))
        await asyncio.wait_for(began.wait(), 10)
        go_on.set()
        return await answer

    assert asyncio.run(main()) == "done"
