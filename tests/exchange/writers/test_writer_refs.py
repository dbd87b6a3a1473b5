"""What was fetched of writers' refs."""

from unittest.mock import patch

from memoir.exchange.writers import writer_refs
from memoir.git.ref_names import FETCHED
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def test_of_many_branches_only_the_one_that_is_asked_for_is_looked_at(repository: Repository) -> None:
    """A hub may have those of a hundred writers for each of fifty branches, and every sync asks."""
    repository.remember(Memory.of("one"), "a.one")
    store = repository.store
    tip = store.commit("HEAD").id
    for branch in ("main", "topic", "topic/two"):
        store.refs.update(f"{FETCHED}origin/ada-{branch.count('/')}/{branch}", tip, None, "test")

    with patch.object(store.reader, "resolve", wraps=store.reader.resolve) as looks:
        assert writer_refs.fetched(store, "origin", "topic") == {"ada-0": tip}

    assert looks.call_count == 1
    assert writer_refs.fetched_by_branch(store, "origin") == {
        "main": {"ada-0": tip},
        "topic": {"ada-0": tip},
        "topic/two": {"ada-1": tip},
    }
