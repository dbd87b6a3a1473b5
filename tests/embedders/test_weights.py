"""The weights of minilm: laid out whole and once, or not at all."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import NoReturn

import pytest

from memoir.embedders import minilm, weights
from memoir.embedders.embedder import MINILM_DIMENSION
from memoir.embedders.minilm import MiniLm
from memoir.errors import EmbedderUnavailable, ReadOnlyStore


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the weights go, in a cache that does not exist yet."""
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(tmp_path / "cache"))
    return minilm.folder()


@pytest.fixture
def filled(folder: Path, laid_out: Path) -> Path:
    """The same, when the weights are there."""
    shutil.copytree(laid_out, os.environ["PROLLYTREE_EMBEDDER_CACHE"], copy_function=shutil.copy)
    assert weights.are_laid_out(folder)
    return folder


def _damage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "minilm.bin").write_bytes(data)
    monkeypatch.setattr(weights, "FILE", tmp_path / "minilm.bin")


def test_of_several_at_once_one_lays_them_out_as_prollytree_reads_them(folder: Path) -> None:
    """And replaces what a killed process left."""
    assert weights.obstacle(folder) is None and not weights.are_laid_out(folder)
    (folder.parent / f".{folder.name}-abc").mkdir(parents=True)
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"half of it")
    seen: list[tuple[int, int]] = []
    threads = [
        threading.Thread(target=weights.lay_out, args=(folder, lambda done, total: seen.append((done, total))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert weights.are_laid_out(folder)
    assert seen.count((weights.SIZE, weights.SIZE)) == 1 and seen[-1] == (weights.SIZE, weights.SIZE)
    assert {file.name for file in folder.parent.iterdir()} == {folder.name, f"{folder.name}.lock"}
    assert sorted(file.name for file in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == weights.DIGEST
    assert json.loads((folder / "tokenizer.json").read_bytes())["model"]["vocab"]["[SEP]"] == 102


def test_a_damaged_file_is_noticed_and_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = bytearray(weights.FILE.read_bytes())
    data[1_000_000] ^= 1
    for damaged in (bytes(data), bytes(data[:500_000]), b"no weights at all, only text", b""):
        _damage(monkeypatch, tmp_path, damaged)

        with pytest.raises(EmbedderUnavailable, match="weights that come with memoir cannot be used") as failure:
            weights.lay_out(folder)

        assert failure.value.hint == "install memoir again" and not folder.exists()


def test_a_cache_that_cannot_be_written_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file")

    with pytest.raises(EmbedderUnavailable, match="cannot be unpacked") as failure:
        MiniLm().embed(["a"])
    assert "memoir.embed.provider static" in (failure.value.hint or "")


def _zero(file: Path, at: int) -> None:
    """Without an error for whoever loads it: the file is as long as before."""
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(bytes(100_000))


def test_damaged_weights_are_laid_out_again(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would give wrong vectors, which the index would keep."""
    monkeypatch.setattr(minilm, "_models", {})
    right = MiniLm().embed(["a text"])
    for name, at in ((weights.MODEL, 70_000_000), ("tokenizer.json", 9_000)):
        monkeypatch.setattr(minilm, "_models", {})
        _zero(filled / name, at)
        assert weights.are_laid_out(filled) and not weights.are_sound(filled)

        assert MiniLm().embed(["a text"]) == right
        assert weights.are_sound(filled) and weights.are_sound_for_query(weights.query_folder(filled))


def test_weights_in_a_cache_that_is_read_only_are_used_unless_they_are_damaged(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> NoReturn:
        raise ReadOnlyStore(f"{path.parent} is read-only")

    monkeypatch.setattr(weights, "waited_for", refuse)
    monkeypatch.setattr(minilm, "_models", {})
    assert MiniLm().embed(["a text"])

    _zero(filled / weights.MODEL, 70_000_000)
    monkeypatch.setattr(minilm, "_models", {})
    with pytest.raises(EmbedderUnavailable, match="is read-only"):
        MiniLm().embed(["a text"])


def test_while_one_thread_loads_them_no_other_looks_elsewhere(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """prollytree is told by the environment where they are."""
    seen: list[tuple[Path, str | None]] = []

    class Model:
        def embed(self, text: str) -> list[float]:
            child = subprocess.run(["printenv", "PROLLYTREE_EMBEDDER_CACHE"], capture_output=True, text=True)
            seen.append((minilm.folder(), child.stdout.strip()))
            return [0.0] * MINILM_DIMENSION

    monkeypatch.setattr("prollytree.MiniLmEmbedder", Model)
    MiniLm().embed(["a text"])

    assert seen[0] == (filled, str(minilm.cache()))
    assert (
        subprocess.run(["printenv", "PROLLYTREE_EMBEDDER_CACHE"], capture_output=True, text=True).stdout.strip()
        == (os.environ["PROLLYTREE_EMBEDDER_CACHE"])
    )


@pytest.mark.parametrize("name", weights.FILES)
def test_a_file_that_is_missing_is_not_fetched(filled: Path, name: str) -> None:
    (filled / name).unlink()

    with pytest.raises(OSError, match=re.escape(name)):
        minilm.read_model(minilm.cache())
