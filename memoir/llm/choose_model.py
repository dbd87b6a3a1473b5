"""Choosing the language model that a command uses."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memoir.llm.environment import is_configured
from memoir.settings import LLM_MODEL, LLM_TIMEOUT

if TYPE_CHECKING:
    from memoir.llm.model import Model


def choose_model(config: Mapping[str, list[str]], name: str | None = None) -> "Model | None":
    """The model with a given name, else the one that the settings name; None if the environment configures none."""
    if not is_configured(os.environ):
        return None
    from memoir.llm.anthropic import AnthropicModel

    return AnthropicModel(name or LLM_MODEL.read(config), timeout=LLM_TIMEOUT.read(config))
