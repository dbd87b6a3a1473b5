"""The times that an English text names, such as "in June 2023", "two weeks ago", "last spring" or "on Monday".

They become spans of time in UTC, relative to `now`. A day or month without a year means that day or month in any of
the last ten years. `memoir.times` has the table of names and the dates that people type as arguments.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from memoir.times import COUNTS, MONTHS, UNIT_DAYS, WEEKDAYS, count_of, days_since

REPORT_DELAY = timedelta(days=7)
"""An event is often reported some days later: a memory this long after a span still belongs to it."""
_YEARS_BACK = 10
_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

_COUNT = rf"(?P<count>\d{{1,4}}|(?:a )?couple of|(?:a )?few|{'|'.join(COUNTS)})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_MONTH = r"(?P<month>" + "|".join([*MONTHS, *_SHORT]) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WHICH = r"(?P<which>last|past|previous|this|next)"
_DIGITS = "0123456789"
_SPACES = {ord(char): " " for char in (*map(chr, range(128)), *"‘’“”–—…") if not char.isalnum()}
_WHEN = (
    *(f"when {verb} " for verb in ("did", "was", "were", "has", "have", "had", "will")), "how long ",
    *(f"{which} {unit} " for which in ("what", "which") for unit in ("year", "month", "date", "day")),
)  # fmt: skip
_COMING = (
    "will|won['’]t|(?<=['’])ll|shall|going to|gonna|about to|plan(?:s|ned|ning)?|next|upcoming|soon|hop(?:e|es|ing)"
    "|wants? to|would (?:like|love)|intend|scheduled|booked|look(?:ing)? forward|can['’]t wait|excited (?:for|about)"
)
_PAST = "was|were|went|did|had|got|came|took|made|saw|met|gave|began|bought|left|won|lost|ate|read|\\w{2,}ed"
"""Words by which a sentence is about what will be, or about what was."""


class Span(NamedTuple):
    """A time that a text names, in seconds since 1970, both ends included."""

    start: float
    end: float

    def holds(self, instant: float) -> bool:
        """Whether a memory of an instant may be about this time."""
        return self.start <= instant <= self.end + REPORT_DELAY.total_seconds()


_Period = tuple[datetime, datetime]
"""The first and the last second of a time."""


class SaidTime(NamedTuple):
    """A time that a text names: its words, the time that they mean, and whether that depends on when it is said."""

    text: str
    span: Span
    is_relative: bool


def find_times(query: str, now: float) -> tuple[tuple[Span, ...], str]:
    """The times that a query names, and the query without the words that name them.

    Words for a date outside the calendar stay in the query.
    """
    text = query.lower()
    rest = query if len(query) == len(text) else text  # positions in one are positions in the other
    spans: list[Span] = []
    for match, _, periods in _matches(text, datetime.fromtimestamp(now, UTC)):
        spans += [Span(start.timestamp(), end.timestamp()) for start, end in periods]
        rest = _blank_out(rest, match)
    return tuple(spans), " ".join(rest.split())


def said_times(text: str, now: float) -> list[SaidTime]:
    """The times that a text names, in its order, each as it was meant by one who said it at `now`.

    In words about what will be, a day or a month without a year and a weekday are the coming ones; in words about what
    was, the latest, but of a day that comes soon. Of a day or a month in other words, the nearer one is meant; of a
    weekday the latest.
    """
    small, today = text.lower(), datetime.fromtimestamp(now, UTC)
    words = text if len(small) == len(text) else small
    said = []
    for match, read, periods in sorted(_matches(small, today), key=lambda each: each[0].start()):
        try:
            start, end = _meant(match, read, periods, today, _tense(small, match))
        except (ValueError, OverflowError):
            continue
        span = Span(start.timestamp(), end.timestamp())
        said.append(SaidTime(words[match.start() : match.end()], span, not match.groupdict().get("year")))
    return said


def _matches(text: str, today: datetime) -> "Iterator[tuple[re.Match[str], _Reader, list[_Period]]]":
    """The words for times in a text in small letters, each with its reader and the times that it may mean."""
    for pattern, read in _READERS if may_name_a_time(text) else ():
        for match in _found(pattern, text):
            try:
                periods = list(read(match, today))
            except (ValueError, OverflowError):
                continue
            yield match, read, periods
            text = _blank_out(text, match)


def _meant(
    match: re.Match[str], read: "_Reader", periods: "list[_Period]", today: datetime, tense: str | None
) -> "_Period":
    """The one of some times that is meant."""
    parts = match.groupdict()
    if tense == "coming" and parts.get("weekday") and not parts.get("which"):
        return periods[0][0] + timedelta(days=7), periods[0][1] + timedelta(days=7)
    latest = max((period for period in periods if period[0] <= today), default=min(periods))
    if parts.get("year") or not (parts.get("month") or parts.get("number") or parts.get("day")):
        return latest
    following = read(match, datetime(today.year + 1, 1, 1, tzinfo=UTC))
    coming = min(period for period in (*periods, *following) if period[1] >= today)
    wait, age = coming[0] - today, today - latest[1]
    if tense is None:
        return coming if wait < age else latest
    is_soon = parts.get("day") and wait <= _NEAR and age >= _FAR
    return coming if tense == "coming" or is_soon else latest


_NEAR, _FAR = timedelta(days=45), timedelta(days=300)
"""In words about what was, a day that comes soon is meant if the latest is long ago: "I noticed that it targets
March 31"."""


def names_a_month(text: str) -> bool:
    """Whether a time is told by the name of its month, so that a reader can place it beside the day of the text."""
    return any(word in MONTHS or word in _SHORT for word in re.findall(r"[a-z]+", text.lower()))


def _tense(text: str, match: re.Match[str]) -> str | None:
    """The tense of the last verb or adverb that has one before a time, else of the first one after it."""
    first = max(text.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
    last = min((end for mark in ".!?\n" if (end := text.find(mark, match.end())) >= 0), default=len(text))
    before = deque(_tenses().finditer(text, first, match.start()), maxlen=1)
    tense = before[0] if before else _tenses().search(text, match.end(), last)
    return tense and tense.lastgroup


@cache
def _tenses() -> re.Pattern[str]:
    coming, past = (rf"(?P<{name}>\b(?:{words})\b)" for name, words in (("coming", _COMING), ("past", _PAST)))
    return re.compile(f"{coming}|{past}")


def asks_when(query: str) -> bool:
    """Whether a query asks for a time at its beginning.

    "When did" asks for one; "when do we" may ask for a condition, as questions about how to work on a project do.
    """
    return query.lstrip().lower().startswith(_WHEN)


def may_name_a_time(text: str) -> bool:
    """Whether a text in small letters may name a time: it has a digit or a word of times.

    Most queries have neither, so that the patterns need not be compiled.
    """
    return any(digit in text for digit in _DIGITS) or not _TIME_WORDS.isdisjoint(text.translate(_SPACES).split())


def _blank_out(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]


def _day(moment: datetime) -> _Period:
    start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, start + timedelta(days=1, seconds=-1)


def _month(year: int, month: int) -> _Period:
    start = datetime(year, month, 1, tzinfo=UTC)
    return start, (start.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(seconds=1)


def _year(year: int) -> _Period:
    return _month(year, 1)[0], _month(year, 12)[1]


def _season(year: int, first: int) -> _Period:
    """A season of three whole months; a winter begins in December of its year."""
    last = first + 2
    return _month(year, first)[0], _month(year + (last > 12), (last - 1) % 12 + 1)[1]


def _number(month: str) -> int:
    return _SHORT[month[:3]]


def _date(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    parts = match.groupdict()
    month = int(parts["number"]) if parts.get("number") else _number(parts["month"])
    if parts.get("year"):
        yield _of_day(int(parts["year"]), month, parts.get("day"))
        return
    for year in range(today.year, today.year - _YEARS_BACK, -1):
        try:
            yield _of_day(year, month, parts.get("day"))
        except ValueError:  # 29 February
            continue


def _of_day(year: int, month: int, day: str | None) -> _Period:
    return _day(datetime(year, month, int(day), tzinfo=UTC)) if day else _month(year, month)


def _of_year(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    yield _year(int(match["year"]))


def _ago(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    """Read `two weeks ago`: that day, plus or minus half a unit."""
    count, days = _count(match), UNIT_DAYS[match["unit"]]
    slack = timedelta(days=days // 2)
    then = today - timedelta(days=count * days)
    yield _day(then - slack)[0], _day(then + slack)[1]


def _count(match: re.Match[str]) -> int:
    return count_of(match["count"].removeprefix("a "))


def _past(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    """Read `in the last three months`: from then to now."""
    yield today - timedelta(days=_count(match) * UNIT_DAYS[match["unit"]]), today


def _near_day(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    back = {"today": 0, "tonight": 0, "this": 0, "yesterday": 1, "last": 1, "day": 2, "tomorrow": -1}
    yield _day(today - timedelta(days=back[match[0].replace("the ", "").split()[0]]))


def _calendar(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    """Read `last week`, `this month` or `next year`: whole units of the calendar; weeks begin on Monday."""
    step = {"this": 0, "next": 1}.get(match["which"], -1)
    unit = match["unit"]
    if unit == "year":
        yield _year(today.year + step)
    elif unit == "month":
        months = today.year * 12 + today.month - 1 + step
        yield _month(months // 12, months % 12 + 1)
    else:
        monday = _day(today - timedelta(days=today.weekday() - 7 * step))[0]
        first, days = (5, 2) if unit == "weekend" else (0, 7)
        yield monday + timedelta(days=first), monday + timedelta(days=first + days, seconds=-1)


def _weekday(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    """Read `on Monday` or `last Friday`: the most recent one before today; `next` and `this` look forward."""
    back = days_since(match["weekday"], today)
    yield _day(today + timedelta(days=(7 - back) if match["which"] in ("this", "next") else -back))


def _of_season(match: re.Match[str], today: datetime) -> Iterator[_Period]:
    """Read `summer 2023`; `last spring` is the latest one that is over, `this summer` is this year's."""
    first = _SEASONS[match["season"]]
    if match["year"]:
        yield _season(int(match["year"]), first)
    elif match["which"] in ("this", "next"):
        yield _season(today.year + (match["which"] == "next"), first)
    else:
        years = (today.year - back for back in range(3))
        yield next(period for year in years if (period := _season(year, first))[1] < today)


def _found(pattern: str, text: str) -> Iterator[re.Match[str]]:
    """Where a pattern is in a text; one whose words the text lacks is not compiled."""
    if all(any(word in text for word in words) for words in _needed(pattern)):
        yield from _compiled(pattern).finditer(text)


@cache
def _needed(pattern: str) -> list[Iterable[str]]:
    return [words for part, words in _NEEDS.items() if part in pattern]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b")


_Reader = Callable[[re.Match[str], datetime], Iterator[_Period]]
_OFTEN = "mornings|afternoons|evenings|nights"
"""After a weekday, the words that make a habit of it."""
_TIME_WORDS = {
    *MONTHS, *_SHORT, *WEEKDAYS, *_SEASONS, "ago", "yesterday", "today", "tonight", "tomorrow",
    "last", "past", "previous", "this", "next",
}  # fmt: skip
_NEEDS: dict[str, Iterable[str]] = {
    _YEAR: _DIGITS, _DAY: _DIGITS, _MONTH: _SHORT, "(?P<season>": _SEASONS, "(?P<weekday>": WEEKDAYS, " ago": (" ago",),
    f" {_UNIT}": [f" {unit}" for unit in UNIT_DAYS], " (?P<unit>week|": (" week", " month", " year"),
    f"{_WHICH} (": ("last ", "past ", "previous ", "this ", "next "),
    "(?:last|past|previous) ": ("last ", "past ", "previous "),
    "|yesterday|": ("yesterday", "today", "tonight", "tomorrow", "last night", "this "),
}  # fmt: skip
"""Parts of the patterns, each with the words of which a text that matches has one."""
# The most exact come first: each removes what it reads from the text.
_READERS: list[tuple[str, _Reader]] = [
    (rf"{_YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?", _date),
    (rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}", _date),
    (rf"{_MONTH} {_DAY},? {_YEAR}", _date),
    (rf"{_MONTH},?(?: of)? {_YEAR}", _date),
    (rf"(?:{_WHICH} )?(?P<season>spring|summer|autumn|fall|winter)(?: of| in)? {_YEAR}", _of_season),
    (rf"{_DAY}(?: of)? {_MONTH}", _date),
    (rf"{_MONTH} {_DAY}", _date),
    (rf"(?:in|during|of|by|since|before|after|until|early|mid|late) {_MONTH}", _date),
    (rf"{_COUNT} {_UNIT} ago", _ago),
    (rf"(?:last|past|previous) {_COUNT} {_UNIT}", _past),
    (
        r"(?:the )?day before yesterday|yesterday|today|tonight|tomorrow|last night"
        r"|this (?:morning|afternoon|evening)",
        _near_day,
    ),
    (rf"{_WHICH} (?P<unit>week|weekend|month|year)", _calendar),
    (rf"(?:{_WHICH}|on) (?P<weekday>{'|'.join(WEEKDAYS)})(?! (?:{_OFTEN})\b)", _weekday),
    (rf"{_WHICH} (?P<season>spring|summer|autumn|fall|winter)(?P<year>(?!))?", _of_season),
    (_YEAR, _of_year),
]  # fmt: skip
