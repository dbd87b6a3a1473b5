"""Threads and entities: what memories came back to over time, and the people and things that they name."""

from typing import Any

from memoir.ui.pages.marks import shorten
from memoir.ui.pages.screen import Screen

_MOST = 30
_MOST_INSIGHTS = 30
_LONGEST = 400


def threads(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The threads, the newest activity first, and the insights about them."""
    every = screen.text("every") is not None
    limit = screen.number("limit", _MOST, 300)
    values: dict[str, Any] = {"every": every, "limit": limit, "listing": None, "insights": [], "hidden": 0}
    if screen.is_later:
        return "threads.html", values
    layers, view = screen.repository.layers, screen.view
    listing = screen.once(
        "threads", lambda: layers.threads(every=every, limit=limit, namespaces=view.namespaces, at=view.at)
    )
    tree = screen.once("insights", lambda: layers.insights(namespace=view.home, at=view.at))
    return "threads.html", values | {
        "listing": listing,
        "insights": [(each, shorten(each.memory.content, _LONGEST)) for each in tree.insights[:_MOST_INSIGHTS]],
        "hidden": max(len(tree.insights) - _MOST_INSIGHTS, 0),
    }


def thread(screen: Screen) -> tuple[str, dict[str, Any]]:
    """One thread: its memories by date."""
    story = screen.repository.layers.thread(
        screen.text("id") or "", namespaces=screen.view.namespaces, at=screen.view.at
    )
    number = screen.number("page", 1, 10_000)
    memories = story.memories[(number - 1) * 100 : number * 100]
    return "thread.html", {
        "thread": story.thread,
        "memories": [(each, shorten(each.memory.content, _LONGEST)) for each in memories],
        "number": number,
        "has_more": len(story.memories) > number * 100,
    }


def entities(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The entities that most memories name, or one with its memories."""
    name, view = screen.text("name"), screen.view
    limit = screen.number("limit", 60, 500)
    values: dict[str, Any] = {"found": None, "name": name, "limit": limit, "memories": [], "degraded_words": ""}
    if screen.is_later:
        return "entities.html", values
    found = screen.once(
        "entities",
        lambda: screen.repository.layers.entities(name, limit=limit, namespaces=view.namespaces, at=view.at),
    )
    return "entities.html", values | {
        "found": found,
        "memories": [(each, shorten(each.memory.content, _LONGEST)) for each in found.memories or ()],
        "most": max((each.size for each in found.entities), default=1),
        "degraded_words": "; ".join(found.degraded),
    }
