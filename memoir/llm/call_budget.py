"""`CallBudget`: how much may be asked of a model for one query, or by one command."""

from threading import Lock

from memoir.errors import LlmUnavailable
from memoir.llm.model import MAX_TOKENS, Prompt
from memoir.llm.usage import Usage

_CHARACTERS = 4
"""About how many characters of English a token has; the real count comes with the answer."""


class BudgetSpent(LlmUnavailable):
    """The budget has no room for another call."""


class CallBudget:
    """The calls and tokens that may still be spent; None means no bound. It may be shared between threads.

    Tokens are all that a provider counts, in and out, those of its cache included.
    """

    def __init__(self, calls: int | None = None, tokens: int | None = None) -> None:
        self._calls, self._tokens = calls, tokens
        self._spent = Usage()
        self._reserve = 0
        self._lock = Lock()

    @property
    def spent(self) -> Usage:
        """The calls and tokens spent so far."""
        return self._spent

    def reserve(self, prompt: Prompt) -> int:
        """Reserve a call, and return how many tokens its answer may have; `settle` must follow.

        How many tokens the prompt has is estimated, so that a bound is not passed by the call that reaches it.

        Raises:
            BudgetSpent: the budget has no room for this call.
        """
        with self._lock:
            if self._calls is not None and self._spent.calls >= self._calls:
                raise BudgetSpent(f"{self._calls:,} call{'s' * (self._calls != 1)} to the model, and no more")
            room = self._room(prompt)
            self._reserve += room
            self._spent = self._spent.plus(Usage(calls=1))
            return room

    def _room(self, prompt: Prompt) -> int:
        if self._tokens is None:
            return MAX_TOKENS
        prompt_tokens = len(prompt.text) // _CHARACTERS + 1
        room = self._tokens - self._spent.tokens - self._reserve - prompt_tokens
        if room < 1:
            raise BudgetSpent(f"{self._tokens:,} tokens of the model, of which too few are left for another call")
        return min(room, MAX_TOKENS)

    def settle(self, tokens: int, usage: Usage) -> None:
        """Note what a call has really cost: `tokens` is what `reserve` returned for it."""
        with self._lock:
            self._reserve -= tokens
            self._spent = self._spent.plus(usage._replace(calls=0))
