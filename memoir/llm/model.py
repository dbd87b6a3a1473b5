"""What memoir asks of a language model: a prompt in, a text and its cost out."""

from typing import NamedTuple, Protocol

from memoir.llm.usage import Usage

MAX_TOKENS = 1024


class Prompt(NamedTuple):
    """A prelude that many questions share, so that it can be cached, and what this question adds."""

    prelude: str
    tail: str

    @property
    def text(self) -> str:
        """All of it, for display."""
        return "\n\n".join(part for part in self if part)


class Reply(NamedTuple):
    """What a model said and what that cost."""

    text: str
    usage: Usage


class Model(Protocol):
    """Something that completes prompts."""

    @property
    def name(self) -> str:
        """The model's name, as its provider knows it."""

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> Reply:
        """Answer a prompt with at most so many tokens.

        Raises:
            LlmUnavailable: there is no answer, for whatever reason.
        """
        ...
