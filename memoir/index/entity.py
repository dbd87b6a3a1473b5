"""The table `entity`: names that one memory alone can tell.

They are titles in quotation marks, and the names that its metadata list under `entities`; those that rules have listed
for an item of a source, only if they have several words. Names of one word are in the table `name`, because only many
memories tell that a word is one; people are in the table `person`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw

GIVEN_NAME, TITLE = "given", "title"
_MARKS = ('"', "“")


def add(database: apsw.Connection, documents: Iterable[tuple[int, str, Mapping[str, Any]]]) -> None:
    """Add the names of some documents, each an id with its content and metadata."""
    candidates = [each for each in documents if "entities" in each[2] or any(mark in each[1] for mark in _MARKS)]
    if candidates:
        from memoir.english.entity_names import key_of

        rows = [(key_of(name), each[0], kind, name) for each in candidates for kind, name in _names(*each[1:])]
        database.executemany("INSERT OR IGNORE INTO entity VALUES(?, ?, ?, ?)", rows)


def names_in(metadata: Mapping[str, Any]) -> list[str]:
    """The names that metadata list under `entities`: a string or a list of them."""
    names = metadata.get("entities")
    return [name for name in (names if isinstance(names, list) else [names]) if isinstance(name, str) and name.strip()]


def _names(content: str, metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    from memoir.english.entity_names import is_long_name, titles
    from memoir.memory.origin import source_of_item

    is_item = source_of_item(metadata) is not None
    yield from ((GIVEN_NAME, name) for name in names_in(metadata) if not is_item or is_long_name(name))
    yield from ((TITLE, name) for name in titles(content))
