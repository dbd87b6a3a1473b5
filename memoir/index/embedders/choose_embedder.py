"""Choosing the embedder by `memoir.embed.provider`."""

from memoir.index.embedders.embedder import Embedder
from memoir.settings import EMBED_MODEL, EMBED_PROVIDER, EMBED_URL
from memoir.store.store import Store


def embedder_of(store: Store) -> Embedder:
    """The embedder of `memoir.embed.provider`; `auto`, the default, is minilm or onnx if installed, else static.

    The setting comes from the environment or the user's config; a store's own config is ignored (`memoir.settings`),
    because an embedder sees every memory.
    """
    provider = EMBED_PROVIDER.read(store.config)
    if provider == "http":
        return _http(store)
    if provider in ("minilm", "onnx", "auto") and (embedder := _on_this_machine(provider)):
        return embedder
    if provider == "hash":
        from memoir.index.embedders.hashing import HashEmbedder

        return HashEmbedder()
    from memoir.index.embedders.static import StaticEmbedder

    return StaticEmbedder()


def stand_in_of(embedder: Embedder | None) -> Embedder | None:
    """The quick embedder whose vectors stand in for those that a learned one has yet to compute; None if none needs to.

    The table that it reads is opened by the first text.
    """
    if embedder is None or not embedder.learned:
        return None
    from memoir.index.embedders.static import StaticEmbedder

    return StaticEmbedder()


def _on_this_machine(provider: str) -> Embedder | None:
    """The learned embedder that a provider names; for `auto` the one that is installed, or None."""
    from memoir.index.embedders import minilm, onnx

    if provider == "minilm" or (provider == "auto" and minilm.is_installed()):
        return minilm.MiniLm()
    return onnx.OnnxMiniLm() if provider == "onnx" or onnx.is_installed() else None


def _http(store: Store) -> Embedder:
    from memoir.index.embedders.http import HttpEmbedder

    return HttpEmbedder(EMBED_URL.read(store.config), EMBED_MODEL.read(store.config))
