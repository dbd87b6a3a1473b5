"""The status of a store's index, read without changing it, and completing the index at once."""

import sys
from contextlib import closing, suppress
from math import inf
from typing import NamedTuple

import apsw

from memoir.embedders import minilm, weights
from memoir.embedders.choose_embedder import embedder_of
from memoir.embedders.embedder import Embedder
from memoir.embedders.installed import InstalledModel, find_installed
from memoir.errors import ReadOnlyStore
from memoir.index import database as files
from memoir.index import state
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.index.request import LIMITS
from memoir.progress import Progress
from memoir.store.store import Store


class IndexState(NamedTuple):
    """The contents of the index: numbers of paths and memories; `degraded` says what failed."""

    paths: int
    documents: int
    embedder: str | None
    size: int
    degraded: list[str]


def complete(
    store: Store, embedder: Embedder, progress: Progress, *, rebuild: bool = False, seconds: float | None = None
) -> IndexState:
    """Index everything on the current branch, or with `seconds` as much as that time allows.

    With `rebuild`, delete the index first.

    Raises:
        ReadOnlyStore: the index cannot be written.
    """
    limits = LIMITS if seconds is None else LIMITS._replace(embed_seconds=seconds)
    with closing(Index(store, embedder, progress, limits=limits)) as index:
        if rebuild:
            index.discard()
        index.begin(wait=seconds is None, seconds=seconds)
        paths, documents = index.read(store.at(None), lambda view: (view.paths(), view.total()))
        if index.unwritable:
            raise ReadOnlyStore(index.unwritable.partition(";")[0], "make room, or see who owns the store's folder")
        name = index.embedder.name if index.embedder else None
        return IndexState(paths, documents, name, _file_size(store), index.degraded)


def takes_long(store: Store) -> bool:
    """Whether a recall would see only a part of the current branch, because nothing is indexed yet."""
    try:
        is_indexed = files.exists(store.git_dir)
    except ReadOnlyStore:  # no index can be written; recalls say so
        return False
    return not is_indexed and store.head().tree.count() > LIMITS.few


def complete_words(store: Store, embedder: Embedder) -> None:
    """Index everything on the current branch, without the vectors of a learned embedder."""
    limits = LIMITS._replace(few=sys.maxsize, batches=0, embed_seconds=0.0, stand_in_seconds=inf)
    with closing(Index(store, embedder, limits=limits)) as index:
        index.read(store.at(None), lambda view: view.total())


def _file_size(store: Store) -> int:
    file = index_file(store.git_dir)
    return file.stat().st_size if file.exists() else 0


class IndexStatus(NamedTuple):
    """The active embedder, whether minilm is unpacked, the counts of the index (None without one), the user's model."""

    embedder: str
    minilm_installed: bool
    minilm_folder: str
    documents: int | None
    embedded: int | None
    installed: InstalledModel | None = None


def disk_usage(store: Store) -> int:
    """The number of bytes that the index's files take on disk."""
    return sum(path.stat().st_blocks * 512 for path in store.git_dir.glob("memoir-index*") if path.is_file())


def describe(store: Store) -> IndexStatus:
    """The status of the embedder and of the index."""
    embedder = embedder_of(store)
    documents = embedded = None
    with suppress(apsw.Error, ReadOnlyStore):  # the next recall rebuilds a damaged index
        if files.exists(store.git_dir):
            documents, embedded = _counts(files.connect(store.git_dir), embedder.name)
    folder = minilm.folder()
    is_there = weights.are_laid_out(folder)
    return IndexStatus(embedder.name, is_there, str(folder), documents, embedded, find_installed())


def _counts(database: apsw.Connection, embedder: str) -> tuple[int, int]:
    total = state.total(database)
    return total, total - state.count_waiting(database) if state.embedder(database) == embedder else 0
