"""Dates in a query: what times it speaks of.

Words such as "in June 2023", "two weeks ago", "last spring" or "on Monday" become spans of time, in UTC
and relative to `now`. They never exclude a memory; see `memoir.recall.ranking` for what they add.
A day or month named without a year means that of any of the last ten years.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

TOLD_WITHIN = timedelta(days=7)
"""What happened on a day is often told some days later: a memory this long after a span still belongs to it."""
_YEARS_BACK = 10
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3,
    "several": 5,
}  # fmt: skip
_MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
_SHORT = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}

_COUNT = (
    r"(?P<count>\d{1,4}|(?:a )?couple of|(?:a )?few|several|"
    + "|".join(word for word in _NUMBERS if " " not in word)
    + ")"
)
_UNIT = r"(?P<unit>day|week|month|year)s?"
_MONTH = r"(?P<month>" + "|".join([*_MONTHS, *_SHORT]) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WHICH = r"(?P<which>last|past|previous|this|next)"


class Span(NamedTuple):
    """A time that a query speaks of, in seconds since 1970, both ends included."""

    start: float
    end: float

    def holds(self, instant: float) -> bool:
        """Whether something of that instant may tell of this time."""
        return self.start <= instant <= self.end + TOLD_WITHIN.total_seconds()


_Found = tuple[datetime, datetime]


class Told(NamedTuple):
    """The times a query speaks of, and the query without the words that say so."""

    spans: tuple[Span, ...]
    rest: str


def told(query: str, now: float) -> Told:
    """Find the times a query speaks of; a date beyond the calendar is no time, and stays in the query."""
    text, today = query.lower(), datetime.fromtimestamp(now, UTC)
    rest = query if len(query) == len(text) else text  # positions in one are positions in the other
    found: list[Span] = []
    for pattern, read in _readers() if _may_speak_of_time(text) else ():
        for match in pattern.finditer(text):
            try:
                found += [Span(start.timestamp(), end.timestamp()) for start, end in read(match, today)]
            except (ValueError, OverflowError):
                continue
            text, rest = _blanked(text, match), _blanked(rest, match)
    return Told(tuple(found), " ".join(rest.split()))


def _blanked(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]


def spans(query: str, now: float) -> list[Span]:
    """The times a query speaks of."""
    return list(told(query, now).spans)


def _day(moment: datetime) -> _Found:
    start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, start + timedelta(days=1, seconds=-1)


def _month(year: int, month: int) -> _Found:
    start = datetime(year, month, 1, tzinfo=UTC)
    return start, (start.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(seconds=1)


def _year(year: int) -> _Found:
    return _month(year, 1)[0], _month(year, 12)[1]


def _season(year: int, first: int) -> _Found:
    """Three whole months; a winter begins in December and takes its year from then."""
    last = first + 2
    return _month(year, first)[0], _month(year + (last > 12), (last - 1) % 12 + 1)[1]


def _number(month: str) -> int:
    return _SHORT[month[:3]]


def _date(match: re.Match[str], today: datetime) -> Iterator[_Found]:
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


def _of_day(year: int, month: int, day: str | None) -> _Found:
    return _day(datetime(year, month, int(day), tzinfo=UTC)) if day else _month(year, month)


def _of_year(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    yield _year(int(match["year"]))


def _ago(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    """`two weeks ago`: that day, give or take half a unit."""
    count, days = _count(match), _UNIT_DAYS[match["unit"]]
    slack = timedelta(days=days // 2)
    then = today - timedelta(days=count * days)
    yield _day(then - slack)[0], _day(then + slack)[1]


def _count(match: re.Match[str]) -> int:
    word = match["count"]
    return _NUMBERS[word] if word in _NUMBERS else int(word)


def _past(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    """`in the last three months`: from then to now."""
    yield today - timedelta(days=_count(match) * _UNIT_DAYS[match["unit"]]), today


def _near_day(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    back = {"today": 0, "tonight": 0, "this": 0, "yesterday": 1, "last": 1, "day": 2, "tomorrow": -1}
    yield _day(today - timedelta(days=back[match[0].replace("the ", "").split()[0]]))


def _calendar(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    """`last week`, `this month`, `next year`: whole ones of the calendar, weeks from Monday."""
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


def _weekday(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    """`on Monday`, `last Friday`: the most recent one before today; `next` and `this` look forward."""
    wanted = _WEEKDAYS.index(match["weekday"])
    if match["which"] in ("this", "next"):
        yield _day(today + timedelta(days=(wanted - today.weekday()) % 7))
    else:
        yield _day(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))


def _of_season(match: re.Match[str], today: datetime) -> Iterator[_Found]:
    """`summer 2023`; `last spring` is the latest that is over, `this summer` this year's."""
    first = _SEASONS[match["season"]]
    if match["year"]:
        yield _season(int(match["year"]), first)
    elif match["which"] in ("this", "next"):
        yield _season(today.year + (match["which"] == "next"), first)
    else:
        years = (today.year - back for back in range(3))
        yield next(found for year in years if (found := _season(year, first))[1] < today)


def _may_speak_of_time(text: str) -> bool:
    """A quick look: most queries name no time, and need none of the patterns."""
    return any(char.isdigit() for char in text) or not _TIME_WORDS.isdisjoint(re.split(r"\W+", text))


@cache
def _readers() -> "list[tuple[re.Pattern[str], _Reader]]":
    return [(re.compile(rf"\b(?:{pattern})\b"), read) for pattern, read in _READERS]


_Reader = Callable[[re.Match[str], datetime], Iterator[_Found]]
_TIME_WORDS = {
    *_MONTHS, *_SHORT, *_WEEKDAYS, *_SEASONS, "ago", "yesterday", "today", "tonight", "tomorrow",
    "last", "past", "previous", "this", "next",
}  # fmt: skip
# The most exact first: each takes what it reads out of the text.
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
    (rf"(?:{_WHICH}|on) (?P<weekday>{'|'.join(_WEEKDAYS)})", _weekday),
    (rf"{_WHICH} (?P<season>spring|summer|autumn|fall|winter)(?P<year>(?!))?", _of_season),
    (_YEAR, _of_year),
]  # fmt: skip
