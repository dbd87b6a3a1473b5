"""The pages of sources, threads and entities."""

from typing import Any

from memoir.layers.entity_list import EntityList
from memoir.layers.insights import InsightTree
from memoir.layers.threads import Listing, Story
from memoir.repository.repository import Repository
from memoir.ui.pages.screen import Screen, shorten

_MOST = 30
_MOST_INSIGHTS = 30
_LONGEST = 400
_LARGE = 2_000
"""From this many paths on, another process finds the threads; it takes some 0.4 ms for each path."""


def threads(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The threads, the newest activity first, and the insights about them."""
    every = screen.text("every") is not None
    limit, view = screen.number("limit", _MOST, 300), screen.view

    def read(repository: Repository) -> tuple[Listing, InsightTree]:
        _find_threads(screen, repository)
        layers = repository.layers
        listing = layers.threads(every=every, limit=limit, namespaces=view.namespaces, at=view.at)
        return listing, layers.insights(namespace=view.home, at=view.at)

    listing, tree = screen.later("threads", read)
    return "threads.html", {
        "every": every,
        "limit": limit,
        "listing": listing,
        "insights": [(each, shorten(each.memory.content, _LONGEST)) for each in tree.insights[:_MOST_INSIGHTS]],
        "hidden": max(len(tree.insights) - _MOST_INSIGHTS, 0),
    }


def _find_threads(screen: Screen, repository: Repository) -> None:
    """Let another process find the threads of a large store, which takes long the first time."""
    if repository.count() > _LARGE:
        screen.run("threads", "--limit", "1", *screen.view.options)


def thread(screen: Screen) -> tuple[str, dict[str, Any]]:
    """One thread: its memories by date."""

    def read(repository: Repository) -> Story:
        _find_threads(screen, repository)
        name, view = screen.text("id") or "", screen.view
        return repository.layers.thread(name, namespaces=view.namespaces, at=view.at)

    story = screen.later("thread", read)
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

    def read(repository: Repository) -> EntityList:
        return repository.layers.entities(name, limit=limit, namespaces=view.namespaces, at=view.at)

    found = screen.later("entities", read, lambda found: not found.degraded)
    return "entities.html", {
        "found": found,
        "name": name,
        "limit": limit,
        "memories": [(each, shorten(each.memory.content, _LONGEST)) for each in found.memories or ()],
        "most": max((each.size for each in found.entities), default=1),
        "degraded_words": "; ".join(found.degraded),
    }


_MOST_SOURCES = 200
_SEGMENTS = 10
_LONGEST_PASSAGE, _LONGEST_ITEM = 4_000, 400


def sources(screen: Screen) -> tuple[str, dict[str, Any]]:
    """All sources, or those whose names hold a word."""
    word = (screen.text("q") or "").lower()
    found = [
        each
        for each in screen.repository.sources.list(screen.view.namespaces, at=screen.view.at)
        if word in each.name.lower()
    ]
    return "sources.html", {
        "sources": found[:_MOST_SOURCES],
        "hidden": max(len(found) - _MOST_SOURCES, 0),
        "word": word,
    }


def source(screen: Screen) -> tuple[str, dict[str, Any]]:
    """One source, some segments at a time."""
    page = screen.repository.layers.source(
        screen.text("name") or "",
        namespace=screen.view.home,
        limit=_SEGMENTS,
        after=screen.text("after"),
        at=screen.view.at,
    )
    segments = [
        {
            "segment": each,
            "number": each.address.path.rpartition(".")[2],
            "passages": [shorten(passage.content, _LONGEST_PASSAGE) for passage in each.passages],
            "items": [(item, shorten(item.memory.content, _LONGEST_ITEM)) for item in each.items],
        }
        for each in page.segments
    ]
    return "source.html", {
        "source": page.source,
        "segments": segments,
        "cut_at": page.cut_at,
        "degraded_words": "; ".join(page.degraded),
    }
