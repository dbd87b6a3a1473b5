"""Names in the index: which words of a memory connect it to others."""

from index.indexing import Contents, MemoryStore, memory, name

CONTENTS: Contents = {
    "a": [memory("we run Atlas on Helm")],
    "b": [memory("Atlas and Helm need read_timeout"), memory("the Atlas of read_timeout")],
    "c": [memory("they asked Ada for Zeus")],
    "d": [memory("some Ada", person="Ada Lovelace")],
}


def _connectors(store: MemoryStore, content: str, contents: Contents = CONTENTS) -> list[tuple[str, int]]:
    terms = store.index().read(store.snapshot(contents), lambda view: view.find_connectors(content))
    return [(term.word, term.documents) for term in terms]


def test_the_rarest_names_come_first(memories: MemoryStore) -> None:
    many = {**CONTENTS, **{name(number): [memory("nothing")] for number in range(100)}}

    assert _connectors(memories, "Atlas, helm and READ_TIMEOUT", many) == [
        ("helm", 2), ("read_timeout", 2), ("atlas", 3),
    ]  # fmt: skip


def test_a_name_of_too_few_or_too_many_memories_connects_nothing(memories: MemoryStore) -> None:
    more = {**CONTENTS, "e": [memory("the Atlas")]}

    assert _connectors(memories, "Zeus runs Atlas on Helm", more) == [("helm", 2)]


def test_people_are_no_names(memories: MemoryStore) -> None:
    assert _connectors(memories, "Ada needs nothing") == []


def test_a_name_is_forgotten_with_the_last_memory_that_holds_it(memories: MemoryStore) -> None:
    index = memories.index()
    index.read(memories.snapshot(CONTENTS), lambda view: None)

    words = index.read(
        memories.snapshot({"b": CONTENTS["b"]}),
        lambda view: view.database.execute("SELECT word, documents FROM name").fetchall(),
    )

    assert words == [("atlas", 2), ("helm", 1), ("need", 1), ("read_timeout", 2)]
