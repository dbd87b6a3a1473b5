"""Suggest the paths of a store that are nearest to a text that somebody is about to remember.

They are the paths of its neighbours (`memoir.filing.voters`). If none is near, the classifier names categories.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.embedders.choose_embedder import embedder_of
from memoir.filing.decision import RULES
from memoir.filing.voters import Neighbour, neighbours
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.store.store import Store
from memoir.taxonomy.paths import INBOX, Address

if TYPE_CHECKING:
    from memoir.index.view import View

LIMIT = 10
"""The default number of paths."""
NEAR = 0.35
"""The score from which a path is near. Of 700 labelled facts, half of them searched for paths of the other half: with
this score, the best path had the right first level in two of three cases, below it in two of five
(`tests/filing/facts.jsonl`, with `minilm`; with `static` in one of three)."""
_PER_PATH = 4
"""Neighbours looked up per path, since several may share one."""


class NearPath(NamedTuple):
    """A path with memories near to a text, and the nearest of them."""

    address: Address
    """The path, with its namespace."""
    score: float
    """The relevance (0 to 1) of the nearest memory there."""
    memories: int
    """The number of active memories there."""
    example: str
    """The content of the nearest memory."""


class SuggestedCategory(NamedTuple):
    """A path chosen by the classifier, its confidence (0 to 1), and its category's description."""

    path: str
    confidence: float
    about: str


class Suggestions(NamedTuple):
    """The paths of a store that are nearest to a text, best first."""

    paths: Sequence[NearPath]
    """The paths."""
    categories: Sequence[SuggestedCategory]
    """If no path is near: the classifier's best paths."""
    degraded: Sequence[str]
    """What failed, and why."""

    @property
    def weak(self) -> bool:
        """Whether none of the paths is near."""
        return not _are_near(self.paths)


def suggest(store: Store, text: str, namespace: str, limit: int = LIMIT) -> Suggestions:
    """Find the paths of a namespace nearest to `text`, which has no credentials; nothing is written."""

    def look(view: "View") -> list[NearPath]:
        near = neighbours(view, text, namespace, _PER_PATH * limit)
        return list(islice(_group(view, namespace, near), limit))

    with closing(Index(store, embedder_of(store))) as index:
        paths = index.read(store.head(), look)
        categories = () if _are_near(paths) else _categories(store, text, namespace)
        return Suggestions(paths, categories, index.degraded)


def _group(view: "View", namespace: str, near: Iterable[Neighbour]) -> Iterable[NearPath]:
    """Yield the paths of neighbours, each with the best one there, but not the inbox."""
    among = view.select(Filter((namespace,)))
    best_by_path: dict[str, Neighbour] = {}
    for each in near:
        best_by_path.setdefault(each.path, each)
    for path, best in best_by_path.items():
        if not path.startswith(f"{INBOX}."):
            count = len(among.at_path(path, namespace))
            yield NearPath(Address(namespace, path), best.relevance, count, best.content)


def _are_near(paths: Sequence[NearPath]) -> bool:
    return bool(paths) and paths[0].score >= NEAR


def _categories(store: Store, text: str, namespace: str) -> list[SuggestedCategory]:
    from memoir.filing.filer import Filer  # not needed if a path is near
    from memoir.filing.store_taxonomy import active_taxonomy

    decision = Filer(store, classifier=RULES).decide(text, namespace)
    taxonomy = active_taxonomy(store.head()).catalogue
    placements = [*decision.placements, *([decision.runner_up] if decision.runner_up else [])]
    found = []
    for path, confidence in placements:
        categories = (taxonomy.get(path.rsplit(".", levels)[0]) for levels in (1, 2))
        about = next((each.about for each in categories if each), "")
        found.append(SuggestedCategory(path, confidence, about))
    return found
