"""The numbers of a source's segments, which are the last part of their paths and their order.

    0001, 0002, 0003; between 0002 and 0003 comes 0002-5, between 0002 and 0002-5 comes 0002-2

A segment that is put between two others gets a number between theirs, so no other segment changes its path. A number is
a decimal: the digits after the hyphen are its fraction.
"""

import re
from fractions import Fraction

_WIDTH = 4


def is_number(text: str) -> bool:
    """Whether a part of a path is the number of a segment."""
    return bool(re.fullmatch(r"[0-9]+(?:-[0-9]+)?", text))


def value(number: str) -> Fraction:
    """The value of a number."""
    whole, _, rest = number.partition("-")
    return Fraction(int(whole + rest), 10 ** len(rest))


def between(low: Fraction, high: Fraction | None, count: int) -> list[str]:
    """Some numbers above one and below another, in order and far apart; `high` None is no bound."""
    if high is None:
        return [_write(int(low) + step, 0) for step in range(1, count + 1)]
    digits = 0
    while True:
        scale = 10**digits
        first, last = int(low * scale) + 1, -int(-high * scale // 1) - 1
        if (room := last - first + 1) >= count:
            return [_write(first + room * (2 * step + 1) // (2 * count), digits) for step in range(count)]
        digits += 1


def _write(value: int, digits: int) -> str:
    whole, rest = divmod(value, 10**digits)
    fraction = f"{rest:0{digits}}".rstrip("0") if digits else ""
    return f"{whole:0{_WIDTH}}-{fraction}" if fraction else f"{whole:0{_WIDTH}}"
