"""A new leg or channel is a class and a row of the table: recall, its traces and its weights know no others."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest
from index.indexing import Contents, MemoryStore, Stub, ask, hash_embedder, memory
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from support import PROJECT

from memoir.answers import recall as output
from memoir.answers import trace as tracing
from memoir.answers.answer import Answer, fields_of_success, pieces
from memoir.answers.contract.trace import Candidate
from memoir.index.selection import Score
from memoir.index.view import View
from memoir.recall import channels, engine
from memoir.recall.answer import RecallAnswer
from memoir.recall.channel import Channel, Leg, Search, Weight
from memoir.recall.explain import explain
from memoir.recall.ranking import begin
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
