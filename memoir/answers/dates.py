"""Dates for people: local and short. JSON has them in RFC 3339, in UTC."""

from datetime import datetime


def local(instant: str) -> str:
    """`2026-11-22 14:03` in the local time zone, of an RFC 3339 instant; anything else as it is."""
    try:
        return datetime.fromisoformat(instant).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return instant
