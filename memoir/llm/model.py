"""`Model`: the interface of a language model, which answers a prompt and says what the answer cost."""

from typing import NamedTuple, Protocol

from memoir.errors import LlmUnavailable
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
