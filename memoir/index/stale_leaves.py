"""The table `outdated`: the leaves of the insights that are not as their threads, so that nobody has to compare all.

It names exactly the places at which a leaf is missing, has another digest than its thread, or has lost its thread.
Whoever changes a row of `thread` or `insight` has its place compared in the same transaction, so the table is right
whatever the index went through.
"""

from collections.abc import Iterable

import apsw

from memoir.taxonomy.paths import INSIGHTS_SUFFIX, Address

_FORGET = "DELETE FROM outdated WHERE namespace = ?1 AND path = ?2"
_COMPARE = """
INSERT INTO outdated SELECT ?1, ?2
WHERE EXISTS (
    SELECT 1 FROM insight WHERE namespace = ?1 AND path = ?2 AND level = 'leaf'
    UNION ALL SELECT 1 FROM thread WHERE namespace = ?3 AND path = ?2
) AND NOT EXISTS (
    SELECT 1 FROM insight i JOIN thread t USING (path, digest)
    WHERE i.namespace = ?1 AND i.path = ?2 AND i.level = 'leaf' AND t.namespace = ?3
)
"""


def compare(database: apsw.Connection, places: Iterable[Address]) -> None:
    """Compare the leaves at some places with their threads. Call it in the transaction that has changed either."""
    for layer, path in set(places):
        database.execute(_FORGET, (layer, path))
        database.execute(_COMPARE, (layer, path, layer.removesuffix(INSIGHTS_SUFFIX)))


def note_all(database: apsw.Connection) -> None:
    """Note all leaves. Call it when all threads are forgotten."""
    database.execute(
        "DELETE FROM outdated; INSERT INTO outdated SELECT namespace, path FROM insight WHERE level = 'leaf'"
    )
