"""Words of several answers: a string in one line, a number of things, and dates."""

from datetime import datetime


def local(instant: str) -> str:
    """`2026-11-22 14:03` in the local time zone, for people, of an RFC 3339 instant; anything else as it is."""
    try:
        return datetime.fromisoformat(instant).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return instant


def one_line(text: str, width: int = 100) -> str:
    """The first line of a string, shortened to a width with an ellipsis."""
    first, _, rest = text.strip().partition("\n")
    if len(first) <= width and not rest:
        return first
    return first[: width - 1].rstrip() + "…"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 memory`, `2 memories`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
