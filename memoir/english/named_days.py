"""The days that words such as "last week" mean, relative to the day on which they were said."""

from collections.abc import Iterable
from datetime import UTC, datetime

from memoir.times import MONTHS, read_instant

_SHORT_MONTHS = tuple(name[:3] for name in MONTHS)
_WORDS = (
    "day", "week", "month", "year", "night", "morrow", "this ", "last ", "next ", "past ", "previous ", "coming ",
    *_SHORT_MONTHS,
)  # fmt: skip
"""A text that names such a time contains one of these; for others the time patterns are not loaded."""


class NamedDay:
    """A time named relative to the day of a text: the words, and its first and last day."""

    def __init__(self, text: str, first: str, last: str) -> None:
        self.text, self.first, self.last = text, first, last

    @property
    def names_a_month(self) -> bool:
        """Whether its words name a month, so that a reader needs no explanation."""
        return any(word.startswith(_SHORT_MONTHS) for word in self.text.lower().split())

    @property
    def short(self) -> str:
        """Both days, the common part only once: `2023-10-16..22`; a whole month is `2023-10`."""
        if self.first == self.last:
            return self.first
        start, end = datetime.fromisoformat(self.first), datetime.fromisoformat(self.last)
        begins, ends = start.day == 1, (datetime.fromordinal(end.toordinal() + 1)).day == 1
        if begins and ends and self.first[:7] == self.last[:7]:
            return self.first[:7]
        if begins and ends and self.first[5:7] == "01" and self.last[5:7] == "12" and start.year == end.year:
            return self.first[:4]
        same = 8 if self.first[:8] == self.last[:8] else 5 if self.first[:5] == self.last[:5] else 0
        return f"{self.first}..{self.last[same:]}"


def named_days(text: str, said: str, shown: str | None = None) -> list[NamedDay]:
    """The distinct times in a text that depend on when it was said; none if that is unknown.

    If only a part is shown, the times in that part; their tense is still read from the whole sentence.
    """
    small = (text if shown is None else shown).lower()
    if not any(word in small for word in _WORDS) or (instant := read_instant(said)) is None:
        return []
    from memoir.english.said_dates import said_times

    today, found = f"{instant:%Y-%m-%d}", dict[tuple[str, str, str], NamedDay]()
    for each in said_times(text, instant.timestamp()):
        first, last = _day(each.span.start), _day(each.span.end)
        if each.is_relative and (shown is None or each.text in shown) and not first == last == today:
            found.setdefault((each.text, first, last), NamedDay(each.text, first, last))
    return list(found.values())


def meaning(days: Iterable[NamedDay]) -> str:
    """The meaning of times, for people: ` (last week → 2023-10-16..22)`; empty if there are none without a month."""
    told = "; ".join(f"{each.text} → {each.short}" for each in days if not each.names_a_month)
    return f" ({told})" if told else ""


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"
