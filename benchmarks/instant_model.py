"""A language model that answers at once, with the first of whatever it is offered, and counts what it was sent."""

import re
from time import perf_counter

from memoir.llm.model import MAX_TOKENS, ModelReply, Prompt
from memoir.llm.usage import Usage

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

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        """Pick the first three candidates: what the lines `- candidate ...` of the prompt begin with."""
        start = perf_counter()
        matches = re.finditer(r"^- ([^\s:]\S*?):?(?= )", prompt.tail, re.MULTILINE)
        names = [match[1] for match, _ in zip(matches, range(PICKS), strict=False)]
        return self._reply("\n".join(names) or "NONE", prompt, start)

    def _reply(self, text: str, prompt: Prompt, start: float) -> ModelReply:
        self.calls += 1
        self.characters += len(prompt.text)
        self.seconds += perf_counter() - start
        return ModelReply(text, Usage(1, 0, 0))


class InstantReasoner(InstantModel):
    """The same for the modes that reason: it never finds enough, and asks for as much as it may.

    Args:
        strategy: What it chooses for `agent`.
    """

    def __init__(self, strategy: str) -> None:
        super().__init__()
        self._strategy = strategy

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        """Expand a question into three, split it into three, and judge a chain to be without evidence."""
        start = perf_counter()
        step = prompt.prelude.partition("\n")[0].removeprefix("step: ")
        question = re.search(r"^Question: (.*)$", prompt.tail, re.MULTILINE)
        words = (question[1] if question else "").rstrip("?").split()
        parts = [" ".join(words[place::3]) for place in range(3)]
        answers = {
            "agent.select": self._strategy,
            "agent.split": "\n".join(f"{part}?" for part in parts),
            "agent.chain": '{"is_sufficient": false, "evidence_indices": [], "new_query": "", "confidence_score": 0}',
            "deep.sufficiency": '{"sufficient": false, "gaps": [], "key_information": [], "evidences": []}',
            "deep.expand": "\n".join(
                f"{kind}: {part}" for kind, part in zip(("lex", "vec", "hyde"), parts, strict=True)
            ),
        }
        return self._reply(answers[step], prompt, start)
