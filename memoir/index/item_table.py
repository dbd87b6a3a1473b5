"""The table `item`: in which segments of sources memories were found, and so in which passages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from memoir.index.documents import content
from memoir.records.metadata import LINKS
from memoir.taxonomy.paths import RAW_SUFFIX


def add_items(database: apsw.Connection, documents: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Note in which segments some memories were found, each an id with its metadata."""
    linked = [each for each in documents if LINKS in each[1]]
    if not linked:
        return
    from memoir.memory.links import targets_of  # most memories have none

    targets = ((document, its) for document, metadata in linked for its in targets_of(metadata, "derives_from"))
    rows = [(document, *segment) for document, segment in targets if segment.namespace.endswith(RAW_SUFFIX)]
    database.executemany("INSERT OR IGNORE INTO item VALUES(?, ?, ?)", rows)


def passages_of(database: apsw.Connection, ids: Sequence[int]) -> dict[int, int]:
    """The passage that holds each of some memories word for word, by the memory's id, if there is one."""
    sql = (
        f"SELECT own.id, own.content, d.id, {content('d')} FROM item i JOIN document own ON own.id = i.document"
        " JOIN document d ON d.namespace = i.namespace AND d.path = i.path AND d.role <> ''"
        f" WHERE i.document IN ({','.join(map(str, ids))})"
    )
    return {item: passage for item, words, passage, text in database.execute(sql) if _flat(words) in _flat(text)}


def _flat(text: str) -> str:
    return " ".join(text.split())
