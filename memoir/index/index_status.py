"""The status of a store's index, read without changing it."""

from contextlib import suppress
from typing import NamedTuple

import apsw

from memoir.errors import ReadOnlyStore
from memoir.index import database as files
from memoir.index import state
from memoir.index.embedders import minilm
from memoir.index.embedders.choose_embedder import embedder_of
from memoir.store.store import Store


class IndexStatus(NamedTuple):
    """The active embedder, whether minilm is installed, and the counts of the index (None if there is no index)."""

    embedder: str
    minilm_installed: bool
    minilm_folder: str
    documents: int | None
    embedded: int | None


def disk_usage(store: Store) -> int:
    """The number of bytes that the index's files take on disk."""
    return sum(path.stat().st_blocks * 512 for path in store.git_dir.glob("memoir-index*") if path.is_file())


def describe(store: Store) -> IndexStatus:
    """The status of the embedder and of the index."""
    embedder = embedder_of(store)
    documents = embedded = None
    with suppress(apsw.Error, ReadOnlyStore):  # the next recall builds a damaged one again
        if files.exists(store.git_dir):
            documents, embedded = _counts(files.connect(store.git_dir), embedder.name)
    return IndexStatus(embedder.name, minilm.is_installed(), str(minilm.folder()), documents, embedded)


def _counts(database: apsw.Connection, embedder: str) -> tuple[int, int]:
    total = state.total(database)
    return total, total - state.count_waiting(database) if state.embedder(database) == embedder else 0
