"""The turns of conversations, and reading transcripts, in which lines begin with a name.

[2026-01-31 09:30] Ada: I moved to Porto.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from memoir.english.stopwords import FIELD_NAMES
from memoir.errors import InvalidInput
from memoir.memory.passages import STAMP
from memoir.sources.messages import instant_of

_LABEL = re.compile(
    rf"[ \t]*(?:\[(?P<stamp>{STAMP})\][ \t]*|(?P<bare>{STAMP})[ \t,-]+)?"
    r"\**(?P<name>[^\W\d_](?:[\w.'’()-]| (?=[\w(])){0,99})\**:\**[ \t]+(?=\S)"
)
_DAY = re.compile(rf"\W*(?:date:?\s*)?(?P<stamp>{STAMP})\W*$", re.IGNORECASE)
_LEAST, _SHARE, _WORDS, _TURNS_EACH = 3, 0.3, 4, 1.5
"""The least number of labelled lines in a transcript, their least share of all lines, the most words of a name, and the
least turns per speaker."""


ROLES = frozenset(("user", "human", "assistant", "ai", "model", "bot"))
"""The roles in a conversation with an assistant, in lower case."""
_FEWEST_WORDS = 3
"""The fewest words of a one-line conversation by a `user` or `assistant`; `user: root` is a setting."""


class Turn(NamedTuple):
    """A turn: the speaker's name, the words, when (None: unknown), and the verbatim text with the name.

    The joined texts of all turns are the source; for messages in JSON, its transcript, and `line` is the message's line
    in the file.
    """

    speaker: str
    words: str
    time: datetime | None
    text: str
    line: int = 0


def read_transcript(text: str) -> list[Turn] | None:
    """The turns of a transcript; None if the text is not a transcript."""
    lines = text.splitlines(keepends=True)
    labels = [_label(line) for line in lines]
    names = Counter(label["name"] for label in labels if label)
    line_count = sum(bool(line.strip()) for line in lines)
    label_count = names.total()
    is_talk = label_count >= max(_LEAST, _SHARE * line_count) and label_count >= _TURNS_EACH * len(names)
    if is_talk or _is_exchange(names, line_count) or _is_with_assistant(lines, labels):
        return list(_turns(lines, labels))
    return None


def _is_with_assistant(lines: Sequence[str], labels: "Sequence[re.Match[str] | None]") -> bool:
    """Whether a text is a conversation with an assistant: it begins with a role, and has no other names.

    Several roles speak, or the text is a single line of some words.
    """
    texts = [(line, label) for line, label in zip(lines, labels, strict=True) if line.strip()]
    line, first = texts[0] if texts else ("", None)
    roles = {label["name"].casefold() for _, label in texts if label}
    if first is None or not roles <= ROLES:
        return False
    return len(roles) > 1 or (len(texts) == 1 and len(line[first.end() :].split()) >= _FEWEST_WORDS)


def _is_exchange(names: "Counter[str]", lines: int) -> bool:
    """Whether a text is an exchange of two lines: each begins with a name that is not a field's."""
    return lines == names.total() == _LEAST - 1 and all(
        name[0].isupper() and name.casefold() not in FIELD_NAMES for name in names
    )


def _label(line: str) -> "re.Match[str] | None":
    match = _LABEL.match(line)
    return match if match and len(match["name"].split()) <= _WORDS else None


def _turns(lines: Sequence[str], labels: "Sequence[re.Match[str] | None]") -> Iterator[Turn]:
    """The turns of a transcript; a line without a name belongs to the turn before it, or at the beginning to the next.

    A line with only a date gives the date of the turns after it.
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
        return instant_of(text)
    except InvalidInput:
        return None
