"""Which embedder is used, and that a store's own config cannot send memories to a server."""

import subprocess
from pathlib import Path

import pytest

from memoir.errors import InvalidInput
from memoir.index.embedders import minilm, onnx
from memoir.index.embedders.choose_embedder import embedder_of
from memoir.index.embedders.embedder import Embedder
from memoir.index.embedders.http import HttpEmbedder
from memoir.settings import EMBED_URL
from memoir.store.store import Store


def _configure(store: Store, **values: str) -> Embedder:
    """Set `memoir.embed.*` in the user's config, and see what that gets."""
    for name, value in values.items():
        _git("config", "--global", f"memoir.embed.{name}", value)
    with Store(store.git_dir) as fresh:
        return embedder_of(fresh)


def _git(*args: str) -> None:
    subprocess.run(["git", *args], check=True)


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of minilm's weights, empty."""
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(tmp_path / "weights"))
    minilm.folder().mkdir(parents=True)
    return minilm.folder()


def test_static_is_the_default(store: Store, weights: Path) -> None:
    assert embedder_of(store).name == "static-1"
    assert _configure(store, provider="hash").name == "hash-1"
    assert _configure(store, provider="static").name == "static-1"


def test_minilm_is_the_default_if_its_weights_are_installed(store: Store, weights: Path) -> None:
    for name in minilm.FILES:
        assert embedder_of(store).name == "static-1"
        (weights / name).write_bytes(b"x")

    assert embedder_of(store).name == f"minilm-{minilm.REVISION[:8]}"
    assert _configure(store, provider="hash").name == "hash-1"


def test_onnx_is_the_default_if_it_is_installed_and_minilm_is_not(
    store: Store, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx, "is_installed", lambda: True)
    assert embedder_of(store).name == onnx.OnnxMiniLm.name
    for name in minilm.FILES:
        (weights / name).write_bytes(b"x")

    assert embedder_of(store).name.startswith("minilm-")
    assert _configure(store, provider="onnx").name == onnx.OnnxMiniLm.name


def test_minilm_without_its_weights_says_how_to_install_them(store: Store, weights: Path) -> None:
    from memoir.errors import EmbedderUnavailable

    embedder = _configure(store, provider="minilm")

    with pytest.raises(EmbedderUnavailable, match="weights are not in") as failure:
        embedder.embed(["a"])
    assert "memoir embed install" in (failure.value.hint or "")


def test_damaged_weights_are_named(store: Store, weights: Path) -> None:
    from memoir.errors import EmbedderUnavailable

    for name in minilm.FILES:
        (weights / name).write_bytes(b"garbage")

    with pytest.raises(EmbedderUnavailable, match="cannot be used"):
        embedder_of(store).embed(["a"])


def test_an_unknown_provider_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="must be one of auto, hash, static, minilm, onnx, http, not 'openai'"):
        _configure(store, provider="openai")


def test_the_environment_overrides_the_config(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")

    assert _configure(store, provider="http").name == "hash-1"


def test_an_endpoint_has_a_url_and_a_model(store: Store) -> None:
    plain = _configure(store, provider="http")
    assert isinstance(plain, HttpEmbedder)
    assert (plain.url, plain.model) == (f"{EMBED_URL.default}/api/embed", "nomic-embed-text")

    other = _configure(store, url="http://localhost:8080/", model="mxbai")
    assert isinstance(other, HttpEmbedder)
    assert (other.url, other.name) == ("http://localhost:8080/api/embed", "http-mxbai")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/any/path?y=", "https://localhost/x", "http://example.org"])
def test_a_stores_own_config_cannot_name_an_embedder(store: Store, weights: Path, url: str) -> None:
    for name, value in (("provider", "http"), ("url", url), ("model", "mine")):
        _git(f"--git-dir={store.git_dir}", "config", "--add", f"memoir.embed.{name}", value)

    with Store(store.git_dir) as fresh:
        assert embedder_of(fresh).name == "static-1"
        assert dict(fresh.git_settings.ignored)["memoir.embed.url"] == url
    embedder = _configure(store, provider="http")
    assert isinstance(embedder, HttpEmbedder) and embedder.url == f"{EMBED_URL.default}/api/embed"


def test_the_users_config_may_name_any_machine(store: Store) -> None:
    embedder = _configure(store, provider="http", url="http://example.org")

    assert isinstance(embedder, HttpEmbedder) and embedder.url == "http://example.org/api/embed"


def test_the_environment_may_name_any_machine(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_URL", "http://example.org")

    embedder = _configure(store, provider="http", url="http://example.com")
    assert isinstance(embedder, HttpEmbedder) and embedder.url == "http://example.org/api/embed"
