"""People in a query: a memory *of* somebody counts more than one that mentions the name."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import apsw

_SHORTEST_NICKNAME = 3


class Named(NamedTuple):
    """The people a query names (case-folded), and the query without their names."""

    people: frozenset[str]
    rest: str


def named(database: apsw.Connection, query: str, namespaces: Sequence[str]) -> Named:
    """Find the people of some namespaces (of all without any) in a query, by any part of their names.

    A capitalised word may also be the beginning of a name: `Mel` means Melanie. A possessive `'s` goes with it.
    """
    people: set[str] = set()
    rest: list[str] = []
    for word in query.split():
        found = _of_word(database, word, namespaces)
        people |= found
        if not found:
            rest.append(word)
    return Named(frozenset(people), " ".join(rest))


def _of_word(database: apsw.Connection, word: str, namespaces: Sequence[str]) -> set[str]:
    core = re.sub(r"['’]s$", "", word.strip('.,;:!?()"“”'))
    if not re.fullmatch(r"[^\W_]+", core):
        return set()
    part = core.casefold()
    end = part + "\U0010ffff" if core[0].isupper() and len(core) >= _SHORTEST_NICKNAME else part
    where = f" AND namespace IN ({','.join('?' * len(namespaces))})" if namespaces else ""
    sql = f"SELECT DISTINCT name FROM person WHERE part BETWEEN ? AND ?{where}"
    return {name.casefold() for (name,) in database.execute(sql, (part, end, *namespaces))}
