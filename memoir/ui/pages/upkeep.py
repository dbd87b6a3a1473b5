"""Upkeep: memories to file by hand, captures to accept or reject, and whether the store is sound."""

from itertools import islice
from typing import Any

from memoir.answers.answer import one_line
from memoir.errors import MemoirError, NotFound
from memoir.memory.facets import ids_of
from memoir.taxonomy.paths import MemoryAddress
from memoir.ui.pages.screen import Screen, shorten

_PREFIX = "inbox"
_PAGE = 20
_MOST_PROPOSALS = 50
_LONGEST = 600
_SUGGESTIONS = 4


def inbox(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The memories to file, and the proposals to accept."""
    repository, view = screen.repository, screen.view
    try:
        places = repository.keys(prefix=_PREFIX, namespaces=view.namespaces, after=screen.text("after"), at=view.at)
        addresses = list(islice(places, _PAGE + 1))
    except NotFound:  # nothing is in it
        addresses = []
    items = [
        {"target": MemoryAddress(address, identity), "memory": memory, "text": shorten(memory.content, _LONGEST)}
        for address, record in repository.records(addresses[:_PAGE], at=view.at)
        for identity, memory in zip(ids_of(record), record, strict=True)
        if memory.active
    ]
    return "inbox.html", {
        "items": items,
        "cut_at": addresses[_PAGE - 1].full_key if len(addresses) > _PAGE else None,
        **_captures(screen),
    }


def _captures(screen: Screen) -> dict[str, Any]:
    """The proposals of a review by rules; none if nothing is kept."""
    captures = screen.repository.captures
    values: dict[str, Any] = {
        "is_on": captures.on,
        "proposals": [],
        "there": {},
        "retractions": [],
        "unshown": 0,
        "withheld": 0,
        "unread": 0,
        "degraded_words": None,
    }
    if screen.read_only or not captures.contents().turns:
        return values
    try:
        found = captures.review(by="rules")
    except MemoirError as error:
        return values | {"degraded_words": error.message}
    proposals = [each for each in found.proposals if each.paths]
    similar = {number: each[0].facet.memory.content for number, each in found.similar.items()}
    return values | {
        "proposals": proposals[:_MOST_PROPOSALS],
        "there": {**found.beside, **similar},
        "retractions": [each.content for each in found.proposals if not each.number][:_MOST_PROPOSALS],
        "unshown": max(len(proposals) - _MOST_PROPOSALS, 0),
        "withheld": len(found.withheld),
        "unread": found.unread,
        "degraded_words": "; ".join(found.degraded) or None,
    }


def suggestions(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page with suggested paths for one memory; the script loads it for each memory."""
    key = screen.text("key")
    return "suggestions.html", {"key": key, "suggested": _suggest(screen, key)}


def _suggest(screen: Screen, key: str | None) -> list[tuple[str, str]]:
    """Paths for a memory, each with a reason: if none is near, first those by rules; then the nearest."""
    if not key:
        return []
    target = screen.repository.address_of(key, namespace=screen.view.home, at=screen.view.at)
    content = screen.repository.content(target.full_key, at=screen.view.at)
    found = screen.repository.suggest(content, namespace=target.namespace, limit=_SUGGESTIONS + 1)
    near = [
        (each.address.path, f"near to “{one_line(each.example, 80)}”")
        for each in found.paths
        if each.address != target.place
    ]
    rules = {path: about for path, _, about in found.categories}
    return [*(rules | dict(near)).items()][:_SUGGESTIONS]


_MOST_PROBLEMS = 100


def health(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The sizes and the state of the index."""
    repository = screen.repository
    return "health.html", {
        "status": repository.status(),
        "index": repository.upkeep.index_status(),
        "captures": repository.captures.contents(),
        "is_on": repository.captures.on,
        "is_checked": screen.text("check") is not None,
        "versions": repository.versions(),
    }


def fsck(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page with the result of `memoir fsck`."""
    found = _anew(screen, "fsck")
    return "fsck.html", {
        "problems": found["problems"],
        "commits": found["commits"],
        "values": found["values"],
        "most": _MOST_PROBLEMS,
    }


def checks(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page with the checks of `memoir doctor`."""
    return "checks.html", {"checks": _anew(screen, "doctor")["checks"]}


def _anew(screen: Screen, command: str) -> dict[str, Any]:
    """The answer of a command that checks the store and the machine; never cached."""
    return screen.later(command, lambda repository: screen.run(command), keep=lambda answer: False)
