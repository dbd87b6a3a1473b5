"""The tables `words` and `name`: the words of each document, and counts of each word over all documents.

`words` has a document's text by column, and columns for parts of its neighbours' text, so a changed document also
changes the rows of its neighbours.

`name` counts how often each word occurs in the contents of all documents, and how often with a capital. It counts every
word, because the next memory may show that one is a name. New documents are added to the counts, removed ones
subtracted.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import apsw

from memoir.english.word_forms import forms
from memoir.index.documents import content, place_of, sequence_id
from memoir.taxonomy.paths import Address, sequence_of


def add(database: apsw.Connection, contents: Iterable[str], by: int) -> None:
    """Add the words of contents to the counts `by` times; -1 subtracts them."""
    from memoir.english.names import count_words  # most commands index nothing

    texts, inside, capitals, identifiers = count_words(contents)
    database.executemany(
        "INSERT INTO name VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET documents = documents + ?2,"
        " inside = inside + ?3, capitals = capitals + ?4, identifiers = identifiers + ?5",
        [
            (word, by * number, by * inside[word], by * capitals[word], by * identifiers[word])
            for word, number in texts.items()
        ],
    )
    if by < 0:
        sql = "DELETE FROM name WHERE word = ? AND documents <= 0"
        database.executemany(sql, [(word,) for word in texts])


REACH = 2
"""The number of neighbours on either side whose text is added to a document's words."""
NEIGHBOUR_CHARACTERS = 500
"""The characters of each neighbour's content that are added."""
HAS_NEIGHBOURS = "own.role IN ('', 'talk')"
"""The documents that use neighbours' text. In a chat, an assistant's long answers would drown the user's words, and a
paragraph of a document is not explained by the next one."""
_PATH = "CASE role WHEN '' THEN path ELSE source_of(path) END"
"""The path of a memory; for a passage, the name of its source, because the rest is numbers."""
_BATCH = 500


def neighbour(what: str, distance: int) -> str:
    """SQL for a column of a neighbour of the document `own`, `distance` places after it (before it, if negative)."""
    side, order = ("<", "DESC") if distance < 0 else (">", "ASC")
    return (
        f"(SELECT {what} FROM document other WHERE {HAS_NEIGHBOURS}"
        f" AND other.sequence = own.sequence AND other.place {side} own.place"
        f" ORDER BY other.place {order} LIMIT 1 OFFSET {abs(distance) - 1})"
    )


def neighbours(database: apsw.Connection, changed: Iterable[Address], fresh: set[int]) -> set[int]:
    """The documents within reach of the changed paths, except the fresh ones."""
    by_sequence: dict[int, list[Address]] = defaultdict(list)
    for address in changed:
        by_sequence[sequence_id(address)].append(address)
    ids: set[int] = set()
    for sequence, addresses in by_sequence.items():
        if _holds_others(database, sequence, addresses, fresh):
            ids.update(*(_beside(database, sequence, address) for address in addresses))
    return ids - fresh


def _holds_others(database: apsw.Connection, sequence: int, addresses: Sequence[Address], fresh: set[int]) -> bool:
    """Whether a sequence may have documents other than the fresh ones; in a new index most do not."""
    if sequence_of(addresses[0]) == f"{addresses[0].namespace}={addresses[0].path}":
        return False  # a sequence of one path
    limit = 4 * len(addresses) + 1
    ids = database.execute("SELECT id FROM document WHERE sequence = ? LIMIT ?", (sequence, limit)).fetchall()
    return len(ids) == limit or any(document not in fresh for (document,) in ids)


def _beside(database: apsw.Connection, sequence: int, address: Address) -> set[int]:
    ids: set[int] = set()
    for side in ("< ?2 ORDER BY place DESC", "> ?3 ORDER BY place"):
        rows = database.execute(
            f"SELECT id FROM document WHERE sequence = ?1 AND place {side} LIMIT ?4",
            (sequence, place_of(address, ""), place_of(address, "~"), REACH),
        )
        ids.update(row[0] for row in rows)
    return ids


def write_words(database: apsw.Connection, ids: Sequence[int]) -> None:
    """Index the words of the documents and queue them for vectors, which also depend on neighbours."""
    from memoir.memory.passages import source_name  # not needed for searching

    database.create_scalar_function("forms", _forms, 1, deterministic=True)
    database.create_scalar_function("source_of", lambda *path: source_name(str(path[0])), 1, deterministic=True)
    own, start = content("own"), f"substr({content('other')}, 1, {NEIGHBOUR_CHARACTERS})"
    texts = ", ".join(neighbour(start, distance) for distance in (-1, 1, -2, 2))
    for at in range(0, len(ids), _BATCH):
        batch = f"id IN ({','.join(map(str, ids[at : at + _BATCH]))})"
        database.execute(
            "INSERT INTO words(rowid, content, forms, path, person, before, after, before2, after2)"
            f" SELECT id, {own}, forms({own}),"
            f" replace(replace(replace({_PATH}, '.', ' '), '_', ' '), '-', ' '), person, {texts}"
            f" FROM document own WHERE {batch}"
        )
        database.execute(f"INSERT INTO pending SELECT id FROM document WHERE {batch}")


def _forms(*contents: "apsw.SQLiteValue") -> str:
    """The other forms of identifiers in contents, as an SQL function."""
    return " ".join(form for content in contents for form in forms(str(content)))
