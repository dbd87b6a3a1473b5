"""Tree: the paths of a namespace, level by level, beside a picture of how many there are, and search by words."""

from itertools import islice
from typing import Any, NamedTuple

from memoir.answers.answer import one_line
from memoir.errors import MemoirError
from memoir.memory.facets import with_ids
from memoir.memory.survey import Child
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import Address, address, from_key
from memoir.times import now
from memoir.ui.pages.screen import Screen
from memoir.ui.pictures import Tile, treemap

_PAGE = 100
_OPEN = 16
"""The children whose own children are shown, and how many of those."""
_TILES = 60
_COMMITS = 300
"""How many commits are read for the colours; what none of them changed counts as old."""
AGES = ((1, "today"), (7, "this week"), (31, "this month"))
"""Ages in days, with the words for what was changed since."""
OLD = "longer ago"
_LONGEST = 160
_FOUND = 12


class Branch(NamedTuple):
    """A child of a level, how long ago it was changed, and its own children as far as they are shown."""

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
    """The page of a prefix, which is the whole namespace without one."""
    repository, view = screen.repository, screen.view
    under = screen.text("under") or ""
    prefix = address(under, view.home).path if under else ""
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
        "place": lambda child: _place(screen, child),
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
    return Tile(path.rpartition(".")[2], child.paths, ages.get(path, len(AGES)), _place(screen, child))


def _place(screen: Screen, child: Child) -> str:
    """The page of a child: its memory if nothing is below it, else its level."""
    if child.is_path and child.paths == 1:
        return screen.view.memory(child.address)
    return screen.view.link("/", under=child.address.path)


def _contents(repository: Repository, addresses: list[Address], at: str | None) -> dict[Address, str]:
    """How the memories at some paths begin."""
    return {
        place: one_line("; ".join(memory.content[:_LONGEST] for _, memory in islice(with_ids(record), 3)), _LONGEST)
        for place, record in repository.records(addresses, at=at)
    }


def _crumbs(prefix: str) -> list[tuple[str, str]]:
    """The segments of a prefix, each with the prefix that ends with it."""
    segments = prefix.split(".") if prefix else []
    return [(segment, ".".join(segments[: number + 1])) for number, segment in enumerate(segments)]


def recency(repository: Repository, at: str | None, namespace: str) -> dict[str, int]:
    """How long ago each path, and each prefix of one, was changed by the last commits: the number of its age."""
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
            place = from_key(key)
            if place.namespace == namespace:
                for _, prefix in _crumbs(place.path):
                    ages.setdefault(prefix, age)
    return ages


def find(screen: Screen) -> tuple[str, dict[str, Any]]:
    """What fits a few letters or words: the paths that begin with them, and the memories that they recall."""
    query = (screen.text("q") or "").strip()
    paths = _paths_from(screen, query)
    hits, degraded = [], None
    if query:
        answer = screen.repository.recall(query[:1000], namespace=list(screen.view.namespaces), at=screen.view.at,
            mode="simple", limit=_FOUND, joined=False)  # fmt: skip
        hits, degraded = answer.memories, "; ".join(answer.degraded)
    return "find.html", {"query": query, "paths": paths, "hits": hits, "degraded_words": degraded}


def _paths_from(screen: Screen, query: str) -> list[Child]:
    """The children whose segments begin as the last one of a path that is being typed."""
    prefix, _, start = query.lower().rpartition(".")
    if not query or " " in query:
        return []
    try:
        level = screen.repository.children(prefix, namespace=screen.view.home, limit=1000, at=screen.view.at)
    except MemoirError:
        return []
    fitting = (each for each in level.children if each.address.path.rpartition(".")[2].startswith(start))
    return list(islice(fitting, _FOUND))
