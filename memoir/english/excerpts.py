"""The part of a text that answers a question: the sentence with most of its words, and what follows.

And whether texts say what another text claims to have from them.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from memoir.english.code_text import is_code
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words, stem

_END = r"(?<=[.!?…])[\"'”’)\]]*\s+|\s*\n\s*"
_NAME = r"(?<=[\w,;:] )[A-Z][a-z]{2}|[\"“]\w|\d"
_ENTRY = r"(?:[-*+•]|\d{1,3}[.)])\s+\S"
"""How an entry of a list begins."""
_LEANING = r"(?:(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Just)\b|[a-z])"
"""How a sentence begins that cannot be read without the one before."""
_BARE = r"(?i:(?:oh,? )?(?:yes|yeah|yep|no|nope|not|sure|of course|definitely|absolutely|exactly|it|that|they)\b)"
"""How an answer begins that says little without its question."""
_EXCLAMATION = 2
"""The most telling words of a sentence that says nothing: `That sounds amazing!`"""
_LISTENER = r"\b[Yy]ou(?:r|rs|['’](?:re|ve|ll|d))?\b"
_OWN = r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Uu]s|[Oo]urs?)\b"
_QUESTION, _ABOUT_LISTENER, _NAMING, _NUMBER, _CODE = 0.7, 0.7, 1.3, 1.8, 0.5
_LEAD = 40
"""How many characters of a long sentence are shown before the first word that matches."""
_LEAST_PART = 50
"""The fewest characters of a sentence that is cut so that the next one can be shown."""
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


def best_score(text: str, weights: Mapping[str, float], *, is_talk: bool = False, number: bool = False) -> float:
    """How much of some stems the sentence has with which an excerpt begins."""
    sentences = _sentences(text[:_LONGEST])
    return max((score(sentence, weights) * _worth(sentence, is_talk, number) for sentence in sentences), default=0.0)


def asks(text: str, weights: Mapping[str, float]) -> bool:
    """Whether the sentence with most of some stems is a question."""
    return "?" in text and _is_question(
        max(_sentences(text[:_LONGEST]), key=lambda sentence: score(sentence, weights), default="")
    )


def excerpt(
    text: str, weights: Mapping[str, float], most: int, *, is_talk: bool = False, longest: int = 0, number: bool = False
) -> str:
    """A text in one line, cut to a number of characters: the sentence that has most of some stems, and those after it.

    Sentences are shown whole; those before the best one only if the end of the text leaves room for them, and never
    before an entry of a list. The best sentence alone may have `longest` characters; of a longer one the part with the
    stems is shown. If a `number` is wanted, a sentence with one counts more, and code counts less. In a talk between
    people, what somebody says of the listener counts less: it repeats what the listener has said.
    """
    sentences = list(_sentences(text[:_LONGEST]))
    if len(text) <= _LONGEST and len(flat := " ".join(sentences)) <= most:
        return flat
    room = max(most - 2 * len(MARK), 1)
    worth = [score(each, weights) * _worth(each, is_talk, number) for each in sentences]
    if not any(worth):
        worth = [float(_says_something(each)) for each in sentences]
    best = max(range(len(sentences)), key=worth.__getitem__, default=0)
    if not sentences or len(sentences[best]) > max(room, longest):
        first, last = best, best + 1
        shown = _part_of(sentences[best] if sentences else "", weights, room, number)
    else:
        first, last = _around(sentences, best, room)
        shown = " ".join(sentences[first:last])
        if number and not re.search(r"\d", shown):
            shown = _with_number(sentences[best:], weights, room) or shown
    is_cut = (last < len(sentences) or len(text) > _LONGEST) and not shown.endswith(MARK[0])
    return MARK * (first > 0 and not shown.startswith(MARK)) + shown + f" {MARK[0]}" * is_cut


def _with_number(sentences: Sequence[str], weights: Mapping[str, float], room: int) -> str:
    """The first of some sentences and the next one of prose that has a number; empty if there is no room for both.

    If that is the very next one, a part of the first is enough.
    """
    first, *others = sentences
    at = next((at for at, each in enumerate(others) if re.search(r"\d{2}", each) and not is_code(each)), None)
    if at is None:
        return ""
    rest = f" {MARK * (at > 0)}{others[at]}"
    if at == 0 and len(first) > room - len(rest) >= _LEAST_PART:
        return _part_of(first, weights, room - len(rest), number=False) + rest
    return first + rest if len(first + rest) <= room else ""


def _around(sentences: Sequence[str], best: int, room: int) -> tuple[int, int]:
    """The first sentence to show, and the one behind the last."""

    def length(first: int, last: int) -> int:
        return sum(map(len, sentences[first:last])) + last - first - 1

    first, last, count = best, best + 1, len(sentences)
    if first and re.match(_LEANING, sentences[first]) and length(first - 1, last) <= room:
        first -= 1
    is_prose = not is_code(sentences[best])
    while last < count and length(first, last + 1) <= room and not (is_prose and is_code(sentences[last])):
        last += 1
    if last == count and first and not re.match(_ENTRY, sentences[best]):  # those before an entry say something else
        while first and length(first - 1, last) <= room:
            first -= 1
    return first, last


def _part_of(sentence: str, weights: Mapping[str, float], room: int, number: bool) -> str:
    """The part of a long sentence with most of some stems."""
    hits = [(word.start(), root) for word in re.finditer(r"\w+", sentence)
            if (root := stem(word[0].casefold())) in weights]  # fmt: skip

    def between(start: int) -> float:
        said = sum(weights[root] for root in {root for at, root in hits if start <= at < start + room})
        return said * (_NUMBER if number and re.search(r"\d", sentence[start : start + room]) else 1.0)

    lead = min(_LEAD, room // 3)
    starts = [0, *(sentence.find(" ", at - lead) + 1 for at, _ in hits if at > lead)]
    start = max(starts, key=between)
    shown, end = sentence[start : start + room], start + room
    if end < len(sentence) and not sentence[end].isspace():
        shown = shown.rpartition(" ")[0] or shown
    return MARK * (start > 0) + shown.rstrip() + MARK[0] * (end < len(sentence))


def _sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text, without the white space around them."""
    ends = [0, *(end.end() for end in re.finditer(_END, text)), len(text)]
    return (sentence for start, end in itertools.pairwise(ends) if (sentence := text[start:end].strip()))


def _worth(sentence: str, is_talk: bool, number: bool) -> float:
    """How much a sentence is likely to say: a question says little, and one with a name, a title or a number much."""
    if _is_question(sentence):
        return _QUESTION
    if is_code(sentence):
        return _CODE
    if is_talk and re.search(_LISTENER, sentence) and not re.search(_OWN, sentence):
        return _ABOUT_LISTENER
    if number and re.search(r"\d", sentence):
        return _NUMBER
    return _NAMING if re.search(_NAME, sentence) else 1.0


def _says_something(sentence: str) -> bool:
    """Whether a sentence is more than a greeting or an exclamation."""
    return len({word for word in plain_words(sentence) if word not in STOP_WORDS}) > _EXCLAMATION


def is_bare_answer(text: str) -> bool:
    """Whether a text begins like an answer that says little without its question."""
    return re.match(_BARE, text) is not None


def last_question(text: str, most: int) -> str:
    """The question that a text ends with, at most so many characters of its end; empty if it ends otherwise."""
    sentences = list(_sentences(text[-_LONGEST:]))
    if not sentences or not _is_question(sentences[-1]):
        return ""
    question = sentences[-1]
    return question if len(question) <= most else MARK + question[len(MARK) - most :].partition(" ")[2]


def _is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)").endswith("?")


_LEAST_SHARE = 0.4
"""The least share of a text's words that must stand in its sources; it may put things in words of its own."""


def is_grounded(text: str, sources: Sequence[str]) -> bool:
    """Whether sources say what a text says: all of its names and numbers, and enough of its words."""
    from memoir.english.names import count_words

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
