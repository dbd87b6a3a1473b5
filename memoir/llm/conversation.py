"""`ModelConversation`: all that is asked of a model for one query, within one budget, and the record of it."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import NamedTuple, Protocol, TypeVar

from memoir.errors import LlmUnavailable
from memoir.llm.answer_text import without_thoughts
from memoir.llm.call_budget import BudgetSpent, CallBudget
from memoir.llm.model import Model, NoText, Prompt
from memoir.llm.step import Step
from memoir.llm.usage import Stopwatch, Usage

T = TypeVar("T")


class Answers(Protocol):
    """Where answers are kept, so that the same prompt is not paid for twice."""

    def find(self, model: str, prompt: Prompt) -> str | None:
        """The answer that a model has given to a prompt, or None."""

    def keep(self, model: str, prompt: Prompt, answer: str) -> None:
        """Keep an answer that could be used."""


class ModelSelection(NamedTuple):
    """How many things a step offered and a model took, and why it took none, if that is not an answer."""

    step: str
    candidates: int
    picks: int
    why: str = ""


class ModelConversation:
    """The conversation with a model about one query. Several threads may ask at once.

    Attributes:
        stopwatch: The seconds of each step.
        prompts: The prompts that were sent, by step; a step's second prompt is `NAME.2`.
        degraded: What fell back, and why.
        cached: Whether a kept answer was used.
        choices: What was offered to the model, and what it took of that, in order.

    Args:
        model: The model to ask.
        budget: What may be spent; by default there is no bound.
        instructions: What replaces the instructions of steps, by their names.
        answers: Where answers are kept, if anywhere.
        strict: Whether `consult` fails if a call fails.
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
        self.choices: list[ModelSelection] = []
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
        """Ask one step, and read the answer.

        Args:
            step: The kind of question.
            message: The question and its data.
            read: Reads the answer, without what a model thought aloud before it; None means that it cannot be used.
            context: What the step's instructions need.
        """
        prompt = step.prompt(message, self._instructions.get(step.name), **context)
        self._note_prompt(step.prompt_name or step.name, prompt)
        old_answer = self._answers.find(self.model.name, prompt) if self._answers else None
        if old_answer is not None:
            self.cached = True
            return read(old_answer)
        with self.stopwatch(step.timing or step.name):
            answer = without_thoughts(self._complete(prompt))
        value = read(answer)
        if value is not None and self._answers:
            self._answers.keep(self.model.name, prompt, answer)
        return value

    def consult(
        self, step: Step, message: str, read: Callable[[str], T | None], *, again: str = "", **context: str
    ) -> T | None:
        """Ask one step as `ask` does, but do not fail: None and a note in `degraded` stand for an answer of no use.

        With `again`, which is added to the message, a step whose answer cannot be used is asked once more.
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
        """Note that a step did without the model, and why; the same note stands once."""
        note = f"{step}: {reason}"
        if note not in self.degraded:
            self.degraded.append(note)

    def _note_prompt(self, name: str, prompt: Prompt) -> None:
        with self._lock:
            count = sum(1 for other in self.prompts if other == name or other.startswith(f"{name}."))
            self.prompts[f"{name}.{count + 1}" if count else name] = prompt.text

    def _complete(self, prompt: Prompt) -> str:
        """The model's answer. After a call that failed, the next would only wait in vain."""
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
