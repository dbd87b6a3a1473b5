"""Sources: the conversations and documents that memories came from, with these beside them."""

from typing import Any

from memoir.ui.pages.screen import Screen, shorten

_MOST = 200
_SEGMENTS = 10
_LONGEST, _LONGEST_ITEM = 4_000, 400


def sources(screen: Screen) -> tuple[str, dict[str, Any]]:
    """All sources, or those whose names hold a word."""
    word = (screen.text("q") or "").lower()
    found = [
        each
        for each in screen.repository.sources.list(screen.view.namespaces, at=screen.view.at)
        if word in each.name.lower()
    ]
    return "sources.html", {"sources": found[:_MOST], "hidden": max(len(found) - _MOST, 0), "word": word}


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
            "passages": [shorten(passage.content, _LONGEST) for passage in each.passages],
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
