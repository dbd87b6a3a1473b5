"""Budgets, which several threads may share."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from memoir.llm.conversation import BudgetSpent, CallBudget
from memoir.llm.model import MAX_TOKENS, Prompt
from memoir.llm.usage import Usage

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

    with pytest.raises(BudgetSpent, match=f"{calls} call"):
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
