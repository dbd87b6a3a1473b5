"""The answers of `threads` and `thread`."""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from memoir.output.answer import Answer, Line, line
from memoir.output.dates import local
from memoir.output.shared import memory as fields_of
from memoir.output.shared import nothing, place
from memoir.output.text import one_line, plural

if TYPE_CHECKING:
    from memoir.layers.threads import Listing, Placed, Story, Thread
    from memoir.output.contract import layers as types

_DAY = len("2026-01-31")


def threads(found: "Listing") -> Answer:
    """`threads`: the topics that memories came back to."""
    data: types.Threads = {
        "threads": [_thread(each) for each in found.threads],
        "count": len(found.threads),
        "dormant": found.dormant,
        "omitted": found.omitted,
    }
    return Answer(data, lambda: _list(found), paged=True, notes=lambda: _notes(found))


def thread(found: "Story") -> Answer:
    """`thread`: one thread as a story."""
    memories: list[types.ThreadMemory] = [{**place(each.address), **fields_of(each.memory)} for each in found.memories]
    data: types.Story = {**_thread(found.thread), "memories": memories}
    return Answer(data, lambda: _story(found), paged=True)


def _thread(found: "Thread") -> "types.Thread":
    return {
        "id": found.id,
        "about": found.words,
        "size": found.size,
        "first": found.first.memory.timestamp,
        "last": found.last.memory.timestamp,
        "dormant": found.is_dormant,
        "founder": {**place(found.first.address), "content": found.first.memory.content},
    }


def _list(found: "Listing") -> Iterable[Line]:
    for each in found.threads:
        yield _headline(each)
        yield line("    ", one_line(each.first.memory.content))


def _headline(found: "Thread") -> Line:
    style = "dim" if found.is_dormant else "bold cyan"
    notes = [plural(found.size, "memory", "memories"), _span(found), *(["dormant"] if found.is_dormant else [])]
    return line((found.id, style), "  ", ", ".join(found.words), "  ", (f"({', '.join(notes)})", "dim"))


def _span(found: "Thread") -> str:
    first, last = _day(found.first), _day(found.last)
    return first if first == last else f"{first} to {last}"


def _day(placed: "Placed") -> str:
    return local(placed.memory.timestamp)[:_DAY]


def _notes(found: "Listing") -> Iterable[Line]:
    yield from nothing(len(found.threads) + found.dormant, "no threads: no two memories are about the same thing")
    if found.dormant:
        yield line((f"{plural(found.dormant, 'dormant thread')} left out; --all shows them", "yellow"))
    if found.omitted:
        total = len(found.threads) + found.omitted
        yield line((f"{plural(found.omitted, 'more thread')} left out; --limit {total} shows all", "yellow"))


def _story(found: "Story") -> Iterable[Line]:
    yield _headline(found.thread)
    for day, memories in groupby(found.memories, _day):
        yield line("")
        yield line((day, "bold"))
        for each in memories:
            yield line("  ", (each.address.short_key, "cyan"))
            for text in each.memory.content.split("\n"):
                yield line("    ", text)
