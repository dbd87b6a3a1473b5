"""An agent whose memory tool is a memoir store.

    python examples/memory_tool.py notes "Remember that I like coffee."

It needs the variable ANTHROPIC_API_KEY, and asks the model of MEMOIR_MODEL. What the model remembers is in the
store afterwards: `memoir -s notes log` shows it, and `memoir -s notes undo` takes the last change back.
"""

import os
import sys

from anthropic import Anthropic

from memoir import Repository
from memoir.memory_tool import MemoryTool


def main(folder: str, request: str) -> None:
    """Let a model answer a request with the memories of a folder's store, and print what it says."""
    model = os.environ.get("MEMOIR_MODEL", "claude-sonnet-4-5")
    with Repository.init(folder) as repository:
        runner = Anthropic().beta.messages.tool_runner(
            model=model,
            max_tokens=4096,
            messages=[{"role": "user", "content": request}],
            tools=[MemoryTool(repository)],
        )
        for block in runner.until_done().content:
            if block.type == "text":
                print(block.text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/memory_tool.py FOLDER REQUEST")
    main(*sys.argv[1:])
