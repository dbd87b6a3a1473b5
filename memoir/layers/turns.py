"""Reading conversations: JSON lines, and transcripts whose lines begin with a name.

{"speaker": "Ada", "content": "I moved to Porto.", "timestamp": "2026-01-31T09:30:00Z"}

[2026-01-31 09:30] Ada: I moved to Porto.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from memoir.errors import InvalidInput
from memoir.named_tuple import NamedTuple
from memoir.times import format_instant, parse_instant

_MOST_BAD_LINES = 3
"""How many bad lines an error names."""
_SPEAKER, _SPEECH, _WHEN = ("speaker", "name", "role"), ("content", "text"), ("timestamp", "time", "created_at", "date")
"""The fields of a line that may hold who spoke, what was said, and when; the first that is there counts."""
_STAMP = r"\d{4}-\d\d-\d\d(?:[T ,]\s?\d\d?:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
_LABEL = re.compile(
    rf"[ \t]*(?:\[(?P<stamp>{_STAMP})\][ \t]*|(?P<bare>{_STAMP})[ \t,-]+)?"
    r"\**(?P<name>[^\W\d_](?:[\w.'’()-]| (?=[\w(])){0,39})\**:\**[ \t]+(?=\S)"
)
_DAY = re.compile(rf"\W*(?:date:?\s*)?(?P<stamp>{_STAMP})\W*$", re.IGNORECASE)
_LEAST, _SHARE, _WORDS, _TURNS_EACH = 3, 0.3, 4, 1.5
"""A transcript has this many labelled lines at least, this share of its lines, names of this many words at most, and
this many turns for each speaker."""


_NO_NAMES = """
a address answer author authors bcc caution cc changed context date description email error example expected fixed from
hint id important input keywords key language license mobile name note notes output phone q question reason result see
solution source status step subject summary tags tel tip title to todo type url usage value version warning website
"""
"""Words before a colon at the beginning of a line that are nobody's name."""


class Turn(NamedTuple):
    """A turn: the speaker's name, the words, when (None: unknown), and the verbatim text with the name.

    The texts of all turns, joined, are the source; of JSON lines, what a transcript of them would be.
    """

    speaker: str
    words: str
    time: datetime | None
    text: str


def read_turns(text: str) -> list[Turn] | None:
    """The turns of a conversation; None if the text is not one.

    Raises:
        InvalidInput: the text is JSON lines, and some are malformed; they are named.
    """
    first = next((line for line in text.splitlines() if line.strip()), "").lstrip("\ufeff \t")
    if first.startswith("{") and _fields(first) is not None:
        return _of_lines(text)
    if first.startswith("["):
        return _of_list(text) or _of_transcript(text)
    return _of_transcript(text)


def _fields(line: str) -> dict[str, Any] | None:
    try:
        row = orjson.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


def _of_list(text: str) -> list[Turn] | None:
    """The turns of one JSON list of messages."""
    try:
        rows = orjson.loads(text)
    except ValueError:
        return None
    if not isinstance(rows, list) or not all(isinstance(item, dict) for item in rows):
        return None
    return _read_all(enumerate(rows, 1), "message")


def _of_lines(text: str) -> list[Turn]:
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), 1)
    return _read_all(((number, _fields(line)) for number, line in lines if line.strip()), "line")


def _read_all(rows: "Iterator[tuple[int, Mapping[str, Any] | None]] | enumerate[Any]", what: str) -> list[Turn]:
    turns: list[Turn] = []
    bad: dict[int, str] = {}
    for number, fields in rows:
        try:
            turns += _turn(fields)
        except InvalidInput as error:
            bad[number] = error.message
    if bad:
        problems = "; ".join(f"{what} {number}: {bad[number]}" for number in sorted(bad)[:_MOST_BAD_LINES])
        more = f", and {len(bad) - _MOST_BAD_LINES} more" if len(bad) > _MOST_BAD_LINES else ""
        raise InvalidInput(f"not a conversation: {problems}{more}", "a turn is {speaker or role, content, timestamp}")
    return turns


def _turn(fields: Mapping[str, Any] | None) -> list[Turn]:
    """The turn of one object, a list of one; the records that agents keep beside their messages have none.

    Raises:
        InvalidInput: it is none.
    """
    if fields is None:
        raise InvalidInput("not a JSON object")
    inner = fields.get("message")
    if isinstance(inner, Mapping):
        fields = {**fields, **inner}
    elif "type" in fields and not any(name in fields for name in (*_SPEAKER, *_SPEECH)):
        return []
    speaker, speech = _first(fields, _SPEAKER), _text(_first(fields, _SPEECH))
    if not isinstance(speaker, str) or not speaker.strip() or speech is None:
        raise InvalidInput("it needs a 'speaker' or 'role', and 'content'")
    name = " ".join(speaker.split())
    return [Turn(name, speech, _instant(_first(fields, _WHEN)), f"{name}: {speech}\n")] if speech.strip() else []


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _text(content: Any) -> str | None:
    """The text of a message's content: a string, or blocks of which some are text."""
    if isinstance(content, list):
        blocks = [block.get("text") if isinstance(block, Mapping) else block for block in content]
        return "\n".join(block for block in blocks if isinstance(block, str))
    return content if isinstance(content, str) else None


def _instant(when: Any) -> datetime | None:
    """When a turn was said: an ISO 8601 date, or seconds since 1970.

    Raises:
        InvalidInput: it is neither.
    """
    if when is None:
        return None
    if isinstance(when, str):
        return parse_instant(re.sub(r"(?<=\d),? (?=\d)", "T", when.strip()))
    try:
        return datetime.fromtimestamp(when / (1000 if when > 1e11 else 1), UTC)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"not a time: {when!r:.40}") from error


def _of_transcript(text: str) -> list[Turn] | None:
    lines = text.splitlines(keepends=True)
    labels = [_label(line) for line in lines]
    names = Counter(label["name"] for label in labels if label)
    line_count = sum(bool(line.strip()) for line in lines)
    label_count = names.total()
    is_talk = label_count >= max(_LEAST, _SHARE * line_count) and label_count >= _TURNS_EACH * len(names)
    return list(_turns(lines, labels)) if is_talk or _is_exchange(names, line_count) else None


def _is_exchange(names: "Counter[str]", lines: int) -> bool:
    """Whether a text is two lines that two people, or one, said: each has a name, and none is a field's."""
    return lines == names.total() == _LEAST - 1 and all(
        name[0].isupper() and name.casefold() not in _NO_NAMES.split() for name in names
    )


def _label(line: str) -> "re.Match[str] | None":
    match = _LABEL.match(line)
    return match if match and len(match["name"].split()) <= _WORDS else None


def _turns(lines: Sequence[str], labels: "Sequence[re.Match[str] | None]") -> Iterator[Turn]:
    """The turns of a transcript; a line without a name goes on with the turn before it, at the beginning with the next.

    A line that is only a date dates the turns after it.
    """
    day: datetime | None = None
    text, speaker, speech, time = "", "", "", None
    for line, label in zip(lines, labels, strict=True):
        if label:
            if speaker:
                yield Turn(speaker, speech.strip(), time, text)
                text = ""
            stamp = label["stamp"] or label["bare"]
            time = (_time_of(stamp) if stamp else None) or day
            speaker, speech = label["name"], line[label.end() :]
        elif date := _DAY.match(line):
            day = _time_of(date["stamp"]) or day
        else:
            speech += line if speaker else ""
        text += line
    yield Turn(speaker, speech.strip(), time, text)


def _time_of(text: str) -> datetime | None:
    """The instant of a stamp; None if there is no such day."""
    try:
        return _instant(text)
    except InvalidInput:
        return None


def format_time(time: datetime) -> str:
    """An instant as metadata has it."""
    return format_instant(time)
