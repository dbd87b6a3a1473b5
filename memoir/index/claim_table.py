"""The table `claim`: the claims of each memory, so that contradicting memories are found without reading the others.

A clause is stored as a hash of itself and the namespace, because memories contradict only others of their namespace.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import apsw

from memoir.errors import MemoirError
from memoir.git.objects import blake2b
from memoir.index import database as files
from memoir.index.documents import Place
from memoir.taxonomy.paths import Address

_MOST_READ = 50
"""The most claims, latest indexed first, that are compared with those of one memory."""


def add(database: apsw.Connection, memories: Iterable[tuple[int, str, str]]) -> None:
    """Add the claims of memories, each a document's id, a namespace and a text."""
    from memoir.english.claims.claims import claims  # only indexing compiles these patterns

    rows = (
        (document, _clause_id(namespace, clause), value)
        for document, namespace, text in memories
        for clause, value in claims(text).items()
    )
    database.executemany("INSERT OR IGNORE INTO claim VALUES(?, ?, ?)", rows)


def contradicting(database: apsw.Connection, places: Iterable[Place]) -> Iterator[tuple[Place, Place]]:
    """The pairs (memory, one that contradicts it), for the memories at the given places."""
    for namespace, path, ordinal, value, *other in database.executemany(
        _OTHERS, [(*at, number) for at, number in places]
    ):
        from memoir.english.claims.claims import may_agree  # few memories have such a row

        its_value, its_namespace, its_path, its_ordinal = other
        if not may_agree(value, its_value):
            yield (Address(namespace, path), ordinal), (Address(its_namespace, its_path), its_ordinal)


def disputing(git_dir: Path, memories: Iterable[tuple[str, str]]) -> list[Address]:
    """The addresses of memories that give a clause of the given ones, each (namespace, text), another value.

    The store's index is read as it was last built, without waiting for another process. If it is missing or cannot be
    read, there are none; the next question rebuilds it.
    """
    from memoir.english.claims.claims import claims

    own = [(_clause_id(name, clause), value) for name, text in memories for clause, value in claims(text).items()]
    try:
        if not own or not files.exists(git_dir):
            return []
        with closing(files.connect(git_dir, vectors=False)) as database:
            return list(dict.fromkeys(Address(*row) for row in database.executemany(_DISPUTING, own)))
    except (apsw.Error, MemoirError):
        return []


_DISPUTING = f"""
SELECT d.namespace, d.path FROM claim c CROSS JOIN document d ON d.id = c.document
WHERE c.clause = ?1 AND c.value <> ?2 ORDER BY c.document DESC LIMIT {_MOST_READ}
"""


def giving_other_values(database: apsw.Connection, text: str, namespace: str, places: Iterable[Place]) -> set[Place]:
    """The places, all in one namespace, whose memories give a clause of the text another value."""
    from memoir.english.claims.claims import claims

    own = {_clause_id(namespace, clause): value for clause, value in claims(text).items()}
    claimed = ((place, database.execute(_CLAIMED, (*place[0], place[1]))) for place in places)
    return {place for place, rows in claimed if any(own.get(clause, value) != value for clause, value in rows)}


_CLAIMED = """
SELECT clause, value FROM claim
WHERE document = (SELECT id FROM document WHERE namespace = ? AND path = ? AND ordinal = ?)
"""


def disputable(database: apsw.Connection, most: int) -> list[Address]:
    """Up to `most` addresses of memories that give one clause different values, the latest first.

    Only the latest 50 memories of a clause count.
    """
    return [Address(namespace, path) for namespace, path in database.execute(_DISPUTABLE, (most,))]


_DISPUTABLE = f"""
WITH disputed AS (SELECT clause FROM claim GROUP BY clause HAVING min(value) <> max(value)),
ranked AS (
    SELECT document, row_number() OVER (PARTITION BY clause ORDER BY document DESC) AS rank
    FROM claim WHERE clause IN disputed
)
SELECT d.namespace, d.path FROM document d
WHERE d.id IN (SELECT document FROM ranked WHERE rank <= {_MOST_READ})
GROUP BY d.namespace, d.path ORDER BY max(d.id) DESC LIMIT ?
"""
_OTHERS = f"""
SELECT one.namespace, one.path, one.ordinal, own.value, other.value, d.namespace, d.path, d.ordinal FROM document one
CROSS JOIN claim own ON own.document = one.id CROSS JOIN claim other ON other.clause = own.clause
CROSS JOIN document d ON d.id = other.document
WHERE one.namespace = ? AND one.path = ? AND one.ordinal = ? AND other.value <> own.value
ORDER BY own.clause, other.document DESC LIMIT {_MOST_READ}
"""


def _clause_id(namespace: str, clause: str) -> int:
    return int.from_bytes(blake2b(f"{namespace}\0{clause}".encode(errors="surrogatepass"), size=8), "big", signed=True)
