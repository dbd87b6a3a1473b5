"""The answers of `threads` and `thread`."""

from typing import Annotated, TypedDict

from memoir.output.contract.schema import Count, Schema
from memoir.output.contract.shapes import Instant, Memory, Place

ThreadId = Annotated[str, Schema(pattern=r"^[0-9a-f]{12}$")]
"""The id of the thread's oldest memory, which no newer memory changes."""


class Begun(Place):
    """Where a thread begins: its oldest memory."""

    content: str


class Thread(TypedDict):
    """A topic that memories came back to."""

    id: ThreadId
    about: list[str]
    """Words that its memories share, the most telling first."""
    size: Annotated[int, Schema(minimum=2)]
    """How many memories it has."""
    first: Instant
    """When its oldest memory was learnt."""
    last: Instant
    """When its newest memory was learnt."""
    dormant: bool
    """Whether no memory was added in the two weeks before now."""
    founder: Begun


class Threads(TypedDict):
    """The threads, those with the newest memories first."""

    threads: list[Thread]
    count: Count
    """How many threads are listed."""
    dormant: Count
    """How many more are dormant; --all lists them."""
    omitted: Count
    """How many more threads --limit left out."""


class ThreadMemory(Place, Memory):
    """A memory of the thread."""


class Story(Thread):
    """One thread with all its memories, the oldest first."""

    memories: list[ThreadMemory]


ANSWERS: dict[str, type] = {
    "threads": Threads,
    "thread": Story,
}
