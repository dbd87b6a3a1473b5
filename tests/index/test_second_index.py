"""Two snapshots with little in common have an index each at last, so switching between them rebuilds neither."""

from memoir.embedders.hashing import HashEmbedder
from memoir.index import database as files
from memoir.index import state
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.index.request import Limits
from memoir.index.view import View
from memoir.records.record import Memory
from memoir.repository.repository import Repository

NEAR = Limits(given_up=5)
"""More than a handful of paths is much to give up."""


def grow(repository: Repository) -> None:
    """A tag on one memory, and twenty more since."""
    repository.remember(Memory.of("seed pottery"), "z.z.z")
    repository.import_lines(b'{"path": "a.b.n%d", "content": "clay %d"}' % (n, n) for n in range(20))


def roots(repository: Repository) -> list[bytes]:
    folder = repository.store.git_dir
    return [state.root(files.connect(folder, second=second)) for second in (False, True)]


def test_reading_a_distant_past_does_not_move_the_index(repository: Repository) -> None:
    grow(repository)
    now, past = repository.store.at(None), repository.store.at("HEAD~1")
    index = Index(repository.store, HashEmbedder(), limits=NEAR)

    counts = [index.read(snapshot, View.total) for snapshot in (now, past, now, past)]

    assert counts == [21, 1, 21, 1]
    assert roots(repository) == [now.tree.root, past.tree.root]


def test_a_near_snapshot_uses_the_same_index(repository: Repository) -> None:
    grow(repository)
    index = Index(repository.store, HashEmbedder(), limits=NEAR)
    index.read(repository.store.at(None), View.total)
    repository.remember(Memory.of("one more"), "a.b.m")

    assert index.read(repository.store.at(None), View.total) == 22
    assert not files.exists(repository.store.git_dir, second=True)


def test_new_paths_are_added_to_the_same_index_however_many(repository: Repository) -> None:
    grow(repository)
    index = Index(repository.store, limits=NEAR)
    index.read(repository.store.at("HEAD~1"), View.total)

    assert index.read(repository.store.at(None), View.total) == 21
    assert not files.exists(repository.store.git_dir, second=True)


def test_a_large_store_that_was_tidied_up_keeps_its_index_but_two_branches_in_turn_get_two(
    repository: Repository,
) -> None:
    grow(repository)
    index = Index(repository.store, limits=NEAR._replace(given_up_share=2))
    index.read(repository.store.at(None), View.total)
    for path in [f"a.b.n{n}" for n in range(6)]:
        repository.forget(path)
    now, past = repository.store.at(None), repository.store.at("HEAD~6")

    counts = [index.read(snapshot, View.total) for snapshot in (now, past)]
    assert not files.exists(repository.store.git_dir, second=True)
    counts += [index.read(snapshot, View.total) for snapshot in (now, past, now)]

    assert counts == [15, 21, 15, 21, 15]
    assert roots(repository) == [past.tree.root, now.tree.root]


def test_a_learned_vector_is_computed_once_for_both(repository: Repository) -> None:
    class CountingEmbedder(HashEmbedder):
        name = "counting"
        learned = True
        count = 0

        def embed(self, texts):  # type: ignore[no-untyped-def]
            type(self).count += len(texts)
            return super().embed(texts)

    grow(repository)
    index = Index(repository.store, CountingEmbedder(), limits=NEAR)
    for revision in (None, "HEAD~1", None):
        index.read(repository.store.at(revision), View.total)

    assert CountingEmbedder.count == 21


def test_both_indexes_are_discarded_together(repository: Repository) -> None:
    grow(repository)
    index = Index(repository.store, limits=NEAR)
    for revision in (None, "HEAD~1"):
        index.read(repository.store.at(revision), View.total)
    index_file(repository.store.git_dir, second=True).write_bytes(b"garbage")

    assert Index(repository.store, limits=NEAR).read(repository.store.at("HEAD~1"), View.total) == 1
