"""Many writers and readers at once: every memory is there, each in a commit of its own, and no reader fails."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event

import pytest
from fault_tools import assert_sound, at_once, status
from support import Memoir

_MANY_WRITERS = pytest.mark.parametrize(("writers", "each"), [(8, 4), pytest.param(16, 40, marks=pytest.mark.soak)])


@pytest.mark.parametrize(("writers", "each"), [(8, 4), pytest.param(8, 50, marks=pytest.mark.soak)])
def test_writers_of_different_paths_lose_nothing(memoir: Memoir, writers: int, each: int) -> None:
    def write(writer: int) -> None:
        for number in range(each):
            memoir.remember(f"writer{writer}.n{number}", f"memory {number} of {writer}")

    at_once(writers, write)

    assert status(memoir) == (writers * each, writers * each)
    for writer in range(writers):
        assert memoir.content(f"writer{writer}.n{each - 1}") == f"memory {each - 1} of {writer}"
    assert_sound(memoir)


@_MANY_WRITERS
def test_appends_to_one_path_are_all_there(memoir: Memoir, writers: int, each: int) -> None:
    def append(writer: int) -> None:
        for number in range(each):
            memoir.remember("diary.today", f"{writer}/{number}", "--merge-policy", "append")

    at_once(writers, append)

    value = memoir.json("get", "diary.today")["items"][0]["value"]
    assert {facet["content"] for facet in value["memories"]} == {
        f"{writer}/{number}" for writer in range(writers) for number in range(each)
    }
    assert value["count"] == writers * each
    assert status(memoir) == (1, writers * each)
    assert_sound(memoir)


def test_a_replaced_memory_is_replaced_once_by_each_writer(memoir: Memoir) -> None:
    at_once(8, lambda writer: memoir.remember("context.now", f"by {writer}", "--merge-policy", "replace"))

    entries = memoir.json("blame", "context.now")["entries"]
    assert {entry["content"] for entry in entries} == {f"by {writer}" for writer in range(8)}
    assert len(entries) == 8


def test_only_one_of_many_writers_takes_a_free_path(memoir: Memoir) -> None:
    def claim(writer: int) -> int:
        return memoir.run("remember", f"by {writer}", "-p", "lock.owner", "--merge-policy", "reject").status

    assert sorted(at_once(8, claim)) == [0] + [5] * 7
    assert status(memoir) == (1, 1)


def test_writers_on_different_branches_do_not_mix(memoir: Memoir) -> None:
    memoir.remember("common", "to all")
    branches = [f"b{number}" for number in range(4)]
    for branch in branches:
        memoir.ok("branch", branch)

    def write(writer: int) -> None:
        for number in range(4):
            memoir.remember(f"writer{writer}.n{number}", "x", "--branch", branches[writer % 4])

    at_once(8, write)

    assert status(memoir) == (1, 1)
    for position, branch in enumerate(branches):
        keys = [item["key"] for item in memoir.json("ls", "--at", branch)["keys"]]
        assert keys == ["common", *(f"writer{w}.n{n}" for w in (position, position + 4) for n in range(4))]
        assert len(memoir.json("log", "--at", branch)["commits"]) == 9
    assert_sound(memoir)


@pytest.mark.parametrize(("writers", "each"), [(2, 10), pytest.param(8, 100, marks=pytest.mark.soak)])
def test_readers_never_fail_during_writes_and_repacks(memoir: Memoir, writers: int, each: int) -> None:
    """The store repacks itself at every sixth pack, so that packs vanish under the readers' hands."""
    memoir.ok("config", "memoir.repackAt", "5")
    memoir.remember("fixed.point", "always here")
    stop = Event()

    def write(writer: int) -> None:
        for number in range(each):
            memoir.remember(f"writer{writer}.n{number}", "x" * 1000)

    def read(command: str) -> bool:
        text = memoir.ok(*command.split())
        while not stop.is_set():
            text = memoir.ok(*command.split())
        return "fixed.point" in text

    reads = ("get fixed.point", "export", "blame fixed.point", "log", "grep always", "ls")
    with ThreadPoolExecutor(len(reads)) as pool:
        readers = [pool.submit(read, command) for command in reads]
        try:
            at_once(writers, write)
        finally:
            stop.set()
        answers = {command: reader.result() for command, reader in zip(reads, readers, strict=True)}
    assert answers == {command: not command.startswith("blame") for command in reads}
    assert status(memoir) == (1 + writers * each, 1 + writers * each)
    assert len(list(memoir.git_dir.glob("objects/pack/*.pack"))) < writers * each  # it did repack
    assert_sound(memoir)


def test_a_slow_reader_sees_one_snapshot(memoir: Memoir) -> None:
    """Two memories that every commit changes together are never seen apart."""
    stop = Event()
    memoir.remember("pair.left", "0", "-p", "pair.right", "--merge-policy", "replace")

    def write() -> None:
        for number in count(1):
            if stop.is_set():
                return
            memoir.remember("pair.left", str(number), "-p", "pair.right", "--merge-policy", "replace")

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(write)
        answers = [memoir.json("get", "pair.left", "pair.right")["items"] for _ in range(20)]
        stop.set()
        writer.result()
    pairs = [(one["value"]["content"], other["value"]["content"]) for one, other in answers]
    assert all(one == other for one, other in pairs)
    assert len(set(pairs)) > 1
