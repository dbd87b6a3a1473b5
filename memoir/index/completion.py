"""Completing the index at once, so that the next answers do not miss memories."""

from contextlib import closing
from typing import NamedTuple

from memoir.index.embedders.embedder import Embedder
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.index.vectors import Progress
from memoir.store.store import Store


class IndexState(NamedTuple):
    """The contents of the index now: numbers of paths and of memories; `degraded` says what failed."""

    paths: int
    documents: int
    embedder: str | None
    size: int
    degraded: list[str]


def complete(store: Store, embedder: Embedder, progress: Progress, *, rebuild: bool = False) -> IndexState:
    """Index everything that the current branch holds; with `rebuild`, delete the index first."""
    with closing(Index(store, embedder, progress, wait=True)) as index:
        if rebuild:
            index.discard()
        paths, documents = index.read(store.at(None), lambda view: (view.paths(), view.total()))
        name = index.embedder.name if index.embedder else None
        return IndexState(paths, documents, name, _file_size(store), index.degraded)


def _file_size(store: Store) -> int:
    file = index_file(store.git_dir)
    return file.stat().st_size if file.exists() else 0
