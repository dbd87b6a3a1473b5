"""A language model that answers at once, with the first of whatever it is offered, and counts what it was sent."""

import re
from time import perf_counter

from memoir.llm.model import MAX_TOKENS, Prompt, Reply, Usage

PICKS = 3


class InstantModel:
    """A model for timing what goes on around a model; nothing it says tells of quality."""

    name = "instant"

    def __init__(self) -> None:
        self.seconds = 0.0
        self.calls = 0
        self.characters = 0

    def preload(self) -> None:
        """There is nothing to prepare."""

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> Reply:
        """Pick the first three candidates: what the lines `- candidate ...` of the prompt begin with."""
        start = perf_counter()
        offered = re.finditer(r"^- ([^\s:]\S*?):?(?= )", prompt.tail, re.MULTILINE)
        picked = [match[1] for match, _ in zip(offered, range(PICKS), strict=False)]
        self.calls += 1
        self.characters += len(prompt.text)
        self.seconds += perf_counter() - start
        return Reply("\n".join(picked) or "NONE", Usage(1, 0, 0))
