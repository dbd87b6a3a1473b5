"""Threads: the same memories give the same threads, however they came into the index."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from index.indexing import MemoryStore, memory, memory_store, name
from support import examples

from memoir.git.objects import sha1
from memoir.index.index import Index
from memoir.index.sequence import Key
from memoir.records.record import Memory
from memoir.store.snapshot import Snapshot

WORDS = ["Apollo", "Zeus", "Hera", "parser", "cluster", "grammar", "lexer", "deadline", "the"]
WrittenMemories = list[tuple[str, Memory]]


def threads(index: Index, snapshot: Snapshot) -> list[list[str]]:
    """The paths of each thread, by thread."""

    def read(view: Any) -> list[list[str]]:
        parts = view.threads()
        return sorted([member.key.path for member in parts.members(each.number)] for each in parts.all())

    return index.read(snapshot, read)


def ids(index: Index, snapshot: Snapshot) -> dict[str, str]:
    """The thread of each path, by the id of its founder."""
    return index.read(
        snapshot,
        lambda view: {
            member.key.path: view.threads().members(each.number)[0].key.id
            for each in view.threads().all()
            for member in view.threads().members(each.number)
        },
    )


def rows(index: Index, snapshot: Snapshot) -> list[list[Any]]:
    """All that the index keeps about threads."""
    tables = ("threaded", "topic", "joined", "thread")
    return index.read(
        snapshot, lambda view: [sorted(view.database.execute(f"SELECT * FROM {table}")) for table in tables]
    )


def snapshot(store: MemoryStore, memories: WrittenMemories) -> Snapshot:
    contents: dict[str, list[Memory]] = {}
    for path, each in memories:
        contents.setdefault(path, []).append(each)
    return store.snapshot(contents)


def index_with_threads(store: MemoryStore) -> Index:
    return Index(store, wait=True, threads=True)  # type: ignore[arg-type]  # as much of a store as an index needs


def write(texts: Sequence[str], days: Sequence[int] | None = None) -> WrittenMemories:
    """Memories at paths a, b, ..., one a day unless the days are given."""
    when = days or range(1, len(texts) + 1)
    pairs = zip(texts, when, strict=True)
    return [(f"topics.{name(at)}", memory(text, f"2026-01-{day:02}T00:00:00Z")) for at, (text, day) in enumerate(pairs)]


MEMORIES = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), st.integers(1, 5)),
    min_size=2,
    max_size=7,
).map(lambda pairs: write([text for text, _ in pairs], [day for _, day in pairs]))


@settings(max_examples=examples(15))
@given(MEMORIES, st.randoms(use_true_random=False))
def test_built_at_once_or_as_memories_come_and_go_the_threads_are_the_same(
    memories: WrittenMemories, random: Any
) -> None:
    random.shuffle(memories)
    with memory_store() as one, memory_store() as other:
        by_steps, at_once = index_with_threads(one), index_with_threads(other)
        for size in range(1, len(memories)):
            rows(by_steps, snapshot(one, memories[:size]))

        assert rows(by_steps, snapshot(one, memories)) == rows(at_once, snapshot(other, memories))
        at_once.discard()
        assert rows(by_steps, snapshot(one, memories[1:])) == rows(at_once, snapshot(other, memories[1:]))


@settings(max_examples=examples(15))
@given(MEMORIES, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_a_memory_newer_than_all_others_renames_no_thread(memories: WrittenMemories, words: list[str]) -> None:
    newest = ("topics.newest", memory(" ".join(words), "2026-02-01T00:00:00Z"))
    with memory_store() as store:
        index = index_with_threads(store)
        before = ids(index, snapshot(store, memories))
        after = ids(index, snapshot(store, [*memories, newest]))

    for thread in set(before.values()):
        (its,) = {after[path] for path in before if before[path] == thread}
        assert its == thread or (its == after["topics.newest"] and its in older_than(thread, memories))


def older_than(thread: str, memories: WrittenMemories) -> list[str]:
    """The ids of the memories that are older than the founder of a thread."""
    keys = sorted(
        Key(each.instant.timestamp(), "default", path, sha1(each.content.encode())) for path, each in memories
    )
    return [key.id for key in keys][: [key.id for key in keys].index(thread)]


def test_memories_that_share_a_name_are_one_thread_and_others_are_not(memories: MemoryStore) -> None:
    texts = ["We moved to Apollo", "Lunch is at noon", "The move to Apollo is done", "Fix the parser's grammar"]

    assert threads(index_with_threads(memories), snapshot(memories, write(texts))) == [["topics.aaa", "topics.aac"]]


def test_a_question_that_does_not_wait_sees_the_threads_of_a_few_memories_and_notes_nothing(
    memories: MemoryStore,
) -> None:
    texts = ["We moved to Apollo", "The move to Apollo is done"]
    index = Index(memories, threads=True)  # type: ignore[arg-type]  # as much of a store as an index needs

    assert threads(index, snapshot(memories, write(texts))) == [["topics.aaa", "topics.aab"]]
    assert index.degraded == []


def test_one_common_word_is_a_coincidence(memories: MemoryStore) -> None:
    texts = ["deadline", "deadline"]

    assert threads(index_with_threads(memories), snapshot(memories, write(texts))) == []


def test_where_threads_join_the_older_id_stays_and_the_other_leads_to_it(memories: MemoryStore) -> None:
    texts = ["the parser and the grammar", "grammar of the parser", "cluster: Zeus", "Zeus: the cluster"]
    index = index_with_threads(memories)
    apart = ids(index, snapshot(memories, write(texts)))
    joint = write([*texts, "parser grammar on Zeus, the cluster"])

    joint_ids = ids(index, snapshot(memories, joint))

    assert len(set(apart.values())) == 2
    assert set(joint_ids.values()) == {apart["topics.aaa"]}
    numbers = index.read(
        snapshot(memories, joint), lambda view: {view.threads().of_memory(each)[0] for each in apart.values()}
    )
    assert len(numbers) == 1


def test_namespaces_do_not_share_threads(memories: MemoryStore) -> None:
    both = [("a.b", memory("Apollo landed")), ("user:a.b", memory("Apollo landed"))]

    assert threads(index_with_threads(memories), snapshot(memories, both)) == []


def test_a_removed_memory_leaves_no_word_behind(memories: MemoryStore) -> None:
    index = index_with_threads(memories)
    rows(index, snapshot(memories, write(["Zeus is here", "Apollo is there"])))

    rest = rows(index, snapshot(memories, write(["Zeus is here"])))

    assert "Apollo" not in str(rest) and "apollo" not in str(rest) and "zeus" in str(rest)


def test_one_more_memory_changes_no_other_row(memories: MemoryStore) -> None:
    texts = [f"{word} number {at}" for at, word in enumerate(WORDS * 3)]
    index = index_with_threads(memories)
    before = rows(index, snapshot(memories, write(texts)))

    after = rows(index, snapshot(memories, [*write(texts), ("a.b", memory("Apollo", "2026-03-01T00:00:00Z"))]))

    assert all(set(old) <= set(new) for old, new in zip(before, after, strict=True))
