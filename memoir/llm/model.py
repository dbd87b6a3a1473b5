"""A language model as memoir sees it, and `Step`: one kind of question to it, such as which paths to read.

The system text of a prompt begins with the line `step: NAME`, by which logs, gateways and tests know it. Below it are
the instructions of the step: a file that the user, or a Python caller, may replace. The message has the data alone.
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from memoir.errors import LlmUnavailable
from memoir.llm.prompts import Prompts, one_line, printable
from memoir.llm.usage import Usage

MAX_TOKENS = 1024


class Prompt(NamedTuple):
    """A prompt in two parts: one that many prompts share, so that it can be cached, and the rest."""

    prelude: str
    tail: str

    @property
    def text(self) -> str:
        """The whole prompt, for display."""
        return "\n\n".join(part for part in self if part)


class ModelReply(NamedTuple):
    """The answer of a model, and its cost."""

    text: str
    usage: Usage


class NoText(LlmUnavailable):
    """The model answered without a word of text, and its tokens are spent all the same."""

    usage = Usage()


class Model(Protocol):
    """Something that completes prompts."""

    @property
    def name(self) -> str:
        """The model's name, as its provider knows it."""

    def preload(self) -> None:
        """Prepare for a completion while the caller does something else; this never fails."""
        ...

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        """Answer a prompt in at most `max_tokens` tokens.

        Raises:
            LlmUnavailable: there is no answer.
        """
        ...


SHOWN_CHARACTERS = 500
"""How many characters of a candidate's content a model is shown."""


class Step(NamedTuple):
    """A kind of question.

    Attributes:
        name: Such as `agent.chain`.
        folder: Where its instructions are, in the file `NAME.txt`.
        file: The name of another step, if it has the same instructions.
        prompt_name: Its name among the prompts of an answer, if it is another than its own.
        timing: Its name among the timings of an answer, if it is another than its own.
    """

    name: str
    folder: Prompts
    file: str = ""
    prompt_name: str = ""
    timing: str = ""

    def prompt(self, message: str, instructions: str | None = None, **context: str) -> Prompt:
        """The prompt with a message, such as `write_message` returns.

        Instructions replace the step's own. The context is what many prompts share, such as the taxonomy: it stands at
        the instructions' mark `{name}`, or after them if they have no such mark.
        """
        text = self.folder.template(self.file or self.name) if instructions is None else instructions.strip()
        for name, value in context.items():
            mark = f"{{{name}}}"
            text = text.replace(mark, value) if mark in text else f"{text}\n\n{value}"
        return Prompt(f"step: {self.name}\n\n{text}", message)


def write_message(question: str, *blocks: tuple[str, str]) -> str:
    """Write the question, verbatim on a line of its own, and below it each block of data with its title."""
    return "\n\n".join((f"Question: {one_line(question)}", *(f"{title}:\n{text}" for title, text in blocks)))


def list_candidates(candidates: Iterable[tuple[str, str]], first: int = 1) -> str:
    """Write a line `[n] path: content` for each path and content; a content is cut at `SHOWN_CHARACTERS`."""
    lines = (
        f"[{n}] {printable(path)}: {one_line(text)[:SHOWN_CHARACTERS]}"
        for n, (path, text) in enumerate(candidates, first)
    )
    return "\n".join(lines) or "(none)"
