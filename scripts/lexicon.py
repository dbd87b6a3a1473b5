"""The compiled table of the lexicon, from its sources; `generate.py` writes and checks it."""

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from lexicon_sources import Concept, Term, read

from memoir.english.lexicon import table
from memoir.english.lexicon.table import base, split
from memoir.english.stopwords import STOP_WORDS

FILE = table.FILE
FOLDER = FILE.parent
SOURCES = ("code", "operations", "business", "science", "life")
LONGEST = 4
"""Words of a phrase."""
MOST = 3
"""Concepts that a word may speak of; one of more says too little."""
_FREQUENT, _KNOWN = 3500, 10_000
"""The lines of the vocabulary before which the frequent words stand, and those that everybody knows."""

Words = tuple[str, ...]


def lines() -> list[str]:
    """The lines of the table, sorted, without their version."""
    concepts, terms = _read_all()
    phrases: dict[Words, dict[str, float]] = defaultdict(dict)
    spellings = {tuple(_split(words)) for concept in concepts.values() for words in concept.words}
    for concept in concepts.values():
        for words in concept.words:
            phrases[_bases(words)][concept.name] = 1.0
    names: dict[Words, list[Term]] = defaultdict(list)
    for term in terms:
        names[tuple(_split(term.spelling))].append(term)
    return sorted(
        [*_phrase_lines(phrases), *_term_lines(names, spellings)]
        + [f"={concept.name}\t{','.join(concept.related)}" for concept in concepts.values() if concept.related],
        key=str.encode,
    )


def text() -> str:
    """The table: its version, and its lines."""
    body = "".join(f"{line}\n" for line in lines())
    return f"!{sha256(body.encode()).hexdigest()[:8]}\n{body}"


def _read_all() -> tuple[dict[str, Concept], list[Term]]:
    """The concepts of all sources by their names, those of one name as one, and the terms."""
    concepts: dict[str, Concept] = {}
    terms: list[Term] = []
    for name in SOURCES:
        for entry in read(Path(FOLDER, f"{name}.txt").read_text(encoding="utf-8")):
            if isinstance(entry, Term):
                terms.append(entry)
            elif old := concepts.get(entry.name):
                related, words = dict.fromkeys(old.related + entry.related), dict.fromkeys(old.words + entry.words)
                concepts[entry.name] = Concept(entry.name, tuple(related), tuple(words))
            else:
                concepts[entry.name] = entry
    mentioned = {each for concept in concepts.values() for each in concept.related}
    mentioned |= {each for term in terms for each in term.concepts}
    if unknown := mentioned - set(concepts):
        raise SystemExit(f"no such concepts: {', '.join(sorted(unknown))}")
    return concepts, terms


def _phrase_lines(phrases: dict[Words, dict[str, float]]) -> Iterator[str]:
    for words, concepts in phrases.items():
        if words and len(words) <= LONGEST and len(concepts) <= MOST:
            yield _line(words[0], table.WORD, words, concepts)


def _term_lines(names: dict[Words, list[Term]], spellings: set[Words]) -> Iterator[str]:
    """The lines of terms; one that is a word or phrase of a concept is none."""
    ranks = {word: rank for rank, word in enumerate(_vocabulary())}
    for words, terms in names.items():
        concepts = {name: weight for term in terms for name, weight in term.concepts.items()}
        if words and len(words) <= LONGEST and words not in spellings:
            yield _line(
                base(words[0]), _kind(words, terms[0].spelling, ranks), words, dict(list(concepts.items())[:MOST])
            )


def _kind(words: Words, spelling: str, ranks: dict[str, int]) -> str:
    if len(words) == 2 and (words[0] in ("a", "the") or _is_small(words[0])):
        is_common = _is_small(words[1]) or (words[0] in ("a", "the") and ranks.get(words[1], _KNOWN) < _KNOWN)
        return table.FREQUENT if is_common else table.TERM  # "I'm a", "a positive attitude", "the tube"
    if len(words) > 1 or not (spelling != spelling.lower() or words[0] in ranks):
        return table.TERM
    return table.FREQUENT if ranks.get(words[0], _FREQUENT) < _FREQUENT else table.ORDINARY


def _is_small(word: str) -> bool:
    return word.isalpha() and (len(word) == 1 or word in STOP_WORDS)


def _line(first: str, kind: str, words: Words, concepts: dict[str, float]) -> str:
    names = ",".join(name if weight == 1 else f"~{name}" for name, weight in concepts.items())
    return f"{first}\t{kind}\t{' '.join(words)}\t{names}"


def _split(words: str) -> list[str]:
    return [word.lower() for word in split(words)]


def _bases(words: str) -> Words:
    return tuple(map(base, _split(words)))


def _vocabulary() -> list[str]:
    return (FOLDER.parent.parent / "embedders/vocabulary.txt").read_text(encoding="utf-8").splitlines()
