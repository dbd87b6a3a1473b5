"""`--context`: the neighbours of each memory of an answer."""

from typing import Any

import pytest
from index.indexing import MemoryStore, ask, memory

from memoir.index.index import IndexMismatch
from memoir.recall import engine
from memoir.recall.answer import RecallAnswer
from memoir.recall.beside import add_context

TALK = {f"talk.turn_{number}": [memory(f"turn {text}")] for number, text in enumerate("abcdefgh", 8)}
"""Turns 8 to 15, which sort as numbers do."""


def answer(memories: MemoryStore, query: str, contents: Any = TALK, **options: Any) -> RecallAnswer:
    index, snapshot = memories.index(), memories.snapshot(contents)
    question = ask(query, {}, **options)
    return add_context(index, snapshot, question, engine.recall(index, snapshot, question))


def contexts(reply: RecallAnswer) -> dict[str, list[tuple[int, str]]]:
    return {each.content: [(near.distance, near.content) for near in each.context or ()] for each in reply.memories}


def test_each_memory_has_its_neighbours_on_both_sides_in_order(memories: MemoryStore) -> None:
    reply = answer(memories, "b", context=2, limit=1)

    assert contexts(reply) == {"turn b": [(-1, "turn a"), (1, "turn c"), (2, "turn d")]}


def test_what_is_found_or_shown_already_is_not_repeated(memories: MemoryStore) -> None:
    groups = contexts(answer(memories, "turn c d", context=2, limit=2))

    assert set(groups) == {"turn c", "turn d"}
    assert sorted(text for near in groups.values() for _, text in near) == ["turn a", "turn b", "turn e", "turn f"]


def test_context_is_shown_whatever_the_filters_but_only_of_the_same_namespace(memories: MemoryStore) -> None:
    contents = {
        "talk.turn_1": [memory("zebra", person="Ada")],
        "talk.turn_2": [memory("giraffe", person="Bo")],
        "user:talk.turn_3": [memory("lion", person="Ada")],
    }

    reply = answer(memories, "zebra", contents, context=5, person="Ada", namespaces=("default",))

    assert contexts(reply) == {"zebra": [(1, "giraffe")]}


def test_the_memories_of_one_path_are_neighbours_and_those_of_siblings_are_not(memories: MemoryStore) -> None:
    contents = {
        "a.one": [memory("zebra"), memory("old", active=False), memory("second")],
        "a.two": [memory("other")],
    }

    assert contexts(answer(memories, "zebra", contents, context=1, limit=1)) == {"zebra": [(1, "second")]}


@pytest.mark.parametrize(("characters", "size", "omitted"), [(17, 1, 2), (18, 2, 1), (24, 3, 0), (6, 0, 3)])
def test_context_gets_the_characters_that_the_memories_leave(
    memories: MemoryStore, characters: int, size: int, omitted: int
) -> None:
    reply = answer(memories, "b", context=2, limit=1, max_chars=characters)

    assert (len(reply.memories[0].context or ()), reply.omitted) == (size, omitted)


def test_a_neighbour_that_the_store_does_not_have_is_a_mismatch(memories: MemoryStore) -> None:
    index, snapshot = (
        memories.index(),
        memories.snapshot({"talk.turn_1": [memory("zebra")], "talk.turn_2": [memory("x")]}),
    )
    question = ask("zebra", {}, context=1)
    reply = engine.recall(index, snapshot, question)
    with memories.index()._open() as database:
        database.execute("UPDATE document SET ordinal = 7 WHERE content = 'x'")

    with pytest.raises(IndexMismatch):
        add_context(index, snapshot, question, reply)
