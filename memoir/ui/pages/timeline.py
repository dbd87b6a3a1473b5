"""Timeline: what was learnt when, by day, by the first level of its path, or by where it comes from."""

from collections import Counter
from typing import Any

from memoir.answers.answer import local
from memoir.memory.origin import source
from memoir.recall.timeline import Moment
from memoir.ui.pages.marks import shorten
from memoir.ui.pages.screen import Screen

_PAGE, _MOST = 100, 500
_LONGEST = 300
GROUPS = ("day", "level", "source")
_DAY = len("2026-01-31")


def timeline(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The memories of a window, the newest first, in groups."""
    by = screen.text("by") if screen.text("by") in GROUPS else "day"
    found = screen.repository.timeline(
        since=screen.text("since"),
        until=screen.text("until"),
        limit=screen.number("limit", _PAGE, _MOST),
        namespaces=screen.view.namespaces,
        at=screen.view.at,
    )
    days = Counter(_day(each) for each in found.moments)
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in found.moments:
        row = {"moment": each, "text": shorten(each.memory.content, _LONGEST), "source": source(each.memory.metadata)}
        groups.setdefault(_group(each, str(by)), []).append(row)
    return "timeline.html", {
        "by": by,
        "groups": groups,
        "group_names": GROUPS,
        "days": sorted(days.items())[-60:],
        "busiest": max(days.values(), default=1),
        "omitted": found.omitted,
        "oldest": _day(found.moments[-1]) if found.moments else None,
        "degraded_words": "; ".join(found.degraded),
        "since": screen.text("since"),
        "until": screen.text("until"),
    }


def _day(moment: Moment) -> str:
    return local(moment.memory.timestamp)[:_DAY]


def _group(moment: Moment, by: str) -> str:
    if by == "level":
        return moment.address.path.partition(".")[0]
    return (source(moment.memory.metadata) or "remembered by hand") if by == "source" else _day(moment)
