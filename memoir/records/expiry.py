"""How long a memory holds: the field `expires` of its metadata, an instant in UTC.

From then on it is out of recall and of the primer. Nothing deletes it: surveys count it, history keeps it, and another
date brings it back.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from memoir.errors import InvalidInput
from memoir.records.metadata import EXPIRES
from memoir.records.record import Memory
from memoir.times import format_instant, now, parse_date, parse_instant

NEVER = "never"
"""What people write to take a date away."""
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
_SPAN = re.compile(rf"([0-9]{{1,5}})([{''.join(_DAYS)}h])")


def read_expiry(text: str) -> str | None:
    """The instant from which a memory no longer holds; None for `never`.

    Args:
        text: A date, or a span from now such as `12h`, `30d`, `2w`, `6m` or `1y`; a month counts 30 days, a year 365.

    Raises:
        InvalidInput: it is neither.
    """
    if text == NEVER:
        return None
    if match := _SPAN.fullmatch(text):
        count, unit = int(match[1]), match[2]
        span = timedelta(hours=count) if unit == "h" else timedelta(days=count * _DAYS[unit])
        try:
            return format_instant(now() + span)
        except OverflowError as error:
            raise InvalidInput(f"{text} from now is after the year 9999", f"write {NEVER}") from error
    try:
        return format_instant(parse_date(text))
    except InvalidInput as error:
        raise InvalidInput(f"not a date or a span: {text!r}", f"write 2026-12-31, 30d, 2w or {NEVER}") from error


def with_expiry(metadata: Mapping[str, Any], expires: str | None) -> dict[str, Any]:
    """Metadata of a memory that holds until an instant; None: for good."""
    rest = {name: value for name, value in metadata.items() if name != EXPIRES}
    return rest if expires is None else {**rest, EXPIRES: expires}


def until(memory: Memory, end: str | None) -> Memory:
    """A memory that holds until an instant, unless it names a date itself; None: it stays as it is."""
    if end is None or EXPIRES in memory.metadata:
        return memory
    return memory._replace(metadata=with_expiry(memory.metadata, end))


def expiry_of(metadata: Mapping[str, Any]) -> datetime | None:
    """When a memory expires; None if it never does, or if the field is not a date: an import may bring anything."""
    value = metadata.get(EXPIRES)
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except InvalidInput:
        return None


def has_expired(metadata: Mapping[str, Any], when: datetime) -> bool:
    """Whether a memory no longer holds at a time."""
    end = expiry_of(metadata) if EXPIRES in metadata else None
    return end is not None and end <= when
