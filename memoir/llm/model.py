"""`Model`: the interface of a language model, which answers a prompt and says what the answer cost."""

from typing import NamedTuple, Protocol

from memoir.errors import LlmUnavailable

# `Usage`: what the answers of a model cost.


class Usage(NamedTuple):
    """The cost of answers, in the units of the Messages API."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, in and out, those of the provider's cache included."""
        return sum(self[1:])

    def plus(self, other: "Usage") -> "Usage":
        """The sum of both; `+` would join them as tuples."""
        return Usage(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


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
