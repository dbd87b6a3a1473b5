"""`repository.upkeep`: checking, repairing, packing and indexing through the library; and what is installed."""

from pathlib import Path

import pytest
from support import built_once

import memoir
from memoir import MemoirError, Memory, Repository


@built_once
def full_store(repository: Repository) -> None:
    """A store with one memory."""
    repository.remember(Memory.of("Use pytest"), "preferences.testing")


def test_a_sound_store_has_no_problems(full_store: Repository) -> None:
    counts: list[tuple[int, int | None]] = []

    check = full_store.upkeep.fsck(progress=lambda done, total: counts.append((done, total)))

    assert (check.report.commits, check.report.values, check.report.problems) == (1, 1, [])
    assert (check.branches, check.repair.done, check.repair.losses) == ([], [], [])
    assert counts[-1] == (1, 1)


def test_a_store_without_its_head_is_opened_once_the_file_is_restored(full_store: Repository) -> None:
    (full_store.path / "HEAD").unlink()
    with pytest.raises(MemoirError, match="the file 'HEAD' is missing"):
        Repository.open(full_store.path.parent)

    (done,) = Repository.restore_files(full_store.path.parent)

    assert "branch 'main' is checked out" in done
    with Repository.open(full_store.path.parent) as again:
        assert again.content("preferences.testing") == "Use pytest"


def test_only_with_repair_is_a_lost_index_of_a_pack_rebuilt(full_store: Repository) -> None:
    full_store.upkeep.gc()
    (index,) = (full_store.path / "objects" / "pack").glob("*.idx")
    index.unlink()

    assert full_store.upkeep.fsck().report.problems
    assert not index.exists()
    assert full_store.upkeep.fsck(repair=True).report.problems == []


def test_packing_tells_the_bytes(full_store: Repository) -> None:
    done = full_store.upkeep.gc()

    assert done.bytes_before > 0
    assert done.bytes_after > 0
    assert done.index_bytes == 0


def test_the_index_is_completed_and_described(full_store: Repository) -> None:
    assert full_store.upkeep.index_status().documents is None

    done = full_store.upkeep.index(rebuild=True)

    assert (done.paths, done.documents, done.degraded) == (1, 1, [])
    assert full_store.upkeep.index_status().documents == 1


def test_no_indexing_is_left_to_do_where_no_index_can_be_written(
    full_store: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")

    assert not full_store.upkeep.leave_indexing()


def test_the_versions_are_those_of_what_is_installed() -> None:
    versions = Repository.versions()

    assert versions.memoir == memoir.__version__
    assert versions.git[0].isdecimal()
    assert versions.format == "memoir-format-2"


@pytest.mark.slow
def test_the_weights_of_minilm_can_be_laid_out_before_a_recall(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(tmp_path))
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "minilm")
    with Repository.init(tmp_path / "store") as repository:
        assert repository.awaits_weights()
        done = Repository.install_minilm()
        assert not repository.awaits_weights()
    assert (done.folder / "model.safetensors").stat().st_size == done.size
