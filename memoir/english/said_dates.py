"""The times that somebody names in a text, each as it was meant when it was said."""

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
"""The words by which a sentence is about what will be, about what was, or about what is always so."""
_LATEST = datetime(9999, 12, 31, tzinfo=UTC).timestamp()
"""The last day of all: a moment late on it is a number that is rounded to a year for which there is no date."""
_STATES = ("is", "are", "be")
"""After these, a word in -ed says what is so: `the office is closed`."""


class SaidTime:
    """A time that a text names: its words, the time that they mean, and whether that depends on when it is said."""

    def __init__(self, text: str, span: Span, is_relative: bool) -> None:
        self.text, self.span, self.is_relative = text, span, is_relative


def said_times(text: str, now: float) -> list[SaidTime]:
    """The times that a text names, in its order, each as it was meant by one who said it at `now`.

    In words about what will be, a day or a month without a year and a weekday are the coming ones; in words about what
    was, the latest, but of a day that comes soon. Of a day or a month in other words, the nearer one is meant. A
    weekday in other words is none: "Never deploy on Friday" names a rule. Nor is "in two weeks" in words about what
    was, which tells how long it took.
    """
    small, today = text.lower().replace("’", "'"), datetime.fromtimestamp(min(now, _LATEST), UTC)
    words = text if len(small) == len(text) else small
    said = []
    for match, read, periods in sorted(_said(small, today), key=lambda each: each[0].start()):
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


def _said(small: str, today: datetime) -> Iterator[tuple[re.Match[str], Reader, list[Period]]]:
    has_unit = any(unit in small for unit in UNIT_DAYS)
    return matches(small, today, (*(_OF_A_COUNT if has_unit else ()), *(READERS if may_name_a_time(small) else ())))


def _is_one_time(match: re.Match[str], tense: str | None, text: str) -> bool:
    """Whether a time is that of one event, and neither a habit's nor how long something takes."""
    parts = match.groupdict()
    if parts.get("weekday") and not parts.get("which"):
        return tense in ("coming", "past")
    if parts.get("ahead"):
        return tense == "coming" or bool(_due().search(text, max(match.start() - _NEAR_BY, 0), match.start()))
    return True


_NEAR_BY = 40
"""The characters before "in two weeks" in which its verb is."""


@cache
def _due() -> re.Pattern[str]:
    """What is so at one time, said of the present: "starts in", "is up in", "will be due in"."""
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
"""What people say of times that no question asks for; the first is read in the past, the others in time to come."""


def _meant(match: re.Match[str], read: Reader, periods: list[Period], today: datetime, tense: str | None) -> Period:
    """The one of some times that is meant."""
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
"""In words about what was, a day that comes soon is meant if the latest is long ago: "I noticed that it targets
March 31"."""


_FAR_OFF = 400
"""The most characters between a time and the verb that it goes with: what has no full stop is no sentence."""


def _tense(text: str, match: re.Match[str]) -> str | None:
    """The tense of the last verb or adverb that has one before a time, else of the first one after it."""
    least, most = max(match.start() - _FAR_OFF, 0), match.end() + _FAR_OFF
    first = max(least, *(text.rfind(mark, least, match.start()) + 1 for mark in ".!?\n"))
    last = min((end for mark in ".!?\n" if (end := text.find(mark, match.end(), most)) >= 0), default=most)
    before = deque(_tenses(text[first : match.start()]), maxlen=1)
    return before[0] if before else next(_tenses(text[match.end() : last]), None)


def _tenses(text: str) -> Iterator[str]:
    """The tenses of the words of a text that have one, in order."""
    words = ["", *re.findall(r"\w+(?:'\w+)?", text), ""]
    return filter(None, map(_tense_of, words, words[1:], words[2:]))


def _tense_of(before: str, word: str, after: str) -> str | None:
    if word.endswith("'ll"):
        return "coming"
    is_past = word.endswith("ed") and len(word) > len("red") and word != "need" and before not in _STATES
    return _TENSES.get(word) or _TENSES.get(f"{word} {after}") or ("past" if is_past else None)
