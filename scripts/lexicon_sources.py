"""The sources of the lexicon: concepts with their words and phrases, and terms with the concepts they stand for.

    [concepts]
    monitoring ~ incident, logging: metrics, dashboard, keep an eye on
    [terms]
    grafana: monitoring
    k8s, kubernetes: container orchestration, ~deployment

After `~` stands what is only related: other concepts of a concept, or one of a term.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memoir.english.lexicon.table import RELATED
from memoir.errors import InvalidInput


class Concept(NamedTuple):
    """A concept, those related to it, and the words and phrases that speak of it, its name among them."""

    name: str
    related: tuple[str, ...]
    words: tuple[str, ...]


class Term(NamedTuple):
    """A name, as it is spelt, and the weights of the concepts it stands for."""

    spelling: str
    concepts: dict[str, float]


def read(text: str) -> Iterator[Concept | Term]:
    """The concepts and terms of a source.

    Raises:
        InvalidInput: a line is neither a section, a comment nor an entry.
    """
    section = ""
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line in ("[concepts]", "[terms]"):
            section = line
        elif line and line != "#" and not line.startswith("# "):
            head, colon, rest = line.partition(": ")
            if not (colon and section):
                raise InvalidInput(f"line {number} is not an entry of the lexicon: {line!r}", "NAME: WORD, WORD")
            yield from _concept(head, rest) if section == "[concepts]" else _terms(head, rest)


def _concept(head: str, rest: str) -> Iterable[Concept]:
    name, _, related = head.partition(" ~ ")
    yield Concept(name, tuple(_split(related)), (name, *_split(rest)))


def _terms(head: str, rest: str) -> Iterable[Term]:
    weights = {each.lstrip("~ "): RELATED if each.startswith("~") else 1.0 for each in _split(rest)}
    return (Term(spelling, weights) for spelling in _split(head))


def _split(text: str) -> list[str]:
    return [part for each in text.split(",") if (part := each.strip())]
