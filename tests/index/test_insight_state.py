"""The notes of outdated leaves, and the sums of first levels: after any changes they are what comparing all finds."""

from collections import defaultdict
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index.indexing import Contents, MemoryStore, memory, memory_store
from support import examples

from memoir.index.index import Index
from memoir.index.insight_state import LevelThreads
from memoir.index.view import View
from memoir.records.record import Memory
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

LAYER, MARK = "default:insights", "memoir:layers:insights.default"
PATHS = ("a.one", "a.two", "a.three", "b.one", "b.two", "user:a.one", "user:a.two")
TEXTS = ("Apollo and the parser", "the parser of Zeus", "Zeus, the lexer", "Apollo", "lunch")
MEMORIES = st.dictionaries(
    st.sampled_from(PATHS), st.tuples(st.sampled_from(TEXTS), st.integers(1, 4)), min_size=2, max_size=len(PATHS)
)
REPLIES = st.sampled_from(("right", "right", "right", "wrong", "malformed", "branch", "missing"))
STEPS = st.lists(
    st.tuples(MEMORIES, st.lists(REPLIES, max_size=4), st.booleans(), st.booleans()), min_size=2, max_size=4
)


def insight(digest: str, level: str = "leaf") -> Memory:
    return memory("said", insight={"level": level, "by": "a-model", "sources": digest})


def leaves(due: dict[str, str], kinds: list[str]) -> dict[str, list[Memory]]:
    """Insights at the paths where there were some to write: the first as it should be, or wrong in some way."""
    records = {f"{LAYER}:a.gone": [insight("0" * 16)]} if kinds else {}
    for (path, digest), how in zip(sorted(due.items()), kinds, strict=False):
        claim = {"right": digest, "wrong": "f" * 16, "malformed": "x", "branch": digest}.get(how)
        if claim:
            records[f"{LAYER}:{path}"] = [insight(claim, "branch" if how == "branch" else "leaf")]
    return records


def digests(view: View) -> dict[str, str]:
    insights = view.insights("default")
    return {leaf.path: leaf.digest for level in insights.levels() for leaf in insights.largest(level.name, 60)}


def by_comparison(database: apsw.Connection) -> set[tuple[str, str]]:
    """The places of all leaves that are not as their threads."""
    due = {(f"{name}:insights", path): its for name, path, its in rows(database, "namespace, path, digest", "thread")}
    insights = rows(database, "namespace, path, digest, level", "insight")
    actual = {(name, path): digest for name, path, digest, level in insights if level == "leaf"}
    return {place for place in due.keys() | actual.keys() if place not in due or due[place] != actual.get(place)}


def by_addition(database: apsw.Connection, namespace: str) -> list[LevelThreads]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, level, size, digest in rows(database, "namespace, level, size, digest", "thread"):
        if name == namespace:
            row = size, 1, digest & 0xFFFFFFFF, digest >> 32 & 0xFFFFFFFF
            sums[level] = [one + other for one, other in zip(sums[level], row, strict=True)]
    return [LevelThreads(name, size, str(its).encode()) for name, (size, *its) in sorted(sums.items())]


def rows(database: apsw.Connection, columns: str, table: str) -> list[Any]:
    return database.execute(f"SELECT {columns} FROM {table}").fetchall()


def check(view: View) -> None:
    places = rows(view.database, "namespace, path", "outdated")
    assert (len(places), set(places)) == (len(set(places)), by_comparison(view.database))
    for namespace in ("default", "user"):
        assert view.insights(namespace).levels() == by_addition(view.database, namespace)


def snapshot(store: MemoryStore, contents: Contents, *, marked: bool) -> Snapshot:
    mark: Contents = {MARK: [memory("a layer")]} if marked else {}
    return store.snapshot({**contents, **mark})


@settings(max_examples=examples(12), deadline=None)
@given(STEPS)
def test_the_notes_are_what_comparing_all_finds(steps: list[Any]) -> None:
    with memory_store() as store:
        index = Index(store, wait=True, threads=True)  # type: ignore[arg-type]  # as much of a store as an index needs
        due: dict[str, str] = {}
        snapshots: list[Snapshot] = []
        for memories, kinds, is_marked, groups in steps:
            contents = {path: [memory(text, f"2026-01-0{day}T00:00:00Z")] for path, (text, day) in memories.items()}
            snapshots.append(snapshot(store, {**contents, **leaves(due, kinds)}, marked=is_marked))
            index.begin(wait=True, threads=groups)
            index.read(snapshots[-1], check)
            index.begin(wait=True, threads=True)
            due = index.read(snapshots[-1], digests)
            index.read(snapshots[-1], check)
        index.read(snapshots[0], check)
        index.discard()
        index.read(snapshots[0], check)


@pytest.mark.parametrize("kind", ["wrong", "malformed", "branch", "missing"])
def test_a_leaf_that_is_not_as_its_thread_is_to_be_written(memories: MemoryStore, kind: str) -> None:
    index = Index(memories, wait=True, threads=True)  # type: ignore[arg-type]  # as much of a store as an index needs
    contents = {"a.one": [memory(TEXTS[0])], "a.two": [memory(TEXTS[0])]}
    due = index.read(snapshot(memories, contents, marked=True), digests)
    (path,) = due

    def find_outdated(claim: str) -> list[str]:
        records = {**contents, **{place: its for place, its in leaves(due, [claim]).items() if "gone" not in place}}
        return index.read(
            snapshot(memories, records, marked=True),
            lambda view: [leaf.path for leaf in view.insights("default").find_outdated()],
        )

    assert (find_outdated("right"), find_outdated(kind), find_outdated("right")) == ([], [path], [])


def test_a_leaf_whose_thread_is_gone_is_to_be_forgotten(memories: MemoryStore) -> None:
    index = Index(memories, wait=True, threads=True)  # type: ignore[arg-type]  # as much of a store as an index needs
    state = snapshot(memories, {"a.one": [memory("x")], f"{LAYER}:a.gone": [insight("0" * 16)]}, marked=True)

    assert index.read(state, lambda view: view.insights("default").find_orphans()) == [Address(LAYER, "a.gone").path]
