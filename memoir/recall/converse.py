"""`converse`: the conversation with a model in which a query is answered."""

from memoir.index import model_answers
from memoir.index.index import Index
from memoir.llm.conversation import CallBudget, ModelConversation
from memoir.llm.model import Model, Prompt
from memoir.recall.query import Query

_STRICT = ("simple", "single", "tiered")
"""The modes in which a call that fails is an error; the others answer with what they have."""


def converse(query: Query, model: Model, index: Index | None = None) -> ModelConversation:
    """A conversation within the budget of a query, with its instructions; an index keeps an answer for each prompt."""
    return ModelConversation(
        model,
        budget=CallBudget(query.llm_calls, query.llm_tokens),
        instructions=dict(query.prompts),
        answers=_KeptAnswers(index) if index and query.cache else None,
        strict=query.mode in _STRICT,
    )


class _KeptAnswers:
    """Answers to prompts, kept in an index. A prompt holds all that its answer depends on."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def find(self, model: str, prompt: Prompt) -> str | None:
        answer = self._index.answer(model_answers.key(model, *prompt))
        return answer if isinstance(answer, str) else None

    def keep(self, model: str, prompt: Prompt, answer: str) -> None:
        self._index.keep_answer(model_answers.key(model, *prompt), answer)
