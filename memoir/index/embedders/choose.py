"""Which embedder a store uses: `memoir.embed.provider`, and where its endpoint is."""

import os
from collections.abc import Mapping

from memoir.errors import InvalidInput
from memoir.index.embedders import minilm
from memoir.index.embedders.embedder import Embedder
from memoir.store.store import Store

PROVIDERS = ("auto", "hash", "minilm", "http")
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def embedder_of(store: Store) -> Embedder:
    """The embedder of `memoir.embed.provider`; `auto`, the default, is minilm if its weights are here, else hash.

    Raises:
        InvalidInput: an unknown provider, or an endpoint that this store may not name.
    """
    provider = os.environ.get("MEMOIR_EMBED_PROVIDER") or _setting(store.config, "memoir.embed.provider") or "auto"
    if check(provider) == "http":
        return _http(store)
    if provider == "minilm" or (provider == "auto" and minilm.installed()):
        return minilm.MiniLm()
    from memoir.index.embedders.hashing import HashEmbedder

    return HashEmbedder()


def check(provider: str) -> str:
    """Return the name of a provider.

    Raises:
        InvalidInput: there is no such.
    """
    if provider not in PROVIDERS:
        raise InvalidInput(f"memoir.embed.provider must be one of {', '.join(PROVIDERS)}, not {provider!r}")
    return provider


def _http(store: Store) -> Embedder:
    from memoir.index.embedders.http import DEFAULT_MODEL, DEFAULT_URL, HttpEmbedder

    named = os.environ.get("MEMOIR_EMBED_URL")
    url = named or _setting(store.config, "memoir.embed.url") or DEFAULT_URL
    if not named and _only_the_store_says("memoir.embed.url", url, store) and not _is_local(url):
        raise InvalidInput(
            f"this store's own config names the embedder {url}, which is not on this machine",
            "if you trust it: memoir config --global memoir.embed.url URL, or MEMOIR_EMBED_URL",
        )
    return HttpEmbedder(url, _setting(store.config, "memoir.embed.model") or DEFAULT_MODEL)


def _only_the_store_says(key: str, value: str, store: Store) -> bool:
    own = store.settings.get(key, []).count(value)
    return own > 0 and store.config.get(key, []).count(value) == own


def _is_local(url: str) -> bool:
    from urllib.parse import urlsplit

    try:
        return urlsplit(url).hostname in _THIS_MACHINE
    except ValueError:
        return False


def _setting(config: Mapping[str, list[str]], key: str) -> str:
    return config.get(key, [""])[-1]
