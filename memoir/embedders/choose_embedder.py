"""Choosing the embedder by `memoir.embed.provider`."""

from memoir.embedders.embedder import Embedder
from memoir.settings import EMBED_MODEL, EMBED_PROVIDER, EMBED_URL
from memoir.store.store import Store


def embedder_of(store: Store, name: str | None = None) -> Embedder:
    """The embedder of a name, by default that of `memoir.embed.provider`; `auto` is minilm where there is room for it.

    The setting comes from the environment or the user's config; a store's own config is ignored (`memoir.settings`),
    because an embedder sees every memory.
    """
    provider = name or EMBED_PROVIDER.read(store.config)
    if provider == "http":
        from memoir.embedders.http import HttpEmbedder

        return HttpEmbedder(EMBED_URL.read(store.config), EMBED_MODEL.read(store.config))
    if provider == "hash":
        from memoir.embedders.hashing import HashEmbedder

        return HashEmbedder()
    if provider == "onnx":
        from memoir.embedders.onnx import OnnxMiniLm

        return OnnxMiniLm()
    if provider == "installed":
        from memoir.embedders.installed import Installed

        return Installed()
    return _static() if provider == "static" else _minilm(insists=provider == "minilm")


def stand_in_of(embedder: Embedder | None) -> Embedder | None:
    """The quick embedder whose vectors stand in for those that a learned one has yet to compute; None if none needs to.

    The table that it reads is opened by the first text.
    """
    return _static() if embedder is not None and embedder.learned else None


def _minilm(*, insists: bool) -> Embedder:
    """The embedder minilm, or static, which says why, where its weights cannot be laid out and nobody insists on it."""
    from memoir.embedders import minilm, weights

    if insists or weights.are_laid_out(minilm.folder()) or (obstacle := weights.obstacle(minilm.folder())) is None:
        return minilm.MiniLm()
    return _static(f"minilm's weights cannot be laid out: {obstacle}; ranked with the embedder static")


def _static(degraded: str | None = None) -> Embedder:
    from memoir.embedders.static import StaticEmbedder

    return StaticEmbedder(degraded)
