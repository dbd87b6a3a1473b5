"""`Embedder`: what all embedders have."""

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    Vector: TypeAlias = array[float]
else:
    Vector = array  # which takes no parameter before Python 3.12
"""32-bit floats (`array('f')`); of any length but zero, since only cosines count."""

Idf: TypeAlias = Callable[[str], float]
"""How rare a word is in the store: its inverse document frequency."""


MINILM_DIMENSION = 384
"""The numbers of a vector of all-MiniLM-L6-v2 and of models of its size, the only one that prollytree runs."""


class Scale(NamedTuple):
    """What is to be known of an embedder to tell what its cosines mean; see `Embedder`."""

    name: str
    learned: bool
    trust: float
    unknown_trust: float
    is_minilm: bool
    floor: float


class Embedder(Protocol):
    """Turns texts into vectors. Vectors can be compared if their embedders have the same `name`."""

    name: str
    learned: bool = True
    """Whether vectors are kept, because computing one again takes longer than reading it."""
    trust: float = 1.0
    """The weight of its cosine relative to a BM25 score of weight 1, when both are normalised."""
    unknown_trust: float = 1.0
    """The same for a query of words that no memory holds; one that has some of these gets its share of each, by idf."""
    is_minilm: bool = False
    """Whether its vectors are those of all-MiniLM-L6-v2, whatever computes them."""
    floor: float = 0.2
    """The cosine that two texts with nothing in common may still have."""
    degraded: str | None = None
    """Why it is used instead of the one that was asked for; None if it is that one."""

    @property
    def awaits_weights(self) -> bool:
        """Whether its weights are yet to be laid out on this machine, which takes some seconds."""
        return False

    @property
    def scale(self) -> Scale:
        """What its cosines mean."""
        return Scale(self.name, self.learned, self.trust, self.unknown_trust, self.is_minilm, self.floor)

    def expect(self, query: str) -> None:
        """Begin to embed the one query that will be asked for, beside other work; an embedder need not do anything."""
        return

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, in order.

        Raises:
            EmbedderUnavailable: it cannot work now.
        """
        ...

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, to compare with those of texts; an embedder may weight its words by their idf.

        Raises:
            EmbedderUnavailable: it cannot work now.
        """
        return self.embed([query])[0]
