"""The part of a text that answers a question: the sentence with most of its words, and what follows.

And whether texts say what another text claims to have from them.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from memoir.english.names import count_words
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words, stem

_END = r"(?<=[.!?…])[\"'”’)\]]*\s+|\s*\n\s*"
_NAME = r"(?<=[\w,;:] )[A-Z][a-z]{2}|[\"“]\w|\d"
_ENTRY = r"(?:[-*+•]|\d{1,3}[.)])\s+\S"
"""How an entry of a list begins."""
_LEANING = r"(?:(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Just)\b|[a-z])"
"""How a sentence begins that cannot be read without the one before."""
_LISTENER = r"\b[Yy]ou(?:r|rs|['’](?:re|ve|ll|d))?\b"
_OWN = r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Uu]s|[Oo]urs?)\b"
_QUESTION, _ABOUT_LISTENER, _NAMING = 0.7, 0.7, 1.3
_LEAD = 40
"""How many characters of a long sentence are shown before the first word that matches."""
_LONGEST = 20_000
"""How many characters of a text are looked at."""
MARK = "… "
"""What stands for the words before an excerpt; the one for those after it is its first character."""


def weights_by_stem(words: Mapping[str, float]) -> dict[str, float]:
    """The weights of words, by the stems that their inflections share."""
    return {stem(word.casefold()): weight for word, weight in words.items()}


def score(text: str, weights: Mapping[str, float]) -> float:
    """How much of some stems a text has."""
    return sum(weights[root] for root in {stem(word) for word in plain_words(text[:_LONGEST])} & weights.keys())


def best_score(text: str, weights: Mapping[str, float], *, is_talk: bool = False) -> float:
    """How much of some stems the sentence has with which an excerpt begins."""
    sentences = (sentence[0] for sentence in _sentences(text[:_LONGEST]))
    return max((score(sentence, weights) * _worth(sentence, is_talk) for sentence in sentences), default=0.0)


def asks(text: str, weights: Mapping[str, float]) -> bool:
    """Whether the sentence with most of some stems is a question."""
    sentences = (sentence[0] for sentence in _sentences(text[:_LONGEST]))
    return _is_question(max(sentences, key=lambda sentence: score(sentence, weights), default=""))


def excerpt(text: str, weights: Mapping[str, float], most: int, *, is_talk: bool = False) -> str:
    """A text in one line, cut to a number of characters: from the sentence on that has most of some stems.

    If the end of the text leaves room, the sentences before are shown as well; but an entry of a list is the first.
    In a talk between people, what somebody says of the listener counts less: it repeats what the listener has said.
    """
    spans = [(sentence.start(), sentence.end()) for sentence in _sentences(text[:_LONGEST])]
    flat = " ".join(text[start:end] for start, end in spans)
    if len(flat) <= most and len(text) <= _LONGEST:
        return flat
    room = max(most - 2 * len(MARK), 1)
    at = _start(flat, _lengthwise(spans), weights, room, is_talk)
    shown = flat[at : at + room]
    is_cut = at + room < len(flat)
    if is_cut and not flat[at + room].isspace():
        shown = shown.rpartition(" ")[0] or shown
    end = (" " if shown.endswith((".", "!", "?")) else "") + MARK[0] if is_cut or len(text) > _LONGEST else ""
    return MARK * (at > 0) + shown.rstrip() + end


def _sentences(text: str) -> Iterator[re.Match[str]]:
    """The sentences and lines of a text, without the white space around them."""
    ends = [0, *(end.end() for end in re.finditer(_END, text)), len(text)]
    words = re.compile(r"\S(?:.*\S)?", re.DOTALL)
    return (sentence for start, end in itertools.pairwise(ends) if (sentence := words.search(text, start, end)))


def _lengthwise(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places of sentences when they are put together with blanks."""
    placed, at = [], 0
    for start, end in spans:
        placed.append((at, at + end - start))
        at += end - start + 1
    return placed


def _worth(sentence: str, is_talk: bool) -> float:
    """How much a sentence is likely to say: a question says little, and one with a name, a title or a number much."""
    if _is_question(sentence):
        return _QUESTION
    if is_talk and re.search(_LISTENER, sentence) and not re.search(_OWN, sentence):
        return _ABOUT_LISTENER
    return _NAMING if re.search(_NAME, sentence) else 1.0


def _is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)").endswith("?")


def _start(flat: str, spans: list[tuple[int, int]], weights: Mapping[str, float], room: int, is_talk: bool) -> int:
    """Where the excerpt begins."""
    hits = [(word.start(), word.end(), root) for word in re.finditer(r"\w+", flat)
            if (root := stem(word[0].casefold())) in weights]  # fmt: skip

    def between(start: int, end: int) -> float:
        return sum(weights[root] for root in {root for first, last, root in hits if start <= first and last <= end})

    start, end = max(spans, key=lambda span: between(*span) * _worth(flat[slice(*span)], is_talk))
    if between(start, start + room) < between(start, end):  # its words are far from its beginning
        leads = (flat.find(" ", max(start, first - _LEAD)) + 1 for first, _, _ in hits if start + _LEAD < first < end)
        return max([start, *leads], key=lambda at: between(at, min(at + room, end)))
    if re.match(_ENTRY, flat[start:]):  # the entry that answers is first: those before it say something else
        return start
    if re.match(_LEANING, flat[start:]):
        before = [first for first, last in spans if last < start and start - first <= room // 2]
        start = max((at for at in before if between(at, at + room) >= between(start, start + room)), default=start)
    return min((first for first, _ in spans if first <= start and len(flat) - first <= room), default=start)


_LEAST_SHARE = 0.4
"""The least share of a text's words that must stand in its sources; it may put things in words of its own."""


def is_grounded(text: str, sources: Sequence[str]) -> bool:
    """Whether sources say what a text says: all of its names and numbers, and enough of its words."""
    own, theirs = count_words([text]), count_words(sources)
    names = {*own.capitals, *own.identifiers}
    whole = " ".join(sources)
    numbers = set(re.findall(r"\d+", text)) - set(re.findall(r"\d+", whole))
    share = share_of_words(text, whole)
    return names <= theirs.texts.keys() and not numbers and share >= _LEAST_SHARE


def share_of_words(text: str, source: str) -> float:
    """The share of a text's telling words that stand in another; 0 if it has none."""
    words = {stem(word) for word in plain_words(text) if word not in STOP_WORDS}
    return len(words & {stem(word) for word in plain_words(source)}) / len(words) if words else 0.0
