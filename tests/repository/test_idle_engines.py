"""A repository that is asked again uses the index that it has opened."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import apsw
import pytest

from memoir import Memory, Repository
from memoir.index import database
from memoir.index.location import index_file
from memoir.recall.answer import RecallAnswer
from memoir.recall.engine import Engine


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The stores whose index was opened since."""
    folders: list[Path] = []
    connect = database.connect

    def note(git_dir: Path, *, second: bool = False) -> apsw.Connection:
        folders.append(git_dir)
        return connect(git_dir, second=second)

    monkeypatch.setattr(database, "connect", note)
    return folders


def paths(repository: Repository, question: str) -> list[str]:
    return [each.path for each in repository.recall(question, strict=True).memories]


def test_questions_one_after_another_open_the_index_once(repository: Repository, openings: list[Path]) -> None:
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    assert paths(repository, "bread") == ["home.bread"]

    repository.remember(Memory.of("The cat sleeps in the barn."), "home.cat")
    assert paths(repository, "Where does the cat sleep?") == ["home.cat"]

    assert len(openings) == 1


def replace_embedder(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")


def delete_index(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    index_file(repository.path).unlink()


def fork(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)


@pytest.mark.parametrize("change", [replace_embedder, delete_index, fork])
def test_an_engine_that_no_longer_fits_is_not_asked_again(
    repository: Repository,
    openings: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Repository, pytest.MonkeyPatch], None],
) -> None:
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    repository.recall("bread")

    change(repository, monkeypatch)

    assert paths(repository, "bread") == ["home.bread"]
    assert len(openings) == 2


def test_an_engine_whose_index_is_replaced_meanwhile_is_not_kept(
    repository: Repository, openings: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    repository.recall("bread")
    recall = Engine.recall

    def recall_and_replace(*args: Any, **options: Any) -> RecallAnswer:
        answer = recall(*args, **options)
        file = index_file(repository.path)
        file.with_suffix(".copy").write_bytes(file.read_bytes())
        file.with_suffix(".copy").replace(file)
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "recall", recall_and_replace)
        repository.recall("bread")
    repository.recall("bread")

    assert len(openings) == 2


def test_an_engine_with_a_degraded_answer_is_not_kept(
    repository: Repository, openings: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    recall = Engine.recall
    with monkeypatch.context() as patch:
        patch.setattr(Engine, "recall", lambda *a, **more: recall(*a, **more)._replace(degraded=("no vectors",)))
        repository.recall("bread")

    repository.recall("bread")

    assert len(openings) == 2


def test_questions_at_the_same_time_have_an_index_each(
    repository: Repository, openings: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    repository.recall("bread")
    barrier, recall = Barrier(2, timeout=20), Engine.recall

    def meet(engine: Engine, *args: object, **more: object) -> object:
        barrier.wait()
        return recall(engine, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "recall", meet)
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda question: paths(repository, question), ["bread", "Sundays"]))

    assert answers == [["home.bread"]] * 2
    assert len(openings) == 2


def test_closing_the_repository_closes_the_index(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    engines: list[Engine] = []
    monkeypatch.setattr(Engine, "close", lambda engine: engines.append(engine))
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    repository.recall("bread")
    assert not engines

    repository.close()

    assert len(engines) == 1


def test_without_a_cache_folder_each_question_is_answered(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.remember(Memory.of("We bake bread on Sundays."), "home.bread")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")

    for _ in range(2):
        answer = repository.recall("bread")
        assert [each.path for each in answer.memories] == ["home.bread"]
        assert "no cache folder" in answer.degraded[0]
