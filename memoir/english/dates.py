"""Find the times that an English text names, such as "in June 2023", "two weeks ago", "last spring" or "on Monday".

They are spans in UTC, relative to `now`. A day or month without a year stands for that of each of the last ten years.
`memoir.times` has the names of months and days and the dates that people type as arguments.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from memoir.times import COUNTS, MONTHS, UNIT_DAYS, WEEKDAYS, count_of, days_since

REPORT_DELAY = timedelta(days=7)
"""Events are often reported days later: a memory this long after a span still belongs to it."""
_YEARS_BACK = 10
SHORT_MONTHS = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

COUNT = rf"(?P<count>\d{{1,4}}|(?:a )?couple of|(?:a )?few|{'|'.join(COUNTS)})"
UNIT = r"(?P<unit>day|week|month|year)s?"
_MONTH = r"(?P<month>" + "|".join([*MONTHS, *SHORT_MONTHS]) + r")\.?"
_ORDINALS = ("st", "nd", "rd", "th")
_DAY = rf"(?P<day>\d{{1,2}})(?:{'|'.join(_ORDINALS)})?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WHICH_WORDS = ("last", "past", "previous", "this", "next", "coming", "upcoming")
_WHICH = rf"(?:this )?(?P<which>{'|'.join(_WHICH_WORDS)})"
_BEFORE_MONTHS = ("in", "during", "of", "by", "since", "before", "after", "until", "early", "mid", "late")
_AHEAD = ("this", "next", "coming", "upcoming")
_WHOLE = r"(?! of\b)"
"""Rejects a part of something else: the last week of school, the last Friday of the month."""
_SATURDAY = 5
_DIGITS = "0123456789"
_LAST_SHORT = 99
"""The last year that is written with two digits."""


class Span(NamedTuple):
    """A time that a text names, in seconds since 1970, both ends included."""

    start: float
    end: float

    def holds(self, instant: float) -> bool:
        """Whether a memory from an instant may be about this time."""
        return self.start <= instant <= self.end + REPORT_DELAY.total_seconds()

    @property
    def day(self) -> str:
        """The day as `2026-03-04`; empty if the span is longer."""
        return str(datetime.fromtimestamp(self.start, UTC).date()) if self.end - self.start < _SECONDS_OF_A_DAY else ""

    @property
    def words(self) -> str:
        """The words in which dates of the day are written, in any form; empty if the span is longer."""
        if not self.day:
            return ""
        year, month, day = self.day.split("-")
        return f"{self.day} {day} {int(day)} {month} {MONTHS[int(month) - 1]} {year}"


Period = tuple[datetime, datetime]
"""The first and last second of a time."""
_SECONDS_OF_A_DAY = 24 * 60 * 60
_SECONDS_OF_A_MONTH = 31 * _SECONDS_OF_A_DAY
_IN_DIGITS = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def written_in(text: str, times: Sequence[Span]) -> list[Span]:
    """The times of which a text contains a date: `2026-03-04`, `4.3.2026`, `3/4/26` or `4 March 2026`.

    For a day, `4 March` counts as well. For more than a month only the first form counts: with a whole year, texts
    would match by chance.
    """
    last = datetime.fromtimestamp(max((span.start for span in times), default=0.0), UTC)
    days = {forms: [*_days_in(text, forms, last)] for forms in set(map(_forms_of, times))}
    return [each for each in times if any(each.start <= day <= each.end for day in days[_forms_of(each)])]


def _forms_of(time: Span) -> "Sequence[tuple[str, Reader]]":
    if time.end - time.start > _SECONDS_OF_A_MONTH:
        return ()
    return _DAYS_OF_ANY_YEAR if time.day else _DAYS


def _days_in(text: str, forms: "Sequence[tuple[str, Reader]]", last: datetime) -> Iterator[float]:
    """The days in a text, in digits or in one of the forms; a day without a year is read for each of the last ten."""
    for each in _IN_DIGITS.findall(text):
        with suppress(ValueError):  # a number that only looks like a date
            yield datetime.fromisoformat(each).replace(tzinfo=UTC).timestamp()
    for _, _, periods in matches(text.lower(), last, forms):
        yield from (start.timestamp() for start, _ in periods)


def find_times(query: str, now: float) -> tuple[tuple[Span, ...], str]:
    """The times that a query names, and the query without the words that name them.

    Words for a date outside the calendar stay in the query.
    """
    text = query.lower()
    rest = query if len(query) == len(text) else text  # equal lengths: positions agree
    spans: list[Span] = []
    for match, _, periods in matches(text, datetime.fromtimestamp(now, UTC), READERS):
        spans += [Span(start.timestamp(), end.timestamp()) for start, end in periods]
        rest = _blank_out(rest, match)
    return tuple(spans), " ".join(rest.split())


def matches(
    text: str, today: datetime, readers: "Sequence[tuple[str, Reader]]"
) -> "Iterator[tuple[re.Match[str], Reader, list[Period]]]":
    """Yield the times in a lower-case text: the match, its reader, and the periods that it may mean."""
    for pattern, read in readers:
        parts, at = list[str](), 0
        for match in _find_all(pattern, text):
            try:
                periods = list(read(match, today))
            except (ValueError, OverflowError):
                continue
            yield match, read, periods
            parts += text[at : match.start()], " " * len(match[0])
            at = match.end()
        text = "".join((*parts, text[at:]))


def _blank_out(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]


def _day(moment: datetime) -> Period:
    start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, start + timedelta(days=1, seconds=-1)


def _month(year: int, month: int) -> Period:
    start = datetime(year, month, 1, tzinfo=UTC)
    return start, (start.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(seconds=1)


def _year(year: int) -> Period:
    return _month(year, 1)[0], _month(year, 12)[1]


def _season(year: int, first: int) -> Period:
    """A season of three whole months; a winter begins in December of its year."""
    last = first + 2
    return _month(year, first)[0], _month(year + (last > 12), (last - 1) % 12 + 1)[1]


def _number(month: str) -> int:
    return SHORT_MONTHS[month[:3]]


def _date(match: re.Match[str], today: datetime) -> Iterator[Period]:
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


def _in_numbers(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `21.01.2024`, day first, and `2/1/2024`, in both orders."""
    one, other = match["one"], match["other"]
    orders = [(one, other)] if match["between"] == "." else [*dict.fromkeys(((one, other), (other, one)))]
    for day, month in [order for order in orders if int(order[1]) <= len(MONTHS)] or orders:
        year = int(match["year"])
        yield _of_day(year if year > _LAST_SHORT else 2000 + year, int(month), day)


def _of_day(year: int, month: int, day: str | None) -> Period:
    return _day(datetime(year, month, int(day), tzinfo=UTC)) if day else _month(year, month)


def _of_year(match: re.Match[str], today: datetime) -> Iterator[Period]:
    yield _year(int(match["year"]))


def ago(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `two weeks ago`."""
    yield around(today, -count_in(match), match["unit"])


def around(today: datetime, count: int, unit: str) -> Period:
    """The day `count` units after today (before, if negative), plus or minus half a unit."""
    then, slack = today + timedelta(days=count * UNIT_DAYS[unit]), timedelta(days=UNIT_DAYS[unit] // 2)
    return _day(then - slack)[0], _day(then + slack)[1]


def count_in(match: re.Match[str]) -> int:
    """The number of units in a match."""
    return count_of(match["count"].removeprefix("a "))


def _past(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `in the last three months`: from then to now."""
    yield today - timedelta(days=count_in(match) * UNIT_DAYS[match["unit"]]), today


def _near_day(match: re.Match[str], today: datetime) -> Iterator[Period]:
    back = {"today": 0, "tonight": 0, "this": 0, "yesterday": 1, "last": 1, "day": 2, "night": 2, "tomorrow": -1}
    words = match[0].replace("the ", "").split()
    yield _day(today - timedelta(days=-2 if "after" in words else back[words[0]]))


def _calendar(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `last week`, `this month` or `next year`: whole units of the calendar; weeks begin on Monday."""
    which, unit = match["which"], match["unit"]
    is_at_hand = unit == "weekend" and which in ("coming", "upcoming") and today.weekday() < _SATURDAY
    yield _whole(unit, 0 if is_at_hand else _step(which), today)


def _step(which: str) -> int:
    return 0 if which == "this" else 1 if which in _AHEAD else -1


def _whole(unit: str, step: int, today: datetime) -> Period:
    """The whole calendar unit `step` units after the current one."""
    if unit == "year":
        return _year(today.year + step)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + step
        return _month(months // 12, months % 12 + 1)
    monday = _day(today - timedelta(days=today.weekday() - 7 * step))[0]
    first, days = (_SATURDAY, 2) if unit == "weekend" else (0, 7)
    return monday + timedelta(days=first), monday + timedelta(days=first + days, seconds=-1)


def _twice(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `the week before last` and `the week after next`."""
    yield _whole(match["unit"], -2 if match["turn"] == "before last" else 2, today)


def _weekends_ago(match: re.Match[str], today: datetime) -> Iterator[Period]:
    yield _whole("weekend", -count_in(match), today)


def _month_of_year(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `in March last year`."""
    yield _month(today.year + _step(match["which"]), _number(match["month"]))


def _weekday(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `on Monday` or `last Friday`: the most recent one before today; `next` and `this` look forward."""
    back = days_since(match["weekday"], today)
    yield _day(today + timedelta(days=(7 - back) if match["which"] in _AHEAD else -back))


def _of_season(match: re.Match[str], today: datetime) -> Iterator[Period]:
    """Read `summer 2023`; `last spring` is the latest past one, `this summer` this year's."""
    first = _SEASONS[match["season"]]
    if match["year"]:
        yield _season(int(match["year"]), first)
    elif match["which"] in ("coming", "upcoming"):
        years = (today.year + ahead for ahead in range(2))
        yield next(period for year in years if (period := _season(year, first))[0] > today)
    elif match["which"] in ("this", "next"):
        yield _season(today.year + (match["which"] == "next"), first)
    else:
        years = (today.year - back for back in range(3))
        yield next(period for year in years if (period := _season(year, first))[1] < today)


def _find_all(pattern: str, text: str) -> Iterator[re.Match[str]]:
    """Find a pattern; it is not compiled if the text lacks its words."""
    if all(any(word in text for word in words) for words in _needed(pattern)):
        yield from _compiled(pattern).finditer(text)


@cache
def _needed(pattern: str) -> list[Iterable[str]]:
    return [words for part, words in _NEEDS.items() if part in pattern]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b")


Reader = Callable[[re.Match[str], datetime], Iterator[Period]]
_NEAR_DAYS = {
    **{words: f"(?:the )?{words}" for words in ("day before yesterday", "day after tomorrow", "night before last")},
    **{words: f"(?:{words})" for words in ("last night", "yesterday", "today", "tonight", "tomorrow")},
}
"""Words for a day near today, each with its pattern."""
_MONTH_ENDS = {*(name[-3:] for name in (*MONTHS, *SHORT_MONTHS)), "."}
_COUNT_BEGINNINGS = (*_DIGITS, *COUNTS, "couple", "few")
_OFTEN = "mornings|afternoons|evenings|nights"
"""Words after a weekday that make it a habit."""
_NEEDS: dict[str, Iterable[str]] = {
    _YEAR: [f"{decade}" for decade in range(190, 210)],
    _DAY: _DIGITS,
    _MONTH: SHORT_MONTHS,
    "(?P<season>": _SEASONS,
    "(?P<weekday>": WEEKDAYS,
    " ago": (" ago",),
    " back": (" back",),
    " from (": (" from now", " from today"),
    "weekends? ago": (" weekend",),
    "(?P<turn>": ("before last", "after next"),
    f" {UNIT}": [f" {unit}" for unit in UNIT_DAYS],
    " (?P<unit>week|": (" week", " month", " year"),
    f"{_WHICH} (": [f"{word} " for word in _WHICH_WORDS],
    **{pattern: (words,) for words, pattern in _NEAR_DAYS.items()},
    "this (?:m": ("this morning", "this afternoon", "this evening"),
    "(?P<ahead>in) ": [f"in {word}" for word in ("about", *_COUNT_BEGINNINGS)],
    "(?:last|past|previous) ": [f"{word} {count}" for word in _WHICH_WORDS[:3] for count in _COUNT_BEGINNINGS],
    "(?:next|coming|upcoming) ": [f"{word} {count}" for word in ("next", "coming") for count in _COUNT_BEGINNINGS],
    f"{COUNT} {UNIT}": [f"{end} {unit}" for end in (*_DIGITS, *COUNTS, "few") for unit in UNIT_DAYS],
    "|on) (?P<weekday>": [f"{word} {day}" for word in (*_WHICH_WORDS, "on") for day in WEEKDAYS],
    f"|late)[ -]{_MONTH}": [f"{word}{gap}{month}" for word in _BEFORE_MONTHS for gap in " -" for month in SHORT_MONTHS],
    f"{_MONTH} {_DAY}": [f"{end} {digit}" for end in _MONTH_ENDS for digit in _DIGITS],
    f"{_DAY}(?: of)? {_MONTH}": [f"{end} {month}" for end in (*_DIGITS, *_ORDINALS, "of") for month in SHORT_MONTHS],
}
"""Parts of the patterns, each with words one of which a match contains; those with many words come last.

Searching a few hundred words is faster than compiling a pattern.
"""
_NUMBERS = r"(?<![\d./])(?P<one>\d\d?)(?P<between>[./])(?P<other>\d\d?)(?P=between)"
_DAYS: tuple[tuple[str, Reader], ...] = (
    (rf"{_NUMBERS}{_YEAR}(?![./]\d)", _in_numbers),
    (rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}", _date),
    (rf"{_MONTH} {_DAY},? {_YEAR}", _date),
    (rf"{_NUMBERS}(?P<year>\d\d)(?![./]?\d)", _in_numbers),
)
"""Days with years; the last pattern may match a version number, so queries do not use it."""
_YEARLESS: tuple[tuple[str, Reader], ...] = ((rf"{_DAY}(?: of)? {_MONTH}", _date), (rf"{_MONTH} {_DAY}", _date))
_DAYS_OF_ANY_YEAR = (*_DAYS, *_YEARLESS)
# The most exact come first: each removes its matches from the text.
READERS: list[tuple[str, Reader]] = [
    (rf"{_YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?", _date),
    *_DAYS[:-1],
    (rf"{_MONTH},?(?: of)? {_YEAR}", _date),
    (rf"(?:{_WHICH} )?(?P<season>spring|summer|autumn|fall|winter)(?: of| in)? {_YEAR}", _of_season),
    *_YEARLESS,
    (rf"(?:(?:in|of|early|mid|late)[ -])*{_MONTH},?(?: of)? {_WHICH} (?:year)", _month_of_year),
    (rf"(?:{'|'.join(_BEFORE_MONTHS)})[ -]{_MONTH}", _date),
    (rf"{COUNT} weekends? ago", _weekends_ago),
    (rf"{COUNT} {UNIT} ago", ago),
    (rf"(?:last|past|previous) {COUNT} {UNIT}{_WHOLE}", _past),
    (r"(?:the )?(?P<unit>week|weekend|month|year) (?P<turn>before last|after next)", _twice),
    *((pattern, _near_day) for pattern in _NEAR_DAYS.values()),
    ("this (?:morning|afternoon|evening)", _near_day),
    (rf"{_WHICH} (?P<unit>week|weekend|month|year){_WHOLE}", _calendar),
    (rf"(?:{_WHICH}|on) (?P<weekday>{'|'.join(WEEKDAYS)})(?! (?:{_OFTEN})\b){_WHOLE}", _weekday),
    (rf"{_WHICH} (?P<season>spring|summer|autumn|fall|winter)(?P<year>(?!))?", _of_season),
    (_YEAR, _of_year),
]  # fmt: skip
