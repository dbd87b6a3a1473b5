"""`simple` recall as a whole: the limits of an answer, and the fields that describe it."""

from typing import Any

import pytest
from index.indexing import WIDE, Contents, How, MemoryStore, ask, hash_embedder, memory, name
from recall.pickers import Answers

from memoir.llm.conversation import ModelConversation
from memoir.recall import engine
from memoir.recall.answer import RecallAnswer

PLAIN: How = {}

ANIMALS: Contents = {
    "a": [memory("zebra")], "b": [memory("zebra and lion")], "c": [memory("zebra lion owl bear")],
    "d": [memory("a fox in the snow")],
}  # fmt: skip


def _recall(
    store: MemoryStore, query: str, settings: How = PLAIN, contents: Contents = ANIMALS, **options: Any
) -> RecallAnswer:
    return engine.recall(store.index(hash_embedder()), store.snapshot(contents), ask(query, settings, **options))


def _paths(answer: RecallAnswer) -> list[str]:
    return [result.path for result in answer.memories]


def _drops(answer: RecallAnswer) -> dict[str, str | None]:
    assert answer.ranking
    return {c.document.address.path: c.dropped for c in answer.ranking.candidates}


def test_the_best_come_first(memories: MemoryStore) -> None:
    assert _paths(_recall(memories, "zebra")) == ["a", "b", "c"]


def test_the_other_form_of_a_word_is_found_behind_the_word_itself(memories: MemoryStore) -> None:
    notes: Contents = {"a": [memory("the database is old")], "b": [memory("the db is old")], "c": [memory("a fox")]}
    words = {"weights": {"vectors": 0.0}}

    assert _paths(_recall(memories, "which db", contents=notes, **words)) == ["b", "a"]
    assert _paths(_recall(memories, "which database", contents=notes, **words)) == ["a", "b"]
    assert _paths(_recall(memories, "which db", contents={"a": notes["a"]}, **words)) == ["a"]


def test_a_limit_keeps_the_best_and_says_what_it_dropped(memories: MemoryStore) -> None:
    answer = _recall(memories, "zebra", limit=2)

    assert _paths(answer) == ["a", "b"]
    assert _drops(answer) == {"a": None, "b": None, "c": "beyond the limit of 2"}
    assert answer.omitted == 0


def test_the_setting_is_the_limit_where_none_is_given(memories: MemoryStore) -> None:
    many = {name(number): [memory("zebra")] for number in range(9)}

    assert len(_recall(memories, "zebra", contents=many).memories) == 5
    assert len(_recall(memories, "zebra", {"limit": 2}, many).memories) == 2
    assert len(_recall(memories, "zebra", {"limit": 2}, many, limit=7).memories) == 7


def test_a_threshold_holds_for_relevance(memories: MemoryStore) -> None:
    scores = {result.path: result.relevance_score for result in _recall(memories, "zebra").memories}
    threshold = (scores["a"] + scores["b"]) / 2

    answer = _recall(memories, "zebra", threshold=threshold)

    assert _paths(answer) == ["a"]
    assert _drops(answer)["b"] == f"relevance below the threshold of {threshold:g}"
    assert _paths(_recall(memories, "qwxv", threshold=0.3)) == []


def test_a_memory_below_the_threshold_takes_no_place(memories: MemoryStore) -> None:
    """It is called too little relevant, not beyond the limit."""
    drops = _drops(_recall(memories, "zebra of the savanna", threshold=1.0, limit=1))

    assert all(reason and reason.startswith("relevance below") for reason in drops.values())


@pytest.mark.parametrize(
    ("most", "contents", "omitted"),
    [
        (100, ["zebra", "zebra and lion", "zebra lion owl bear"], 0),
        (38, ["zebra", "zebra and lion", "zebra lion owl bear"], 0),
        (37, ["zebra", "zebra and lion", "zebra lion owl bea"], 0),
        (19, ["zebra", "zebra and lion"], 1),
        (9, ["zebra", "zebr"], 1),
        (5, ["zebra"], 2),
        (1, ["z"], 2),
    ],
)
def test_an_answer_has_a_maximum_of_characters(
    memories: MemoryStore, most: int, contents: list[str], omitted: int
) -> None:
    whole = {"zebra": 5, "zebra and lion": 14, "zebra lion owl bear": 19}

    answer = _recall(memories, "zebra", max_chars=most)

    assert [result.content for result in answer.memories] == contents
    assert answer.omitted == omitted
    assert sum(map(len, contents)) <= most
    last = answer.memories[-1]
    full = next(length for text, length in whole.items() if _drops(answer) and text == ANIMALS[last.path][0].content)
    assert last.truncated == (full if len(last.content) < full else None)


def test_characters_are_counted_not_bytes(memories: MemoryStore) -> None:
    (only,) = _recall(memories, "日本語", contents={"a": [memory("日本語 日本語")]}, max_chars=4).memories

    assert (only.content, only.truncated) == ("日本語 ", 7)


def test_an_answer_says_how_it_was_found(memories: MemoryStore) -> None:
    answer = _recall(memories, "zebra")

    assert (answer.mode, answer.model, answer.embedder, answer.degraded) == ("simple", None, "hash-1", ())
    assert answer.usage.calls == 0 and answer.prompts == {}
    assert {"total_search", "step1_path_discovery", "memory_retrieval"} <= answer.timings.keys()


def test_memories_are_read_from_the_store_not_from_the_index(memories: MemoryStore) -> None:
    """A forged index cannot change the content of a memory in an answer."""
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(ANIMALS)
    index.read(snapshot, lambda view: None)
    index.read(snapshot, lambda view: view.database.execute("COMMIT; UPDATE document SET content = 'lies'; BEGIN"))

    answer = engine.recall(index, snapshot, ask("zebra"))

    assert [result.content for result in answer.memories] == [ANIMALS[key][0].content for key in "abc"]


def test_each_memory_of_a_path_is_found_for_itself(memories: MemoryStore) -> None:
    contents = {"a": [memory("gone zebra", active=False), memory("lion", person="Leo"), memory("zebra", x=1)]}

    best, *_ = _recall(memories, "zebra", contents=contents).memories

    assert best.content == "zebra"
    assert best.metadata["x"] == 1 and "person" not in best.metadata


def test_a_model_may_choose_and_order(memories: MemoryStore) -> None:
    model = Answers("3\n1")

    answer = engine.recall(
        memories.index(hash_embedder()),
        memories.snapshot(ANIMALS),
        ask("zebra", rerank="llm", **WIDE),
        ModelConversation(model),
    )

    assert _paths(answer) == ["c", "a"]
    assert [result.relevance_score for result in answer.memories] == [1.0, 0.5]
    assert _drops(answer)["b"] == "not chosen by the model"
    assert (answer.model, answer.usage.calls) == ("answers", 1)
    assert "zebra and lion" in answer.prompts["rerank"]


def test_a_model_may_choose_none(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(ANIMALS)

    answer = engine.recall(index, snapshot, ask("zebra", rerank="llm", **WIDE), ModelConversation(Answers("None.")))

    assert answer.memories == [] and answer.degraded == ()


@pytest.mark.parametrize("text", ["I cannot help with that.", "", "99"])
def test_an_unusable_answer_leaves_the_ranking(memories: MemoryStore, text: str) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(ANIMALS)

    answer = engine.recall(index, snapshot, ask("zebra", rerank="llm", **WIDE), ModelConversation(Answers(text)))

    assert _paths(answer) == ["a", "b", "c"]
    assert answer.degraded == ("rerank: the model's answer cannot be used",)


def test_no_candidates_need_no_model(memories: MemoryStore) -> None:
    model = Answers()

    answer = engine.recall(
        memories.index(), memories.snapshot(ANIMALS), ask("qwxv", rerank="llm", **WIDE), ModelConversation(model)
    )

    assert answer.memories == [] and model.prompts == []


FACTS = [
    "The production proxy is at proxy.internal:3128", "HTTP_PROXY is read unless trust_env is False",
    "Mounting a proxy per host needs a transport", "Proxy authentication goes into the proxy's URL",
    "Merging a pull request needs two reviews", "Use pytest for tests, not unittest",
    "The default timeout is 5 seconds", "Tests use anyio", "We format code with ruff",
    "Use ruff and mypy before you push", "CI requires 100 % coverage", "Use MockTransport rather than respx",
    "Production is in eu-west-1", "Never force-push to master", "Use uv instead of pip",
]  # fmt: skip


@pytest.mark.parametrize(
    "query",
    [
        "what is the capital of the proxy galaxy", "should I squash before merging?",
        "how does authentication work internally",
    ],
)  # fmt: skip
def test_a_question_that_no_memory_answers_has_a_low_relevance(memories: MemoryStore, query: str) -> None:
    contents = {name(number): [memory(text)] for number, text in enumerate(FACTS)}

    nonsense = _recall(memories, query, contents=contents).memories
    assert nonsense and nonsense[0].relevance_score < 0.3
    assert _recall(memories, query, contents=contents, threshold=0.3).memories == []


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("where is the production proxy?", 0), ("what is the default timeout?", 6),
        ("how much coverage does CI require?", 10), ("which tool do we use instead of pip?", 14),
        ("may I force-push to master?", 13),
    ],
)  # fmt: skip
def test_a_question_that_a_memory_answers_has_a_higher_one(memories: MemoryStore, query: str, fact: int) -> None:
    contents = {name(number): [memory(text)] for number, text in enumerate(FACTS)}

    best = _recall(memories, query, contents=contents).memories[0]
    assert best.content == FACTS[fact] and best.relevance_score > 0.4


@pytest.mark.parametrize(
    ("open_question", "answer", "query"),
    [
        ("Open question: which engine for the sequel?", "We picked Godot for the sequel", "engine for the sequel"),
        ("TBD: who signs the lease", "Mrs. Brandt signs the lease", "who signs the lease"),
    ],
)
def test_an_answer_comes_before_its_open_question(
    memories: MemoryStore, open_question: str, answer: str, query: str
) -> None:
    contents: Contents = {"a": [memory(open_question)], "b": [memory(answer)]}

    assert _paths(_recall(memories, query, contents=contents)) == ["b", "a"]
    assert _paths(_recall(memories, f"is this still open: {query}", contents=contents)) == ["a", "b"]
