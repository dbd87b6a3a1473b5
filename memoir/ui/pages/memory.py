"""Memory: what is at a path, where it comes from, how it became so, and what it has to do with."""

from typing import Any, NamedTuple

from memoir.answers.parts import format_value
from memoir.errors import NotFound
from memoir.filing.similar import SimilarMemory
from memoir.layers.relations import Relatives
from memoir.memory.facets import ids_of
from memoir.memory.origin import source, speaker
from memoir.memory.versions import MemoryVersion
from memoir.records.metadata import LINKS, PIN
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import MemoryAddress
from memoir.ui.pages.screen import LONGEST, Screen, Shortened, can_edit, changed_lines, shorten
from memoir.ui.pictures import Ray, star

_VERSIONS = 10
_MOST_VERSIONS = 200
_MOST_FACETS = 50
_RELATED = 10
_LONGEST_FIELD = 300


class ShownFacet(NamedTuple):
    """A memory at a path as the page shows it."""

    target: MemoryAddress
    memory: Memory
    text: Shortened
    fields: list[tuple[str, str]]
    speaker: str | None
    source: str | None
    can_edit: bool


def memory(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The page of a path, or of one memory of it."""
    repository, view = screen.repository, screen.view
    target = repository.address_of(screen.text("key") or "", namespace=view.home, at=view.at)
    entry = next(iter(repository.get_many([target.full_key], at=view.at)))
    versions = _versions(screen, target)
    if entry.record is None or entry.store == "user":
        if not versions and not entry.below:
            raise NotFound(f"nothing is at {target.short_key}", repository.hint(target.full_key, at=view.at))
        return "gone.html", {"target": target, "below": entry.below, "versions": _shown(versions)}
    whole = LONGEST if screen.text("whole") is None else max(len(each.content) for each in entry.record)
    ids = [target.id] if target.id else ids_of(entry.record)
    facets = [_facet(target, *row, most=whole) for row in zip(ids, entry.record, strict=True)]
    active = [each for each in facets if each.memory.active]
    return "memory.html", {
        "target": target,
        "below": repository.children(target.path, namespace=target.namespace, limit=1, at=view.at).children,
        "facets": active[:_MOST_FACETS],
        "unshown": max(len(active) - _MOST_FACETS, 0),
        "superseded": [each for each in facets if not each.memory.active][:_MOST_FACETS],
        "pinned": any(each.memory.metadata.get(PIN) for each in active),
        "versions": _shown(versions),
        "signatures": screen.signatures([each.commit for each in versions]),
        "more_versions": len(versions) == screen.number("versions", _VERSIONS, _MOST_VERSIONS),
        "tree": repository.why(target.full_key, depth=3, at=view.at),
        "is_insight": entry.stale is not None,
        "stale": entry.stale,
    }


def _facet(target: MemoryAddress, identity: str, memory: Memory, most: int) -> ShownFacet:
    fields = [
        (name, format_value(part)[:_LONGEST_FIELD])
        for name, part in sorted(memory.metadata.items())
        if name not in (LINKS, PIN)
    ]
    named = MemoryAddress(target.place, identity)
    return ShownFacet(
        named,
        memory,
        shorten(memory.content, most),
        fields,
        speaker(memory.metadata),
        source(memory.metadata),
        can_edit(memory.content),
    )


def _versions(screen: Screen, target: MemoryAddress) -> list[MemoryVersion]:
    if target.names_passage:
        return []
    limit = screen.number("versions", _VERSIONS, _MOST_VERSIONS)
    try:
        return screen.repository.blame(target.place.full_key, limit=limit, at=screen.view.at)
    except NotFound:
        return []


def _shown(versions: list[MemoryVersion]) -> list[dict[str, Any]]:
    """The versions of a path, each with its changed words."""
    return [{"version": each, "lines": changed_lines(each.before, each.record)} for each in versions]


def related(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page that shows what a memory has to do with; the script loads it after the rest."""
    target = screen.repository.address_of(screen.text("key") or "", namespace=screen.view.home, at=screen.view.at)

    def read(repository: Repository) -> tuple[Relatives, list[SimilarMemory]]:
        found = repository.layers.related(target.place.full_key, limit=_RELATED, at=screen.view.at)
        return found, repository.layers.similar(target.full_key, at=screen.view.at)

    found, similar = screen.later("related", read, lambda answer: not answer[0].degraded)
    best = max((each.score for each in found.relatives), default=1) or 1
    rays = [
        Ray(
            each.entry.address.path,
            screen.view.memory(each.entry.address),
            min(each.score / best, 1),
            each.relations[0].kind if each.relations else "",
        )
        for each in found.relatives
    ]
    return "related.html", {
        "target": target,
        "similar": [(each, shorten(each.facet.memory.content, _LONGEST_FIELD)) for each in similar],
        "relatives": found.relatives,
        "omitted": found.omitted,
        "degraded_words": "; ".join(found.degraded),
        "rays": star(rays),
    }
