"""Consolidating: near-duplicates are superseded, in one commit or none, and nothing is lost."""

from typing import Any

import pytest
from index.indexing import Contents, Stub, hash_embedder, memory
from support import commits, contents, write

from memoir.errors import EmbedderUnavailable, NotFound
from memoir.filing.consolidate import Consolidation, candidate_id, candidates_of, find_matches, supersede
from memoir.index.index import Index
from memoir.memory.read import get
from memoir.memory.write_options import WriteOptions
from memoir.records.record import MAX_SUPERSEDED, Memory, Record, encode
from memoir.store.store import Store
from memoir.taxonomy.paths import address

FACT = "The integration tests of the billing service are run with pytest in parallel"
FACT_AGAIN = FACT + "."
LIKE = FACT + " daily"
SAME: Contents = {"old": [memory(FACT, "2026-01-01T00:00:00Z")], "young": [memory(FACT_AGAIN, "2026-01-02T00:00:00Z")]}


def hold(store: Store, records: Contents, branch: str | None = None) -> None:
    write(store, {address(key).key.decode(): encode(record).decode() for key, record in records.items()}, branch=branch)


def record(store: Store, path: str) -> Record:
    facets = get(store.head(), [address(path)])[address(path)]
    assert facets
    return facets


def run(store: Store, *, branch: str | None = None, message: str | None = None, **options: Any) -> Consolidation:
    matches = find_matches(store.head(branch), Index(store, hash_embedder()), **options)
    return supersede(store, matches, options=WriteOptions(message, branch))


def test_the_older_memory_is_superseded_and_names_the_newer(store: Store) -> None:
    hold(store, {**SAME, "old": [memory(FACT, "2026-01-01T00:00:00Z", source="review")]})

    done = run(store)

    (old,), (young,) = record(store, "old"), record(store, "young")
    assert (old.content, old.status, old.timestamp) == (FACT, "superseded", "2026-01-01T00:00:00Z")
    assert old.metadata == {"source": "review", "superseded_by": "default:young"}
    assert young == SAME["young"][0]
    assert [pair.older.address.path for pair in done.superseded] == ["old"]


def test_many_near_duplicates_are_one_commit(store: Store) -> None:
    hold(store, {f"a{n}.b{m}": [memory(f"{FACT} {n}", f"2026-01-0{m}T00:00:00Z")] for n in (1, 2) for m in (1, 2, 3)})

    done = run(store)

    assert commits(store) == 2 and done.commit and len(done.superseded) == 4
    assert done.commit.message.strip() == "consolidate 4 near-duplicates"
    assert done.commit.changes
    assert done.commit.changes.put == tuple(sorted(d.older.address.key for d in done.superseded))


def test_a_commit_message_can_be_given(store: Store) -> None:
    hold(store, SAME)

    done = run(store, message="tidy up")

    assert done.commit and done.commit.message.strip() == "tidy up"


def test_a_merely_similar_memory_is_a_candidate_and_stays_active(store: Store) -> None:
    hold(store, {"old": SAME["old"], "young": [memory(LIKE, "2026-01-02T00:00:00Z")]})

    done = run(store, threshold=0.8)

    assert (done.superseded, done.commit, commits(store)) == ([], None, 1)
    (pair,) = done.candidates
    assert (pair.older.memory.content, pair.newer.memory.content) == (FACT, LIKE)


def test_an_accepted_candidate_is_superseded_if_it_has_not_changed(store: Store) -> None:
    hold(store, {"old": SAME["old"], "young": [memory(LIKE, "2026-01-02T00:00:00Z")], "x": [memory("I like owls.")]})
    matches = find_matches(store.head(), Index(store, hash_embedder()), threshold=0.8)
    name = candidate_id(matches.candidates[0])

    done = supersede(store, matches, candidates_of(matches, [name, name]))

    assert [pair.older.address.path for pair in done.superseded] == ["old"] and done.candidates == []
    assert not record(store, "old")[0].active and record(store, "young")[0].active
    hold(store, {"old": [memory(FACT, "2026-01-01T00:00:00Z")], "young": [memory(LIKE + "?", "2026-01-02T00:00:00Z")]})
    with pytest.raises(NotFound, match=f"no candidate {name}"):
        candidates_of(find_matches(store.head(), Index(store, hash_embedder()), threshold=0.8), [name])


def test_consolidating_twice_changes_nothing_more(store: Store) -> None:
    hold(store, SAME)
    run(store)

    assert run(store) == Consolidation([], [], None)
    assert commits(store) == 2


def test_without_near_duplicates_there_is_no_commit(store: Store) -> None:
    assert run(store) == Consolidation([], [], None)
    hold(store, {"a": [memory("I like owls.")], "b": [memory(FACT)]})

    assert run(store) == Consolidation([], [], None) and commits(store) == 1


def test_memories_of_one_path_are_superseded_one_by_one(store: Store) -> None:
    first, second, other, last = (
        memory(text, f"2026-01-0{number}T00:00:00Z")
        for number, text in enumerate([FACT, FACT_AGAIN, "I like owls.", FACT + "."], 1)
    )
    hold(store, {"a": [first, second, other, last]})

    done = run(store)

    assert len(done.superseded) == 2
    assert [(m.content, m.active) for m in record(store, "a")] == [
        (FACT, False), (FACT_AGAIN, False), ("I like owls.", True), (FACT + ".", True)
    ]  # fmt: skip
    assert [m.metadata.get("superseded_by") for m in record(store, "a")] == ["default:a", "default:a", None, None]


def test_a_path_can_hold_kept_and_superseded_memories(store: Store) -> None:
    owls = [memory("I like owls in the snow.", f"2026-01-0{day}T00:00:00Z") for day in (1, 2)]
    hold(store, {"a": [SAME["old"][0], owls[1]], "b": [owls[0], SAME["young"][0]]})

    run(store)

    assert [m.active for m in record(store, "a")] == [False, True]
    assert [m.active for m in record(store, "b")] == [False, True]


def test_no_content_is_lost_from_history(store: Store) -> None:
    past = [memory(f"owl {number}", "2025-12-01T00:00:00Z", active=False) for number in range(MAX_SUPERSEDED)]
    hold(store, {**SAME, "old": [*past, SAME["old"][0]]})
    before = contents(store)

    run(store)

    assert contents(store, "HEAD~1") == before
    assert [m.content for m in record(store, "old")] == [*(m.content for m in past[1:]), FACT]


CHANGES: dict[str, dict[str, list[Memory] | None]] = {
    "the older is other": {"old": [memory("Something else by now.")]},
    "the newer is other": {"young": [memory("Something else by now.")]},
    "the older is gone": {"old": None},
    "the newer is gone": {"young": None},
    "the newer is superseded": {"young": [SAME["young"][0].superseded()]},
    "the older is superseded": {"old": [SAME["old"][0].superseded()]},
}


def after(store: Store, edits: dict[str, list[Memory] | None]) -> Consolidation:
    """Let another process write between the comparison and the commit."""
    matches = find_matches(store.head(), Index(store, hash_embedder()))
    write(store, {address(k).key.decode(): encode(value).decode() if value else None for k, value in edits.items()})
    return supersede(store, matches)


@pytest.mark.parametrize("edits", CHANGES.values(), ids=CHANGES)
def test_a_memory_changed_meanwhile_is_not_superseded(store: Store, edits: dict[str, list[Memory] | None]) -> None:
    hold(store, SAME)

    done = after(store, edits)

    assert done.commit is None and commits(store) == 2
    assert all(b"superseded_by" not in value for _, value in store.head().scan())


def test_a_memory_changed_meanwhile_is_not_reported_as_superseded(store: Store) -> None:
    owls = [memory("I like owls in the snow.", f"2026-01-0{day}T00:00:00Z") for day in (1, 2)]
    hold(store, {**SAME, "owl.old": [owls[0]], "owl.young": [owls[1]]})

    done = after(store, {"old": [memory("Something else by now.")]})

    assert done.commit and done.commit.message.strip() == "consolidate 1 near-duplicate"
    assert [pair.older.address.path for pair in done.superseded] == ["owl.old"]
    assert record(store, "old")[0].active and not record(store, "owl.old")[0].active


def test_a_memory_added_meanwhile_is_kept(store: Store) -> None:
    hold(store, SAME)

    after(store, {"old": [SAME["old"][0], memory("I like owls.")]})

    assert [(m.content, m.active) for m in record(store, "old")] == [(FACT, False), ("I like owls.", True)]


def test_only_the_given_namespaces_are_consolidated(store: Store) -> None:
    hold(store, {f"{space}:{path}": facets for space in ("default", "team") for path, facets in SAME.items()})

    run(store, namespaces=["team"])

    assert [record(store, f"{space}:old")[0].active for space in ("default", "team")] == [True, False]


def test_another_branch_is_consolidated_without_a_switch(store: Store) -> None:
    hold(store, {"a": [memory("I like owls.")]})
    base = store.head().commit
    assert base
    store.refs.create("branch", "side", base.id)
    hold(store, SAME, branch="side")

    assert run(store).commit is None
    assert run(store, branch="side").commit
    assert contents(store) != contents(store, "side") and commits(store) == 1


def test_a_missing_branch_has_no_near_duplicates(store: Store) -> None:
    hold(store, SAME)

    with pytest.raises(NotFound):
        run(store, branch="nowhere")


def test_without_an_embedder_nothing_is_compared(store: Store) -> None:
    hold(store, SAME)

    with pytest.raises(EmbedderUnavailable):
        find_matches(store.head(), Index(store))
    assert commits(store) == 1


def test_an_embedder_that_fails_is_an_error_and_nothing_is_written(store: Store) -> None:
    hold(store, SAME)
    embedder = Stub()
    embedder.fails_after = 0

    with pytest.raises(EmbedderUnavailable, match="stub is down"):
        find_matches(store.head(), Index(store, embedder))
    assert commits(store) == 1
