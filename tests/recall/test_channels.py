"""The legs and channels of recall; a new one is a class and a row of the table."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest
from index.indexing import Contents, MemoryStore, Stub, ask, hash_embedder, memory, ranking
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from support import PROJECT

from memoir import Memory, Repository
from memoir.answers import recall as output
from memoir.answers import trace as tracing
from memoir.answers.answer import Answer, fields_of_success, pieces
from memoir.answers.contract.trace import Candidate
from memoir.embedders.embedder import Embedder
from memoir.index.selection import Score
from memoir.index.view import View
from memoir.recall import channels, engine
from memoir.recall.answer import RecallAnswer
from memoir.recall.channel import Channel, Leg, Search, Weight
from memoir.recall.explain import explain
from memoir.recall.ranking import RankedCandidate, begin
from memoir.setting import Setting, number
from memoir.taxonomy.paths import memory_address

NOTES: Contents = {
    "a.plain": [memory("zebra")],
    "b.star": [memory("a fox in the snow")],
    "c.star": [memory("zebra crossing")],
    "d.plain": [memory("an owl")],
}


def channel_of_docs() -> type[Channel]:
    """The channel that CONTRIBUTING.md adds."""
    page = (PROJECT / "CONTRIBUTING.md").read_text("utf-8").partition("## Adding a recall channel")[2]
    module: dict[str, Any] = {}
    exec(textwrap.dedent("   " + page.partition("```python\n   ")[2].partition("```")[0]), module)
    return cast(type[Channel], module["Stars"])


class Lengths(Leg):
    """Proposes the longest memories."""

    name, title = "length", "lengths"
    rank_column, score_column = "length_rank", "length"
    weight: Weight = 1.0

    def find(self, search: Search) -> Sequence[Score]:
        scores = self.scores(search, search.among.ids())
        return sorted(scores.items(), key=lambda each: -each[1])[: search.query.pool]

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        return {each.id: float(len(each.content)) for each in search.view.documents(ids)}


@pytest.fixture
def stars(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for the made-up channel."""
    monkeypatch.setattr(channels, "CHANNELS", (*channels.CHANNELS, channel_of_docs()()))


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for the made-up leg."""
    monkeypatch.setattr(channels, "LEGS", (*channels.LEGS, Lengths()))


def _recall(memories: MemoryStore, **weights: float) -> RecallAnswer:
    query = ask("zebra", weights=weights)
    return engine.recall(memories.index(hash_embedder()), memories.snapshot(NOTES), query)


def _traces(answer: RecallAnswer) -> dict[str, dict[str, float]]:
    assert answer.ranking
    return {c.document.address.path: c.trace() for c in (*answer.ranking.candidates, *answer.ranking.others)}


def test_the_contract_declares_the_columns_of_the_table(memories: MemoryStore) -> None:
    """The schema of a candidate allows further columns, so it does not notice a misspelt one."""
    for trace in _traces(_recall(memories)).values():
        assert [column for column in trace if column in Candidate.__annotations__] == [*Candidate.__annotations__]


@pytest.mark.parametrize(("query", "trust"), [("zebra", 0.01), ("zebra giraffe", 0.06), ("giraffe", 0.1)])
def test_spellings_count_by_the_share_of_the_query_that_no_memory_holds(
    memories: MemoryStore, query: str, trust: float
) -> None:
    def trust_of(view: View) -> float:
        return channels.VECTORS.trust(begin(view, ask(query)))

    assert memories.index(hash_embedder()).read(memories.snapshot(NOTES), trust_of) == pytest.approx(trust, abs=0.01)
    assert memories.index(Stub()).read(memories.snapshot(NOTES), trust_of) == 1.0


@pytest.mark.usefixtures("stars")
def test_a_channel_finds_and_adds(memories: MemoryStore) -> None:
    answer = _recall(memories)

    assert [result.path for result in answer.memories] == ["c.star", "a.plain", "b.star"]
    traces = _traces(answer)
    assert {path: trace["star"] for path, trace in traces.items()} == {
        "a.plain": 0.0, "b.star": 0.5, "c.star": 0.5, "d.plain": 0.0
    }  # fmt: skip
    assert traces["c.star"]["score"] == pytest.approx(traces["c.star"]["fused"] + 0.5)
    assert list(traces["a.plain"])[9:19] == [
        "fused", "person", "time", "path", "synonyms", "graph", "threads", "insights", "star", "recency",
    ]  # fmt: skip


@pytest.mark.usefixtures("stars")
def test_a_channel_has_a_weight(memories: MemoryStore) -> None:
    assert channels.weights({})["star"] == 0.5
    assert [result.path for result in _recall(memories, star=0.0).memories] == ["a.plain", "c.star"]


def test_a_weight_may_be_a_setting() -> None:
    lengths = Lengths()
    lengths.weight = Setting("memoir.recall.lengthWeight", number(0), "0.5", "how much lengths count")

    assert lengths.weight_in({}) == 0.5
    assert lengths.weight_in({"memoir.recall.lengthweight": ["2"]}) == 2.0


@pytest.mark.usefixtures("stars")
def test_a_channel_has_a_column_in_every_trace(memories: MemoryStore) -> None:
    answer = _recall(memories)
    explanation = explain(
        memories.index(hash_embedder()), memories.snapshot(NOTES), ask("zebra"), memory_address("b.star")
    )

    reply = output.recall(answer, output.Display(trace=True))
    _check("recall", reply)
    _check("explain", tracing.explained(explanation))
    assert "synonyms 0.0000, star 0.5000" in _text_of(reply)


@pytest.mark.usefixtures("lengths")
def test_a_leg_proposes_and_is_fused(memories: MemoryStore) -> None:
    answer = _recall(memories)

    traces = _traces(answer)
    assert {path: trace["length_rank"] for path, trace in traces.items()} == {
        "b.star": 1, "c.star": 2, "d.plain": 3, "a.plain": 4
    }  # fmt: skip
    assert answer.memories[0].path == "c.star"
    assert len(answer.memories) == 4
    reply = output.recall(answer, output.Display(trace=True))
    _check("recall", reply)
    assert "lengths   rank 1, length 17.0000" in _text_of(reply)


@pytest.mark.usefixtures("lengths", "stars")
def test_a_weight_of_zero_switches_a_leg_and_a_channel_off(memories: MemoryStore) -> None:
    off = _traces(_recall(memories, length=0.0, star=0.0))

    assert set(off) <= {"a.plain", "b.star", "c.star", "d.plain"}
    assert {trace["length"] for trace in off.values()} == {None}
    assert {trace["star"] for trace in off.values()} == {0.0}


def _check(command: str, answer: Answer) -> None:
    """Check that an answer's schema allows a column for each further channel."""
    schemas = {file.name: json.loads(file.read_text("utf-8")) for file in PROJECT.glob("docs/schema/*")}
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in schemas.items()
    )
    Draft202012Validator(schemas[f"{command}.json"], registry=registry).validate(
        json.loads(b"".join(pieces(fields_of_success(command, answer.data))))
    )


def _text_of(answer: Answer) -> str:
    """What people see of an answer."""
    return "\n".join("".join(text for text, _ in line) for line in answer.human())


PATHS: Contents = {
    "coding.testing": [memory("Run them before every commit", "2020-01-01T00:00:00Z"), memory("Use fixtures")],
    "coding.testing.coding": [memory("coding testing: coding, testing and more coding")],
    "notes.coding": [memory("See coding.testing for the testing of coding")],
}


def _rank_by_path(memories: MemoryStore, query: str, **options: object) -> list[RankedCandidate]:
    return list(ranking(memories.index(hash_embedder()), memories.snapshot(PATHS), query, **options).candidates)  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["coding.testing", " coding.testing\n", "default:coding.testing"])
def test_all_that_is_at_a_path_comes_first(memories: MemoryStore, query: str) -> None:
    first, second, *others = _rank_by_path(memories, query, tau=3000.0)

    assert {each.document.ordinal for each in (first, second)} == {0, 1}
    assert {each.document.address.path for each in (first, second)} == {"coding.testing"}
    assert first.relevance == 1 > max(each.relevance for each in others)


@pytest.mark.parametrize("query", ["other:coding.testing", "coding.testing?", "coding testing", "coding/testing"])
def test_what_is_no_path_of_a_memory_is_words(memories: MemoryStore, query: str) -> None:
    assert [each.numbers()["path"] for each in _rank_by_path(memories, query)] == [0.0] * 4


def test_a_filter_holds_for_a_path_too(memories: MemoryStore) -> None:
    candidates = _rank_by_path(memories, "coding.testing", globs=("notes.*",))

    assert [each.document.address.path for each in candidates] == ["notes.coding"]


SAID_OTHERWISE: Contents = {
    "a.bread": [memory("Bread is baked on Sundays.")],
    "b.crashes": [memory("Crashes land in Rollbar.")],
    "user:c.crashes": [memory("Crashes land in Rollbar.")],
}
ERRORS = "where do errors show up?"


def _concepts(memories: MemoryStore, query: str = ERRORS, **options: Any) -> dict[str, float]:
    """The score of each candidate that has one."""
    result = ranking(memories.index(hash_embedder()), memories.snapshot(SAID_OTHERWISE), query, **options)
    scores = {each.document.address.short_key: each.numbers()["concepts"] for each in result.everyone}
    return {key: score for key, score in scores.items() if score}


def test_a_question_finds_what_is_said_in_other_words(repository: Repository) -> None:
    repository.remember(Memory.of("Crashes land in Rollbar."), "system.crashes")
    for day, fact in enumerate(("Releases go out on Tuesdays.", "Ada owns the parser.", "Meetings show slides.")):
        repository.remember(Memory.of(fact), f"other.fact_{day}x")

    best = repository.recall(ERRORS, limit=1).memories[0]
    without = repository.recall(ERRORS, weight=["concepts=0", "words=1"], strict=True).memories

    assert best.path == "system.crashes" and best.ranking["concept_rank"] == 1
    assert all(each.ranking["concept_rank"] is None for each in without)


def test_only_what_speaks_of_the_question_has_a_score(memories: MemoryStore) -> None:
    assert _concepts(memories).keys() == {"b.crashes", "user:c.crashes"}


def test_a_weight_of_0_switches_the_leg_off(memories: MemoryStore) -> None:
    assert _concepts(memories, weights={"concepts": 0.0}) == {}


def test_a_filter_holds(memories: MemoryStore) -> None:
    assert _concepts(memories, namespaces=("user",)).keys() == {"user:c.crashes"}


@pytest.mark.parametrize("query", ["", "zebra", "?"])
def test_a_query_without_concepts_has_no_scores(memories: MemoryStore, query: str) -> None:
    assert _concepts(memories, query) == {}


PICNICS: Contents = {
    "a.office": [memory("Picnic with the whole office")],
    "b.school": [memory("Picnic with the children")],
    "c.club": [memory("Picnic with the kids and their children")],
    "d.stars": [memory("The children slept")],
}


def _additions(
    memories: MemoryStore, query: str, embedder: Embedder | None = None, **weights: float
) -> dict[str, float]:
    """What each candidate gains by synonyms."""
    result = ranking(memories.index(embedder), memories.snapshot(PICNICS), query, weights=weights)
    return {each.document.address.path: each.trace()["synonyms"] for each in result.everyone}


def test_a_memory_gains_by_a_synonym_of_a_word_that_it_lacks(memories: MemoryStore) -> None:
    additions = _additions(memories, "picnic with kids")

    assert additions["b.school"] > 0
    assert additions["a.office"] == 0


def test_a_memory_that_has_the_word_gains_nothing_by_its_synonyms(memories: MemoryStore) -> None:
    assert _additions(memories, "picnic with kids")["c.club"] == 0


def test_each_word_is_looked_at_by_itself(memories: MemoryStore) -> None:
    """A memory that has `kids` gains by a synonym of `outing`, and not by one of `kids` as well."""
    contents: Contents = {
        "a.first": [memory("Trips of kids and children")],
        "b.second": [memory("Trips of kids and marbles")],
    }
    result = ranking(memories.index(), memories.snapshot(contents), "outing with kids")
    first, second = (each.trace()["synonyms"] for each in result.everyone)

    assert first == second > 0


def test_a_better_order_follows(memories: MemoryStore) -> None:
    snapshot = memories.snapshot(PICNICS)
    paths = [each.document.address.path for each in ranking(memories.index(), snapshot, "picnic with kids").candidates]

    assert paths[:3] == ["c.club", "b.school", "a.office"]


def test_a_synonym_alone_answers_nothing(memories: MemoryStore) -> None:
    """The list has opposites as well."""
    snapshot = memories.snapshot({"d": PICNICS["d.stars"]})
    result = ranking(memories.index(hash_embedder()), snapshot, "kids", weights={"concepts": 0.0})

    assert result.candidates == ()


@pytest.mark.parametrize("query", ["picnic", "picnic with the kidz", "office picnic with children"])
def test_most_words_have_no_synonym_that_is_there(memories: MemoryStore, query: str) -> None:
    assert set(_additions(memories, query).values()) == {0.0}


def test_a_learned_embedder_needs_no_synonyms(memories: MemoryStore) -> None:
    assert set(_additions(memories, "picnic with kids", Stub()).values()) == {0.0}


def test_a_weight_of_0_switches_synonyms_off(memories: MemoryStore) -> None:
    assert set(_additions(memories, "picnic with kids", synonyms=0.0).values()) == {0.0}
