"""The times that a speaker names, each as it was meant on the day it was said."""

import re
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache

from memoir.english.dates import (
    COUNT,
    READERS,
    UNIT,
    Period,
    Reader,
    Span,
    ago,
    around,
    count_in,
    matches,
)
from memoir.times import UNIT_DAYS, may_name_a_time

_COMING = (
    "will won't shall going_to gonna about_to plan plans planned planning next upcoming soon hope hopes hoping want_to"
    " wants_to would_like would_love intend scheduled booked look_forward looking_forward can't_wait excited_for"
    " excited_about"
)
_PAST = "was were went did had got came took made saw met gave began bought left won lost ate read"
_RULE = "never always every each usually normally generally avoid must don't do_not"
_TENSES = {
    word.replace("_", " "): tense
    for tense, words in (("coming", _COMING), ("past", _PAST), ("rule", _RULE))
    for word in words.split()
}
"""Words that show whether a sentence is about the future, the past, or a rule."""
_LATEST = datetime(9999, 12, 31, tzinfo=UTC).timestamp()
"""The last day that dates can represent: a later time on it would be rounded into a year without dates."""
_STATES = ("is", "are", "be")
"""After these, a word in -ed describes a state: `the office is closed`."""


class SaidTime:
    """A time in a text: its words, its span, and whether that depends on when it was said."""

    def __init__(self, text: str, span: Span, is_relative: bool) -> None:
        self.text, self.span, self.is_relative = text, span, is_relative


def said_times(text: str, now: float) -> list[SaidTime]:
    """The times that a text names, in order, as meant by a speaker at `now`.

    In the future tense, a weekday, or a day or month without a year, is the coming one; in the past tense the latest,
    unless a day comes soon. Without a tense, the nearer day or month is meant, and a weekday is ignored: "Never deploy
    on Friday" states a rule. "In two weeks" is ignored in the past tense, where it is a duration.
    """
    small, today = text.lower().replace("’", "'"), datetime.fromtimestamp(min(now, _LATEST), UTC)
    words = text if len(small) == len(text) else small
    said = []
    for match, read, periods in sorted(_find(small, today), key=lambda each: each[0].start()):
        tense = _tense(small, match)
        if not _is_one_time(match, tense, small):
            continue
        try:
            start, end = _meant(match, read, periods, today, tense)
        except (ValueError, OverflowError):
            continue
        span = Span(start.timestamp(), end.timestamp())
        said.append(SaidTime(words[match.start() : match.end()], span, not match.groupdict().get("year")))
    return said


def _find(small: str, today: datetime) -> Iterator[tuple[re.Match[str], Reader, list[Period]]]:
    has_unit = any(unit in small for unit in UNIT_DAYS)
    return matches(small, today, (*(_OF_A_COUNT if has_unit else ()), *(READERS if may_name_a_time(small) else ())))


def _is_one_time(match: re.Match[str], tense: str | None, text: str) -> bool:
    """Whether a time is that of one event, not of a habit, nor a duration."""
    parts = match.groupdict()
    if parts.get("weekday") and not parts.get("which"):
        return tense in ("coming", "past")
    if parts.get("ahead"):
        return tense == "coming" or bool(_due().search(text, max(match.start() - _NEAR_BY, 0), match.start()))
    return True


_NEAR_BY = 40
"""The characters before "in two weeks" that are searched for its verb."""


@cache
def _due() -> re.Pattern[str]:
    """Present-tense verbs for one event: "starts in", "is up in", "will be due in"."""
    stems = "start|begin|end|open|clos|leav|arriv|expir|launch|com|happen|mov|fly"
    return re.compile(rf"(?:is|are|am|'s|'re|due|(?:{stems})(?:e?s|ing)?)(?: (?:up|out|off|back|again))? $")


def _ahead(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `in two weeks` and `two weeks from now`: that day, plus or minus half a unit."""
    yield around(today, count_in(match), match["unit"])


def _coming_span(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `the next few months`: from now to then."""
    yield today, today + timedelta(days=count_in(match) * UNIT_DAYS[match["unit"]])


_OF_A_COUNT: tuple[tuple[str, Reader], ...] = (
    (rf"{COUNT} {UNIT} back(?! to)", ago),
    (rf"{COUNT} {UNIT} from (?:now|today)", _ahead),
    (rf"(?P<ahead>in) (?:about )?{COUNT} {UNIT}(?! (?:from|of|a|per)\b)", _ahead),
    (rf"(?:next|coming|upcoming) {COUNT} {UNIT}(?! of\b)", _coming_span),
)
"""Times that people mention but queries do not use; the first is past, the others are future."""


def _meant(match: re.Match[str], read: Reader, periods: list[Period], today: datetime, tense: str | None) -> Period:
    """The period that is meant, by the tense."""
    parts = match.groupdict()
    if tense == "coming" and parts.get("weekday") and not parts.get("which"):
        return periods[0][0] + timedelta(days=7), periods[0][1] + timedelta(days=7)
    latest = max((period for period in periods if period[0] <= today), default=min(periods))
    if parts.get("year") or parts.get("which") or not (parts.get("month") or parts.get("number") or parts.get("day")):
        return latest
    following = read(match, datetime(today.year + 1, 1, 1, tzinfo=UTC))
    coming = min(period for period in (*periods, *following) if period[1] >= today)
    wait, age = coming[0] - today, today - latest[1]
    if tense in (None, "rule"):
        return coming if wait < age else latest
    is_soon = parts.get("day") and wait <= _NEAR and age >= _FAR
    return coming if tense == "coming" or is_soon else latest


_NEAR, _FAR = timedelta(days=45), timedelta(days=300)
"""In the past tense, a day that comes soon is meant if the last such day is long ago: "I noticed that it targets March
31"."""


_FAR_OFF = 400
"""The most characters between a time and its verb: text without full stops is not sentences."""


def _tense(text: str, match: re.Match[str]) -> str | None:
    """The tense of the last word with a tense before a time, else of the first one after it."""
    least, most = max(match.start() - _FAR_OFF, 0), match.end() + _FAR_OFF
    first = max(least, *(text.rfind(mark, least, match.start()) + 1 for mark in ".!?\n"))
    last = min((end for mark in ".!?\n" if (end := text.find(mark, match.end(), most)) >= 0), default=most)
    before = deque(_tenses(text[first : match.start()]), maxlen=1)
    return before[0] if before else next(_tenses(text[match.end() : last]), None)


def _tenses(text: str) -> Iterator[str]:
    """Yield the tenses of a text's words that have one, in order."""
    words = ["", *re.findall(r"\w+(?:'\w+)?", text), ""]
    return filter(None, map(_tense_of, words, words[1:], words[2:]))


def _tense_of(before: str, word: str, after: str) -> str | None:
    if word.endswith("'ll"):
        return "coming"
    is_past = word.endswith("ed") and len(word) > len("red") and word != "need" and before not in _STATES
    return _TENSES.get(word) or _TENSES.get(f"{word} {after}") or ("past" if is_past else None)
