"""The values that texts claim (`memoir.english.claims`): how they are read, and which of them may both be right."""

import re

from memoir.times import MONTHS


def may_agree(one: str, other: str) -> bool:
    """Whether two values of a clause may both be right: one may say it in more detail."""
    short, long = sorted((one, other), key=len)
    if long.replace(" ", "").startswith(short.replace(" ", "")) and (not short.isdigit() or short == long):
        return True
    return set(short.split()) <= set(long.split()) or long.endswith(f"-{short}") or _abbreviates(short, long)


def _abbreviates(short: str, long: str) -> bool:
    """Whether a value is short for another one: `aws` for Amazon Web Services, `k8s` for Kubernetes."""
    initials = "".join(word[0] for word in long.split())
    if len(initials) > 1:
        return short.startswith(initials) or (len(short) > 2 and initials.startswith(short))
    return short == f"{long[0]}{len(long) - 2}{long[-1]}"


def _date(text: str) -> str:
    """A date as `03-14` or `2026-03-14`."""
    if re.match(r"\d{4}-", text):
        return text
    numbers = re.findall(r"\d+", text)
    month = next((at for at, name in enumerate(MONTHS, 1) if name[:3] in text), 0)
    return "-".join((*numbers[1:], f"{month:02}", f"{int(numbers[0]):02}"))


def _time(text: str) -> str:
    """A time as the minutes after midnight or noon, because people leave out which."""
    hour, _, minute = text.rstrip("apm ").partition(":")
    return f"{int(hour) % 12}h{int(minute or 0):02}"


def _number(text: str) -> str:
    return text.replace(",", "").removeprefix("v")


VALUES = {"date": _date, "time": _time, "number": _number}
"""How a value of each kind is read."""
