"""What is asked of a model for one query: the record, the budget, kept answers and failures."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from recall.pickers import USAGE
from recall.pickers import Answers as Scripted

from memoir.errors import LlmUnavailable
from memoir.llm.conversation import BudgetSpent, CallBudget, ModelConversation
from memoir.llm.model import MAX_TOKENS, ModelReply, NoText, Prompt, Prompts, Step
from memoir.llm.usage import Usage


class KeptAnswers:
    """Answers that are kept in a dictionary."""

    def __init__(self) -> None:
        self.answers: dict[tuple[str, Prompt], str] = {}

    def find_answer(self, model: str, prompt: Prompt) -> str | None:
        return self.answers.get((model, prompt))

    def keep_answer(self, model: str, prompt: Prompt, answer: str) -> None:
        self.answers[model, prompt] = answer


@pytest.fixture
def step(tmp_path: Path) -> Step:
    (tmp_path / "test.step.txt").write_text("Answer with a number.")
    return Step("test.step", Prompts(str(tmp_path)))


def read(answer: str) -> int | None:
    return int(answer) if answer.isdecimal() else None


def test_an_answer_is_read_and_recorded(step: Step) -> None:
    talk = ModelConversation(Scripted("<think>1, or rather</think>\n2", "3"))

    assert [talk.ask(step, "first", read), talk.ask(step, "second", read)] == [2, 3]
    assert talk.usage == USAGE.plus(USAGE)
    assert talk.prompts == {
        "test.step": "step: test.step\n\nAnswer with a number.\n\nfirst",
        "test.step.2": "step: test.step\n\nAnswer with a number.\n\nsecond",
    }
    assert list(talk.stopwatch.timings) == ["test.step"]
    assert (talk.degraded, talk.cached) == ([], False)


def test_instructions_can_be_replaced(step: Step) -> None:
    model = Scripted("1")

    ModelConversation(model, instructions={"test.step": "Say one."}).ask(step, "first", read)

    assert model.prompts == [Prompt("step: test.step\n\nSay one.", "first")]


def test_an_answer_is_kept_if_it_can_be_used(step: Step) -> None:
    answers, model = KeptAnswers(), Scripted("what?", "2")

    assert ModelConversation(model, answers=answers).ask(step, "first", read) is None
    assert ModelConversation(model, answers=answers).ask(step, "first", read) == 2
    again = ModelConversation(model, answers=answers)
    assert again.ask(step, "first", read) == 2
    assert (again.cached, again.usage) == (True, Usage())


def test_an_answer_of_no_use_is_noted(step: Step) -> None:
    talk = ModelConversation(Scripted("what?", "what?"))

    assert [talk.consult(step, "first", read), talk.consult(step, "second", read)] == [None, None]
    assert talk.degraded == ["test.step: the model's answer cannot be used"]


def test_a_budget_that_is_spent_is_noted(step: Step) -> None:
    talk = ModelConversation(Scripted("1", "2"), budget=CallBudget(calls=1))

    assert [talk.consult(step, "first", read), talk.consult(step, "second", read)] == [1, None]
    (note,) = talk.degraded
    assert note.startswith("budget: ")
    with pytest.raises(BudgetSpent):
        talk.ask(step, "third", read)


def test_after_a_failure_nothing_more_is_asked(step: Step) -> None:
    model = Scripted()
    talk = ModelConversation(model)

    assert [talk.consult(step, "first", read), talk.consult(step, "second", read)] == [None, None]
    assert talk.degraded == ["test.step: nothing more to say"]
    assert len(model.prompts) == 1
    assert talk.usage == Usage(1)
    with pytest.raises(LlmUnavailable):
        talk.ask(step, "third", read)


def test_silence_costs_its_tokens_and_ends_nothing(step: Step) -> None:
    class Silent(Scripted):
        def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
            if not self.prompts:
                self.prompts.append(prompt)
                error = NoText("the model's answer has no text")
                error.usage = USAGE
                raise error
            return super().complete(prompt, max_tokens)

    talk = ModelConversation(Silent("2"))

    assert [talk.consult(step, "first", read), talk.consult(step, "second", read)] == [None, 2]
    assert talk.usage == USAGE.plus(USAGE)


PROMPT = Prompt("", "x" * 399)  # about 100 tokens


def test_without_bounds_everything_is_counted() -> None:
    budget = CallBudget()

    for _ in range(3):
        budget.settle(budget.reserve(PROMPT), Usage(1, 10, 5, 2, 1))

    assert budget.spent == Usage(3, 30, 15, 6, 3)
    assert budget.spent.tokens == 54


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_no_more_calls_than_it_has(calls: int) -> None:
    budget = CallBudget(calls=calls)
    for _ in range(calls):
        budget.reserve(PROMPT)

    with pytest.raises(BudgetSpent, match=f"{calls} model call"):
        budget.reserve(PROMPT)
    assert budget.spent.calls == calls


def test_an_answer_gets_the_tokens_that_are_left() -> None:
    budget = CallBudget(tokens=400)

    assert budget.reserve(PROMPT) == 300
    budget.settle(300, Usage(1, 100, 50))
    assert budget.reserve(PROMPT) == 150
    budget.settle(150, Usage(1, 100, 100))
    with pytest.raises(BudgetSpent, match="400 tokens"):
        budget.reserve(PROMPT)
    assert CallBudget(tokens=10**6).reserve(PROMPT) == MAX_TOKENS


def test_threads_share_it() -> None:
    budget = CallBudget(calls=40)

    def spend(_: int) -> bool:
        try:
            budget.settle(budget.reserve(PROMPT), Usage(1, 1, 1))
        except BudgetSpent:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(spend, range(100))) == 40
    assert budget.spent == Usage(40, 40, 40)
