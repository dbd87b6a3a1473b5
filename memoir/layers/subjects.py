"""What a thread is about, if it is about one thing: the nouns that its memories share, and a sentence that has them.

A thread can be a chain: each memory shares rare words with the one before, and all of them together share none. Then it
has no subject, and nobody learns anything from a list of its words.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from memoir.english.nouns import is_adjective, may_be_noun
from memoir.english.proper_names import tells_nothing
from memoir.english.stopwords import IRREGULAR_PARTICIPLES, REFERENCES, VAGUE_WORDS
from memoir.english.topics import topics

LEAST = 3
"""The fewest memories that make a subject: two have a few words in common by chance."""
_SHORTEST, _LONGEST, _USUAL = 20, 110, 70
"""The characters of a title: it is at least so long, is cut if it is longer, and best has so many."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n")
_ASIDES = re.compile(r"\[[^\]]*\](?!\()")
"""What a transcript adds, such as the description of a picture; a link of Markdown is none."""
_ADDRESS = re.compile(r", [A-Z]\w+\W?$")
"""The name of who is spoken to, at the end."""
_TOKENS = re.compile(r"[^\W_][\w'’-]*")


class Subject(NamedTuple):
    """The nouns that memories share, most of them first, and a sentence of theirs that has them."""

    words: tuple[str, ...]
    title: str


def subject(texts: Sequence[str], words: Mapping[str, str]) -> Subject | None:
    """The subject of some memories, the oldest first; None if they have none.

    Args:
        texts: What they say, without the name of who says it.
        words: Rare stems that several of them share, each with its word.
    """
    plain = [_ASIDES.sub("", text) for text in texts]
    held = [{topic.stem for topic in topics(text)} & words.keys() for text in plain]
    shares = _shares(plain, held, words)
    most = max(shares.values(), default=0)
    is_one = most >= LEAST and 3 * most >= 2 * len(plain)
    if len(plain) < LEAST or not (is_one or 2 * _together(held, shares) >= len(plain)):
        return None
    needed = 1 if is_one else 2
    candidates = [(score, text) for text in _sentences(plain) if (score := _score(text, shares, needed))]
    best = max(candidates, key=lambda each: each[0], default=None)
    return Subject(tuple(words[stem] for stem in shares), _shorten(best[1])) if best else None


def _shares(texts: Sequence[str], held: Sequence[Set[str]], words: Mapping[str, str]) -> dict[str, int]:
    """The nouns that half of the memories have, each with the number of memories, the greatest first."""
    counts = Counter(stem for stems in held for stem in stems)
    stems = [stem for stem, its in counts.items() if its > 1 and 2 * its >= len(texts)]
    nouns = [stem for stem in stems if _is_subject(words[stem], texts)]
    return {stem: counts[stem] for stem in sorted(nouns, key=lambda each: (-counts[each], each))}


def _together(held: Sequence[Set[str]], shares: Mapping[str, int]) -> int:
    """How many memories have the same two of the nouns."""
    pairs = Counter(pair for stems in held for pair in combinations(sorted(stems & shares.keys()), 2))
    return max(pairs.values(), default=0)


def _is_subject(word: str, texts: Sequence[str]) -> bool:
    """Whether a word mostly stands for a thing where the texts have it."""
    lower = word.casefold()
    if lower in VAGUE_WORDS or lower in IRREGULAR_PARTICIPLES or tells_nothing(lower) or is_adjective(lower):
        return False
    uses = [
        may_be_noun(tokens, place)
        for tokens in map(_TOKENS.findall, texts)
        for place, token in enumerate(tokens)
        if token.casefold() == lower
    ]
    return 2 * sum(uses) > len(uses)


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    """The sentences that stand alone: no question, no link, none that refers to the one before."""
    for sentence in (sentence.strip() for text in texts for sentence in _SENTENCES.split(text)):
        first = next(iter(_TOKENS.findall(sentence)), "").casefold()
        begins = first.partition("'")[0].partition("’")[0]
        is_whole = len(sentence) >= _SHORTEST and not sentence.endswith(("?", ":")) and not sentence[0].islower()
        if is_whole and begins not in REFERENCES and not _ADDRESS.search(sentence) and "](" not in sentence:
            yield sentence


def _score(sentence: str, shares: Mapping[str, int], needed: int) -> float:
    """How well a sentence names a subject; 0 if it has too few of its nouns."""
    stems = {topic.stem for topic in topics(sentence)}
    has = [its for stem, its in shares.items() if stem in stems]
    if len(has) < needed or next(iter(shares)) not in stems:
        return 0.0
    return sum(has) / max(shares.values()) / (1 + abs(len(sentence) - _USUAL) / _USUAL)


def _shorten(title: str) -> str:
    """A title without its full stop, cut between words if it is long."""
    if len(title) <= _LONGEST:
        return title.removesuffix(".")
    return f"{title[: title.rfind(' ', 0, _LONGEST)].rstrip(' ,;:–—-')}…"
