"""Undo and redo on real reflogs: what a power cut or a kill left of one, and how far back undo reaches."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import built_once, contents, write

from memoir.errors import DamagedStore, MemoirError, NotFound
from memoir.store.branch_choice import Selection
from memoir.store.rewind import entries, redo, undo
from memoir.store.store import Store


@built_once
def five_writes(store: Store) -> None:
    """Five writes, `default=k0` to `default=k4`."""
    for number in range(5):
        write(store, {f"default=k{number}": "v"}, f"write {number}")


def log(store: Store) -> Path:
    return store.git_dir / "logs/refs/heads/main"


def drop_last_line(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def zero_last_line(data: bytes) -> bytes:
    head = drop_last_line(data)
    return head + bytes(len(data) - len(head))


def zero_half_of_last_line(data: bytes) -> bytes:
    head = drop_last_line(data)
    rest = data[len(head) :]
    return head + rest[: len(rest) // 2] + bytes(len(rest) - len(rest) // 2)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "the last line is gone": drop_last_line,
    "two lines are gone": lambda data: drop_last_line(drop_last_line(data)),
    "the last line is zeroed": zero_last_line,
    "half of it is zeroed": zero_half_of_last_line,
    "the log is cut in half": lambda data: data[: len(data) // 2],
    "the log is garbage": lambda data: b"garbage\n" * 3,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_log_is_named_and_nothing_is_undone(five_writes: Store, damage: Callable[[bytes], bytes]) -> None:
    log(five_writes).write_bytes(damage(log(five_writes).read_bytes()))
    before = contents(five_writes)

    for step in (undo, redo, lambda store: list(entries(store))):
        with pytest.raises(DamagedStore):
            step(five_writes)
    assert contents(five_writes) == before


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_only_writes_after_the_damage_can_be_undone(five_writes: Store, damage: Callable[[bytes], bytes]) -> None:
    remains = damage(log(five_writes).read_bytes())
    log(five_writes).write_bytes(remains)
    before = contents(five_writes)
    write(five_writes, {"default=after": "v"})

    if remains.endswith(b"\n"):  # else the new line was appended to half a line, or to zeros
        assert undo(five_writes).reason == "write"
    with pytest.raises(DamagedStore):
        undo(five_writes)
    assert before.items() <= contents(five_writes).items()


def test_a_move_that_was_noted_and_never_took_place_is_passed_over(five_writes: Store) -> None:
    """git appends to the log before it moves the ref; a kill in between leaves the line alone."""
    tip = five_writes.head().commit
    assert tip
    with log(five_writes).open("a") as file:
        file.write(f"{tip.id} {'1' * 40} Tess <t@example.org> 1 +0000\twrite that was killed\n")

    assert undo(five_writes).reason == "write 4"
    assert redo(five_writes).new == tip.id
    assert "default=k4" in contents(five_writes)


def test_a_killed_first_write_is_not_damage(store: Store) -> None:
    first = write(store, {"default=a": "1"}).id
    ref = store.git_dir / "refs/heads/main"
    ref.rename(ref.with_name("main.lock"))

    assert contents(store) == {}
    ref.with_name("main.lock").unlink()
    with pytest.raises(DamagedStore, match=str(first)):
        store.head()


def test_many_steps_can_be_undone_and_redone_at_once(five_writes: Store) -> None:
    assert undo(five_writes, steps=3).reason == "write 2"
    assert list(contents(five_writes)) == ["default=k0", "default=k1"]
    assert undo(five_writes).reason == "write 1"
    redo(five_writes)
    redo(five_writes)
    assert len(contents(five_writes)) == 5
    with pytest.raises(NotFound, match="only 5 changes"):
        undo(five_writes, steps=6)
    undo(five_writes, steps=5)
    assert contents(five_writes) == {}


def test_the_list_says_where_each_number_leads(five_writes: Store) -> None:
    undo(five_writes)
    write(five_writes, {"default=k9": "v"}, "write 9")
    rows = list(entries(five_writes))

    assert [entry.reason for entry in rows] == ["write 9", "write 3", "write 2", "write 1", "write 0", ""]
    assert [entry.number for entry in rows] == [0, 1, 2, 3, 4, 5]
    assert rows[-1].commit is None
    assert undo(five_writes, steps=3).new == rows[3].commit
    assert [entry.reason for entry in entries(five_writes)] == ["write 1", "write 0", ""]


def test_the_log_of_a_new_branch_ends_where_it_was_created(five_writes: Store) -> None:
    tip = five_writes.head().commit
    assert tip
    five_writes.refs.create("branch", "side", tip.id)
    write(five_writes, {"default=s": "v"}, "on side", branch="side")

    with Store(five_writes.git_dir, Selection("side")) as side:
        assert [entry.commit for entry in entries(side)][1:] == [tip.id]
    with pytest.raises(MemoirError, match="nothing to undo"):
        undo(five_writes, branch="side", steps=2)
