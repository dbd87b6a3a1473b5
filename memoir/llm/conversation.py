"""`ModelConversation`: all calls to a model for one query, within one budget, and their record.

`CallBudget` bounds the calls to a model for one query, or by one command.
"""

import os
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Protocol, TypeVar

from memoir.errors import LlmUnavailable
from memoir.llm.answer_text import without_thoughts
from memoir.llm.model import MAX_TOKENS, Model, NoText, Prompt, Step, is_configured, read_instructions
from memoir.llm.usage import Stopwatch, Usage
from memoir.setting import Config
from memoir.settings import LLM_MODEL, LLM_TIMEOUT


class BudgetSpent(LlmUnavailable):
    """The budget has no room for another call."""


class CallBudget:
    """The calls and tokens that may be spent; None means no bound. Threads may share it.

    Tokens are all that a provider counts: input, output and its cache.
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
        """Reserve a call, and return the most tokens of its answer; `settle` must follow.

        The tokens of the prompt are estimated, so that the last call does not exceed the bound.

        Raises:
            BudgetSpent: the budget has no room for this call.
        """
        with self._lock:
            if self._calls is not None and self._spent.calls >= self._calls:
                raise BudgetSpent(f"the limit of {self._calls:,} model call{'s' * (self._calls != 1)} is reached")
            room = self._room(prompt)
            self._reserve += room
            self._spent = self._spent.plus(Usage(calls=1))
            return room

    def _room(self, prompt: Prompt) -> int:
        if self._tokens is None:
            return MAX_TOKENS
        room = self._tokens - self._spent.tokens - self._reserve - prompt.tokens
        if room < 1:
            raise BudgetSpent(f"too few of {self._tokens:,} tokens of the model are left for another call")
        return min(room, MAX_TOKENS)

    def settle(self, tokens: int, usage: Usage) -> None:
        """Record the real cost of a call; `tokens` is the result of its `reserve`."""
        with self._lock:
            self._reserve -= tokens
            self._spent = self._spent.plus(usage._replace(calls=0))


T = TypeVar("T")


class Answers(Protocol):
    """A cache of answers, so that the same prompt is not paid for twice."""

    def find_answer(self, model: str, prompt: Prompt) -> str | None:
        """A model's cached answer to a prompt, or None."""

    def keep_answer(self, model: str, prompt: Prompt, answer: str) -> None:
        """Cache a usable answer."""


ModelChoice = tuple[str, int, int, str]
"""A step, the number of things offered, the number taken, and the reason if the answer was unusable."""


class ModelConversation:
    """The conversation with a model about one query. Several threads may ask at once.

    Attributes:
        stopwatch: The seconds of each step.
        prompts: The prompts that were sent, by step; a step's second prompt is `NAME.2`.
        degraded: The fallbacks and their reasons.
        cached: Whether a cached answer was used.
        choices: The choices that the model was offered, in order.

    Args:
        model: The model to ask.
        budget: The bound on the cost; by default none.
        instructions: Replacements for the instructions of steps, by step.
        answers: The cache of answers, if any.
        strict: Whether `consult` raises an error if a call fails.
    """

    def __init__(
        self,
        model: Model,
        *,
        budget: CallBudget | None = None,
        instructions: Mapping[str, str] | None = None,
        answers: Answers | None = None,
        strict: bool = False,
    ) -> None:
        self.model = model
        self.stopwatch = Stopwatch()
        self.prompts: dict[str, str] = {}
        self.degraded: list[str] = []
        self.cached = False
        self.choices: list[ModelChoice] = []
        self._budget = budget or CallBudget()
        self._instructions = instructions or {}
        self._answers = answers
        self._strict = strict
        self._failure: LlmUnavailable | None = None
        self._lock = Lock()

    @property
    def usage(self) -> Usage:
        """The cost so far."""
        return self._budget.spent

    def ask(self, step: Step, message: str, read: Callable[[str], T | None], **context: str) -> T | None:
        """Ask one step, and read the answer; `context` is what the step's instructions need.

        `read` gets the answer without thoughts, and returns None if it is unusable.
        """
        prompt = step.prompt(message, self._instructions.get(step.name), **context)
        self._note_prompt(step.prompt_name or step.name, prompt)
        old_answer = self._answers.find_answer(self.model.name, prompt) if self._answers else None
        if old_answer is not None:
            self.cached = True
            return read(old_answer)
        with self.stopwatch(step.timing or step.name):
            answer = without_thoughts(self._complete(prompt))
        value = read(answer)
        if value is not None and self._answers:
            self._answers.keep_answer(self.model.name, prompt, answer)
        return value

    def consult(
        self, step: Step, message: str, read: Callable[[str], T | None], *, again: str = "", **context: str
    ) -> T | None:
        """Ask one step as `ask` does, but return None with a note in `degraded` on failure.

        If the answer is unusable and `again` is given, ask once more with it appended to the message.
        """
        try:
            value = self.ask(step, message, read, **context)
            if value is None and again:
                value = self.ask(step, f"{message}\n\n{again}", read, **context)
        except BudgetSpent as error:
            self.fall_back("budget", error.message)
            return None
        except LlmUnavailable as error:
            if self._strict:
                raise
            self.fall_back(step.name, error.message)
            return None
        if value is None:
            self.fall_back(step.name, "the model's answer cannot be used")
        return value

    def fall_back(self, step: str, reason: str) -> None:
        """Note that a step went without the model, and why; equal notes are kept once."""
        note = f"{step}: {reason}"
        if note not in self.degraded:
            self.degraded.append(note)

    def _note_prompt(self, name: str, prompt: Prompt) -> None:
        with self._lock:
            count = sum(1 for other in self.prompts if other == name or other.startswith(f"{name}."))
            self.prompts[f"{name}.{count + 1}" if count else name] = prompt.text

    def _complete(self, prompt: Prompt) -> str:
        """Call the model; after one failure, fail at once, since the next call would only wait in vain."""
        if self._failure:
            raise self._failure
        room, usage = self._budget.reserve(prompt), Usage()
        try:
            text, usage = self.model.complete(prompt, room)
        except LlmUnavailable as error:
            if isinstance(error, NoText):
                usage = error.usage
            else:
                self._failure = error
            raise
        finally:
            self._budget.settle(room, usage)
        return text


def choose_model(config: Config, name: str | None = None) -> "Model | None":
    """The model with a given name, else the settings' one; None if the environment configures none."""
    if not is_configured(os.environ):
        return None
    from memoir.llm.anthropic import AnthropicModel

    return AnthropicModel(name or LLM_MODEL.read(config), timeout=LLM_TIMEOUT.read(config))


def begin_conversation(
    config: Config,
    budget: CallBudget,
    hint: str,
    *,
    missing: str = "no language model is configured",
    answers: Answers | None = None,
) -> ModelConversation:
    """A conversation with the configured model, under the user's instructions; failed calls are only noted.

    Raises:
        LlmUnavailable: no model is configured; `missing` is the message, `hint` its hint.
        InvalidInput: a setting is malformed.
    """
    model = choose_model(config)
    if model is None:
        raise LlmUnavailable(missing, hint)
    return ModelConversation(model, budget=budget, instructions=read_instructions(config), answers=answers)
