"""Which leaves are not as their threads are now, and what tells that the threads of a first level have changed."""

import pytest
from index.indexing import Contents, MemoryStore, memory

from memoir.index.index import Index
from memoir.index.insight_state import Insights
from memoir.index.view import View
from memoir.records.record import Memory

LAYER = "default:insights"
MARK: Contents = {"memoir:layers:insights.default": [memory("a layer")]}
TEXTS = {"a": "Apollo and the parser", "b": "Zeus and the lexer"}
PAIR: Contents = {"a.one": [memory(TEXTS["a"])], "a.two": [memory(TEXTS["a"])]}


@pytest.fixture
def index(memories: MemoryStore) -> Index:
    return Index(memories, wait=True, threads=True)  # type: ignore[arg-type]  # as much of a store as an index needs


def insight(digest: str, level: str = "leaf") -> Memory:
    return memory("said", insight={"level": level, "by": "a-model", "sources": digest})


def insights(view: View) -> Insights:
    return view.insights("default")


@pytest.mark.parametrize("kind", ["wrong", "malformed", "branch", "missing"])
def test_a_leaf_that_is_not_as_its_thread_is_to_be_written(memories: MemoryStore, index: Index, kind: str) -> None:
    (leaf,) = index.read(memories.snapshot({**MARK, **PAIR}), lambda view: insights(view).largest("a", 60))
    stored = {
        "right": [insight(leaf.digest)], "wrong": [insight("f" * 16)], "malformed": [insight("x")],
        "branch": [insight(leaf.digest, "branch")], "missing": [],
    }  # fmt: skip

    def find_outdated(claim: str) -> list[str]:
        snapshot = memories.snapshot({**MARK, **PAIR, f"{LAYER}:{leaf.path}": stored[claim]})
        return index.read(snapshot, lambda view: [each.path for each in insights(view).find_outdated()])

    assert (find_outdated("right"), find_outdated(kind), find_outdated("right")) == ([], [leaf.path], [])


def test_a_leaf_whose_thread_is_gone_is_to_be_forgotten(memories: MemoryStore, index: Index) -> None:
    state = memories.snapshot({**MARK, "a.one": [memory("x")], f"{LAYER}:a.gone": [insight("0" * 16)]})

    assert index.read(state, lambda view: insights(view).find_orphans()) == ["a.gone"]


def test_a_first_level_changes_with_its_own_threads_and_changes_back_with_them(
    memories: MemoryStore, index: Index
) -> None:
    two = {**MARK, **{f"{level}.{name}": [memory(text)] for level, text in TEXTS.items() for name in ("one", "two")}}
    more = {**two, "a.three": [memory(TEXTS["a"], "2026-01-02T00:00:00Z")]}

    before, then, after = (
        index.read(memories.snapshot(each), lambda view: insights(view).levels()) for each in (two, more, two)
    )

    assert [(each.name, each.size) for each in then] == [("a", 3), ("b", 2)]
    assert before == after and before[0].digest != then[0].digest and before[1] == then[1]
    assert index.read(memories.snapshot(more), lambda view: insights(view).count()) == 2
