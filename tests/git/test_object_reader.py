"""The one process that answers all reads: shared by threads, left behind by a fork, never asked again once broken."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import pytest
from support import built_once, write

from memoir.errors import DamagedStore, GitError
from memoir.git import object_reader
from memoir.git.object_reader import FoundObject, ObjectReader
from memoir.git.objects import Oid
from memoir.store.store import Store


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail, with an exception in the main thread, if something takes longer."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"not done within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # again, because Python drops what is raised in a finalizer
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@built_once
def full_store(store: Store) -> None:
    """A store of a hundred values, each its own key many times."""
    write(store, {f"n=k{number}": f"k{number}" * 500 for number in range(100)})


def _value(store: Store, number: int) -> None:
    key = f"n=k{number}".encode()
    assert store.head().read([key]) == {key: f"k{number}".encode() * 500}


def test_threads_share_a_store(full_store: Store) -> None:
    with within(60), ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: _value(full_store, number % 100), range(400)))


def test_threads_that_write_and_read_share_a_store(full_store: Store) -> None:
    def work(number: int) -> None:
        if number % 10 == 0:
            write(full_store, {f"n=new{number}": "x"})
        _value(full_store, number)

    with within(60), ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(40)))

    assert len(full_store.head().read([f"n=new{number}".encode() for number in range(0, 40, 10)])) == 4


def test_threads_may_close_what_others_read(full_store: Store) -> None:
    with within(60), ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: full_store.close() if number % 7 == 0 else _value(full_store, number), range(70)))


@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeoutError, MemoryError])
@pytest.mark.parametrize("answers", [0, 1, 7])
def test_an_interrupted_read_costs_that_read_alone(full_store: Store, error: type[BaseException], answers: int) -> None:
    before = object_reader._read_answer
    rest = iter(range(answers))

    def interrupt(*args: Any) -> FoundObject | None:
        if next(rest, None) is None:
            raise error
        return before(*args)

    ids = [oid for _, oid in full_store.head().tree.scan()]
    with patch.object(object_reader, "_read_answer", interrupt), pytest.raises(error):
        full_store.reader.read(ids, "blob")
    for number in range(3):
        _value(full_store, number)


def test_a_signal_in_the_midst_of_a_read_costs_that_read_alone(full_store: Store) -> None:
    ids = [oid for _, oid in full_store.head().tree.scan()]
    for tries in range(20):
        try:
            with within(0.001 + 0.0005 * tries):
                while True:
                    full_store.reader.read(ids, "blob")
        except TimeoutError:
            pass
        _value(full_store, tries)


def test_a_signal_handler_may_read_during_a_read(full_store: Store) -> None:
    before = object_reader._read_answer
    calls: list[int] = []

    def interrupt(*args: Any) -> FoundObject | None:
        if not calls:
            calls.append(1)
            full_store.close()
            _value(full_store, 1)
        return before(*args)

    with within(30), patch.object(object_reader, "_read_answer", interrupt):
        _value(full_store, 2)
    _value(full_store, 3)


def test_a_process_that_was_killed_is_started_again(full_store: Store) -> None:
    for number in range(3):
        process = full_store.reader._conversation._process
        if process:
            process.kill()
            process.wait()
        _value(full_store, number)


def test_while_it_keeps_what_it_reads_nothing_is_asked_twice(
    full_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = full_store.head().commit
    assert commit
    reader = ObjectReader(full_store.git)
    with reader.keeping():
        before = reader.read([commit.id], "commit"), reader.read([commit.tree], "tree")
        monkeypatch.setattr(reader._conversation, "ask", lambda questions: [None for _ in questions])
        assert (reader.read([commit.id], "commit"), reader.read([commit.tree] * 2, "tree")) == (
            before[0],
            before[1] * 2,
        )
        found = reader.resolve(str(commit.id))
        assert found and (found.oid, found.data) == (commit.id, before[0][0])
    with pytest.raises(DamagedStore, match="missing"):
        reader.read([commit.id], "commit")
    reader.close()


def test_wrong_answers_of_git_are_not_damage(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = full_store.git_dir.parent / "bin"
    fake.mkdir()
    (fake / "git").write_text("#!/bin/sh\necho nonsense\nexec cat > /dev/null\n")
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}{os.pathsep}{os.environ['PATH']}")
    full_store.close()

    with within(30), pytest.raises(GitError, match="ended in the middle"):
        full_store.head()


def test_an_answer_to_another_question_is_noticed(full_store: Store) -> None:
    first, second = [oid for _, oid in full_store.head().tree.scan()][:2]
    blob = FoundObject(second, "blob", b"x")

    with patch.object(full_store.reader._conversation, "ask", return_value=[blob]):
        with pytest.raises(DamagedStore, match=first.hex()):
            full_store.reader.read([first], "blob")
        with pytest.raises(DamagedStore, match="main"):
            full_store.reader.resolve("main")


def test_an_answer_that_nothing_is_there_must_name_what(full_store: Store) -> None:
    import io
    from unittest.mock import Mock

    process = Mock(stdout=io.BytesIO(b"other missing\n"))
    with pytest.raises(object_reader._BrokeOffError):
        object_reader._read_answer(process, b"this")


def test_long_output_of_git_does_not_block(full_store: Store) -> None:
    """git complains of this object each time, and more than a pipe holds."""
    file = full_store.git_dir / "objects" / "ab" / ("cd" * (full_store.id_size - 1))
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"rubbish")
    with within(60), pytest.raises(DamagedStore):
        full_store.reader.read([Oid.fromhex("ab" + file.name)] * object_reader._IN_FLIGHT, "blob")
    _value(full_store, 1)


def test_a_fork_has_a_process_of_its_own(full_store: Store) -> None:
    _value(full_store, 1)
    context = multiprocessing.get_context("fork")
    done = threading.Event()

    def read_on() -> None:
        while not done.is_set():
            _value(full_store, 2)

    reader = threading.Thread(target=read_on)
    reader.start()
    try:
        children = [context.Process(target=_read_all, args=(full_store,)) for _ in range(4)]
        for child in children:
            child.start()
        for child in children:
            child.join(60)
        ends = [child.exitcode for child in children]
        for child in children:
            child.kill()
    finally:
        done.set()
        reader.join(60)
    assert ends == [0] * 4 and not reader.is_alive()
    with within(20):
        full_store.close()  # a child that still held the pipe would keep the process from ending


def _read_all(store: Store) -> None:
    signal.alarm(50)
    for number in range(20):
        _value(store, number)
    store.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="permission bits mean nothing to root")
def test_a_pack_without_read_permission_is_not_damage(full_store: Store) -> None:
    for pack in (full_store.git_dir / "objects" / "pack").glob("*.pack"):
        pack.chmod(0)
    full_store.close()

    with pytest.raises(Exception, match="permission denied") as error:
        full_store.head().read([b"n=k1"])
    assert not isinstance(error.value, DamagedStore)


def test_what_may_not_be_read_is_named(full_store: Store) -> None:
    from memoir.git.messages import read_failure

    pack = str(next((full_store.git_dir / "objects" / "pack").glob("*.pack")))
    with patch("os.access", lambda path, mode: path != pack):
        error = read_failure(full_store.git_dir, "lost", "hint")
    assert pack in error.message and not isinstance(error, DamagedStore)
    assert isinstance(read_failure(full_store.git_dir, "lost", "hint"), DamagedStore)


def test_a_failing_git_config_is_not_damage(full_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "git").write_text('#!/bin/sh\necho "fatal: unable to read config: Input/output error" >&2\nexit 128\n')
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}{os.pathsep}{os.environ['PATH']}")

    full_store.reload()
    with pytest.raises(GitError, match="Input/output error"):
        _ = full_store.config
