"""The sentences of a segment: of prose and lists, not of headings, code, tables and quoted markup."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memoir.layers.cut_conversation import Talk
from memoir.layers.cut_document import DocumentSection
from memoir.layers.turns import ROLES, Turn

LONGEST = 400
"""The most characters of a sentence that can be an item."""
_ABBREVIATIONS = re.compile(
    "e[.]g|i[.]e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|fig|al|approx|inc|ltd|co|jr|sr|ca|dept|est|min|max|[ap][.]m|u[.]s"
)
_END = re.compile(r"(?<=[.!?…])([\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9`@#À-Þ])")
_BLOCK = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_NO_PROSE = re.compile(r"\s*(?:#{1,6}\s|\||<[!/a-z]|={3,}|-{3,}|~{3,}|\.\. |:[\w -]+:(?:\s|$)|\[[^\]]+\]:)")
_FENCED_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_ASIDE = re.compile(r"\[(?:shares?|sends?|image|photo|picture|laughs?|sighs?)\b[^\]]*\]", re.IGNORECASE)
_PEOPLES_TOOLS = frozenset(("system", "tool", "function", "developer"))


class Sentence(NamedTuple):
    """A sentence as it is written, on one line, and the turn of a conversation that it is from."""

    text: str
    turn: Turn | None = None

    @property
    def speaker(self) -> str | None:
        """Who says it, by name; None in a document or if only a role is known."""
        return None if self.turn is None or self.turn.speaker.casefold() in ROLES else self.turn.speaker


def sentences(part: Talk | DocumentSection) -> Iterator[Sentence]:
    """The sentences of a segment, in order; what systems and tools say is left out."""
    if isinstance(part, DocumentSection):
        yield from (Sentence(text) for text in split(part.text))
        return
    for turn in part.turns:
        if turn.speaker.casefold() not in _PEOPLES_TOOLS and (len(part.turns) > 1 or turn.words):
            speech = turn.words if part.text == turn.text or len(part.turns) > 1 else part.text
            yield from (Sentence(text, turn) for text in split(speech))


def split(text: str) -> Iterator[str]:
    """The sentences of a text; one that is broken into lines is put together with blanks."""
    for block in _without_literals(_BLOCK.split(_ASIDE.sub("", _FENCED_BLOCK.sub("\n\n", text)))):
        for paragraph in _paragraphs(block):
            yield from (sentence for sentence in _sentences(paragraph) if len(sentence) <= LONGEST)


def _without_literals(blocks: Iterable[str]) -> Iterator[str]:
    """The blocks but those of reStructuredText's literals: they are indented, and follow a double colon."""
    literal = False
    for block in blocks:
        if literal and all(line[:1].isspace() for line in block.splitlines() if line):
            continue
        last = block.rstrip().rpartition("\n")[2].strip()
        literal = last.endswith("::")
        yield block


def _paragraphs(block: str) -> Iterator[str]:
    """The paragraphs and list items of a block of lines; an indented block is code."""
    lines: list[str] = []
    for line in block.splitlines():
        begins = _ITEM.match(line)
        if begins or _NO_PROSE.match(line):
            yield " ".join(lines)
            lines = [line[begins.end() :].strip()] if begins else []
        elif lines or not line.startswith(("    ", "\t")):
            lines.append(line.strip())
    yield " ".join(lines)


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(paragraph):
        word = paragraph[start : end.start()].rstrip(".").rpartition(" ")[2].strip("(\"'").casefold()
        if paragraph[end.start() - 1] == "." and (
            _ABBREVIATIONS.fullmatch(word) or (len(word) == 1 and word.isalpha())
        ):
            continue
        yield " ".join(paragraph[start : end.end()].split())
        start = end.end()
    if rest := " ".join(paragraph[start:].split()):
        yield rest
