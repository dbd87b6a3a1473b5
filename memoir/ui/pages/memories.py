"""The memories: the paths of a namespace level by level, search by words, and one path with its history and links.

The tree is shown with a treemap of the number of memories below each path.
"""

from itertools import islice
from typing import Any, NamedTuple

from memoir.answers.answer import one_line
from memoir.answers.parts import format_value, in_words
from memoir.errors import MemoirError, NotFound
from memoir.filing.similar import SimilarMemory
from memoir.layers.relations import Relatives
from memoir.memory.facets import ids_of, with_ids
from memoir.memory.speaker import source, speaker
from memoir.memory.survey import Child
from memoir.memory.versions import MemoryVersion
from memoir.records.metadata import LINKS, PIN
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import Address, MemoryAddress, check_path, from_key
from memoir.times import now
from memoir.ui.pages.screen import LONGEST, Screen, Shortened, can_edit, changed_lines, shorten
from memoir.ui.pictures import Ray, Tile, star, treemap

_PAGE = 100
_OPEN = 16
"""How many children have their own children shown, and how many of these."""
_TILES = 60
_COMMITS = 300
"""How many commits are read for the colours; paths that none of them changed count as old."""
AGES = ((1, "today"), (7, "this week"), (31, "this month"))
"""Ages in days, with their words."""
OLD = "longer ago"
_LONGEST = 160
_FOUND = 12


class Branch(NamedTuple):
    """A child of a level, the number of its age, and those of its own children that are shown."""

    child: Child
    age: int
    content: str
    below: list[Child]
    has_more: bool

    @property
    def name(self) -> str:
        """The last segment."""
        return self.child.address.path.rpartition(".")[2]


def tree(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The page of a prefix; without one, of the whole namespace."""
    repository, view = screen.repository, screen.view
    under = screen.text("under") or ""
    prefix = check_path(under) if under else ""
    level = repository.children(prefix, namespace=view.home, limit=_PAGE, after=screen.text("after"), at=view.at)
    ages = recency(repository, view.at, view.home)
    contents = _contents(repository, [each.address for each in level.children if each.is_path], view.at)
    opened = {each.address for each in sorted(level.children, key=lambda each: -each.paths)[:_OPEN]}
    branches = [_branch(screen, each, ages, contents, each.address in opened) for each in level.children]
    largest = sorted(branches, key=lambda each: -each.child.paths)[:_TILES]
    tiles = treemap([_tile(screen, each.child, ages) for each in largest])
    inner = [
        box
        for outer, each in zip(tiles, (each for each in largest if each.child.paths), strict=True)
        if outer.inside and not each.has_more
        for box in treemap([_tile(screen, child, ages) for child in each.below], outer.inside)
    ]
    return "tree.html", {
        "prefix": prefix,
        "crumbs": _crumbs(prefix),
        "branches": branches,
        "total": sum(each.child.paths for each in branches),
        "cut_at": level.cut_at,
        "tiles": tiles,
        "inner": inner,
        "hidden_tiles": len(branches) - len(largest),
        "ages": [word for _, word in AGES] + [OLD],
        "place": lambda child: _link(screen, child),
        "is_empty": not branches and not prefix and not screen.text("after"),
    }


def _branch(screen: Screen, child: Child, ages: dict[str, int], contents: dict[Address, str], is_open: bool) -> Branch:
    at, more = screen.view.at, False
    below: list[Child] = []
    if is_open and child.paths > child.is_path:
        level = screen.repository.children(child.address.path, namespace=child.address.namespace, limit=_OPEN, at=at)
        below, more = level.children, level.cut_at is not None
    return Branch(child, ages.get(child.address.path, len(AGES)), contents.get(child.address, ""), below, more)


def _tile(screen: Screen, child: Child, ages: dict[str, int]) -> Tile:
    path = child.address.path
    return Tile(path.rpartition(".")[2], child.paths, ages.get(path, len(AGES)), _link(screen, child))


def _link(screen: Screen, child: Child) -> str:
    """The link of a child: its memory if nothing is below it, else its level."""
    if child.is_path and child.paths == 1:
        return screen.view.memory(child.address)
    return screen.view.link("/", under=child.address.path)


def _contents(repository: Repository, addresses: list[Address], at: str | None) -> dict[Address, str]:
    """The beginnings of the memories at some paths."""
    return {
        address: one_line("; ".join(memory.content[:_LONGEST] for _, memory in islice(with_ids(record), 3)), _LONGEST)
        for address, record in repository.records(addresses, at=at)
    }


def _crumbs(prefix: str) -> list[tuple[str, str]]:
    """The segments of a prefix, each with the prefix that ends with it."""
    segments = prefix.split(".") if prefix else []
    return [(segment, ".".join(segments[: number + 1])) for number, segment in enumerate(segments)]


def recency(repository: Repository, at: str | None, namespace: str) -> dict[str, int]:
    """The number of the age in `AGES` at which the last commits changed each path and each prefix."""
    ages: dict[str, int] = {}
    today = now().timestamp()
    try:
        commits = list(islice(repository.log(at=at), _COMMITS))
    except MemoirError:  # no commit yet
        return ages
    for commit in commits:
        days = (today - commit.committer.time) / 86_400
        age = next((number for number, (most, _) in enumerate(AGES) if days < most), len(AGES))
        for key in commit.changes.put if commit.changes else ():
            address = from_key(key)
            if address.namespace == namespace:
                for _, prefix in _crumbs(address.path):
                    ages.setdefault(prefix, age)
    return ages


def find(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The search results for letters or words: paths that begin with them, and memories that recall finds."""
    query = (screen.text("q") or "").strip()
    paths = _paths_from(screen, query)
    hits, degraded = [], None
    if query:
        answer = screen.repository.recall(query[:1000], namespace=list(screen.view.namespaces), at=screen.view.at,
            mode="simple", limit=_FOUND, joined=False)  # fmt: skip
        hits, degraded = answer.memories, "; ".join(answer.degraded)
    return "find.html", {"query": query, "paths": paths, "hits": hits, "degraded_words": degraded}


def _paths_from(screen: Screen, query: str) -> list[Child]:
    """Completions of a path that is being typed: the children whose last segments begin like its last one."""
    prefix, _, start = query.lower().rpartition(".")
    if not query or " " in query:
        return []
    try:
        level = screen.repository.children(prefix, namespace=screen.view.home, limit=1000, at=screen.view.at)
    except MemoirError:
        return []
    fitting = (each for each in level.children if each.address.path.rpartition(".")[2].startswith(start))
    return list(islice(fitting, _FOUND))


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
        (name, (in_words(name, part) or format_value(part))[:_LONGEST_FIELD])
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
    """The part of the page with related and similar memories; the script loads it after the rest."""
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
