"""`Step`: one kind of question that memoir asks a model, such as which paths to read.

The system text of its prompt begins with the line `step: NAME`, by which logs, gateways and tests know it. Below it are
the step's instructions: a file that the user, or a Python caller, may replace. The message has the data alone.
"""

from collections.abc import Iterable
from typing import NamedTuple

from memoir.llm.model import Prompt
from memoir.llm.prompts import Prompts, one_line, printable

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
        """The prompt with a message.

        Args:
            message: The question and the data, such as `write_message` returns.
            instructions: What replaces the step's own instructions.
            context: What many prompts share, such as the taxonomy. It stands at the instructions' mark `{name}`, or
                after the instructions if they have no such mark.
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
