"""The index can be lost, damaged or forbidden at any time: the answers stay the same, and no memory is at risk."""

import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fault_tools import is_root, lines

from memoir import IntelligentSearchEngine, MemoirError, Memory, Repository
from memoir.errors import ReadOnlyStore
from memoir.index.index_status import describe
from memoir.index.location import index_file
from memoir.memory.write_options import WriteOptions

QUERIES = ("memory 17 and memory 170", "What does Ada's zebra eat?", "topic in January 2026")
Answer = list[dict[str, Any]]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some hundred memories that nobody has asked anything yet."""
    folder = tmp_path_factory.mktemp("original")
    os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
    with Repository.init(folder) as repository:
        repository.import_lines(lines(300).splitlines())
        repository.remember(Memory.of("the zebra eats grass", metadata={"person": "Ada"}), "zoo.zebra")
    return folder


@pytest.fixture
def repository(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    """A copy of it."""
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")
    shutil.copytree(original, tmp_path / "copy")
    with Repository.open(tmp_path / "copy") as repository:
        yield repository


def _ask(repository: Repository, reason: str | None = None) -> list[Answer]:
    """What a new engine answers to each question: every candidate with its numbers."""
    engine = IntelligentSearchEngine(repository)
    answers = [engine.search(query, mode="simple").answer for query in QUERIES]
    engine.close()
    for answer in answers[:1]:
        assert bool(answer.degraded) is bool(reason), answer.degraded
        assert not reason or reason in answer.degraded[0]
    return [[c.trace() for c in answer.ranking.candidates] for answer in answers if answer.ranking]


@pytest.fixture(scope="module")
def asked(original: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Answer]]:
    """The index of the store once it has been asked, and the answers."""
    folder = tmp_path_factory.mktemp("asked") / "copy"
    shutil.copytree(original, folder)
    with pytest.MonkeyPatch.context() as patch, Repository.open(folder) as repository:
        patch.setenv("MEMOIR_EMBED_PROVIDER", "hash")
        answers = _ask(repository)
        path = index_file(repository.store.git_dir)
    _settle(path)
    return path, answers


@pytest.fixture
def sound(repository: Repository, asked: tuple[Path, list[Answer]]) -> list[Answer]:
    """The answers of a sound index, which the store then has."""
    shutil.copy(asked[0], index_file(repository.store.git_dir))
    assert describe(repository.store).documents == 301
    return asked[1]


def _garbage(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(50_000))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _first_page_only(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4096])


def _without(table: str) -> Callable[[Path], None]:
    return lambda path: _execute(path, f"DROP TABLE {table}")


def _execute(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as database:
        database.executescript(sql)
    database.close()


def _another_version(path: Path) -> None:
    _execute(path, "PRAGMA user_version = 99; DELETE FROM document; DROP TABLE pending")


def _other_columns(path: Path) -> None:
    _execute(path, "ALTER TABLE document RENAME COLUMN place TO spot")


def _pages(path: Path) -> None:
    """Every fourth page but the first is overwritten."""
    data = bytearray(path.read_bytes())
    for start in range(4096 * 2, len(data) - 4096, 4096 * 4):
        data[start : start + 4096] = b"\x5a" * 4096
    path.write_bytes(data)


def _another_database(path: Path) -> None:
    path.unlink()
    _execute(path, "CREATE TABLE state(x); CREATE TABLE t(y); INSERT INTO t VALUES(1)")


def _no_number(path: Path) -> None:
    _execute(path, "UPDATE state SET value = 'many' WHERE name = 'total'")


def _short_vectors(path: Path) -> None:
    _execute(path, "UPDATE embedding SET value = substr(value, 1, 12)")


def _remove(path: Path) -> None:
    path.unlink()


DAMAGES = {
    "removed": _remove, "garbage": _garbage, "empty": _empty, "cut in half": _halve, "its first page": _first_page_only,
    "another version": _another_version, "other columns": _other_columns, "without documents": _without("document"),
    "without its state": _without("state"), "without people": _without("person"), "overwritten pages": _pages,
    "another database": _another_database, "a total that is not a number": _no_number,
    "vectors cut short": _short_vectors,
}  # fmt: skip


def _settle(path: Path) -> None:
    """Bring everything into the one file."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_index_does_not_stop_its_status_and_is_built_again(
    repository: Repository, sound: list[Answer], damage: Callable[[Path], None]
) -> None:
    path = index_file(repository.store.git_dir)
    damage(path)

    assert describe(repository.store).documents in (None, 0, 301)
    assert _ask(repository) == sound
    assert _ask(repository) == sound
    _settle(path)
    assert path.stat().st_size > 4096


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_garbage_next_to_the_index_is_harmless(repository: Repository, sound: list[Answer], suffix: str) -> None:
    path = index_file(repository.store.git_dir)
    Path(f"{path}{suffix}").write_bytes(random.Random(8).randbytes(40_000))

    assert _ask(repository) == sound


def test_removing_an_index_in_use_is_harmless(repository: Repository) -> None:
    engine = IntelligentSearchEngine(repository)
    before = engine.search(QUERIES[0], mode="simple")
    for path in repository.store.git_dir.glob("memoir-index*.db*"):
        path.unlink()
    repository.remember(Memory.of("another memory 17"), "bulk.more")

    after = engine.search(QUERIES[0], mode="simple", limit=50)

    assert {result.path for result in before} <= {result.path for result in after}
    assert "bulk.more" in {result.path for result in after}
    engine.close()


def test_an_index_damaged_while_in_use_is_rebuilt(repository: Repository, sound: list[Answer]) -> None:
    engine = IntelligentSearchEngine(repository)
    engine.search(QUERIES[0], mode="simple")
    _execute(index_file(repository.store.git_dir), "DROP TABLE document")

    answers = [engine.search(query, mode="simple").answer for query in QUERIES]

    assert [[c.trace() for c in answer.ranking.candidates] for answer in answers if answer.ranking] == sound
    engine.close()


@pytest.mark.parametrize("lie", ["ordinal = ordinal + 7", "path = path || '_no'", "namespace = 'nobody'"])
def test_an_index_that_names_missing_memories_does_not_crash(
    repository: Repository, sound: list[Answer], lie: str
) -> None:
    """As one made by somebody else may; it is built again, or named."""
    path = index_file(repository.store.git_dir)
    _execute(path, f"UPDATE document SET {lie}")

    with suppress(MemoirError):
        assert _ask(repository) == sound


def test_nothing_in_an_index_is_trusted_to_run(repository: Repository, sound: list[Answer]) -> None:
    """A project's index may have come with it: a view or a trigger of a stranger has no effect outside."""
    path = index_file(repository.store.git_dir)
    _execute(path, "CREATE TRIGGER t AFTER UPDATE ON state BEGIN SELECT load_extension('/tmp/evil'); END")
    repository.remember(Memory.of("one more"), "zoo.more")
    repository.forget("zoo.more")

    assert _ask(repository) == sound


def test_a_root_that_the_store_no_longer_has_is_forgotten(repository: Repository, sound: list[Answer]) -> None:
    """As after `memoir gc` has dropped a branch's commits: the index begins anew."""
    _execute(index_file(repository.store.git_dir), "UPDATE state SET value = x'" + "12" * 20 + "' WHERE name = 'root'")

    assert _ask(repository) == sound


def test_a_branch_collected_as_garbage_leaves_no_trace(repository: Repository, sound: list[Answer]) -> None:
    git = ["git", f"--git-dir={repository.store.git_dir}"]
    subprocess.run([*git, "branch", "side"], check=True)
    repository.remember(Memory.of("zebra of the side"), "zoo.side", options=WriteOptions(branch="side"))
    IntelligentSearchEngine(repository).search("zebra", mode="simple", at_commit="side")
    subprocess.run([*git, "branch", "-D", "-q", "side"], check=True)
    subprocess.run([*git, "reflog", "expire", "--expire=all", "--all"], check=True)
    subprocess.run([*git, "gc", "-q", "--prune=now"], check=True)

    with Repository.open(repository.store.git_dir.parent) as fresh:
        assert _ask(fresh) == sound


def test_an_index_that_cannot_be_a_file_is_built_in_memory(repository: Repository, sound: list[Answer]) -> None:
    path = index_file(repository.store.git_dir)
    path.unlink()
    path.mkdir()

    assert _ask(repository, "the index cannot be written") == sound
    assert list(path.iterdir()) == []
    with pytest.raises(ReadOnlyStore, match="the index cannot be written"):  # who asks for the index wants it to stay
        repository.upkeep.index()


def test_every_answer_from_an_index_in_memory_says_so(repository: Repository) -> None:
    """Not the first alone: an engine lives long in a server or a batch."""
    (index_file(repository.store.git_dir)).mkdir()
    engine = IntelligentSearchEngine(repository)

    for _ in range(2):
        assert "cannot be written" in "".join(engine.search("zebra", mode="simple").answer.degraded)


@pytest.mark.parametrize("built", [True, False], ids=["with an index", "without one"])
def test_a_read_only_store_answers_all_the_same(repository: Repository, built: bool) -> None:
    if not is_root():
        pytest.skip("only root can mount a file system to write-protect")
    if built:
        _ask(repository)
    folder = str(repository.store.git_dir.parent)
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode:
        pytest.skip("cannot mount here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        with Repository.open(folder) as read_only:
            engine = IntelligentSearchEngine(read_only)
            answer = engine.search("Ada's zebra", mode="simple").answer
            engine.close()
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)

    assert answer.memories[0].path == "zoo.zebra"
    assert built or "the index cannot be written" in answer.degraded[0]


def test_a_store_without_write_permission_answers_from_memory(repository: Repository) -> None:
    if is_root():
        pytest.skip("root may write whatever the permission bits say")
    places = [repository.store.git_dir, *repository.store.git_dir.rglob("*")]
    modes = {place: place.stat().st_mode for place in places}
    for place, mode in modes.items():
        place.chmod(mode & ~0o222)

    try:
        answers = _ask(repository, "the index cannot be written")
    finally:
        for place, mode in modes.items():
            place.chmod(mode)

    assert answers == _ask(repository)


def test_a_damaged_store_is_not_a_damaged_index(repository: Repository) -> None:
    """The error is the store's, and the index is not thrown away for it."""
    from memoir.errors import DamagedStore

    _ask(repository)
    for pack in repository.store.git_dir.glob("objects/pack/*"):
        pack.unlink()

    with Repository.open(repository.store.git_dir.parent) as fresh, pytest.raises(DamagedStore):
        _ask(fresh)
    assert (index_file(repository.store.git_dir)).exists()
