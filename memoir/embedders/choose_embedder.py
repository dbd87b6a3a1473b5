"""Choose the embedder by `memoir.embed.provider`."""

from memoir.embedders.embedder import Embedder
from memoir.settings import EMBED_MODEL, EMBED_PROVIDER, EMBED_URL
from memoir.store.store import Store


def embedder_of(store: Store, name: str | None = None) -> Embedder:
    """The embedder with a name, by default `memoir.embed.provider`'s; `auto` is minilm if there is room for it.

    The setting comes from the environment or the user's config; a store's own config is ignored (`memoir.settings`),
    because an embedder sees all memories.
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
    """The fast embedder whose vectors replace those that a learned one has not computed yet; None if none are needed.

    Its table is opened on first use.
    """
    return _static() if embedder is not None and embedder.learned else None


def _minilm(*, insists: bool) -> Embedder:
    """The embedder minilm; or static, with the reason, if minilm's weights cannot be unpacked, unless it `insists`."""
    from memoir.embedders import minilm, weights

    if insists or weights.are_laid_out(minilm.folder()) or (obstacle := weights.obstacle(minilm.folder())) is None:
        return minilm.MiniLm()
    return _static(f"minilm's weights cannot be unpacked: {obstacle}; ranked with the embedder static")


def _static(degraded: str | None = None) -> Embedder:
    from memoir.embedders.static import StaticEmbedder

    return StaticEmbedder(degraded)
