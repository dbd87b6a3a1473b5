"""A store in an event loop, which goes on while memories are written and recalled.

    python examples/event_loop.py notes

A method of a repository waits for git, for the disk or for a model, and until then nothing else would run in the loop.
So no method is called in the loop itself. Writes run in one worker thread: they are done in the order in which they
were asked for, and do not wait for each other's lock. Reads run in other threads, beside them, because threads may
share a repository. If a task is cancelled while it waits for a write, the thread still finishes the write.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

from memoir import Repository
from memoir.types import RecallAnswer, RememberResult

TURNS = [
    ("We deploy with make deploy.", "project.deploy"),
    ("Tests run with pytest.", "project.testing"),
    ("Releases are on Tuesdays.", "project.releases"),
]


class AsyncMemory:
    """A store whose methods are awaited."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._writer = ThreadPoolExecutor(1)

    async def __aenter__(self) -> "AsyncMemory":
        self._repository = await asyncio.to_thread(Repository.init, self._folder)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await asyncio.to_thread(self._writer.shutdown)  # first every write that was asked for
        await asyncio.to_thread(self._repository.close)

    async def remember(self, text: str, key: str) -> RememberResult:
        """Store a text at a key, after the writes that were asked for before."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, self._repository.remember, text, key)

    async def recall(self, question: str) -> RecallAnswer:
        """Find the memory that answers a question best."""
        return await asyncio.to_thread(self._repository.recall, question, limit=1)


async def count_turns_of_the_loop(counts: list[int]) -> None:
    """Count as long as the loop goes on."""
    while True:
        counts[0] += 1
        await asyncio.sleep(0)


async def main(folder: str) -> None:
    """Remember some texts at once, and ask two questions at once, while the loop counts."""
    counts = [0]
    counting = asyncio.create_task(count_turns_of_the_loop(counts))
    async with AsyncMemory(folder) as memory:
        written = await asyncio.gather(*(memory.remember(text, key) for text, key in TURNS))
        for result, (text, _) in zip(written, TURNS, strict=True):
            print(f"{result.commit.id.short if result.commit else 'unchanged'}  {text}")
        answers = await asyncio.gather(memory.recall("how do we deploy?"), memory.recall("when are releases?"))
        for answer in answers:
            print(f"{answer.query}  {answer.memories[0].content}")
    counting.cancel()
    print("the loop went on meanwhile" if counts[0] > len(TURNS) else "the loop was blocked")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/event_loop.py FOLDER")
    asyncio.run(main(sys.argv[1]))
