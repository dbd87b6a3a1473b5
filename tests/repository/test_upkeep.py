"""`repository.upkeep`: checking, repairing, packing and indexing through the library."""

import pytest

from memoir import MemoirError, Memory, Repository


@pytest.fixture
def filled(repository: Repository) -> Repository:
    """A store with one memory."""
    repository.remember(Memory.of("Use pytest"), "preferences.testing")
    return repository


def test_a_sound_store_has_no_problems(filled: Repository) -> None:
    told: list[tuple[int, int | None]] = []

    found = filled.upkeep.fsck(progress=lambda done, total: told.append((done, total)))

    assert (found.report.commits, found.report.values, found.report.problems) == (1, 1, [])
    assert (found.branches, found.repair.done, found.repair.losses) == ([], [], [])
    assert told[-1] == (1, 1)


def test_a_store_without_its_head_is_opened_once_the_file_is_restored(filled: Repository) -> None:
    (filled.path / "HEAD").unlink()
    with pytest.raises(MemoirError, match="the file 'HEAD' is missing"):
        Repository.open(filled.path.parent)

    (done,) = Repository.restore_files(filled.path.parent)

    assert "branch 'main' is checked out" in done
    with Repository.open(filled.path.parent) as again:
        assert again.content("preferences.testing") == "Use pytest"


def test_only_with_repair_is_a_lost_index_of_a_pack_rebuilt(filled: Repository) -> None:
    filled.upkeep.gc()
    (index,) = (filled.path / "objects" / "pack").glob("*.idx")
    index.unlink()

    assert filled.upkeep.fsck().report.problems
    assert not index.exists()
    assert filled.upkeep.fsck(repair=True).report.problems == []


def test_packing_tells_the_bytes(filled: Repository) -> None:
    done = filled.upkeep.gc()

    assert done.bytes_before > 0
    assert done.bytes_after > 0
    assert done.index_bytes == 0


def test_the_index_is_completed_and_described(filled: Repository) -> None:
    assert filled.upkeep.index_status().documents is None

    done = filled.upkeep.index(rebuild=True)

    assert (done.paths, done.documents, done.degraded) == (1, 1, [])
    assert filled.upkeep.index_status().documents == 1
