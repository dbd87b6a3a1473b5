"""An index belongs to one store at one place: no command uses the index of another."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from index.indexing import hash_embedder

from memoir import IntelligentSearchEngine, Memory, Repository
from memoir.index.index_status import complete
from memoir.index.location import index_file, remove_others

WORDS = {"one": "lion", "two": "tiger"}
Stamps = dict[str, tuple[int, int, int]]


@pytest.fixture
def copies(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Repository]]:
    """An indexed store, copied with its index to two other folders, and something written to each copy."""
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")
    repository.remember(Memory.of("zebra"), "a.zebra")
    complete(repository.store, hash_embedder(), lambda done, total: None)
    git_dir = repository.store.git_dir
    repository.close()
    with ExitStack() as stack:
        repositories = {}
        for name, word in WORDS.items():
            shutil.copytree(git_dir, tmp_path / name / ".memoir")
            repositories[name] = stack.enter_context(Repository.open(tmp_path / name))
            repositories[name].remember(Memory.of(word), f"a.{word}")
        yield repositories


def _stamps(repository: Repository) -> Stamps:
    """The times and sizes of all files in a store's folder, which show whether any was changed."""
    about = {path.name: path.stat() for path in repository.store.git_dir.glob("memoir-*")}
    return {name: (stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in about.items()}


def _find(repository: Repository) -> set[str]:
    engine = IntelligentSearchEngine(repository)
    try:
        return {result.path for result in engine.search("zebra lion tiger", mode="simple")}
    finally:
        engine.close()


def test_two_copies_of_a_store_have_separate_indexes(copies: dict[str, Repository]) -> None:
    for _ in range(2):
        for name, repository in copies.items():
            (other,) = (copies[other] for other in WORDS if other != name)
            before = _stamps(other)

            assert complete(repository.store, hash_embedder(), lambda done, total: None).paths == 2
            assert _find(repository) == {"a.zebra", f"a.{WORDS[name]}"}
            assert _stamps(other) == before


def test_a_store_moved_over_another_does_not_use_its_index(copies: dict[str, Repository], tmp_path: Path) -> None:
    """With an index in the folder that moves, or in the place that it moves to."""
    assert _find(copies["one"]) == {"a.zebra", "a.lion"}
    first, second = (copies[name].store.git_dir for name in WORDS)
    own = index_file(first)
    for repository in copies.values():
        repository.close()
    shutil.copy(own, second / own.name)
    shutil.rmtree(first)
    os.rename(second, first)

    with Repository.open(tmp_path / "one") as there:
        assert index_file(there.store.git_dir) == own
        assert _find(there) == {"a.zebra", "a.tiger"}


def _moved(store: Repository, tmp_path: Path) -> Repository:
    """An indexed store after its folder was moved, with nothing indexed at the new place yet."""
    complete(store.store, hash_embedder(), lambda done, total: None)
    old = store.store.git_dir
    store.close()
    (tmp_path / "moved").mkdir()
    os.rename(old, tmp_path / "moved" / ".memoir")
    return Repository.open(tmp_path / "moved")


def _others(store: Repository) -> list[Path]:
    git_dir = store.store.git_dir
    return [path for path in git_dir.glob("memoir-index*.db*") if not path.name.startswith(index_file(git_dir).stem)]


def _age(files: list[Path], days: float) -> None:
    for path in files:
        os.utime(path, (time.time() - days * 86400,) * 2)


@pytest.mark.parametrize("how", ["the next update", "gc"])
def test_what_was_indexed_where_a_store_no_longer_is_goes_after_two_weeks(
    repository: Repository, tmp_path: Path, how: str
) -> None:
    repository.remember(Memory.of("zebra"), "a.zebra")
    with _moved(repository, tmp_path) as moved:
        complete(moved.store, hash_embedder(), lambda done, total: None)
        assert len(_others(moved)) > 1, "it may be of another user, who still asks"
        _age(_others(moved), 15)

        if how == "gc":
            moved.upkeep.gc()
        else:
            moved.remember(Memory.of("lion"), "a.lion")
            complete(moved.store, hash_embedder(), lambda done, total: None)

        assert _others(moved) == []
        assert _find(moved) >= {"a.zebra"}


def test_an_index_of_another_user_stays_whole_while_its_log_is_written(repository: Repository, tmp_path: Path) -> None:
    repository.remember(Memory.of("zebra"), "a.zebra")
    with _moved(repository, tmp_path) as moved:
        there = _others(moved)
        _age([path for path in there if not path.name.endswith("-wal")], 15)

        complete(moved.store, hash_embedder(), lambda done, total: None)

        assert _others(moved) == there


def test_of_many_indexes_the_oldest_go_sooner_but_none_of_the_last_hour(repository: Repository) -> None:
    """Each new container that mounts a store indexes it under a name of its own."""
    git_dir = repository.store.git_dir
    recent, old = (
        [git_dir / f"memoir-index-{kind}{number:011x}.db" for number in range(count)]
        for kind, count in (("a", 10), ("b", 5))
    )
    for files, days in ((recent, 0.01), (old, 0.1)):
        for file in files:
            file.touch()
        _age(files, days)

    remove_others(git_dir)
    assert sorted(_others(repository)) == recent

    _age(recent, 0.1)
    remove_others(git_dir)
    assert len(_others(repository)) == 8
