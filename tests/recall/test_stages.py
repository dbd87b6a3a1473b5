"""The steps to an answer, as a trace has them."""

from index.indexing import MemoryStore, ask, hash_embedder, memory
from recall.pickers import Answers, PlainInventory

from memoir.llm.conversation import ModelConversation
from memoir.recall import engine, pickers
from memoir.recall.answer import steps_of
from memoir.recall.result import Stage


def test_a_choice_of_a_model_is_a_step() -> None:
    inventory = PlainInventory({"a.b": ["one"], "c": ["two"], "d": ["three"]}, best=["c"])

    useful = pickers.pick_at_once(inventory, "?", ModelConversation(Answers("c\nd")))
    useless = pickers.pick_at_once(inventory, "?", ModelConversation(Answers("hm")))

    assert useful.stages == (Stage("single.select", "model", 3, 3, 2),)
    (stage,) = useless.stages
    assert (stage.status, stage.result_count, stage.degraded) == (
        "degraded", 0, "the model's answer names no path that was offered",
    )  # fmt: skip


def test_the_steps_of_a_ranking_are_its_legs_its_channels_and_the_fusion(memories: MemoryStore) -> None:
    contents = {"a": [memory("zebra", person="Ada")], "b": [memory("a lion")]}
    query = ask("Ada's zebra", weights={"vector": 0.0, "time": 0.0}, rerank="deterministic", limit=1)
    steps = steps_of(engine.recall(memories.index(hash_embedder()), memories.snapshot(contents), query))

    outcomes = {(step.stage, step.method): (step.result_count, step.skipped) for step in steps}
    assert (
        outcomes.items()
        >= {
            ("retrieval", "bm25"): (1, None),
            ("retrieval", "vector"): (0, "its weight is 0"),
            ("channel", "person"): (1, None),
            ("channel", "time"): (0, "its weight is 0"),
            ("fusion", "blend"): (1, None),
            ("rerank", "words"): (1, None),
            ("result", "limit"): (1, None),
        }.items()
    )
