"""Which embedder is used: `memoir.embed.provider`, and where its endpoint is."""

import os

from memoir.errors import InvalidInput
from memoir.index.embedders import minilm
from memoir.index.embedders.embedder import Embedder
from memoir.store.store import Store

PROVIDERS = ("auto", "hash", "minilm", "http")


def embedder_of(store: Store) -> Embedder:
    """The embedder of `memoir.embed.provider`; `auto`, the default, is minilm if its weights are here, else hash.

    The environment or the user says so; what a store's own config says is ignored (`memoir.settings`), because an
    embedder sees every memory.

    Raises:
        InvalidInput: an unknown provider, or an endpoint that is no URL.
    """
    provider = os.environ.get("MEMOIR_EMBED_PROVIDER") or _setting(store, "memoir.embed.provider") or "auto"
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

    url = os.environ.get("MEMOIR_EMBED_URL") or _setting(store, "memoir.embed.url") or DEFAULT_URL
    return HttpEmbedder(url, _setting(store, "memoir.embed.model") or DEFAULT_MODEL)


def _setting(store: Store, key: str) -> str:
    return store.config.get(key, [""])[-1]
