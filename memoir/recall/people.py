"""People in a query: a memory *of* somebody counts more than one that mentions the name."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memoir.errors import NotFound
from memoir.index.documents import name_parts
from memoir.index.view import View

_SHORTEST_NICKNAME = 3


class Named(NamedTuple):
    """The people a query names (case-folded), and the query without their names."""

    people: frozenset[str]
    rest: str


def named(view: View, query: str, namespaces: Sequence[str]) -> Named:
    """Find the people of some namespaces (of all without any) in a query, by any part of their names.

    A capitalised word may also be the beginning of a name: `Mel` means Melanie. A possessive `'s` goes with it.
    """
    people: set[str] = set()
    rest: list[str] = []
    for word in query.split():
        found = _of_word(view, word, namespaces)
        people |= found
        if not found:
            rest.append(word)
    return Named(frozenset(people), " ".join(rest))


def _of_word(view: View, word: str, namespaces: Sequence[str]) -> set[str]:
    core = re.sub(r"['’]s$", "", word.strip('.,;:!?()"“”'))
    if not re.fullmatch(r"[^\W_]+", core):
        return set()
    part = core.casefold()
    nickname = core[0].isupper() and len(core) >= _SHORTEST_NICKNAME
    return {name.casefold() for name in view.names(part, namespaces, prefix=nickname)}


def require(view: View, name: str) -> None:
    """Check that some memory is about a person, whatever the namespace.

    Raises:
        NotFound: none is, with the nearest name as a hint.
    """
    part = min(name_parts(name), default=None)
    if part is not None and name.casefold() not in {known.casefold() for known in view.names(part)}:
        raise NotFound(f"no memory is about {name!r}", _hint(view, name))


def _hint(view: View, name: str) -> str:
    from difflib import get_close_matches

    if name.isdigit():
        return f"--person takes a name; for a number of entries: -l {name}"
    known = {known.casefold(): known for known in view.names()}
    sharing = sorted(each for each in known if name_parts(each) & name_parts(name))
    close = sharing or get_close_matches(name.casefold(), known, 1)
    return f"did you mean {known[close[0]]!r}?" if close else "--person takes a name from metadata.person"
