"""The cosine that two memories have with nothing in common, where an embedder's cosines start high.

With some models, such as those of the e5 family, any two texts have a cosine of 0.7 or more. Divided by the best one,
all of them would look alike. Where the median of an index is high, it becomes 0, and 1 stays 1.
"""

from collections.abc import Callable

import apsw

from memoir.index import state

HIGH = 0.3
"""The median from which it is subtracted. Of `minilm` it was 0.04 to 0.11 in three sets of memories."""
_FEWEST = 16
"""How many memories it takes to measure."""
_SAMPLE = 64
"""How many memories are compared with each other: those whose contents have the least hashes, so it is no matter when
they were written."""
_PAIRS = f"""
WITH sample AS MATERIALIZED (
    SELECT e.document, e.value FROM embedding e JOIN document d ON d.id = e.document
    GROUP BY d.content_id ORDER BY d.content_id LIMIT {_SAMPLE}
)
SELECT 1 - vec_distance_cosine(a.value, b.value) FROM sample a JOIN sample b ON a.document < b.document
"""


def measure(database: apsw.Connection) -> None:
    """Measure the median cosine, once each time that the index has twice as many vectors. Call it in a transaction."""
    vectors = state.total(database) - state.count_waiting(database)
    if vectors < _FEWEST or vectors.bit_length() == state.measured(database):
        return
    cosines = sorted(cosine for (cosine,) in database.execute(_PAIRS) if cosine is not None)
    state.set_baseline(database, cosines[len(cosines) // 2] if cosines else 0.0, vectors.bit_length())


def scale(database: apsw.Connection) -> Callable[[float], float]:
    """What puts the cosines of an index on a scale on which its median is 0, if that is high, and 1 stays 1."""
    median = state.baseline(database)
    if not HIGH < median < 1:
        return lambda cosine: cosine
    return lambda cosine: max((cosine - median) / (1 - median), -1.0)
