"""The table `claim`: what each memory claims, so that those that contradict it are found without reading any other.

A clause is kept as a hash of itself and the namespace, because only memories of one namespace contradict each other.
"""

from collections.abc import Iterable, Iterator

import apsw

from memoir.git.objects import blake2b
from memoir.index.documents import Place
from memoir.taxonomy.paths import Address

_MOST_READ = 50
"""The claims, the latest indexed first, that are compared with those of one memory."""


def add(database: apsw.Connection, memories: Iterable[tuple[int, str, str]]) -> None:
    """Note what some memories claim, each a document's id, a namespace and a text."""
    from memoir.english.claims import claims  # a question, which only reads, compiles no patterns

    rows = (
        (document, _clause_id(namespace, clause), value)
        for document, namespace, text in memories
        for clause, value in claims(text).items()
    )
    database.executemany("INSERT OR IGNORE INTO claim VALUES(?, ?, ?)", rows)


def contradicting(database: apsw.Connection, places: Iterable[Place]) -> Iterator[tuple[Place, Place]]:
    """The memories whose words contradict one of some memories, by their places: that one first, then the other."""
    for namespace, path, ordinal, value, *other in database.executemany(
        _OTHERS, [(*at, number) for at, number in places]
    ):
        from memoir.english.claims import may_agree  # few memories have such a row

        its_value, its_namespace, its_path, its_ordinal = other
        if not may_agree(value, its_value):
            yield (Address(namespace, path), ordinal), (Address(its_namespace, its_path), its_ordinal)


_OTHERS = f"""
SELECT one.namespace, one.path, one.ordinal, own.value, other.value, d.namespace, d.path, d.ordinal FROM document one
CROSS JOIN claim own ON own.document = one.id CROSS JOIN claim other ON other.clause = own.clause
CROSS JOIN document d ON d.id = other.document
WHERE one.namespace = ? AND one.path = ? AND one.ordinal = ? AND other.value <> own.value
ORDER BY own.clause, other.document DESC LIMIT {_MOST_READ}
"""


def _clause_id(namespace: str, clause: str) -> int:
    return int.from_bytes(blake2b(f"{namespace}\0{clause}".encode(errors="surrogatepass"), size=8), "big", signed=True)
