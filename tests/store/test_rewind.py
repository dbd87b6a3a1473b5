"""Undo and redo on real reflogs: what a power cut or a kill left of one, and how far back undo reaches."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import contents, write

from memoir.errors import DamagedStore, MemoirError, NotFound
from memoir.store.rewind import entries, redo, undo
from memoir.store.store import Store


@pytest.fixture
def written(store: Store) -> Store:
    """Five writes, `default=k0` to `default=k4`."""
    for number in range(5):
        write(store, {f"default=k{number}": "v"}, f"write {number}")
    return store


def log(store: Store) -> Path:
    return store.git_dir / "logs/refs/heads/main"


def drop_last_line(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def zero_last_line(data: bytes) -> bytes:
    kept = drop_last_line(data)
    return kept + bytes(len(data) - len(kept))


def zero_half_of_last_line(data: bytes) -> bytes:
    kept = drop_last_line(data)
    rest = data[len(kept) :]
    return kept + rest[: len(rest) // 2] + bytes(len(rest) - len(rest) // 2)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "the last line is gone": drop_last_line,
    "two lines are gone": lambda data: drop_last_line(drop_last_line(data)),
    "the last line is zeroed": zero_last_line,
    "half of it is zeroed": zero_half_of_last_line,
    "the log is cut in half": lambda data: data[: len(data) // 2],
    "the log is garbage": lambda data: b"garbage\n" * 3,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_log_is_named_and_nothing_is_undone(written: Store, damage: Callable[[bytes], bytes]) -> None:
    log(written).write_bytes(damage(log(written).read_bytes()))
    before = contents(written)

    for step in (undo, redo, lambda store: list(entries(store))):
        with pytest.raises(DamagedStore):
            step(written)
    assert contents(written) == before


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_only_writes_after_the_damage_can_be_undone(written: Store, damage: Callable[[bytes], bytes]) -> None:
    left = damage(log(written).read_bytes())
    log(written).write_bytes(left)
    before = contents(written)
    write(written, {"default=after": "v"})

    if left.endswith(b"\n"):  # else the new line was appended to half a line, or to zeros
        assert undo(written).reason == "write"
    with pytest.raises(DamagedStore):
        undo(written)
    assert before.items() <= contents(written).items()


def test_a_move_that_was_noted_and_never_took_place_is_passed_over(written: Store) -> None:
    """git appends to the log before it moves the ref; a kill in between leaves the line alone."""
    tip = written.head().commit
    assert tip
    with log(written).open("a") as file:
        file.write(f"{tip.id} {'1' * 40} Tess <t@example.org> 1 +0000\twrite that was killed\n")

    assert undo(written).reason == "write 4"
    assert redo(written).new == tip.id
    assert "default=k4" in contents(written)


def test_a_killed_first_write_is_not_damage(store: Store) -> None:
    first = write(store, {"default=a": "1"}).id
    ref = store.git_dir / "refs/heads/main"
    ref.rename(ref.with_name("main.lock"))

    assert contents(store) == {}
    ref.with_name("main.lock").unlink()
    with pytest.raises(DamagedStore, match=str(first)):
        store.head()


def test_many_steps_can_be_undone_and_redone_at_once(written: Store) -> None:
    assert undo(written, steps=3).reason == "write 2"
    assert list(contents(written)) == ["default=k0", "default=k1"]
    assert undo(written).reason == "write 1"
    redo(written)
    redo(written)
    assert len(contents(written)) == 5
    with pytest.raises(NotFound, match="only 5 changes"):
        undo(written, steps=6)
    undo(written, steps=5)
    assert contents(written) == {}


def test_the_list_says_where_each_number_leads(written: Store) -> None:
    undo(written)
    write(written, {"default=k9": "v"}, "write 9")
    listed = list(entries(written))

    assert [entry.reason for entry in listed] == ["write 9", "write 3", "write 2", "write 1", "write 0", ""]
    assert [entry.number for entry in listed] == [0, 1, 2, 3, 4, 5]
    assert listed[-1].commit is None
    assert undo(written, steps=3).new == listed[3].commit
    assert [entry.reason for entry in entries(written)] == ["write 1", "write 0", ""]


def test_the_log_of_a_new_branch_ends_where_it_was_created(written: Store) -> None:
    tip = written.head().commit
    assert tip
    written.refs.create("branch", "side", tip.id)
    write(written, {"default=s": "v"}, "on side", branch="side")

    assert [entry.commit for entry in entries(written, branch="side")][1:] == [tip.id]
    with pytest.raises(MemoirError, match="nothing to undo"):
        undo(written, branch="side", steps=2)
