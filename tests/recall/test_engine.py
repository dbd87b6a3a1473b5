"""Recall as a library."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from embedders.ollama_api import OllamaApi, dead
from recall.pickers import Answers
from support import built_once

from memoir import IntelligentSearchEngine, IntelligentSearchResult, MemoirError, Memory, MemoryService, Repository
from memoir.errors import InvalidInput, LlmUnavailable, NotFound
from memoir.recall.compat import Namespace

MODEL_SETTINGS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")


@built_once
def animals(repository: Repository) -> None:
    """A store of a few memories in two namespaces."""
    repository.remember(Memory.of("lions sleep all day", metadata={"person": "Leo"}), "animals.lion")
    repository.remember(Memory.of("zebras graze at dawn"), "animals.zebra")
    repository.remember(Memory.of("alice saw a zebra"), "diary.today", namespace="user:alice")


@pytest.fixture
def zoo(animals: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """That store where no model is configured."""
    for variable in MODEL_SETTINGS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")
    monkeypatch.setenv("no_proxy", "*")
    return animals


@pytest.fixture
def engine(zoo: Repository) -> Iterator[IntelligentSearchEngine]:
    """An engine over that store."""
    engine = IntelligentSearchEngine(zoo)
    yield engine
    engine.close()


def test_a_search_gives_a_list_of_results_with_their_numbers(engine: IntelligentSearchEngine) -> None:
    results = engine.search("where do the zebras graze?")

    best = results[0]
    assert isinstance(best, IntelligentSearchResult)
    assert (best.path, best.namespace, best.content) == ("animals.zebra", "default", "zebras graze at dawn")
    assert 0 < best.relevance_score <= 1
    assert best.metadata.keys() == {"origin", "mode", "step_timings"} and best.metadata["mode"] == "simple"
    assert best.ranking.keys() == {"bm25_rank", "vector_rank", "cosine", "concept_rank", "recency", "score"}
    assert (best.ranking["bm25_rank"], best.confidence, best.timestamp[:2]) == (1, 1.0, "20")
    assert results.answer.memories == list(results)


def test_an_answer_is_short_in_a_log(zoo: Repository) -> None:
    answer = zoo.recall("lion", limit=1)

    assert answer.ranking and len(repr(answer)) < 1_500
    assert repr(answer).startswith("RecallAnswer(query='lion', mode='simple', memories=[IntelligentSearchResult(path=")


def test_a_result_keeps_the_memorys_own_metadata(engine: IntelligentSearchEngine) -> None:
    assert engine.search("lions")[0].metadata["person"] == "Leo"


def test_recalls_numbers_do_not_overwrite_metadata(zoo: Repository, engine: IntelligentSearchEngine) -> None:
    own = {"mode": "x", "score": "5", "confidence": "low", "cosine": 1, "bm25_rank": 9, "truncated": "no",
           "step_timings": "slow", "llm_prompts": "none", "timestamp": "long ago"}  # fmt: skip
    zoo.remember(Memory.of("okapis hide in the rain forest", metadata=own), "animals.okapi")

    (result,) = engine.search("okapis", return_prompts=True, limit=1, max_chars=10)

    assert result.metadata == {**own, "origin": ["agent"]} and result.truncated == 30


def test_prompts_are_returned_on_request(engine: IntelligentSearchEngine) -> None:
    assert engine.search("lions", return_prompts=True)[0].metadata["llm_prompts"] == {}


@pytest.mark.parametrize(
    ("namespace", "paths"),
    [
        ((), {"animals.zebra", "diary.today"}),
        ([], {"animals.zebra", "diary.today"}),
        ("user:alice", {"diary.today"}),
        (("user", "alice"), {"diary.today"}),
        (["user:alice"], {"diary.today"}),
        ([("user", "alice"), "default"], {"animals.zebra", "diary.today"}),
        (("default",), {"animals.zebra"}),
    ],
)
def test_a_namespace_is_a_name_a_tuple_of_its_parts_or_a_list(
    engine: IntelligentSearchEngine, namespace: Namespace, paths: set[str]
) -> None:
    assert {result.path for result in engine.search("zebra", namespace, strict=True)} == paths


def test_a_limit_a_person_and_options_restrict_a_search(engine: IntelligentSearchEngine) -> None:
    assert len(engine.search("zebra lion", limit=1)) == 1
    assert [result.path for result in engine.search("sleep day", person_filter="leo")] == ["animals.lion"]
    assert engine.search("zebra lion", keys="animals.*", threshold=0.99, max_chars=1) == []


def test_an_older_commit_answers_as_it_was(zoo: Repository, engine: IntelligentSearchEngine) -> None:
    zoo.forget("animals.zebra")

    assert [result.path for result in engine.search("zebras", limit=1)] == ["diary.today"]
    assert engine.search("zebras graze", at_commit="HEAD~1")[0].path == "animals.zebra"
    with pytest.raises(NotFound):
        engine.search("zebras", at_commit="nowhere")


def test_an_unknown_mode_is_a_value_error(engine: IntelligentSearchEngine) -> None:
    with pytest.raises(ValueError, match=r"mode must be one of simple, .*, not 'clever'"):
        engine.search("zebra", mode="clever")


@pytest.mark.parametrize("query", ["", "  \n", None])
def test_a_blank_question_is_refused(engine: IntelligentSearchEngine, query: str) -> None:
    with pytest.raises(InvalidInput, match="query"):
        engine.search(query)


@pytest.mark.parametrize("mode", ["single", "tiered"])
def test_a_mode_that_needs_a_model_fails_without_one(engine: IntelligentSearchEngine, mode: str) -> None:
    with pytest.raises(LlmUnavailable, match="no language model is configured") as failure:
        engine.search("zebra", mode=mode)
    assert isinstance(failure.value, MemoirError) and "--mode simple" in (failure.value.hint or "")


def test_a_model_is_needed_to_rerank_with_one(engine: IntelligentSearchEngine) -> None:
    with pytest.raises(LlmUnavailable):
        engine.search("zebra", rerank="llm")
    assert engine.search("zebra", rerank="deterministic")


def test_the_mode_comes_from_the_settings_not_from_a_key(
    zoo: Repository, engine: IntelligentSearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert engine.query("q", {}).mode == "simple"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test")
    assert engine.query("q", {}).mode == "simple"
    assert engine.query("q", {"mode": "tiered"}).mode == "tiered"
    monkeypatch.setitem(zoo.store.config, "memoir.recall.mode", ["tiered"])
    assert engine.query("q", {}).mode == "tiered"
    assert engine.query("q", {"mode": "simple"}).mode == "simple"


def test_a_model_may_be_given(zoo: Repository) -> None:
    model = Answers("animals.lion")
    engine = IntelligentSearchEngine(zoo, model)

    results = engine.search("who sleeps?", mode="single", return_prompts=True)

    assert [result.path for result in results] == ["animals.lion"]
    assert results.answer.model == "answers"
    assert results[0].metadata["mode"] == "single" and results[0].metadata["llm_prompts"]


def test_the_default_limit_is_a_setting(zoo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(zoo.store.config, "memoir.recall.k", ["1"])

    assert len(IntelligentSearchEngine(zoo).search("zebra lions")) == 1


def test_results_may_be_awaited(engine: IntelligentSearchEngine) -> None:
    async def ask() -> list[str]:
        return [result.path for result in await engine.search("lions", limit=1)]

    assert asyncio.run(ask()) == ["animals.lion"]


def test_the_service_recalls_awaited_or_not(zoo: Repository) -> None:
    service = MemoryService(zoo)

    async def ask() -> list[list[IntelligentSearchResult]]:
        return await asyncio.gather(*(service.recall(query, limit=1) for query in ("lions", "zebras graze") * 4))

    answers = [[result.path for result in results] for results in asyncio.run(ask())]

    assert answers == [["animals.lion"], ["animals.zebra"]] * 4
    assert [result.path for result in service.recall_sync("lions", namespace="default", limit=1)] == ["animals.lion"]
    with pytest.raises(ValueError, match="mode"):
        service.recall_sync("lions", mode="clever")


def test_a_store_serves_as_well_as_a_repository(zoo: Repository) -> None:
    assert [result.path for result in IntelligentSearchEngine(zoo.store).search("lions", limit=1)] == ["animals.lion"]


def test_a_closed_engine_opens_again(engine: IntelligentSearchEngine) -> None:
    before = [result.path for result in engine.search("zebra")]
    engine.close()

    assert [result.path for result in engine.search("zebra")] == before


def test_a_store_without_commits_has_no_answer(repository: Repository) -> None:
    assert IntelligentSearchEngine(repository).search("anything", mode="simple") == []


def test_every_answer_without_its_vectors_says_so(zoo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the first alone: an engine lives long in a server or a batch."""
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "http")
    monkeypatch.setenv("MEMOIR_EMBED_URL", dead())
    engine = IntelligentSearchEngine(zoo)

    for _ in range(2):
        answer = engine.search("zebras graze").answer
        assert answer.memories[0].path == "animals.zebra"
        assert answer.embedder is None
        assert len(answer.degraded) == 1 and "ranked by words alone" in answer.degraded[0]


def test_an_embedder_that_stops_leaves_the_words(zoo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memories have their vectors; then the server is stopped, and the question can have none."""
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "http")
    with OllamaApi() as api:
        monkeypatch.setenv("MEMOIR_EMBED_URL", api.url)
        engine = IntelligentSearchEngine(zoo)
        assert engine.search("zebras graze").answer.degraded == ()

    answer = engine.search("zebras graze").answer

    assert answer.memories[0].path == "animals.zebra"
    assert "ranked by words alone" in answer.degraded[0]


def test_an_unknown_option_is_refused(engine: IntelligentSearchEngine) -> None:
    options: dict[str, Any] = {"limits": 3}
    with pytest.raises(InvalidInput, match="unknown field 'limits'"):
        engine.search("zebra", **options)


def test_a_search_takes_the_options_of_recall_and_a_boost_of_its_own(engine: IntelligentSearchEngine) -> None:
    searches = ({"weight": "words=0"}, {"boost": "animals.*=0"}, {"boost_fn": lambda namespace, path, content: 0.0})
    options: list[dict[str, Any]] = [*searches]

    assert [result.ranking["bm25_rank"] for result in engine.search("zebras graze", **options[0])][:1] == [None]
    assert "animals.zebra" not in {result.path for result in engine.search("zebras graze", **options[1])}
    assert engine.search("zebras graze", **options[2]) == []


def test_a_query_may_be_recalled(engine: IntelligentSearchEngine) -> None:
    answer = engine.recall(engine.query("zebras graze", {"limit": 1}))

    assert (answer.query, answer.mode, answer.embedder, answer.cached) == ("zebras graze", "simple", "hash-1", False)
    assert answer.ranking and len(answer.ranking.candidates) >= 2
    assert list(answer.timings) and all(seconds >= 0 for seconds in answer.timings.values())
