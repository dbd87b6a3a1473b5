"""Whether there is a model, and which one: what the environment and a store's settings say."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memoir.settings import LLM_MODEL, LLM_TIMEOUT

if TYPE_CHECKING:
    from memoir.llm.model import Model

BASE_URL, API_KEY, AUTH_TOKEN = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"


def configured(environ: Mapping[str, str]) -> bool:
    """Whether there is a key, a token or a gateway; a variable that is set to nothing is not set."""
    return any(variable(environ, name) for name in (API_KEY, AUTH_TOKEN, BASE_URL))


def variable(environ: Mapping[str, str], name: str) -> str:
    """What a variable is set to, or nothing."""
    return environ.get(name, "").strip()


def model_of(config: Mapping[str, list[str]], named: str | None = None) -> "Model | None":
    """The model named here, by `MEMOIR_MODEL` or `memoir.llm.model`, or the default one; None without a configuration.

    Raises:
        InvalidInput: `memoir.llm.timeout` is not a number of seconds.
    """
    if not configured(os.environ):
        return None
    from memoir.llm.anthropic import AnthropicModel

    return AnthropicModel(named or LLM_MODEL.read(config), timeout=LLM_TIMEOUT.read(config))
