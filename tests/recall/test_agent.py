"""Mode `agent`: its searches, the memories it keeps and their order, and its fallbacks without a model's answer."""

import json
import re
from typing import Any

import pytest
from index.indexing import Contents, MemoryStore, ask, hash_embedder, marks, memory, ranking
from recall.pickers import Answers

from memoir.llm.conversation import CallBudget, ModelConversation
from memoir.llm.model import MAX_TOKENS, ModelReply, Prompt
from memoir.recall.agent import recall
from memoir.recall.agent_searcher import Union
from memoir.recall.answer import RecallAnswer
from memoir.recall.plans import AgentPlan
from memoir.records.metadata import digest_of

STORE: Contents = {
    "acme.boss": [memory("Acme is led by Wilma Stone.")],
    "acme.trade": [memory("Acme sells zebra saddles.")],
    "people.wilma": [memory("Wilma Stone is married to Otto Finch.")],
    "people.otto": [memory("Otto Finch works for Bluebird Mills.")],
    "people.ada": [memory("Ada prefers vim.")],
    "people.ben": [memory("Ben prefers emacs.")],
}
CHAIN = "Where does the spouse of the person who leads Acme work?"
MARRIAGE, WORK = "Who is Wilma Stone married to?", "Where does Otto Finch work?"
PAIR = "Which editors do Ada and Ben prefer?"


class Judge(Answers):
    """A model that names memories by their paths, which the test turns into their numbers in the prompt."""

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        text, usage = super().complete(prompt, max_tokens)
        for number, path in re.findall(r"^\[(\d+)\] (\S+):", prompt.tail, re.MULTILINE):
            text = text.replace(f'"{path}"', number)
        return ModelReply(text, usage)


def judgement(evidence: list[str], query: str = "", confidence: float = 0.3, *, enough: bool = False) -> str:
    fields = {"is_sufficient": enough, "evidence_indices": evidence, "new_query": query, "confidence_score": confidence}
    return json.dumps(fields)


def answer(
    memories: MemoryStore, question: str, *texts: str, contents: Contents = STORE, **options: Any
) -> tuple[RecallAnswer, Answers]:
    """The answer of an agent whose model gives these replies; without any, rules decide."""
    model, plan = Judge(*texts), {name: options.pop(name) for name in [*options] if name in AgentPlan._fields}
    talk = ModelConversation(model, budget=CallBudget(options.pop("calls", None))) if texts else None
    query = ask(question, mode="agent", **options)._replace(agent=AgentPlan(**plan))
    return recall(memories.index(hash_embedder()), memories.snapshot(contents), query, talk), model


def paths(reply: RecallAnswer) -> list[str]:
    return [result.path for result in reply.memories]


def test_a_chain_searches_until_the_model_is_sure(memories: MemoryStore) -> None:
    texts = [
        "chain", judgement(["acme.boss"], MARRIAGE), judgement(["acme.boss", "people.wilma"], WORK),
        judgement(["people.otto"], "more?", 0.9, enough=True),
    ]  # fmt: skip

    reply, model = answer(memories, CHAIN, *texts, limit=3)

    assert set(paths(reply)) == {"acme.boss", "people.wilma", "people.otto"}
    assert reply.metrics
    assert reply.metrics.queries == (CHAIN, MARRIAGE, WORK)
    assert reply.metrics.confidences == (0.3, 0.3, 0.9)
    assert [place.path for place in reply.metrics.evidence] == ["acme.boss", "people.wilma", "people.otto"]
    assert [each.text for each in reply.evidences] == [STORE[place.path][0].content for place in reply.metrics.evidence]
    assert (reply.strategy, reply.planner, reply.usage.calls, reply.degraded) == ("chain", "model", 4, ())
    assert reply.effective_query == "\n".join(reply.metrics.queries)
    assert (
        0 < min(each.relevance_score for each in reply.memories) <= max(e.relevance_score for e in reply.memories) < 1
    )
    assert "[1] acme.boss: Acme is led by Wilma Stone." in model.prompts[2].tail
    assert len(model.prompts) == 4


def test_a_chain_sees_insights_with_the_memories_and_keeps_those_it_cites(memories: MemoryStore) -> None:
    insight: dict[str, Any] = {"insight": {"level": "leaf", "by": "sonnet", "cited": digest_of([]), "terms": []}}
    contents: Contents = {
        "acme.boss": STORE["acme.boss"],
        "default:insights:acme.x": [memory("Acme is a family of leaders.", **insight)],
        **marks("insights"),
    }
    texts = [judgement(["default:insights:acme.x"], "Who leads Acme?"), judgement([], "", 0.9, enough=True)]

    reply, model = answer(memories, CHAIN, *texts, contents=contents, strategy="chain", insights=3)

    first, second = (prompt.tail for prompt in model.prompts)
    assert "Found now:\n[1] acme.boss:" in first
    assert "\n\nInsights:\n[2] default:insights:acme.x: Acme is a family of leaders." in first
    assert "Evidence so far:\n[1] default:insights:acme.x: Acme is a family of leaders." in second
    assert "Found now:\n[2] acme.boss:" in second and "Insights:" not in second
    assert [each.text for each in reply.evidences] == ["Acme is a family of leaders."]


def test_uncited_hits_stand_behind_the_cited_and_are_not_lost(memories: MemoryStore) -> None:
    reply, model = answer(memories, CHAIN, judgement(["acme.trade"], "", 0.1), strategy="chain", limit=5)

    lines = [line for line in model.prompts[0].tail.splitlines() if line.startswith("[")]
    assert paths(reply)[0] == "acme.trade"
    assert set(paths(reply)) == {line.split()[1].rstrip(":") for line in lines}
    assert len(paths(reply)) == len(set(paths(reply)))


@pytest.mark.parametrize(
    ("texts", "searches"),
    [
        ([judgement([], "")], 1), ([judgement([], CHAIN.upper() + "  ?")], 1),
        ([judgement([], "second?"), judgement([], "Second")], 2), ([judgement([], "a", 0.8, enough=True)], 1),
        ([judgement([], f"{n}?", 0.79, enough=True) for n in range(9)], 3),
    ],
)  # fmt: skip
def test_a_chain_ends(memories: MemoryStore, texts: list[str], searches: int) -> None:
    reply, model = answer(memories, CHAIN, *texts, strategy="chain")

    assert reply.metrics and reply.metrics.searches == searches == len(model.prompts)


def test_a_split_searches_each_part_and_the_question_itself(memories: MemoryStore) -> None:
    reply, _ = answer(memories, PAIR, "split", "1. What does Ada prefer?\n2. What does Ben prefer?", limit=2)

    assert set(paths(reply)) == {"people.ada", "people.ben"}
    assert reply.metrics and reply.metrics.queries == (PAIR, "What does Ada prefer?", "What does Ben prefer?")
    scores = [result.relevance_score for result in reply.memories]
    assert scores == sorted(scores, reverse=True)
    assert [(stage.stage, stage.method) for stage in reply.stages] == [
        ("route", "model"), ("split", "model"), *[("search", "split")] * 3, ("result", "limit"),
    ]  # fmt: skip


def test_a_part_that_fails_costs_only_itself(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoir.recall.parse.MAX_QUERY", 60)
    long = f"What does Ada {'really ' * 20}prefer?"

    reply, _ = answer(memories, PAIR, "split", f"{long}\nWhat does Ben prefer?", limit=1)

    assert paths(reply) == ["people.ben"]
    (note,) = reply.degraded
    assert note.startswith(f"sub-query {long[:80]!r}: a query may have 60 characters")


def test_no_more_parts_than_allowed(memories: MemoryStore) -> None:
    reply, _ = answer(memories, PAIR, "split", "\n".join(f"part {n}" for n in range(20)), queries=2)

    assert reply.metrics and reply.metrics.queries == (PAIR, "part 0", "part 1")


def test_an_invalid_choice_takes_the_fallback(memories: MemoryStore) -> None:
    reply, _ = answer(memories, CHAIN, "both of them!", fallback="direct")

    assert (reply.strategy, reply.planner) == ("direct", "rules")
    assert reply.degraded == ("agent.select: the model's answer names no strategy; took direct",)


def test_without_answers_rules_and_the_hop_take_over(memories: MemoryStore) -> None:
    by_rules, _ = answer(memories, CHAIN)
    spent, _ = answer(memories, CHAIN, "chain", calls=0)
    useless, _ = answer(memories, CHAIN, "chain", "I do not know.", "Really.")

    assert (by_rules.strategy, by_rules.planner, by_rules.degraded) == ("chain", "rules", ())
    assert by_rules.memories and paths(by_rules) == paths(spent) == paths(useless)
    assert spent.degraded == ("budget: the limit of 0 model calls is reached",) and spent.planner == "rules"
    assert useless.degraded == ("agent.chain: the model's answer cannot be used",)
    assert useless.metrics and (useless.metrics.queries, useless.metrics.searches) == ((CHAIN,), 2)


def test_a_budget_ends_a_chain_with_what_it_has(memories: MemoryStore) -> None:
    reply, _ = answer(memories, CHAIN, judgement(["acme.boss"], MARRIAGE), strategy="chain", calls=1)

    assert {"acme.boss", "people.wilma"} <= set(paths(reply))
    assert reply.degraded == ("budget: the limit of 1 model call is reached",)
    assert (reply.usage.calls, reply.planner) == (1, "model")


def test_filters_hold_for_every_search(memories: MemoryStore) -> None:
    reply, _ = answer(memories, PAIR, "split", "What does Ada prefer?", globs=("*.ben", "acme.*"))

    assert paths(reply) and "people.ada" not in paths(reply)


def test_nothing_found_is_an_empty_answer(memories: MemoryStore) -> None:
    reply, _ = answer(memories, "qwxv?", judgement([]), strategy="chain", contents={"a": [memory("lion")]})

    assert reply.memories == []


EDITORS: Contents = {
    "ada.editor": [memory("Ada prefers the editor vim.")],
    "ben.editor": [memory("Ben prefers the editor emacs.")],
    "both.editors": [memory("Ada and Ben talk about editors.")],
}


def test_a_memory_that_two_searches_find_has_its_best_relevance(memories: MemoryStore) -> None:
    index, snapshot, union = memories.index(hash_embedder()), memories.snapshot(EDITORS), Union()
    searches = [ranking(index, snapshot, text) for text in ("editor emacs", "what does Ada talk about?")]
    for search in searches:
        union.add(search)

    candidates = union.rank(3)

    assert len({each.document.place for each in candidates}) == len(candidates) == 3
    for each in candidates:
        rivals = (other for search in searches for other in search.candidates if other.document == each.document)
        assert each.relevance == max(rival.relevance for rival in rivals)


def test_the_parts_of_a_question_bring_each_memory_once_with_a_score_of_its_own(memories: MemoryStore) -> None:
    query = ask(PAIR, mode="agent", agent=AgentPlan("split"))

    answer = recall(memories.index(hash_embedder()), memories.snapshot(EDITORS), query, None)

    assert answer.metrics is not None and answer.metrics.searches > 1
    assert sorted(each.path for each in answer.memories) == sorted(EDITORS)
    assert len({each.relevance_score for each in answer.memories}) > 1
