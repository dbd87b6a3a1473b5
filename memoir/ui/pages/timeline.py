"""Timeline: what was learnt when, by day, by the first level of its path, by who wrote it, or by its source."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import Any

from memoir.answers.answer import local
from memoir.memory.origin import source
from memoir.recall.timeline import Moment
from memoir.store.commit import Commit
from memoir.store.history import changed_among
from memoir.ui.pages.screen import Screen, shorten

_PAGE, _MOST = 100, 500
_LONGEST = 300
GROUPS = ("day", "level", "agent", "source")
_COMMITS = 1_000
"""The newest commits that are read to find who wrote a memory."""
_DAY = len("2026-01-31")
_UNKNOWN = "an older commit"


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
    authors = _authors(screen, found.moments) if by == "agent" else {}
    days = Counter(_day(each) for each in found.moments)
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in found.moments:
        row = {"moment": each, "text": shorten(each.memory.content, _LONGEST), "source": source(each.memory.metadata)}
        name = authors.get(each.target.full_key, _UNKNOWN) if by == "agent" else _group(each, str(by))
        groups.setdefault(name, []).append(row)
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


def _authors(screen: Screen, moments: Sequence[Moment]) -> dict[str, str]:
    """Who wrote some memories, by their keys: the author of the first commit at or after the time of each.

    A merge only carries what another commit wrote.
    """
    keys = {each.address.key for each in moments}
    commits = [
        each for each in islice(screen.repository.log(at=screen.view.at), _COMMITS) if len(each.parents) < 2
    ] if moments else []  # fmt: skip
    writers: dict[bytes, list[Commit]] = defaultdict(list)
    for commit, changed in zip(commits, changed_among(screen.repository.store, commits, keys), strict=True):
        for key in changed:
            writers[key].append(commit)
    authors = {}
    for each in moments:
        since = int(each.memory.instant.timestamp())
        later = [commit for commit in writers[each.address.key] if commit.committer.time >= since]
        if found := (later or writers[each.address.key][:1]):
            authors[each.target.full_key] = found[-1].author.name
    return authors


def _day(moment: Moment) -> str:
    return local(moment.memory.timestamp)[:_DAY]


def _group(moment: Moment, by: str) -> str:
    if by == "level":
        return moment.address.path.partition(".")[0]
    return (source(moment.memory.metadata) or "remembered by hand") if by == "source" else _day(moment)
