"""Passages: the parts of a segment that recall finds, such as a turn of talk or a paragraph of a document.

A segment is stored word for word; its passages are cut from it whenever they are needed, and never stored. A
conversation is cut at its turns; a long turn or a document at its blocks: paragraphs, list items, headings and fenced
code. Consecutive turns of one person are one passage.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from memoir.memory.speaker import TALK, TEXT, role_of
from memoir.records.record import Memory, Record, active_facets
from memoir.taxonomy.paths import Address, MemoryAddress
from memoir.times import format_instant, read_instant

MOST = 600
"""The most characters of a piece; about the 128 tokens that MiniLM reads."""
_LEAST = 90
"""The fewest characters of a piece that could be joined to the one before it."""
_BLOCK = r"(?:[-*+•]|\d{1,3}[.)])[ \t]+\S|#{1,6}[ \t]"
"""The start of a line that begins a block: a list item or a heading."""
_NUMBER = r"\s*\d{1,3}[.)]\s+"
_FENCE = r"[ \t]*(?:`{3,}|~{3,})"
_CAPTION = 80
"""The most characters of a caption."""
_SENTENCE = r"(?<=[.!?…。！？])[\"'”’)\]]*\s+|(?<=[。！？])"


def cut_blocks(text: str, most: int = MOST) -> list[str]:
    """Cut a text at its blocks: the pieces in order, and verbatim but for the white space around them."""
    text = text.strip()
    if len(text) <= most:
        return [text] if text else []
    return list(_pack((part for block in _blocks(text) for part in _split(block, most)), most))


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items, headings and fenced code, each with the blank lines behind it."""
    lines: list[str] = []
    fence, was_blank = False, False
    for line in text.splitlines(keepends=True):
        is_underline = bool(lines) and not (fence or was_blank or line.strip("~ \t\n"))
        is_fence = bool(re.match(_FENCE, line)) and not is_underline
        begins = was_blank or bool(re.match(_BLOCK, line.lstrip(" \t"))) or (is_fence and not fence)
        if lines and not fence and begins and line.strip():
            yield "".join(lines)
            lines = []
        lines.append(line)
        fence ^= is_fence
        was_blank = not line.strip()
    if lines:
        yield "".join(lines)


def _split(block: str, most: int) -> Iterator[str]:
    """A block that is too long, at its lines, else at its sentences, else at its words."""
    if len(block.strip()) <= most:
        yield block
        return
    for pieces in (block.splitlines(keepends=True), _sentences(block)):
        if len(pieces) > 1:
            for part in _group(pieces, most):
                yield from _split(part, most)
            return
    words = [word[at : at + most] for word in re.findall(r"\s*\S+\s*", block) for at in range(0, len(word), most)]
    yield from _with_tail(list(_group(words, most)))


def _sentences(text: str) -> list[str]:
    begins = re.match(_NUMBER, text)  # the number of a list's entry ends no sentence
    ends = [match.end() for match in re.finditer(_SENTENCE, text) if not begins or match.end() > begins.end()]
    return [part for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if (part := text[start:end])]


def _group(pieces: Sequence[str], most: int) -> Iterator[str]:
    """Neighbouring pieces joined as long as they are short enough; a longer one is alone."""
    group = ""
    for piece in pieces:
        if group and len((group + piece).strip()) > most:
            yield group
            group = ""
        group += piece
    if group:
        yield group


def _pack(parts: Iterable[str], most: int) -> Iterator[str]:
    """Parts joined to pieces."""
    pieces = [piece for piece in _group(list(parts), most) if piece.strip()]
    yield from (piece.strip("\n").rstrip() for piece in _with_tail(pieces))


def _with_tail(pieces: list[str]) -> list[str]:
    """Pieces whose tail, if it is short, is part of the one before it."""
    short = len(pieces) > 1 and len(pieces[-1].strip()) < _LEAST
    return [*pieces[:-2], "".join(pieces[-2:])] if short else pieces


def first_words(text: str) -> str:
    """The first words of a text, on one line."""
    words = " ".join(text[: 4 * _CAPTION].split()).lstrip("#>*- ")
    return words if len(words) <= _CAPTION else words[:_CAPTION].rpartition(" ")[0] + " …"


_RUN_CHARACTERS, _PAUSE = 500, timedelta(minutes=10)
"""The most characters of a run of turns of one person, and the longest pause between two that have times."""
_PARAGRAPHS = 500
"""The most characters of a passage of a document (measured: `benchmarks.documents`)."""
_HEADINGS = r"\A(?:\s*#{1,6}[ \t].*\n|\s*[^\n]+\n(?:={3,}|-{3,}|~{3,}|\^{3,})[ \t]*\n)+"
"""The headings that a section begins with; its passages are printed with them anyway."""
STAMP = r"(?:\d{4}-\d\d-\d\d(?:[T ,]\s?\d\d?:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d?:\d\d(?::\d\d)?)"
"""A day, a day and a time, or a time alone, before who speaks in a transcript."""


class Passage:
    """A part of a segment."""

    def __init__(self, role: str, speaker: str, when: str, heading: str, turn: int, text: str) -> None:
        self.role = role
        """`user`, `assistant`, `talk` or `text`."""
        self.speaker = speaker
        """The speaker; empty in a document."""
        self.when = when
        """Its time, as RFC 3339; empty if unknown."""
        self.heading = heading
        """The headings above it, in a document."""
        self.turn = turn
        """The number of its turn in the segment, from 0."""
        self.text = text
        """Its words, verbatim."""

    @property
    def searched(self) -> str:
        """The text that the index searches: the headings and the words."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text

    @property
    def printed(self) -> str:
        """The text as people and agents read it, with the speaker and day, or the headings."""
        if self.role == TEXT:
            return f"{self.heading}: {self.text}" if self.heading else self.text
        day = f" ({self.when[:10]})" if self.when else ""
        return f"{self.speaker}{day}: {self.text}"


def passage_id(first: int, last: int | None = None) -> str:
    """The id of a passage by its place in the segment, from 0; with `last`, that of a range."""
    return f"p{first + 1}" if last in (None, first) else f"p{first + 1}-{last + 1}"


def passage_numbers(identity: str) -> tuple[int, int]:
    """The places from 0 of the first and the last passage that an id names."""
    first, _, last = identity.removeprefix("p").partition("-")
    return int(first) - 1, int(last or first) - 1


def source_of_segment(segment: Address) -> str:
    """The name of the source that a segment belongs to."""
    return source_name(segment.path)


def source_name(path: str) -> str:
    """The name of a source in the path of a segment: its second part."""
    return path.split(".")[1] if "." in path else path


def passages(record: Record) -> list[Passage]:
    """The passages of a segment."""
    return [passage for memory in active_facets(record) for passage in _passages(memory)]


def passage_starts(record: Record, text: str) -> list[int]:
    """The offset of each passage in the text of a segment: the start of the line that names the speaker."""
    starts, at = list[int](), 0
    for passage in passages(record):
        first = passage.text.partition("\n")[0]
        whole = text.find(passage.text, at)  # joined turns have names between them
        found = whole if whole >= 0 else max(text.find(first, at), at)
        line = text.rfind("\n", 0, found) + 1
        starts.append(line if line >= at else found)
        at = found + len(passage.text if whole >= 0 else first)
    return starts


def passage_memories(record: Record, segment: Address) -> Record:
    """The passages of a segment as memories: their printed text, and in the metadata `source` and `speaker`."""
    return tuple(_as_memory(each, memory, segment) for memory in active_facets(record) for each in _passages(memory))


def _as_memory(passage: Passage, memory: Memory, segment: Address) -> Memory:
    metadata = {"source": source_of_segment(segment), "kind": memory.metadata.get("kind")}
    metadata |= {"speaker": passage.speaker} if passage.speaker else {}
    return memory._replace(content=passage.printed, timestamp=passage.when or memory.timestamp, metadata=metadata)


def words_of(passage: Memory) -> str:
    """The words of a passage of `passage_memories`, without the name and the day before them."""
    name = passage.metadata.get("speaker")
    if not name:
        return passage.content
    day = f" ({passage.timestamp[:10]})"
    start = next(filter(passage.content.startswith, (f"{name}{day}: ", f"{name}: ")), "")
    return passage.content.removeprefix(start)


def find_passages(record: Record, target: MemoryAddress) -> Memory | None:
    """The passages that an address names, as one memory; None if the segment has none of them.

    The metadata `passages` tells how many the segment has.
    """
    first, last = passage_numbers(target.id)
    everything = passage_memories(record, target.place)
    if not (its := everything[first : last + 1]):
        return None
    return its[0]._replace(content=join_passages(its), metadata={**its[0].metadata, "passages": len(everything)})


def join_passages(passages: Sequence[Memory]) -> str:
    """The printed texts of passages shown as one; the date of the first is not repeated."""
    first, *others = passages
    day = f" ({first.timestamp[:10]}): "
    return "\n".join([first.content, *(each.content.replace(day, ": ", 1) for each in others)])


def _passages(memory: Memory) -> Iterator[Passage]:
    speakers = speakers_of(memory)
    return _talk_passages(memory, speakers) if speakers else _document_passages(memory)


def speakers_of(segment: Memory) -> list[str]:
    """The speakers of a segment; empty for a document."""
    names = segment.metadata.get("speakers")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


class _Turn:
    """A turn or several joined ones; `stamp` is the last turn's own time."""

    def __init__(self, speaker: str, when: str, text: str, stamp: datetime | None = None) -> None:
        self.speaker, self.when, self.text, self.stamp = speaker, when, text, stamp

    def join(self, turn: "_Turn") -> "_Turn | None":
        """This run with a further turn; None if the turn has another speaker, comes much later, or is too long."""
        has_paused = self.stamp and turn.stamp and abs(turn.stamp - self.stamp) > _PAUSE
        is_too_long = len(self.text) + len(turn.text) >= _RUN_CHARACTERS
        if turn.speaker != self.speaker or has_paused or is_too_long or role_of(self.speaker) != TALK:
            return None
        return _Turn(self.speaker, self.when, f"{self.text}\n{turn.text}", turn.stamp or self.stamp)


def _talk_passages(memory: Memory, speakers: Sequence[str]) -> Iterator[Passage]:
    runs = _runs(list(_turns(memory, speakers)))
    for number, turn in enumerate(runs):
        role = role_of(turn.speaker)
        for piece in cut_blocks(turn.text):
            yield Passage(role, turn.speaker, turn.when, "", number, piece)


def _turns(memory: Memory, speakers: Sequence[str]) -> Iterator[_Turn]:
    """The turns of a segment; text before the first name belongs to a turn that began in the segment before.

    If a line within a turn looks like the start of one, the metadata `turns` has the offsets of the real starts.
    """
    names = "|".join(re.escape(name) for name in sorted(speakers, key=len, reverse=True))
    time = rf"(?:\[?(?P<stamp>{STAMP})\]?[ \t,-]*)?" if _may_have_stamps(memory.content) else "(?P<stamp>)"
    label = re.compile(rf"^[ \t]*{time}\**(?P<name>{names})\**:\**(?:[ \t]+|$)", re.MULTILINE)
    began = _format(_instant(memory.metadata.get("began")))
    offsets = memory.metadata.get("turns")
    labels = [
        each for each in label.finditer(memory.content) if not isinstance(offsets, list) or each.start() in offsets
    ]
    first = labels[0].start() if labels else len(memory.content)
    if rest := memory.content[:first].strip():
        yield _Turn(speakers[0], began, rest)
    ends = [*(each.start() for each in labels[1:]), len(memory.content)]
    for each, end in zip(labels, ends, strict=False):
        if text := memory.content[each.end() : end].strip():
            stamp = _instant(each["stamp"])
            yield _Turn(each["name"], _format(stamp) or began, text, stamp)


def _may_have_stamps(text: str) -> bool:
    """Whether any line begins with a digit, so that the slow pattern of times is worth trying."""
    return any(line.lstrip(" \t[")[:1].isdecimal() for line in text.split("\n"))


def _runs(turns: Sequence[_Turn]) -> Iterator[_Turn]:
    """The turns, with short consecutive turns of one person joined."""
    run: _Turn | None = None
    for turn in turns:
        if joined := run and run.join(turn):
            run = joined
            continue
        if run:
            yield run
        run = turn
    if run:
        yield run


def _instant(text: Any) -> datetime | None:
    """A time as transcripts write it: `2026-01-31 9:30`; None for anything else."""
    if not text or not isinstance(text, str):
        return None
    return read_instant(text) or read_instant(
        re.sub(r"(?<=\d),?[ T]+(\d\d?)(?=:)", lambda hour: f"T{hour[1]:0>2}", text)
    )


def _format(instant: datetime | None) -> str:
    return format_instant(instant) if instant else ""


def _document_passages(memory: Memory) -> Iterator[Passage]:
    heading = _headings(memory)
    text = re.sub(_HEADINGS, "", memory.content) if heading else memory.content
    for number, piece in enumerate(cut_blocks(text, _PARAGRAPHS) or cut_blocks(memory.content, _PARAGRAPHS)):
        yield Passage(TEXT, "", "", heading, number, piece)


def _headings(memory: Memory) -> str:
    """The headings of a section: its caption without the section's first words."""
    caption, words = memory.metadata.get("caption"), first_words(memory.content)
    return caption.removesuffix(f": {words}") if isinstance(caption, str) and caption != words else ""
