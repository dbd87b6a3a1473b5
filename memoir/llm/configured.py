"""Whether there is a model, and which one: what the environment and a store's settings say."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memoir.errors import InvalidInput

if TYPE_CHECKING:
    from memoir.llm.model import Model

BASE_URL, API_KEY, AUTH_TOKEN = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"
TIMEOUT = 60.0
"""Seconds to wait for one attempt, unless `memoir.llm.timeout` says otherwise; there are up to three."""


def configured(environ: Mapping[str, str]) -> bool:
    """Whether there is a key, a token or a gateway; a variable that is set to nothing is not set."""
    return any(variable(environ, name) for name in (API_KEY, AUTH_TOKEN, BASE_URL))


def variable(environ: Mapping[str, str], name: str) -> str:
    """What a variable is set to, or nothing."""
    return environ.get(name, "").strip()


def model_of(config: Mapping[str, list[str]], named: str | None = None) -> "Model | None":
    """The model named here, by `MEMOIR_MODEL` or `memoir.llm.model`, or the default one; None without a configuration.

    Raises:
        InvalidInput: `memoir.llm.timeout` is no number of seconds.
    """
    if not configured(os.environ):
        return None
    from memoir.llm.anthropic import DEFAULT_MODEL, AnthropicModel

    name = named or os.environ.get("MEMOIR_MODEL") or config.get("memoir.llm.model", [""])[-1] or DEFAULT_MODEL
    return AnthropicModel(name, timeout=timeout(config.get("memoir.llm.timeout", [""])[-1]))


def timeout(setting: str) -> float:
    """Seconds to wait for one attempt, from `memoir.llm.timeout`.

    Raises:
        InvalidInput: it is no number of seconds.
    """
    try:
        seconds = float(setting) if setting else TIMEOUT
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InvalidInput(f"memoir.llm.timeout must be a number of seconds, not {setting!r}")
    return seconds
