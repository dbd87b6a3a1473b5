"""What `Repository` tells of the machine, and puts there, without a store."""

from pathlib import Path

import pytest

import memoir
from memoir import Repository


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
