"""What an embedder is."""

from array import array
from collections.abc import Sequence
from typing import Protocol, TypeAlias

Vector: TypeAlias = "array[float]"
"""32-bit floats (`array('f')`); of any length but zero, since only cosines count."""


class Embedder(Protocol):
    """Turns texts into vectors. `name` stands for everything that decides a vector: vectors under one name compare."""

    name: str
    learned: bool
    """Whether a vector is worth keeping, because computing it again costs more than reading it."""
    trust: float
    """What its cosine counts beside a BM25 score of weight 1, when both are normalised."""
    floor: float
    """The cosine up to which two texts may have nothing in common."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One vector for each text, in order; a model may treat a query unlike a document.

        Raises:
            EmbedderUnavailable: it cannot work now.
        """
        ...
