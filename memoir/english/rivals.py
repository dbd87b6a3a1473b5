"""Names of one class of which a text chooses one: "We use PostgreSQL for billing" leaves no room for MySQL.

The lexicon knows that PostgreSQL and MySQL are relational databases. That two names are of one class says little alone:
a team knows several languages, and a connector supports several warehouses. So a clause has to say what is done with
the name ("is stored in", "we deploy the API to", "use it for …"), or, if it says no more than that it is used, the
class has to be one of which a project has one.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memoir.english.patterns import word_set

_CHOOSING = word_set(
    """
    build built chat collect collected come deploy deployed do draw format formatted generate generated go handle
    handled host hosted keep kept log logged manage managed monitor monitored power powered provision provisioned
    release released run schedule scheduled send sent serve served ship shipped store stored test tested track tracked
    train trained write written
    """
)
"""Verbs, by their bases, that say with a preposition what something is done with or where it goes."""
_PREPOSITIONS = word_set("by from in on through to using with")
_BEFORE = _PREPOSITIONS.union(("use",))
"""The words of which one is right before a name that is chosen."""
_JOINING = word_set("and or nor plus beside besides alongside")
"""Words beside one of several names."""
_ONE_AT_A_TIME = frozenset(
    line.strip()
    for line in """
    app platform, bundler, business software suite, ci pipeline, cloud provider, code hosting, container orchestration,
    continuous integration, customer relationship management, data warehouse, deep learning framework,
    documentation generator, email newsletter, end-to-end testing, error tracking, feature flag, formatter,
    frontend framework, game engine, infrastructure as code, mobile framework, online shop, orm, package manager,
    payment provider, relational database, search engine, secret management, single sign-on, static site generator,
    support ticket, task tracking, team chat, unit testing, version control, web framework, workflow orchestration
    """.replace("\n", " ").split(",")
)
"""Classes of the lexicon of which whoever uses one mostly uses no other."""


def rivals(texts: Sequence[str], bases: Sequence[str], sentence: str) -> Iterator[tuple[int, int, str, str]]:
    """The names that a clause chooses: where each begins and ends, its class, and the name in small letters.

    Args:
        texts: The words of the clause, as they are written.
        bases: The words by which they are compared.
        sentence: The whole sentence. A class of which it has several names is none of which it chooses one.
    """
    names = () if _BEFORE.isdisjoint(bases) else _names(sentence)
    counts = Counter(kind for _, kinds in names for kind in kinds)
    for name, kinds in names:
        if (place := _place(texts, name)) and not _is_joined(bases, *place):
            for kind in kinds:
                if counts[kind] == 1 and _chooses(bases, *place, kind):
                    yield *place, kind, " ".join(name)


@lru_cache(maxsize=1_000)
def _names(sentence: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The names in a sentence that the lexicon knows, each with the classes that it is of."""
    from memoir.english.lexicon.spotting import spot

    terms = (each for each in spot(sentence) if each.is_term)
    return tuple((each.words, tuple(kind for kind, weight in each.concepts.items() if weight == 1)) for each in terms)


def _place(texts: Sequence[str], name: Sequence[str]) -> tuple[int, int] | None:
    """Where a name is in a clause, whose words may be cut otherwise: `fly.io` is two words of a name."""
    whole = "".join(name)
    for start in range(len(texts)):
        joined = ""
        for end in range(start, len(texts)):
            joined += re.sub(r"\W", "", texts[end].lower())
            if joined == whole:
                return start, end + 1
            if not whole.startswith(joined):
                break
    return None


def _is_joined(bases: Sequence[str], start: int, end: int) -> bool:
    return not _JOINING.isdisjoint((*bases[max(start - 1, 0) : start], *bases[end : end + 1]))


def _chooses(bases: Sequence[str], start: int, end: int, kind: str) -> bool:
    """Whether the words before a name choose it, and leave no room for another one of its class."""
    before = bases[start - 1] if start else ""
    if before == "use":
        return end < len(bases) or kind in _ONE_AT_A_TIME
    return before in _PREPOSITIONS and not _CHOOSING.isdisjoint(bases[: start - 1])
