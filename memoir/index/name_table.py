"""The table `name`: how often each word occurs in the contents of all documents, and with a capital.

It counts every word, because one that is never a name today may be one when the next memory comes. It is kept by
adding what comes and subtracting what goes.
"""

from collections.abc import Iterable

import apsw

from memoir.index import state
from memoir.index.lexical import Term, idf
from memoir.index.schema import PRIOR

LEAST_DOCUMENTS = 2
"""In how many documents a name that connects memories is at least."""
GREATEST_SHARE = 0.03
"""In which share of all documents it is at most, the `PRIOR` included; a name in more of them connects everything."""


def add(database: apsw.Connection, contents: Iterable[str], by: int) -> None:
    """Count the words of some contents `by` times more; -1 takes them back."""
    from memoir.english.names import count_words  # only indexing needs it, and most commands index nothing

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


def find_connectors(database: apsw.Connection, content: str) -> list[Term]:
    """The names in a text that connect memories, the rarest first.

    A name connects if several documents hold it, but few of all. Words of the names of people are left out: those
    whom memories are about are found by the channel of people.
    """
    import json

    from memoir.english.names import count_words, is_name

    words, total = count_words([content]).texts, state.total(database) + PRIOR
    rows = database.execute(
        "SELECT word, documents, inside, capitals, identifiers FROM name WHERE word IN (SELECT value FROM json_each(?))"
        " AND documents BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM person WHERE part = word)"
        " ORDER BY documents, word",
        (json.dumps(list(words)), LEAST_DOCUMENTS, GREATEST_SHARE * total),
    )
    return [Term(word, documents, idf(total, documents)) for word, documents, *uses in rows if is_name(*uses)]
