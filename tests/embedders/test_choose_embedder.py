"""Which embedder is used, and that a store's own config cannot send memories to a server."""

import subprocess
from pathlib import Path

import pytest

from memoir.embedders import minilm, onnx, weights
from memoir.embedders.choose_embedder import embedder_of
from memoir.embedders.embedder import Embedder
from memoir.embedders.http import HttpEmbedder
from memoir.errors import InvalidInput
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
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for minilm's weights, and no provider in the environment."""
    monkeypatch.delenv("MEMOIR_EMBED_PROVIDER")
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(tmp_path / "weights"))
    (tmp_path / "weights").mkdir()
    return tmp_path / "weights"


def test_minilm_is_the_default(store: Store, cache: Path) -> None:
    embedder = embedder_of(store)

    assert (embedder.name, embedder.degraded, embedder.awaits_weights) == (minilm.MiniLm.name, None, True)
    assert _configure(store, provider="hash").name == "hash-1"
    assert _configure(store, provider="static").name == "static-1"
    assert _configure(store, provider="onnx").name == onnx.OnnxMiniLm.name


def test_without_room_for_the_weights_static_is_used_and_says_why(
    store: Store, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "ROOM", 1 << 62)

    assert embedder_of(store).name == "static-1"
    assert (embedder_of(store).degraded or "").startswith(f"minilm's weights cannot be unpacked: {cache} has only")
    assert _configure(store, provider="minilm").name == minilm.MiniLm.name  # who insists on it gets its error


def test_without_a_cache_static_is_used(store: Store, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "file").write_bytes(b"")
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(cache / "file"))

    assert embedder_of(store).name == "static-1"
    assert "cannot be written" in (embedder_of(store).degraded or "")


def test_where_no_cache_folder_is_known_none_is_made_in_the_folder_at_hand(
    store: Store, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLLYTREE_EMBEDDER_CACHE")
    monkeypatch.setenv("HOME", "unknown")

    assert embedder_of(store).name == "static-1"
    assert "the cache folder is unknown" in (embedder_of(store).degraded or "")


def test_an_unknown_provider_is_refused(store: Store, cache: Path) -> None:
    with pytest.raises(
        InvalidInput, match="must be one of auto, hash, static, minilm, onnx, installed, http, not 'openai'"
    ):
        _configure(store, provider="openai")


def test_the_environment_overrides_the_config(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")

    assert _configure(store, provider="http").name == "hash-1"


def test_an_endpoint_has_a_url_and_a_model(store: Store, cache: Path) -> None:
    plain = _configure(store, provider="http")
    assert isinstance(plain, HttpEmbedder)
    assert (plain.url, plain.model) == (f"{EMBED_URL.default}/api/embed", "nomic-embed-text")

    other = _configure(store, url="http://localhost:8080/", model="mxbai")
    assert isinstance(other, HttpEmbedder)
    assert (other.url, other.name) == ("http://localhost:8080/api/embed", "http-mxbai")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/any/path?y=", "https://localhost/x", "http://example.org"])
def test_a_stores_own_config_cannot_name_an_embedder(store: Store, cache: Path, url: str) -> None:
    for name, value in (("provider", "http"), ("url", url), ("model", "mine")):
        _git(f"--git-dir={store.git_dir}", "config", "--add", f"memoir.embed.{name}", value)

    with Store(store.git_dir) as fresh:
        assert embedder_of(fresh).name == minilm.MiniLm.name
        assert dict(fresh.git_settings.ignored)["memoir.embed.url"] == url
    embedder = _configure(store, provider="http")
    assert isinstance(embedder, HttpEmbedder) and embedder.url == f"{EMBED_URL.default}/api/embed"


def test_the_users_config_may_name_any_machine(store: Store, cache: Path) -> None:
    embedder = _configure(store, provider="http", url="http://example.org")

    assert isinstance(embedder, HttpEmbedder) and embedder.url == "http://example.org/api/embed"


def test_the_environment_may_name_any_machine(store: Store, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_URL", "http://example.org")

    embedder = _configure(store, provider="http", url="http://example.com")
    assert isinstance(embedder, HttpEmbedder) and embedder.url == "http://example.org/api/embed"
