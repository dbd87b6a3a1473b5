"""`Embedder`: the interface of all embedders."""

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    Vector: TypeAlias = array[float]
else:
    Vector = array  # takes no type parameter before Python 3.12
"""32-bit floats (`array('f')`), of any length but zero, since only cosines count."""

Idf: TypeAlias = Callable[[str], float]
"""The rarity of a word in the store: its inverse document frequency."""


MINILM_DIMENSION = 384
"""The dimensions of all-MiniLM-L6-v2 and similar models, the only number that prollytree supports."""


class Scale(NamedTuple):
    """The properties of an embedder that its cosines are interpreted by; see `Embedder`."""

    name: str
    learned: bool
    trust: float
    unknown_trust: float
    is_minilm: bool
    floor: float


class Embedder(Protocol):
    """Turns texts into vectors. Vectors are comparable if their embedders have the same `name`."""

    name: str
    learned: bool = True
    """Whether vectors are stored, because computing one takes longer than reading it."""
    trust: float = 1.0
    """The weight of its cosine relative to a BM25 score of weight 1, when both are normalised."""
    unknown_trust: float = 1.0
    """The trust for a query of words in no memory; for a mixed query both count, by the words' idf."""
    is_minilm: bool = False
    """Whether its vectors are those of all-MiniLM-L6-v2, whatever computes them."""
    floor: float = 0.2
    """The cosine that unrelated texts may have."""
    degraded: str | None = None
    """Why it replaces the requested embedder; None if it does not."""

    @property
    def awaits_weights(self) -> bool:
        """Whether its weights must still be laid out on this machine, which takes some seconds."""
        return False

    @property
    def scale(self) -> Scale:
        """The properties that its cosines are interpreted by."""
        return Scale(self.name, self.learned, self.trust, self.unknown_trust, self.is_minilm, self.floor)

    def expect(self, query: str) -> None:
        """Start to embed the next query in the background; an embedder may ignore this."""
        return

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, in order.

        Raises:
            EmbedderUnavailable: it cannot work now.
        """
        ...

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, for comparison with texts; an embedder may weight its words by idf.

        Raises:
            EmbedderUnavailable: it cannot work now.
        """
        return self.embed([query])[0]
