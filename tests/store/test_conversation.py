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
from support import write

from memoir.errors import DamagedStore, GitError
from memoir.store import conversation, odb
from memoir.store.conversation import FoundObject
from memoir.store.oid import Oid
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


@pytest.fixture
def filled(store: Store) -> Store:
    """A store of a hundred values, each its own key many times."""
    write(store, {f"n=k{number}": f"k{number}" * 500 for number in range(100)})
    return store


def _value(store: Store, number: int) -> None:
    key = f"n=k{number}".encode()
    assert store.head().read([key]) == {key: f"k{number}".encode() * 500}


def test_threads_share_a_store(filled: Store) -> None:
    with within(60), ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: _value(filled, number % 100), range(400)))


def test_threads_that_write_and_read_share_a_store(filled: Store) -> None:
    def work(number: int) -> None:
        if number % 10 == 0:
            write(filled, {f"n=new{number}": "x"})
        _value(filled, number)

    with within(60), ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(40)))

    assert len(filled.head().read([f"n=new{number}".encode() for number in range(0, 40, 10)])) == 4


def test_threads_may_close_what_others_read(filled: Store) -> None:
    with within(60), ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: filled.close() if number % 7 == 0 else _value(filled, number), range(70)))


@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeoutError, MemoryError])
@pytest.mark.parametrize("answers", [0, 1, 7])
def test_an_interrupted_read_costs_that_read_alone(filled: Store, error: type[BaseException], answers: int) -> None:
    before = conversation._answer
    rest = iter(range(answers))

    def interrupt(*args: Any) -> FoundObject | None:
        if next(rest, None) is None:
            raise error
        return before(*args)

    ids = [oid for _, oid in filled.head().tree.scan()]
    with patch.object(conversation, "_answer", interrupt), pytest.raises(error):
        filled.reader.read(ids, "blob")
    for number in range(3):
        _value(filled, number)


def test_a_signal_in_the_midst_of_a_read_costs_that_read_alone(filled: Store) -> None:
    ids = [oid for _, oid in filled.head().tree.scan()]
    for tries in range(20):
        try:
            with within(0.001 + 0.0005 * tries):
                while True:
                    filled.reader.read(ids, "blob")
        except TimeoutError:
            pass
        _value(filled, tries)


def test_a_signal_handler_may_read_during_a_read(filled: Store) -> None:
    before = conversation._answer
    nested: list[int] = []

    def interrupt(*args: Any) -> FoundObject | None:
        if not nested:
            nested.append(1)
            filled.close()
            _value(filled, 1)
        return before(*args)

    with within(30), patch.object(conversation, "_answer", interrupt):
        _value(filled, 2)
    _value(filled, 3)


def test_a_process_that_was_killed_is_started_again(filled: Store) -> None:
    for number in range(3):
        process = filled.reader._conversation._process
        if process:
            process.kill()
            process.wait()
        _value(filled, number)


def test_wrong_answers_of_git_are_not_damage(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = filled.git_dir.parent / "bin"
    fake.mkdir()
    (fake / "git").write_text("#!/bin/sh\necho nonsense\nexec cat > /dev/null\n")
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}{os.pathsep}{os.environ['PATH']}")
    filled.close()

    with within(30), pytest.raises(GitError, match="ended in the middle"):
        filled.head()


def test_an_answer_to_another_question_is_noticed(filled: Store) -> None:
    first, second = [oid for _, oid in filled.head().tree.scan()][:2]
    blob = FoundObject(second, "blob", b"x")

    with patch.object(filled.reader._conversation, "ask", return_value=[blob]):
        with pytest.raises(DamagedStore, match=first.hex()):
            filled.reader.read([first], "blob")
        with pytest.raises(DamagedStore, match="main"):
            filled.reader.resolve("main")


def test_an_answer_that_nothing_is_there_must_name_what(filled: Store) -> None:
    import io
    from unittest.mock import Mock

    process = Mock(stdout=io.BytesIO(b"other missing\n"))
    with pytest.raises(conversation._BrokeOffError):
        conversation._answer(process, b"this")


def test_long_output_of_git_does_not_block(filled: Store) -> None:
    """git complains of this object each time, and more than a pipe holds."""
    broken = filled.git_dir / "objects" / "ab" / ("cd" * (filled.id_size - 1))
    broken.parent.mkdir(exist_ok=True)
    broken.write_bytes(b"rubbish")
    with within(60), pytest.raises(DamagedStore):
        filled.reader.read([Oid.fromhex("ab" + broken.name)] * odb._IN_FLIGHT, "blob")
    _value(filled, 1)


def test_a_fork_has_a_process_of_its_own(filled: Store) -> None:
    _value(filled, 1)
    context = multiprocessing.get_context("fork")
    done = threading.Event()

    def read_on() -> None:
        while not done.is_set():
            _value(filled, 2)

    reader = threading.Thread(target=read_on)
    reader.start()
    try:
        children = [context.Process(target=_read_all, args=(filled,)) for _ in range(4)]
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
        filled.close()  # a child that still held the pipe would keep the process from ending


def _read_all(store: Store) -> None:
    signal.alarm(50)
    for number in range(20):
        _value(store, number)
    store.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="permission bits mean nothing to root")
def test_a_pack_without_read_permission_is_not_damage(filled: Store) -> None:
    for pack in (filled.git_dir / "objects" / "pack").glob("*.pack"):
        pack.chmod(0)
    filled.close()

    with pytest.raises(Exception, match="permission denied") as refused:
        filled.head().read([b"n=k1"])
    assert not isinstance(refused.value, DamagedStore)


def test_what_may_not_be_read_is_named(filled: Store) -> None:
    from memoir.store import unreadable

    hidden = str(next((filled.git_dir / "objects" / "pack").glob("*.pack")))
    with patch("os.access", lambda path, mode: path != hidden):
        error = unreadable.read_failure(filled.git_dir, "lost", "hint")
    assert hidden in error.message and not isinstance(error, DamagedStore)
    assert isinstance(unreadable.read_failure(filled.git_dir, "lost", "hint"), DamagedStore)


def test_a_failing_git_config_is_not_damage(filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "git").write_text('#!/bin/sh\necho "fatal: unable to read config: Input/output error" >&2\nexit 128\n')
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}{os.pathsep}{os.environ['PATH']}")

    filled.reload()
    with pytest.raises(GitError, match="Input/output error"):
        _ = filled.config
