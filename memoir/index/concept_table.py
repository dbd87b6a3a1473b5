"""The table `concept`: the concepts of the lexicon that each document mentions, with weights.

A concept is stored as the CRC-32 of its name, a weight in tenths. The store's own words also count; the index keeps a
copy of them, and when they change, the documents that contain them are indexed again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import apsw

from memoir.english.lexicon.own_words import OwnWords, compiled
from memoir.english.lexicon.spotting import Spot, concepts_of, spot, with_classes
from memoir.git.objects import sha1
from memoir.index import state
from memoir.index.lexical import Terms, idf
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

_UNIT = 10
_PHRASES_AT_ONCE = 50


class ConceptScores(NamedTuple):
    """How much documents mention the concepts of a query in other words."""

    spots: Sequence[Spot]
    """The concepts found in the query."""
    own: Mapping[str, Sequence[str]]
    """The store's own lines with words of the query, by concept."""
    scores: Mapping[int, float]
    """The scores by document id."""
    ideal: float
    """The score of a document that mentions all of the query's concepts."""


def concept_id(name: str) -> int:
    """The number of a concept."""
    return crc32(name.encode())


def add(database: apsw.Connection, documents: Iterable[tuple[int, str]]) -> None:
    """Add the concepts of documents, each an id and a text."""
    own, texts = own_words(database), list(documents)
    if own.lines:
        _note_embedder_texts(database, texts, own)
    weights = ((document, concepts_of(spot(text, own))) for document, text in texts)
    database.executemany(
        "INSERT OR IGNORE INTO concept VALUES(?, ?, ?)",
        ((concept_id(name), document, round(_UNIT * its[name])) for document, its in weights for name in its),
    )


def _note_embedder_texts(database: apsw.Connection, documents: Iterable[tuple[int, str]], own: OwnWords) -> None:
    """Note a separate id for texts that the store's own words change for the embedder: these differ by branch."""
    told = [(document, its) for document, text in documents if (its := with_classes(text, own)) != with_classes(text)]
    sql = "UPDATE document SET told_id = ? WHERE id = ?"
    database.executemany(sql, [(sha1(f"told: {text}".encode()), document) for document, text in told])


def own_words(database: apsw.Connection) -> OwnWords:
    """The store's own words with which the documents were indexed."""
    return compiled(state.own_lines(database))


def follow(database: apsw.Connection, snapshot: Snapshot) -> set[Address]:
    """Take over the own words of a snapshot; return the addresses of documents to index again."""
    from memoir.memory.store_lexicon import own_text  # an indexed snapshot needs no reading

    old, new = own_words(database), compiled(text := own_text(snapshot))
    if old.lines == new.lines:
        return set()
    state.own_lines.put(database, text)
    phrases = sorted({" ".join(each) for line in {*old.lines} ^ {*new.lines} for each in line.spoken})
    found = set[Address]()
    for start in range(0, len(phrases), _PHRASES_AT_ONCE):
        either = " OR ".join(f'"{each}"' for each in phrases[start : start + _PHRASES_AT_ONCE])
        found |= {Address(*row) for row in database.execute(_HOLDERS, (f"{{content forms}} : ({either})",))}
    return found


_HOLDERS = "SELECT d.namespace, d.path FROM words w CROSS JOIN document d ON d.id = w.rowid WHERE words MATCH ?"


def search(database: apsw.Connection, terms: Terms, query: str) -> ConceptScores:
    """Score the documents that mention the concepts of a query.

    Each word, phrase or name of the query counts by the rarest of its concepts that a document has: the concept's idf
    times both weights. In a document that has the words themselves it counts nothing, because BM25 counts them.
    """
    own = own_words(database)
    spots = list({each.words: each for each in spot(query, own, asks=True)}.values())
    weights = [concepts_of([each]) for each in spots]
    rarities = _rarities(database, terms, {name for each in weights for name in each})
    units = [{name: weight * rarities[name] for name, weight in each.items() if name in rarities} for each in weights]
    ideal = sum(max(each.values(), default=idf(terms.total, 0)) for each in units)
    factors = [(at, concept_id(name), factor) for at, each in enumerate(units) for name, factor in each.items()]
    lines = {
        name: [each.text for each in own.lines_of(name)] for name in {name for each in spots for name in each.concepts}
    }
    own_lines = {name: its for name, its in lines.items() if its}
    return ConceptScores(spots, own_lines, _score(database, spots, factors) if factors else {}, ideal)


def _rarities(database: apsw.Connection, terms: Terms, names: Iterable[str]) -> dict[str, float]:
    """The idf of each concept that any document mentions."""
    sql = "SELECT count(*) FROM concept WHERE id = ?"
    counts = ((name, int(database.execute(sql, (concept_id(name),)).get)) for name in names)
    return {name: idf(terms.total, count) for name, count in counts if count}


def _score(
    database: apsw.Connection, spots: Sequence[Spot], factors: Sequence[tuple[int, int, float]]
) -> dict[int, float]:
    database.execute(  # the documents that contain the words of each unit
        "CREATE TEMP TABLE IF NOT EXISTS holder(unit INTEGER, document INTEGER, PRIMARY KEY(unit, document))"
    )
    database.execute("DELETE FROM temp.holder")
    for unit in {unit for unit, _, _ in factors}:
        words = " AND ".join(f'"{word}"' for word in spots[unit].words)
        database.execute(
            "INSERT INTO temp.holder SELECT ?, rowid FROM words WHERE words MATCH ?",
            (unit, f"{{content forms}} : ({words})"),
        )
    rows = ",".join(["(?,?,?)"] * len(factors))
    return dict(database.execute(_SUMS.format(rows=rows), [value for factor in factors for value in factor]))


_SUMS = f"""
WITH factor(unit, id, factor) AS (VALUES {{rows}}),
best AS (
    SELECT f.unit, c.document, max(c.weight * f.factor) AS score FROM factor f CROSS JOIN concept c ON c.id = f.id
    GROUP BY f.unit, c.document
)
SELECT document, sum(score) / {_UNIT}.0 FROM best b
WHERE NOT EXISTS (SELECT 1 FROM temp.holder h WHERE h.unit = b.unit AND h.document = b.document) GROUP BY document
"""
