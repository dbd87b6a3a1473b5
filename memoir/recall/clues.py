"""The clues in the text of a query: words, a vector, people and times."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.english.lexicon.spotting import with_own_words
from memoir.english.requests import asks_when, subject
from memoir.errors import NotFound
from memoir.index.documents import name_parts
from memoir.index.filters import NAMELESS
from memoir.index.lexical import QueryWords
from memoir.index.stand_ins import QueryVector
from memoir.index.view import View
from memoir.recall.query import Query
from memoir.times import may_name_a_time

if TYPE_CHECKING:
    from memoir.english.dates import Span
    from memoir.index.concept_table import ConceptScores

_SHORTEST_NICKNAME = 3


class Clues(NamedTuple):
    """The words of a query, its vector, the people (case-folded) and times that it names, and its concepts.

    `names` are the case-folded words of the people's names. `asks_when` is true if the query asks for a time and names
    none.
    """

    words: QueryWords
    vector: QueryVector | None
    people: frozenset[str] = frozenset()
    spans: tuple["Span", ...] = ()
    asks_when: bool = False
    concepts: "ConceptScores | None" = None
    names: frozenset[str] = frozenset()


def find_clues(view: View, query: Query) -> Clues:
    """Extract the clues from a query's text.

    Recognised times and names are removed from the text; if their channel is off, they stay as ordinary words. Words
    that ask for the order of what was said are removed, too.
    """
    query = query._replace(text=subject(query.text))
    spans, timeless_text, asks_when = _find_times(query)
    people, nameless_text = frozenset[str](), timeless_text
    if query.weight("person"):
        people, nameless_text = find_people(view, timeless_text, query.where.namespaces)
    rest, words = _correct_words(view, nameless_text)
    if not words.terms:  # only names: search for them as words, too
        words = view.words(timeless_text)
    text = (rest if words.terms else timeless_text) or query.text
    concepts = view.concepts(query.text) if query.weight("concepts") else None
    vector = view.vector(with_own_words(text, view.own_words())) if query.weight("vector") else None  # the slowest
    may_be_in_talk = people or (query.where.sources != "no" and view.has_sources)
    if vector and vector.scale.is_minilm and not may_be_in_talk:
        from memoir.recall.towards_answers import turn  # the map was fitted to MiniLM and to facts, not to talk

        vector = vector._replace(own=turn(vector.own, query.text))
    possessive = {"s"}  # of "Ada's"
    names = frozenset(name_parts(timeless_text) - name_parts(nameless_text) - possessive)
    return Clues(words, vector, people, spans, asks_when, concepts, names)


def _correct_words(view: View, text: str) -> tuple[str, QueryWords]:
    """The text, with its spelling corrected if some word is in no memory, and its words."""
    words = view.words(text)
    if words.absent and (correct := view.correct(text)) != text:
        return correct, view.words(correct)
    return text, words


def _find_times(query: Query) -> "tuple[tuple[Span, ...], str, bool]":
    """The times that a query names, its text without them, and whether it asks for a time.

    If the time channel is off, no times are looked for.
    """
    if not query.weight("time"):
        return (), query.text, False
    spans, rest = tuple["Span", ...](), " ".join(query.text.split())
    if may_name_a_time(query.text.lower()):
        from memoir.english.dates import find_times

        spans, rest = find_times(query.text, query.now)
    return spans, rest, not spans and asks_when(query.text)


def find_people(view: View, text: str, namespaces: Sequence[str]) -> tuple[frozenset[str], str]:
    """The case-folded people of the namespaces (all, if empty) that a text names, and the text without them.

    Any part of a name counts, and so does a capitalised beginning: `Mel` means Melanie. A possessive `'s` is removed as
    well.
    """
    names: set[str] = set()
    rest: list[str] = []
    for word in text.split():
        people = _people_of_word(view, word, namespaces)
        names |= people
        if not people:
            rest.append(word)
    return frozenset(names), " ".join(rest)


def _people_of_word(view: View, word: str, namespaces: Sequence[str]) -> set[str]:
    core = word.strip('.,;:!?()"“”').removesuffix("'s").removesuffix("’s")
    if not core.isalnum():
        return set()
    nickname = core[0].isupper() and len(core) >= _SHORTEST_NICKNAME
    return {name.casefold() for name in view.names(core.casefold(), namespaces, prefix=nickname)}


def require_person(view: View, name: str) -> None:
    """Check that some memory, in any namespace, is about a person, or is said by the user or the assistant.

    Raises:
        NotFound: there is none; the hint is the nearest name.
    """
    if name.casefold() in NAMELESS and view.has_passages_of(name.casefold()):
        return
    part = min(name_parts(name), default=None)
    if part is not None and name.casefold() not in {each.casefold() for each in view.names(part)}:
        raise NotFound(f"no memory is about {name!r}", _hint(view, name))


def _hint(view: View, name: str) -> str:
    from difflib import get_close_matches

    if name.isdigit():
        return f"--person takes a name; for a number of entries: -l {name}"
    people = {each.casefold(): each for each in view.names()}
    namesakes = sorted(each for each in people if name_parts(each) & name_parts(name))
    close = namesakes or get_close_matches(name.casefold(), people, 1)
    return f"did you mean {people[close[0]]!r}?" if close else "--person takes a name from metadata.person"
