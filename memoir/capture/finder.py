"""Find memories in captured turns: by rules, or by a model that is asked at most once a turn, within a budget."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from memoir.capture.spool import ANSWERS, SessionTurn, TurnSpool
from memoir.english.excerpts import is_grounded
from memoir.english.foreign import is_foreign
from memoir.english.lasting.session_sentences import RETRACTION, TurnFinding, findings
from memoir.errors import EmbedderUnavailable
from memoir.llm.answer_text import find_rows, read_text
from memoir.llm.conversation import CallBudget, ModelConversation, begin_conversation
from memoir.llm.model import Prompt, Step, beside, quote
from memoir.llm.usage import Usage
from memoir.secrets.secrets import redact
from memoir.setting import Config
from memoir.settings import HOOKS
from memoir.taxonomy.kinds import DIRECTIVE, FACT, PREFERENCE, RESOLUTION

if TYPE_CHECKING:
    from memoir.embedders.embedder import Embedder

STEP = Step("capture.review", beside(__file__))
_KINDS = (DIRECTIVE, PREFERENCE, FACT, RESOLUTION, RETRACTION)
_MOST = 20
"""The most captures of a turn."""
_LONGEST = 500
_FEWEST_WORDS = 3
_WORD = re.compile(r"\w+")


class Finder:
    """Finds memories worth proposing in turns; this class by rules alone, which know only English."""

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        """Take an embedder for sentences; only MiniLM's vectors are used."""
        self.unread: list[SessionTurn] = []
        """The turns in other languages, which the rules cannot read."""
        self._embedder = embedder if embedder and embedder.is_minilm else None
        self._degraded: list[str] = []

    @property
    def usage(self) -> Usage | None:
        """The cost of a model so far; None without one."""
        return None

    @property
    def degraded(self) -> list[str]:
        """Notes on fallbacks, and their reasons."""
        return self._degraded

    def find(self, turn: SessionTurn) -> list[TurnFinding]:
        """Find memories in a turn, in order."""
        found = findings(turn.text, turn.role, self._vector_of)
        if not found and is_foreign(turn.text):
            self.unread.append(turn)
        return found

    def _vector_of(self, sentence: str) -> Sequence[float]:
        """The vector of a sentence; empty without an embedder, or if it fails, which is noted."""
        try:
            return self._embedder.embed([sentence])[0] if self._embedder else ()
        except EmbedderUnavailable as error:
            self._embedder = None
            self._degraded.append(f"{error}; found without it")
            return ()


class ByModel(Finder):
    """Finds memories by a model; by rules if the budget is spent or an answer is unusable."""

    def __init__(self, talk: ModelConversation) -> None:
        super().__init__()
        self._talk = talk

    @property
    def usage(self) -> Usage:
        """The cost of the model so far."""
        return self._talk.usage

    @property
    def degraded(self) -> list[str]:
        """The turns that rules read, and why."""
        return [f"{note}; found by rules" for note in self._talk.degraded]

    def find(self, turn: SessionTurn) -> list[TurnFinding]:
        """Ask the model about a turn of more than two words."""
        if len(_WORD.findall(turn.text)) < _FEWEST_WORDS:
            return []
        message = f"Said by: {turn.role}\nThe turn, as a JSON string:\n{quote(redact(turn.text))}"
        captures = self._talk.consult(STEP, message, lambda answer: find_rows(answer, "captures"))
        if captures is None:
            return super().find(turn)
        reason = f"{self._talk.model.name} finds it worth remembering"
        pairs = (_content_and_kind(fields, turn.text) for fields in captures[:_MOST])
        return [TurnFinding(content, kind, reason) for content, kind in filter(None, pairs)]


def model_finder(config: Config, spool: TurnSpool, llm_calls: int | None, llm_tokens: int | None) -> ByModel:
    """A finder that asks the configured model, within a budget for all turns together.

    Hooks are switched off for processes that this starts, such as an agent behind a local gateway: otherwise memoir's
    own prompts would be captured.
    """
    budget, hint = CallBudget(llm_calls, llm_tokens), "set ANTHROPIC_API_KEY, or give --by rules"
    talk = begin_conversation(config, budget, hint, answers=_Answers(spool))
    os.environ[HOOKS.key] = "off"
    return ByModel(talk)


class _Answers:
    """The model's answers on the turns of a spool, kept beside them, so that a second review costs nothing."""

    def __init__(self, spool: TurnSpool) -> None:
        self._spool = spool
        self._answers = spool.load(ANSWERS)

    def find_answer(self, model: str, prompt: Prompt) -> str | None:
        return self._answers.get(_digest(model, prompt))

    def keep_answer(self, model: str, prompt: Prompt, answer: str) -> None:
        self._answers[_digest(model, prompt)] = redact(answer)
        with suppress(OSError):  # the model is then asked again
            self._spool.write(ANSWERS, orjson.dumps(self._answers))


def _digest(model: str, prompt: Prompt) -> str:
    from memoir.git.objects import blake2b

    return blake2b("\0".join((model, *prompt)).encode(errors="replace"), size=12).hex()


def _content_and_kind(fields: Mapping[str, Any], words: str) -> tuple[str, str] | None:
    """The content and kind of a model's capture; None if it is malformed, or not grounded in the turn."""
    text, kind = read_text(fields.get("content"), _LONGEST), fields.get("kind")
    return (text, str(kind)) if text and kind in _KINDS and is_grounded(text, [words]) else None
