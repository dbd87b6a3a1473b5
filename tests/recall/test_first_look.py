"""What the question itself has found is kept while a model is asked, as long as the index is the same."""

import json
from collections.abc import Callable

import pytest
from index.indexing import Contents, MemoryStore, Stub, ask, memory
from recall.pickers import Answers

from memoir.llm.conversation import ModelConversation
from memoir.llm.model import MAX_TOKENS, ModelReply, Prompt
from memoir.recall.deep import recall

QUESTION = "who runs the service that bills customers?"
NOTES: Contents = {
    "project.billing": [memory("the service that bills customers is the green one")],
    "project.owner": [memory("Ines Fabri leads everything green")],
    "project.mail": [memory("a service sends mail to customers")],
}
OTHERS: Contents = {**NOTES, "project.billing": [memory("nothing bills customers")], "a": [memory("a service")]}
ANSWERS = (json.dumps({"sufficient": False, "gaps": ["the leader"], "evidences": []}), "lex: Ines Fabri\nvec: green")


class Meanwhile(Answers):
    """A model that does something else before each answer."""

    def __init__(self, does: Callable[[], object]) -> None:
        super().__init__(*ANSWERS)
        self._does = does

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        self._does()
        return super().complete(prompt, max_tokens)


def _answer(store: MemoryStore, does: Callable[[], object]) -> tuple[list[tuple[str, float]], int]:
    """The memories with their relevance, and how often the question itself was embedded."""
    embedder, snapshot = Stub(learned=False), store.snapshot(NOTES)
    answer = recall(store.index(embedder), snapshot, ask(QUESTION, mode="deep"), ModelConversation(Meanwhile(does)))
    assert not answer.degraded
    return [(each.path, each.relevance_score) for each in answer.memories], embedder.texts.count(QUESTION)


def test_the_question_is_ranked_once(memories: MemoryStore) -> None:
    rows, count = _answer(memories, lambda: None)

    assert count == 1 and {path for path, _ in rows} == set(NOTES)


@pytest.mark.parametrize("ends", [(OTHERS, NOTES), (OTHERS,)], ids=["there and back", "elsewhere"])
def test_an_index_that_another_process_has_changed_is_searched_again(
    memories: MemoryStore, ends: tuple[Contents, ...]
) -> None:
    expected, _ = _answer(memories, lambda: None)

    def change() -> None:
        other = memories.index(Stub(learned=False))
        for contents in ends:
            other.read(memories.snapshot(contents), lambda view: None)
        other.close()

    rows, count = _answer(memories, change)

    assert rows == expected and count == 2
