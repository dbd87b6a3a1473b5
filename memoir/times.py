"""Instants: RFC 3339 in UTC inside memoir, and the dates that people type.

`MEMOIR_NOW` replaces the clock, which makes scripts and tests reproducible.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from memoir.errors import InvalidInput

_ISO = r"\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?"
_UTC = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:Z|[+-]00:?00)"
_FIRST, _LAST = -62_135_596_800, 253_402_300_799  # the years 1 to 9999, which is all that a datetime holds
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple of": 2, "few": 3, "several": 5,
}  # fmt: skip
"""Words for a number of days, weeks and so on, with the number that each means."""
UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
"""The number of days of each unit, regardless of the calendar."""
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TIME_WORDS = {
    *MONTHS, *(name[:3] for name in MONTHS), "sept", *WEEKDAYS, "spring", "summer", "autumn", "fall", "winter",
    "ago", "yesterday", "today", "tonight", "tomorrow",
    "last", "past", "previous", "this", "next", "coming", "upcoming",
}  # fmt: skip
_DIGITS = "0123456789"
_SPACES = {ord(char): " " for char in (*map(chr, range(128)), *"‘’“”–—…") if not char.isalnum()}
_AGO = rf"(\d{{1,6}}|{'|'.join(COUNTS)})[ .-](second|minute|hour|day|week|month|year)s?[ .-]ago"
_LAST_DAY = rf"(?:last[ .-])?({'|'.join(WEEKDAYS)})"
_LAST_SPAN = r"last[ .-](week|month|year)"
_YEAR = r"\d{4}"
_NAMED_DAYS = {"now": 0, "today": 0, "yesterday": 1}


def now() -> datetime:
    """The current instant in UTC, or the one named by `MEMOIR_NOW`."""
    from memoir.settings import NOW

    text = NOW.read({})
    return parse_instant(text) if text else datetime.now(UTC)


def format_instant(instant: datetime) -> str:
    """`2026-01-31T09:30:00Z`; with microseconds only if there are any."""
    text = instant.astimezone(UTC).isoformat()
    return text.removesuffix("+00:00") + "Z"


def from_datetime(value: object) -> str:
    """Format a timestamp given as datetime, as `format_instant` does.

    Raises:
        InvalidInput: it is not a datetime, or has no time zone, so that local time and UTC are possible.
    """
    if not isinstance(value, datetime):
        raise InvalidInput(f"timestamp must be a date as a string, or a datetime, not {value!r}")
    if value.utcoffset() is None:
        raise InvalidInput(
            f"timestamp has no time zone: {value}", "'datetime.now(UTC)' has one; '.astimezone()' adds yours"
        )
    try:
        return format_instant(value)
    except OverflowError as error:
        raise InvalidInput(f"timestamp is not in the years 1 to 9999: {value}") from error


def from_epoch(seconds: int) -> str:
    """Format an instant, given in whole seconds since 1970 (UTC), by RFC 3339; clamped as by `instant_at`."""
    return format_instant(instant_at(seconds))


def instant_at(seconds: float) -> datetime:
    """The instant some seconds after 1970 (UTC), clamped to the years 1 to 9999, since commits may have any time."""
    return datetime.fromtimestamp(min(max(seconds, _FIRST), _LAST), UTC)


def canonical_instant(text: str) -> str:
    """Rewrite an ISO 8601 date or instant in the form of `format_instant`."""
    if re.fullmatch(_UTC, text):  # the usual form needs no arithmetic
        try:
            datetime.fromisoformat(text[:19])
            return f"{text[:10]}T{text[11:19]}Z"
        except ValueError:
            pass
    return format_instant(parse_instant(text))


@lru_cache(maxsize=512)  # indexing parses each memory's three times
def parse_instant(text: str) -> datetime:
    """Parse an ISO 8601 date or instant into an aware UTC datetime; without a zone it is UTC.

    Raises:
        InvalidInput: the text is not such a date, or names a day that does not exist.
    """
    if _is_canonical(text) or re.fullmatch(_ISO, text):
        try:
            instant = datetime.fromisoformat(text if len(text) > 7 else text + "-01")
            return instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
        except (ValueError, OverflowError):
            pass
    raise InvalidInput(f"not a date: {text!r}", "write it as 2026-01-31 or 2026-01-31T09:30:00Z")


def read_instant(value: object) -> datetime | None:
    """Parse a value as `parse_instant` does; None if it is not a date, for values that anybody may have written."""
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except InvalidInput:
        return None


def _is_canonical(text: str) -> bool:
    """Whether a text is an instant in the form of `format_instant`, checked without a pattern."""
    try:
        return format_instant(datetime.fromisoformat(text)) == text
    except (ValueError, OverflowError):
        return False


def looks_like_date(text: str) -> bool:
    """Whether a text has one of the forms that `parse_date` reads."""
    return text in _NAMED_DAYS or any(
        re.fullmatch(form, text, re.I) for form in (_ISO, _AGO, _LAST_DAY, _LAST_SPAN, _YEAR)
    )


def parse_date(text: str, base: datetime | None = None) -> datetime:
    """Parse a date as people type it: ISO 8601, `2026`, `yesterday`, `3 days ago`, `2.weeks.ago`, `last tuesday`.

    Months count 30 days and years 365. A date without a time is its first instant in UTC. Relative dates count from
    `base`, by default from now.
    """
    if match := re.fullmatch(_AGO, text, re.I):
        return _back(base, **_span(count_of(match[1].lower()), match[2].lower()))
    if text == "now":
        return base or now()
    if text in _NAMED_DAYS:
        return _midnight(_back(base, days=_NAMED_DAYS[text]))
    if match := re.fullmatch(_LAST_DAY, text, re.I):
        return _midnight(_back(base, days=days_since(match[1].lower(), base or now())))
    if match := re.fullmatch(_LAST_SPAN, text, re.I):
        return _back(base, **_span(1, match[1].lower()))
    return parse_instant(f"{text}-01-01" if re.fullmatch(_YEAR, text) else text)


def count_of(text: str) -> int:
    """The number that a word in `COUNTS` or a string of digits means."""
    return COUNTS.get(text) or int(text)


def days_since(weekday: str, today: datetime) -> int:
    """How many days ago a weekday was last; 7 if it is today."""
    return (today.weekday() - WEEKDAYS.index(weekday) - 1) % 7 + 1


def _midnight(instant: datetime) -> datetime:
    return instant.replace(hour=0, minute=0, second=0, microsecond=0)


def _span(count: int, unit: str) -> dict[str, int]:
    return {"days": count * UNIT_DAYS[unit]} if unit in UNIT_DAYS else {f"{unit}s": count}


def _back(base: datetime | None, **span: int) -> datetime:
    try:
        return (base or now()) - timedelta(**span)
    except OverflowError as error:
        raise InvalidInput("that date is before the year 1") from error


def end_of(text: str, base: datetime | None = None) -> datetime:
    """The last instant that a date covers: `2026-01-31` ends at 23:59:59 that day."""
    start = parse_date(text, base)
    if start.year == datetime.max.year:
        return datetime.max.replace(tzinfo=UTC)
    if re.fullmatch(_YEAR, text):
        return start.replace(year=start.year + 1) - timedelta(seconds=1)
    day = rf"\d{{4}}-\d{{2}}-\d{{2}}|today|yesterday|{_LAST_DAY}"
    if re.fullmatch(day, text, re.I):
        return start + timedelta(days=1, seconds=-1)
    if re.fullmatch(r"\d{4}-\d{2}", text):
        return (start.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(seconds=1)
    return start


def seconds_of(since: str | None, until: str | None, base: datetime | None = None) -> tuple[float | None, float | None]:
    """The start of `since` and the end of `until`, in seconds since 1970; None for a date that is not given.

    Raises:
        InvalidInput: one is not a date, or the first is later than the last.
    """
    first = parse_date(since, base).timestamp() if since is not None else None
    last = end_of(until, base).timestamp() if until is not None else None
    if first is not None and last is not None and first > last:
        raise InvalidInput("--since must not be later than --until")
    return first, last


def may_name_a_time(text: str) -> bool:
    """Whether a text in lower case may name a time: it has a digit or a word for times.

    Most texts have neither, so the patterns of `memoir.english.dates` need not be loaded.
    """
    return any(digit in text for digit in _DIGITS) or not _TIME_WORDS.isdisjoint(text.translate(_SPACES).split())
