"""Memories among several at a path: their ids, and what a write to one of them leaves as it was."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir import InvalidInput, Memory, NotFound, Repository
from memoir.memory.facets import active_positions, ids_of
from memoir.records.record import MAX_ACTIVE, Record, active_facets, encode
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import address, memory_address

TIMES = st.sampled_from(["2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z"])
MEMORIES = st.builds(
    Memory.of,
    st.sampled_from(["yes", "no", "1\nyes", "Größe"]),
    confidence=st.sampled_from([0.5, 1.0]),
    timestamp=TIMES,
    status=st.sampled_from(["active", "active", "superseded"]),
    metadata=st.sampled_from([{}, {"person": "Ann"}, {"person": "Bo"}]),
)
RECORDS = st.lists(MEMORIES, min_size=2, max_size=6).map(tuple)
KEY = address("a.b").key


def store_record(repository: Repository, record: Record) -> None:
    change = Change([(KEY, encode(record)), (address("c.d").key, None)], "write")
    write(repository.store, lambda head: change, reason="write")


def state(repository: Repository) -> dict[bytes, bytes]:
    return dict(repository.store.head().scan())


def encoded(record: Record | None) -> list[bytes]:
    return [encode((memory,)) for memory in record or ()]


@given(record=RECORDS)
def test_every_memory_has_an_id_of_its_own(record: Record) -> None:
    ids = ids_of(record)

    assert len(set(ids)) == len(record)
    for identity in ids:
        assert memory_address(f"a.b#{identity}").id == identity


@given(record=RECORDS, data=st.data())
def test_an_id_never_comes_to_mean_another_memory_when_one_goes(record: Record, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(record) - 1))
    rest = (*record[:at], *record[at + 1 :])
    before = dict(zip(ids_of(record), record, strict=True))

    for identity, memory in zip(ids_of(rest), rest, strict=True):
        assert before.get(identity, memory) == memory


def writes(repository: Repository, key: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """What can be done to one memory, by names."""
    new = Memory.of("edited", timestamp="2026-01-01")
    yield "forget", lambda: repository.forget(key)
    yield "move", lambda: repository.move(key, "c.d")
    yield "edit", lambda: repository.edit(key, lambda record: [new])
    yield "edit away", lambda: repository.edit(key, lambda record: [])


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    with Repository.init(tmp_path_factory.mktemp("facets")) as repository:
        yield repository


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(record=RECORDS, data=st.data())
def test_a_write_to_one_memory_leaves_the_others_and_undo_brings_it_back(
    scratch: Repository, record: Record, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(record) - 1))
    store_record(scratch, record)
    before = state(scratch)
    others = [*encoded(record[:at]), *encoded(record[at + 1 :])]
    alone = active_positions(record) == [at]
    for name, act in writes(scratch, f"a.b#{ids_of(record)[at]}"):
        act()
        after, moved = encoded(scratch.get("a.b")), encoded(scratch.get("c.d"))
        if name == "edit":
            assert (after[:at], after[at + 1 :]) == (others[:at], others[at:])
        elif name == "move":
            assert (moved, after) == ((encoded(record), []) if alone else (encoded(record)[at : at + 1], others))
        else:
            assert after == ([] if alone else others), "what the last one superseded does not hold again"
        scratch.undo()
        assert state(scratch) == before


@settings(max_examples=examples(25), deadline=None)
@given(record=RECORDS, data=st.data())
def test_a_pin_marks_one_memory_and_keeps_its_id(scratch: Repository, record: Record, data: st.DataObject) -> None:
    places = [at for at, memory in enumerate(record) if memory.active]
    if not places or len({(memory.content, memory.timestamp) for memory in record}) < len(record):
        return
    at = data.draw(st.sampled_from(places))
    store_record(scratch, record)
    key = f"a.b#{ids_of(record)[at]}"

    scratch.agents.pin(key)

    after = scratch.get("a.b") or ()
    assert (*after[:at], *after[at + 1 :]) == (*record[:at], *record[at + 1 :])
    assert after[at].metadata == {**record[at].metadata, "pinned": True}
    scratch.agents.unpin(key)
    assert scratch.get("a.b") == record


def remember(repository: Repository, *contents: str) -> list[str]:
    for content in contents:
        repository.remember(Memory.of(content), "a.b", policy="append")
    return [f"a.b#{identity}" for identity in ids_of(repository.get("a.b") or ())]


@pytest.mark.slow
def test_any_beginning_that_fits_one_id_is_enough(repository: Repository) -> None:
    keys = remember(repository, *map(str, range(40)))
    short = "a.b#" + keys[0].partition("#")[2][:6].upper()

    assert [memory.content for memory in repository.get(short) or ()] == ["0"]
    assert repository.content(short) == "0"
    assert [each.label for each in repository.forget(short).addresses] == [keys[0]]


@pytest.mark.slow
def test_several_that_fit_are_an_error_with_their_beginnings(repository: Repository) -> None:
    keys = remember(repository, *map(str, range(40)))
    first = next(f"a.b#{digit}" for digit in "0123456789abcdef" if sum(f"#{digit}" in key for key in keys) > 1)
    candidates = [key for key in keys if key.startswith(first)]

    for ask in (repository.get, repository.forget, repository.content, repository.agents.pin):
        with pytest.raises(InvalidInput, match=f"{first} could be any of {len(candidates)} memories") as error:
            ask(first)
        assert error.value.hint and f"#{candidates[0].partition('#')[2]} " in error.value.hint


def test_an_id_that_no_memory_has_is_not_found_and_changes_nothing(repository: Repository) -> None:
    (key,) = remember(repository, "A rather long memory whose first words are enough to know it by.")
    unknown = "a.b#" + ("0" if key.startswith("a.b#1") else "1")
    before = state(repository)

    assert repository.get(unknown) is None
    for act in (
        lambda: repository.forget(key, unknown),
        lambda: repository.agents.pin(unknown),
        lambda: repository.move(unknown, "c.d"),
        lambda: repository.edit(unknown, lambda record: []),
        lambda: repository.restore(unknown, at="HEAD"),
        lambda: repository.content(unknown),
    ):
        with pytest.raises(NotFound, match=f"no memory {unknown}") as error:
            act()
        assert error.value.hint == f'#{key.partition("#")[2]} "A rather long memory whose first words…"'
    assert state(repository) == before


@pytest.mark.parametrize("key", ["a.b#", "a.b#xyz", "a.b#123456789", "a.b#1#2", "#1f"])
def test_what_is_no_id_is_refused(repository: Repository, key: str) -> None:
    remember(repository, "one")

    with pytest.raises(InvalidInput):
        repository.get(key)
    with pytest.raises(InvalidInput):
        repository.forget(key)


def test_the_history_of_one_memory_is_that_of_its_path(repository: Repository) -> None:
    (key,) = remember(repository, "one")
    path = key.partition("#")[0]

    assert repository.blame(key) == repository.blame(path)
    assert [each.id for each in repository.log(key)] == [each.id for each in repository.log(path)]


def test_a_path_to_write_to_has_no_id(repository: Repository) -> None:
    (key,) = remember(repository, "one")

    for act in (
        lambda: repository.remember(Memory.of("two"), key),
        lambda: repository.move("a.b", key),
    ):
        with pytest.raises(InvalidInput, match="names one memory"):
            act()


def test_a_damaged_path_is_still_forgotten_as_a_whole(repository: Repository) -> None:
    write(repository.store, lambda head: Change([(KEY, b"damaged")], "write"), reason="write")

    repository.forget("a.b")

    assert repository.count() == 0


def test_two_of_several_go_in_one_commit(repository: Repository) -> None:
    keys = remember(repository, "one", "two", "three")

    done = repository.forget(keys[0], keys[2])

    assert [memory.content for memory in repository.get("a.b") or ()] == ["two"]
    assert done.commit and done.commit.message == f"forget {keys[0]}, {keys[2]}"


def test_a_superseded_memory_can_be_read_and_not_pinned(repository: Repository) -> None:
    repository.remember(Memory.of("old"), "a.b")
    repository.remember(Memory.of("new"), "a.b", policy="replace")
    old = f"a.b#{ids_of(repository.get('a.b') or ())[0]}"

    assert repository.content(old) == "old"
    with pytest.raises(InvalidInput, match="superseded"):
        repository.agents.pin(old)
    repository.forget(old)
    assert [memory.content for memory in active_facets(repository.get("a.b") or ())] == ["new"]
    assert len(repository.get("a.b") or ()) == 1


def test_a_full_path_of_equal_memories_has_as_many_ids() -> None:
    record = (Memory.of("same", timestamp="2025-01-01"),) * MAX_ACTIVE

    assert len(set(ids_of(record))) == MAX_ACTIVE
