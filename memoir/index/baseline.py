"""The cosine that two memories have with nothing in common, where an embedder's cosines start high.

With some models, such as those of the e5 family, any two texts have a cosine of 0.7 or more. Divided by the best one,
all of them would look alike. Where the median of an index is high, it becomes 0, and 1 stays 1.
"""

from collections.abc import Callable

import apsw

from memoir.index import state

HIGH = 0.5
"""The median from which it is subtracted. Of `minilm` it is 0.33 in conversations, where it has to stay."""
_FEWEST = 16
"""How many memories it takes to measure."""
_SAMPLE = 64
"""How many memories are compared with each other: those whose contents have the least hashes, so it is no matter when
they were written."""
_PAIRS = f"""
WITH sample AS MATERIALIZED (
    SELECT v.content, v.value FROM vector v
    WHERE v.embedder = ? AND v.content IN (SELECT content_id FROM document) ORDER BY v.content LIMIT {_SAMPLE}
)
SELECT 1 - vec_distance_cosine(a.value, b.value) FROM sample a JOIN sample b ON a.content < b.content
"""
# Of the contents alone: vectors that are mixed with their neighbours' are alike for another reason.


def measure(database: apsw.Connection) -> None:
    """Measure the median cosine, once each time that the index has twice as many vectors. Call it in a transaction."""
    vectors = state.total(database) - state.count_waiting(database)
    if vectors < _FEWEST or vectors.bit_length() == state.baseline_bits(database):
        return
    pairs = database.execute(_PAIRS, (state.embedder(database),))
    cosines = sorted(cosine for (cosine,) in pairs if cosine is not None)
    state.set_baseline(database, cosines[len(cosines) // 2] if cosines else 0.0, vectors.bit_length())


def scale(database: apsw.Connection) -> Callable[[float], float]:
    """What puts the cosines of an index on a scale on which its median is 0, if that is high, and 1 stays 1."""
    median = state.baseline(database)
    if not HIGH < median < 1:
        return lambda cosine: cosine
    return lambda cosine: max((cosine - median) / (1 - median), -1.0)
