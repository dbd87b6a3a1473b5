"""Whether the evidence of a question stands in what recall printed."""

import re
from collections.abc import Iterator, Sequence

from benchmarks.evidence_sets import Conversation, Turn

PER_TOKEN = 4
"""Characters of content."""
PER_HIT = 8
"""Tokens that a hit costs besides its content."""
PIECE = 40
"""The fewest characters of a line, or of a part of one, that counts."""
LOOSE = 8
"""The same where any line counts."""
SENTENCE = re.compile(r"(?<=[.!?;:])\s+")
_HEADER = re.compile(r"^[^:\n]{1,60}?(?: \([^)\n]*\))?: ")


def within(contents: Sequence[str], tokens: int) -> list[str]:
    """What fits into a budget: the content that passes it is cut there, and the rest is not printed."""
    printed, left = [], tokens
    for content in contents:
        left -= PER_HIT
        if left <= 0:
            break
        printed.append(content[: left * PER_TOKEN])
        left -= -(-len(content) // PER_TOKEN)
    return printed


def normal(text: str) -> str:
    """A text with single spaces."""
    return " ".join(text.split())


class Evidence:
    """The lines of a conversation's turns by which a turn can be told from the others; if loose, any lines."""

    def __init__(self, conversation: Conversation, *, loose: bool = False) -> None:
        self._loose, self._shortest = loose, LOOSE if loose else PIECE
        self._turns = {turn.id: turn for turn in conversation.turns}
        self._texts = {turn.id: normal(turn.text) for turn in conversation.turns}
        self._known: dict[str, Sequence[re.Pattern[str] | str]] = {}

    def found(self, turns: frozenset[str], printed: Sequence[str]) -> frozenset[str]:
        """The turns of which a line is printed."""
        texts = [normal(content) for content in printed]
        lines = [line for content in printed for line in _printed_lines(content)]
        return frozenset(turn for turn in turns if self._stands(turn, texts) or self._holds(turn, lines))

    def place(self, turn: str, printed: Sequence[str]) -> int | None:
        """The place of the first hit with a line of a turn."""
        return next((place for place, one in enumerate(printed, 1) if self.found(frozenset([turn]), [one])), None)

    def text(self, turn: str) -> str:
        """What was said in a turn."""
        return self._turns[turn].text

    def _stands(self, turn: str, texts: Sequence[str]) -> bool:
        return any(_in(piece, text) for piece in self._pieces(turn) for text in texts)

    def _holds(self, turn: str, lines: Sequence[str]) -> bool:
        return any(line in self._texts[turn] and not self._elsewhere(line, turn) for line in lines)

    def _pieces(self, turn: str) -> Sequence[re.Pattern[str] | str]:
        """What stands in no other turn, if anything does: long lines and their sentences, else the whole turn."""
        if turn not in self._known:
            whole = self._texts[turn]
            candidates = [*_parts(self._turns[turn], self._shortest)] or [whole]
            own = [piece for piece in candidates if not self._elsewhere(piece, turn)] or [whole]
            self._known[turn] = [piece if len(piece) >= PIECE else _words(piece) for piece in own]
        return self._known[turn]

    def _elsewhere(self, piece: str, turn: str) -> bool:
        return not self._loose and any(piece in text for other, text in self._texts.items() if other != turn)


def _parts(turn: Turn, shortest: int) -> Iterator[str]:
    for line in map(normal, turn.text.splitlines()):
        if len(line) >= shortest:
            yield line
            yield from (part for part in SENTENCE.split(line) if PIECE <= len(part) < len(line))


def _printed_lines(content: str) -> Iterator[str]:
    for line in map(normal, content.splitlines()):
        for one in {line, _HEADER.sub("", line)}:
            if len(one) >= PIECE:
                yield one


def _words(piece: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(piece)}(?!\w)")


def _in(piece: re.Pattern[str] | str, text: str) -> bool:
    return piece in text if isinstance(piece, str) else piece.search(text) is not None
