"""The names in a text that connect it to other memories, found in the table `name` (`memoir.index.word_tables`)."""

import apsw

from memoir.english.names import is_name, tokens
from memoir.index import state
from memoir.index.lexical import Term, idf
from memoir.index.schema import PRIOR

LEAST_DOCUMENTS = 2
"""The fewest documents with a name that connects memories."""
GREATEST_SHARE = 0.03
"""The greatest share of documents with it, the `PRIOR` included; a more frequent name would connect everything."""


def find_connectors(database: apsw.Connection, content: str) -> list[Term]:
    """The names in a text that connect memories, rarest first.

    A name connects if several documents have it, but only a small share. Words of people's names are left out, because
    the channel of people finds them. Whether a word is an identifier is looked up: the pattern is slow to compile.
    """
    found, total = list(tokens(content)), state.total(database) + PRIOR
    words = {word for identifier, parts in found for word in (identifier, *parts)}
    rows: list[tuple[str, int, int, int, int]] = list(
        database.execute(
            "SELECT word, documents, inside, capitals, identifiers FROM name"
            f" WHERE word IN ({','.join('?' * len(words))}) AND NOT EXISTS (SELECT 1 FROM person WHERE part = word)"
            " ORDER BY documents, word",
            tuple(words),
        )
    )
    identifiers = {word for word, _, _, _, times in rows if times}
    own = {word for each, parts in found for word in ([each] if each in identifiers else parts)}
    return [
        Term(word, documents, idf(total, documents))
        for word, documents, *uses in rows
        if word in own and LEAST_DOCUMENTS <= documents <= GREATEST_SHARE * total and is_name(*uses)
    ]
