"""Updating the index: after any changes it equals an index built from scratch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index.indexing import (
    Contents,
    MemoryStore,
    Stub,
    find,
    hash_embedder,
    holdings,
    memory,
    memory_store,
    name,
    ranking,
    traces,
)

from memoir.git.objects import Oid
from memoir.index import update, word_tables
from memoir.index.documents import details
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.index.view import View
from memoir.records.record import Memory
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE

WORDS = ["alpha", "beta", "gamma", "naïve", "dragon fruit", "ran running", "日本語", "the of", "of Atlas. Atlas to_it"]
PEOPLE = [None, "Ada Lovelace", "ada", "Grace Hopper", ["Ada Lovelace", "Melanie"], ["Bo", "Bo"], 7]
KEYS = [
    "t1",
    "t2",
    "a.t1",
    "a.t2",
    "a.t2-3",
    "a.t3",
    "a.t10",
    "a.t2.deep",
    "a.x",
    "a.y",
    "b.t1",
    "user:b.t1",
    "user:b.t2",
]
DAYS = [f"2025-12-{day:02}T12:00:00Z" for day in (1, 20, 31)]
QUERIES = ["alpha", "naive dragons", "What did Ada's friend say?", "Mel ran", "the of", "gamma in December 2025"]


def _memory(content: str, when: str, person: object, date: str | None, *, active: bool) -> Memory:
    metadata = {"person": person, "occurred_at": date}
    return memory(content, when, active=active, **{name: value for name, value in metadata.items() if value})


MEMORIES = st.builds(
    _memory,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    st.sampled_from(DAYS),
    st.sampled_from(PEOPLE),
    st.sampled_from([None, "2025-12-24", "last spring"]),
    active=st.sampled_from([True, True, False]),
)
EDITS = st.dictionaries(st.sampled_from(KEYS), st.lists(MEMORIES, max_size=3), min_size=1, max_size=4)


def _states(edits: Sequence[Mapping[str, list[Memory]]], back: int) -> list[Contents]:
    """What a store holds after each edit; then an older state again, as after a switch of branches or for `--at`."""
    states: list[Contents] = [{}]
    for edit in edits:
        states.append({**states[-1], **edit})
    return [*states[1:], states[back % len(states)], states[-1]]


@given(st.lists(EDITS, min_size=1, max_size=5), st.integers(0, 5))
@settings(max_examples=12)
def test_after_any_edits_the_index_equals_a_new_one(edits: list[dict[str, list[Memory]]], back: int) -> None:
    with memory_store() as store, memory_store() as fresh:
        index = store.index(hash_embedder())
        for contents in _states(edits, back):
            snapshot = store.snapshot(contents)
            index_file(fresh.git_dir).unlink(missing_ok=True)
            scratch = fresh.index(hash_embedder())
            anew = fresh.snapshot(contents)

            assert holdings(index, snapshot) == holdings(scratch, anew)
            for query in QUERIES:
                assert traces(index, snapshot, query) == traces(scratch, anew, query)
            scratch.close()
        index.close()


@given(st.lists(EDITS, min_size=1, max_size=4))
@settings(max_examples=12)
def test_small_pools_do_not_depend_on_the_order_of_writes(edits: list[dict[str, list[Memory]]]) -> None:
    """Scores and addresses decide what is cut off at the end of a pool, not the order of writes."""
    tight = {"pool": 2}
    with memory_store() as store, memory_store() as fresh:
        index, contents = store.index(hash_embedder()), _states(edits, 0)
        for each in contents:
            holdings(index, store.snapshot(each))
        last = contents[-1]
        scratch = fresh.index(hash_embedder())

        for query in ("alpha beta gamma", "what happened in December 2025?"):
            incremental = traces(index, store.snapshot(last), query, tight)
            assert incremental == traces(scratch, fresh.snapshot(last), query, tight)
        index.close()
        scratch.close()


def test_memories_of_a_time_do_not_depend_on_the_order_of_writes(memories: MemoryStore) -> None:
    """More memories of one day than a pool holds: addresses decide which of them are candidates."""
    contents = {name(number): [memory(f"note {number}", "2025-12-24T12:00:00Z")] for number in range(6)}
    tight = {"pool": 2}
    index = memories.index()
    for number in reversed(range(6)):
        holdings(index, memories.snapshot({key: contents[key] for key in sorted(contents)[number:]}))

    assert find(index, memories.snapshot(contents), "on 24 December 2025", tight)[:2] == ["default:aaa", "default:aab"]


def _ids(index: Index, store: MemoryStore, contents: Contents) -> dict[str, int]:
    """The ids that the index has given, by path and ordinal."""

    def ids(view: View) -> dict[str, int]:
        return {f"{path}/{n}": i for path, n, i in view.database.execute("SELECT path, ordinal, id FROM document")}

    return index.read(store.snapshot(contents), ids)


def _sequence(count: int) -> dict[str, list[Memory]]:
    return {f"talk.t{number}": [memory(f"turn {number}")] for number in range(count)}


def test_only_what_changed_gets_a_new_document(memories: MemoryStore) -> None:
    contents = _sequence(9) | {"other": [memory("another thing")]}
    index = memories.index()
    before = _ids(index, memories, contents)

    after = _ids(index, memories, contents | {"talk.t4": [memory("said anew")], "talk.t9": [memory("more")]})

    assert {key for key in after if after[key] != before.get(key)} == {"talk.t4/0", "talk.t9/0"}


def test_a_change_rewrites_only_its_neighbours_words(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = _sequence(9) | {"other": [memory("another thing")]}
    embedder = hash_embedder()
    index = memories.index(embedder)
    holdings(index, memories.snapshot(contents))
    rewritten: list[str] = []
    write = word_tables.write_words

    def note(database: apsw.Connection, ids: Sequence[int]) -> None:
        rewritten.extend(sorted(document.address.path for document in details(database, ids)))
        write(database, ids)

    monkeypatch.setattr(update, "write_words", note)
    holdings(index, memories.snapshot(contents | {"talk.t4": [memory("said anew")]}))

    assert rewritten == ["talk.t2", "talk.t3", "talk.t4", "talk.t5", "talk.t6"]


def test_an_equal_root_needs_no_update(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    index = memories.index(hash_embedder())
    snapshot = memories.snapshot(_sequence(3))
    before = holdings(index, snapshot)
    monkeypatch.setattr(update, "bring_to", _refuse)
    memories.objects.reads = 0

    assert holdings(memories.index(hash_embedder()), memories.snapshot(_sequence(3))) == before
    assert memories.objects.reads == 0


def _refuse(*_: Any) -> None:
    raise AssertionError("the index was brought somewhere, and was there already")


def test_an_update_reads_only_what_differs(memories: MemoryStore) -> None:
    contents = {f"a{number % 40}.n{number}": [memory(f"memory {number}")] for number in range(3000)}
    index = memories.index()
    _ids(index, memories, contents)
    snapshot = memories.snapshot(contents | {"a1.n1": [memory("said anew")]})
    memories.objects.reads = 0

    index.read(snapshot, lambda view: None)

    assert memories.objects.reads < 20


def test_superseded_memories_are_not_documents(memories: MemoryStore) -> None:
    index = memories.index()
    snapshot = memories.snapshot({"a": [memory("zebra", active=False), memory("lion")]})

    assert find(index, snapshot, "zebra") == []
    assert find(index, snapshot, "lion") == ["default:a"]
    assert [row[2] for row in holdings(index, snapshot)["documents"]] == [1]


def _columns(index: Index, store: MemoryStore, contents: Contents, word: str) -> dict[str, list[str]]:
    """Which columns of whose documents hold a word."""
    columns: dict[str, list[str]] = {}
    for _, path, ordinal, term, column, _ in holdings(index, store.snapshot(contents))["words"]:
        if term == word:
            columns.setdefault(f"{path}/{ordinal}", []).append(column)
    return columns


def test_a_document_has_two_neighbours_on_either_side(memories: MemoryStore) -> None:
    contents = _sequence(7) | {"talk.t3": [memory("zebra")], "talk.title": [memory("lion")]}

    assert _columns(memories.index(), memories, contents, "zebra") == {
        "talk.t1/0": ["after2"], "talk.t2/0": ["after"], "talk.t3/0": ["content"],
        "talk.t4/0": ["before"], "talk.t5/0": ["before2"],
    }  # fmt: skip


def test_a_sequence_is_sorted_by_number(memories: MemoryStore) -> None:
    contents = {f"talk.turn_{number}": [memory(f"turn {number}")] for number in range(1, 21)}
    contents["talk.turn_9"] = [memory("zebra")]

    columns = _columns(memories.index(), memories, contents, "zebra")

    assert columns["talk.turn_10/0"] == ["before"]
    assert "talk.turn_8/0" in columns and "talk.turn_19/0" not in columns


def test_the_memories_of_one_path_are_neighbours_in_their_order(memories: MemoryStore) -> None:
    contents = {"talk.t1": [memory("zebra"), memory("gone", active=False), memory("lion")], "talk.t2": [memory("cow")]}

    assert _columns(memories.index(), memories, contents, "zebra") == {
        "talk.t1/0": ["content"], "talk.t1/2": ["before"], "talk.t2/0": ["before2"],
    }  # fmt: skip


@pytest.mark.parametrize(
    "other", ["user:talk.t2", "talk.t1.t2", "talks.t2", "talk.u2", "talk.t-2", "talk.t", "talk.name", "t2"]
)
def test_memories_elsewhere_are_not_neighbours(memories: MemoryStore, other: str) -> None:
    """In other namespaces, at other levels, numbered otherwise, or with names of their own."""
    contents = {"title": [memory("zebra")], "talk.t1": [memory("zebra")], other: [memory("lion")]}

    columns = _columns(memories.index(), memories, contents, "zebra")

    assert columns == {"title/0": ["content"], "talk.t1/0": ["content"]}


def test_neighbours_words_count_less_than_its_own(memories: MemoryStore) -> None:
    index = memories.index()
    contents = _sequence(9) | {"talk.t4": [memory("the zebra is there")]}

    keys = find(index, memories.snapshot(contents), "zebra")

    assert keys[:3] == ["default:talk.t4", "default:talk.t5", "default:talk.t3"]
    assert set(keys[3:]) == {"default:talk.t2", "default:talk.t6"}


def test_a_store_without_commits_answers_nothing(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())
    empty = memories.snapshot({})

    assert find(index, empty, "anything") == []
    assert find(index, memories.snapshot({"a": [memory("anything")]}), "anything") == ["default:a"]
    assert find(index, empty, "anything") == []
    assert index.read(empty, View.total) == 0


def test_learned_vectors_do_not_depend_on_the_order_of_writes(memories: MemoryStore) -> None:
    first, second = _sequence(6), _sequence(4) | {"talk.t1": [memory("said anew")], "talk.t9": [memory("last")]}
    index = memories.index(Stub())
    for contents in (first, second, first, second):
        holdings(index, memories.snapshot(contents))
    with memory_store() as fresh:
        scratch = fresh.index(Stub())
        assert holdings(index, memories.snapshot(second)) == holdings(scratch, fresh.snapshot(second))


@pytest.mark.parametrize("rebuild", [True, False])
def test_an_index_of_a_removed_snapshot_is_rebuilt(
    memories: MemoryStore, rebuild: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If `memoir gc` has removed the snapshot of the index, the index is rebuilt and keeps nothing of it."""
    from memoir.errors import DamagedStore

    old = memories.snapshot(_sequence(5) | {"talk.t2": [memory("zebra", person="Ada")]})
    index = memories.index(hash_embedder())
    holdings(index, old)
    new = _sequence(3) | {"b": [memory("lion", person="Bo")]}
    if rebuild:
        monkeypatch.setattr(memories, "tree", _lose(memories, old.tree.root, DamagedStore("gone")))

    with memory_store() as fresh:
        scratch, anew = fresh.index(hash_embedder()), fresh.snapshot(new)
        assert holdings(index, memories.snapshot(new)) == holdings(scratch, anew)
        for query in ("turn zebra", "What of Ada's turn?", "lion"):
            assert traces(index, memories.snapshot(new), query) == traces(scratch, anew, query)


def _lose(store: MemoryStore, root: Oid | None, error: Exception) -> Callable[[Oid | None], Any]:
    def tree(oid: Oid | None) -> Any:
        if oid == root:
            raise error
        return store.objects.tree(oid)

    return tree


def test_every_candidate_names_the_memory_it_came_from(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())
    contents = {"user:talk.t1": [memory("lion"), memory("zebra", "2025-12-01T00:00:00Z", person=["Ada", "Bo"])]}

    (best, *_) = ranking(index, memories.snapshot(contents), "zebra").candidates

    assert best.document.address.full_key == "user:talk.t1"
    assert (best.document.ordinal, best.document.content) == (1, "zebra")
    assert best.document.people == {"ada", "bo"}
    assert best.document.learnt == best.document.event_time == 1_764_547_200.0


def test_the_index_counts_the_categories_of_a_store(memories: MemoryStore) -> None:
    index = memories.index()
    own = {
        f"{TAXONOMY_NAMESPACE}:cooking": [memory("Recipes")],
        f"{TAXONOMY_NAMESPACE}:cooking.bread": [memory("Loaves")],
    }
    plain = {"a.b": [memory("one")]}

    counts = [index.read(memories.snapshot(contents), View.kept_apart) for contents in (plain, plain | own, plain)]

    assert counts == [0, 2, 0]
    assert index.read(memories.snapshot(plain | own), View.total) == 1
