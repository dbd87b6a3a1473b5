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
    """The words of a query, its vector, the people (case-folded) and the times it names, and the concepts in it.

    `names` are the words that name the people, case-folded. `asks_when` says whether it asks for a time and names none.
    """

    words: QueryWords
    vector: QueryVector | None
    people: frozenset[str] = frozenset()
    spans: tuple["Span", ...] = ()
    asks_when: bool = False
    concepts: "ConceptScores | None" = None
    names: frozenset[str] = frozenset()


def find_clues(view: View, query: Query) -> Clues:
    """Take the text of a query apart.

    Recognised times and names leave the text; with their channel off they are ordinary words. So do the words that
    ask for an order of what was said.
    """
    query = query._replace(text=subject(query.text))
    spans, timeless_text, asks_when = _find_times(query)
    people, nameless_text = frozenset[str](), timeless_text
    if query.weight("person"):
        people, nameless_text = find_people(view, timeless_text, query.where.namespaces)
    rest, words = _read(view, nameless_text)
    if not words.terms:  # a query of names alone: they are words of the column of people as well
        words = view.words(timeless_text)
    text = (rest if words.terms else timeless_text) or query.text
    concepts = view.concepts(query.text) if query.weight("concepts") else None
    vector = view.vector(with_own_words(text, view.own_words())) if query.weight("vector") else None  # the slowest
    may_be_in_talk = people or (query.where.sources != "no" and view.has_sources)
    if vector and vector.scale.is_minilm and not may_be_in_talk:
        from memoir.recall.towards_answers import turn  # the map is MiniLM's, and leads to facts, not to talk

        vector = vector._replace(own=turn(vector.own, query.text))
    possessive = {"s"}  # of "Ada's"
    names = frozenset(name_parts(timeless_text) - name_parts(nameless_text) - possessive)
    return Clues(words, vector, people, spans, asks_when, concepts, names)


def _read(view: View, text: str) -> tuple[str, QueryWords]:
    """A text as it was meant, and its words: if no memory holds some of them, they may be misspelt."""
    words = view.words(text)
    if words.absent and (correct := view.correct(text)) != text:
        return correct, view.words(correct)
    return text, words


def _find_times(query: Query) -> "tuple[tuple[Span, ...], str, bool]":
    """The times that a query names, its text without them, and whether it asks for one instead.

    With the channel off there are none, and the text is whole.
    """
    if not query.weight("time"):
        return (), query.text, False
    spans, rest = tuple["Span", ...](), " ".join(query.text.split())
    if may_name_a_time(query.text.lower()):
        from memoir.english.dates import find_times

        spans, rest = find_times(query.text, query.now)
    return spans, rest, not spans and asks_when(query.text)


def find_people(view: View, text: str, namespaces: Sequence[str]) -> tuple[frozenset[str], str]:
    """The people of some namespaces (of all without any) that a text names, case-folded, and the text without them.

    Any part of a name will do. A capitalised word may also be the beginning of a name: `Mel` means Melanie. A
    possessive `'s` goes with it.
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
    """Check that some memory is about a person, or that a chat has what the user or the assistant says.

    The namespace does not matter.

    Raises:
        NotFound: none is, with the nearest name as a hint.
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
