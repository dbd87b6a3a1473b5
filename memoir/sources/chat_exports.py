"""Read text exports of chats whose dates are not ISO: of WhatsApp, Telegram, Slack, Discord and IRC.

    01/05/23, 10:00 - Ada: I moved to Porto.
    Ada Lee — 05/01/2023 10:00 AM
    [10:00] <ada> I moved to Porto.

Such a chat is kept as a transcript (`memoir.sources.turns`), with ISO dates. Whether 01/05 is in May or January is
decided from all dates. The speaker of the chat's own messages (who joined, what was not exported) is `system`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from memoir.sources.turns import Turn
from memoir.times import MONTHS, WEEKDAYS

_MONTH = rf"(?:{'|'.join(name[:3] for name in MONTHS)})[a-z]*\.?"
_WEEKDAY = rf"(?:(?:{'|'.join(name[:3] for name in WEEKDAYS)})[a-z]*,?[ ]+)?"
_NUMBERS = r"\d{1,4}(?P<sep>[./-])\d{1,2}(?P=sep)\d{2,4}"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = rf"{_WEEKDAY}(?:{_NUMBERS}|{_NTH}\.?[ -]{_MONTH},?[ -]\d{{2,4}}|{_MONTH}[ ]{_NTH},?[ ]\d{{4}})"
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[ ]?[ap]\.?m\b\.?)?"
_STAMP = rf"(?P<date>{_DATE})(?:,|[ ]at)?[ ]+(?P<clock>{_CLOCK})|(?:(?:today|yesterday)[ ]at[ ])?(?P<time>{_CLOCK})"
_WHO = r"[^\n:<>\[\]]{1,40}?"
_SAYS = re.compile(rf"<[@+%&~ ]?(?P<nick>[^\s<>]{{1,30}})>[ ]+|(?P<name>{_WHO})(?:#\d{{4}})?:(?:[ ]+|$)")
_HEADS = {
    form: re.compile(pattern, re.IGNORECASE)
    for form, pattern in {
        "bracketed": rf"\[(?:{_STAMP})\](?:[ ]+-)?[ ]+(?P<rest>\S.*)",
        "bare": rf"(?:{_STAMP})[ ]+(?:[-–—][ ]+)?(?P<rest>\S.*)",
        "above": rf"(?P<who>[^\W\d]{_WHO})(?:#\d{{4}})?(?:,|[ ]+[—–-]|(?=[ ]{{2}})|(?=[ ]\[))[ ]+\[?(?:{_STAMP})\]?",
        "below": rf"\[(?:{_STAMP})\][ ]+(?P<who>[^\W\d]{_WHO})(?:#\d{{4}})?",
        "nick": r"(?P<rest><[@+%&~ ]?[^\s<>/]{1,30}>[ ]+\S.*)",
    }.items()
}
"""The head of a message in each form; with `above` and `below` the words are on the next lines."""
_NAME, _STAMP_ALONE = (re.compile(each, re.IGNORECASE) for each in (rf"[^\W\d]{_WHO}", _STAMP))
"""The two lines of a head with the time below the name, as copied from Slack's window."""
_DAY = re.compile(
    rf"\W*(?:day changed(?: to)?|date:)?\W*(?P<date>{_DATE}|{_WEEKDAY}{_MONTH}[ ]\d\d?[ ]\d{{4}})\W*", re.I
)
_INVISIBLE = str.maketrans({**dict.fromkeys("\u200e\u200f\u202a\u202c\ufeff\r"), "\u202f": " ", "\xa0": " "})
_NOTICE = re.compile(
    r"<[^<>]*omitted>|(?:image|video|audio|sticker|gif|document|contact card) omitted|null"
    r"|.*\b(?:message was deleted|deleted this message)\b\.?",
    re.IGNORECASE,
)
"""An export's placeholder for a message."""
_LEVELS = re.compile(r"(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical|fixed|added|changed)\b", re.I)
_EVENT = re.compile(
    r"\b(?:changed|created|added|removed|left|joined|renamed|set|pinned)\b.* (?:to|the|by|group)\b", re.I
)
_SYSTEM = "system"
_SAMPLE = 500
"""How many of the first lines decide the form."""
_LEAST, _SHARE, _TURNS_EACH, _WORDS = 3, 0.3, 1.5, 5
"""As for transcripts, if no head has a day: the least number of heads, their share of lines, and the heads per name."""


class UnsureDate(NamedTuple):
    """A date of a chat in which the order of day and month is unclear, and the day as which it was read."""

    text: str
    read_as: str


class ChatExport(NamedTuple):
    """A chat: its turns, and the first of its dates if their order is a guess."""

    turns: list[Turn]
    unsure: UnsureDate | None = None


class _Head(NamedTuple):
    """The head of a message: the speaker, the date and the time as written, and its words; an event has no speaker."""

    name: str
    date: str
    clock: str
    words: str
    is_event: bool = False


def read_export(text: str) -> ChatExport | None:
    """Read an exported chat; None if the text is none, or a transcript with ISO dates."""
    raw = list(_with_stamps(text.splitlines()))
    lines = [_plain(line) for line in raw]
    counts = {form: len(_said([_head(form, line) for line in lines[:_SAMPLE]])) for form in _HEADS}
    form = max(counts, key=counts.__getitem__)
    heads = [_head(form, line) for line in lines] if counts[form] else []
    if not _is_chat(form, lines, heads):
        return None
    days = [_DAY.fullmatch(line) for line in lines]
    dates = [head.date if head else day["date"] if day else "" for head, day in zip(heads, days, strict=True)]
    order, is_sure = _order_of(list(filter(None, dates)), any(head and head.clock[-1:].isalpha() for head in heads))
    if order is None:
        return None
    first = next((date for date in dates if re.fullmatch(_NUMBERS, date)), "")
    day = order(first) if first and not is_sure else None
    return ChatExport(list(_turns(raw, heads, dates, order)), UnsureDate(first, f"{day:%Y-%m-%d}") if day else None)


def _plain(line: str) -> str:
    return line.translate(_INVISIBLE).strip()


def _with_stamps(lines: Sequence[str]) -> Iterator[str]:
    """Join a name with a time that is alone on the line below it.

    A time of digits alone that is not indented begins no new message.
    """
    rows = pairwise([*lines, ""])
    for line, following in rows:
        stamp = _plain(following)
        may_begin = following[:1].isspace() or any(map(str.isalpha, stamp))
        is_head = may_begin and _STAMP_ALONE.fullmatch(stamp) and _NAME.fullmatch(_plain(line))
        yield f"{line}  {stamp}" if is_head else line
        if is_head:
            next(rows, None)


def _said(heads: Sequence[_Head | None]) -> list[_Head]:
    return [head for head in heads if head and not head.is_event]


def _head(form: str, line: str) -> _Head | None:
    match = _HEADS[form].fullmatch(line)
    if match is None:
        return None
    found = match.groupdict()
    date, clock = found.get("date") or "", found.get("clock") or found.get("time") or ""
    if form in ("above", "below"):
        return _Head(_name(match["who"]), date, clock, "")
    said = _SAYS.match(match["rest"])
    name = _name(said["nick"] or said["name"]) if said else ""
    words = match["rest"][said.end() :].strip() if said else ""
    if not name or len(name.split()) > _WORDS or _EVENT.search(name) or _NOTICE.fullmatch(words):
        return _Head(_SYSTEM, date, clock, match["rest"], is_event=True)
    return _Head(name, date, clock, words)


def _name(text: str) -> str:
    return " ".join(text.strip(" ~*@\t").split())


def _is_chat(form: str, lines: Sequence[str], heads: Sequence[_Head | None]) -> bool:
    """Whether the heads make a chat: the text begins with one, and they have days, or are many with recurring names."""
    said = _said(heads)
    names = Counter(head.name for head in said)
    filled = [(line, head) for line, head in zip(lines, heads, strict=False) if line]
    if not said or all(map(_LEVELS.match, names)) or not any(head or _DAY.fullmatch(line) for line, head in filled[:2]):
        return False
    first = next(line for line, head in filled if head and not head.is_event)
    if _is_iso(said[0].date) and form in ("bracketed", "bare") and "<" not in first:
        return False
    recur = len(names) < len(said) or (len(said) == _LEAST - 1 and form in ("bracketed", "bare"))
    if 2 * sum(bool(head.date) for head in said) > len(said):
        return recur
    are_names = form == "nick" or "<" in first or all(name[0].isupper() for name in names)
    return are_names and len(said) >= max(_LEAST, _SHARE * len(filled), _TURNS_EACH * len(names))


def _is_iso(date: str) -> bool:
    return bool(re.match(r"\d{4}-", date))


Order = Callable[[str], datetime | None]
"""Reads a date; None if there is no such day."""


def _order_of(dates: Sequence[str], has_halves: bool) -> tuple[Order | None, bool]:
    """The order of day and month in a chat's dates, and whether it is certain; None if neither order is possible.

    Prefer the order in which every date is valid, then the one in which dates never go back. Otherwise guess: with AM
    and PM the month comes first.
    """
    fits = {order: [order(date) for date in dates] for order in (_day_first, _month_first)}
    orders = [order for order, days in fits.items() if None not in days]
    if len(orders) == 1 or not orders or fits[_day_first] == fits[_month_first] or any("." in date for date in dates):
        return (orders[0] if orders else None), True
    rising = [order for order, days in fits.items() if all(one <= other for one, other in pairwise(filter(None, days)))]
    return (rising[0], True) if len(rising) == 1 else (_month_first if has_halves else _day_first, False)


def _day_first(date: str) -> datetime | None:
    return _read_date(date, (2, 1, 0))


def _month_first(date: str) -> datetime | None:
    return _read_date(date, (2, 0, 1))


def _read_date(date: str, positions: tuple[int, int, int]) -> datetime | None:
    numbers = [int(each) for each in re.findall(r"\d+", date)]
    month = next((at for at, name in enumerate(MONTHS, 1) if re.search(rf"\b{name[:3]}", date.lower())), 0)
    if month:
        numbers = [*numbers[:1], month, *numbers[1:]]
        positions = (2, 1, 0)
    elif _is_iso(date) or numbers[0] > 31:
        positions = (0, 1, 2)
    year, month, day = (numbers[at] for at in positions)
    try:
        return datetime(year + 2000 * (year < 100), month, day, tzinfo=UTC)
    except ValueError:
        return None


def _clock(text: str) -> str:
    """A time of an unknown day, in the form of a transcript."""
    time = _time_on(datetime(2000, 1, 1, tzinfo=UTC), text)
    return f"[{time:%H:%M:%S}] " if time else ""


def _time_on(day: datetime | None, clock: str) -> datetime | None:
    """A time of a day; its beginning if there is no such time."""
    hour, minute, second = (*(int(each) for each in re.findall(r"\d+", clock)), 0, 0, 0)[:3]
    half = "".join(re.findall(r"[ap](?=\.?m)", clock.lower()))
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return (
        day.replace(hour=hour, minute=minute, second=second) if day and hour < 24 and max(minute, second) < 60 else day
    )


def _turns(lines: Sequence[str], heads: Sequence[_Head | None], dates: Sequence[str], order: Order) -> Iterator[Turn]:
    """The turns; a line without a head continues the turn before it, or at the beginning belongs to `system`."""
    day: datetime | None = None
    turn: Turn | None = None
    for line, head, date in zip(lines, heads, dates, strict=True):
        day = order(date) if date else day
        is_own = bool(date and not head) or (turn is None and not head)
        if turn and not (head or is_own):
            turn = turn._replace(words=f"{turn.words}\n{line}".strip(), text=f"{turn.text}{line}\n")
            continue
        if turn:
            yield turn
        time = _time_on(day, head.clock) if head else None
        name, words = (head.name, head.words) if head else (_SYSTEM, line)
        stamp = f"[{time:%Y-%m-%d %H:%M:%S}] " if time else _clock(head.clock) if head and head.clock else ""
        turn = Turn(name, words, time, f"{stamp}{name}:{' ' * bool(words)}{words}\n")
    if turn:
        yield turn
