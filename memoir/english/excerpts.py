"""Excerpts: the sentences of a text that answer a question, and those after them.

Also tests whether sources support a text made from them.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memoir.english.code_text import is_code
from memoir.english.patterns import word_set
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words, stem
from memoir.times import MONTHS, WEEKDAYS

if TYPE_CHECKING:
    from typing import Protocol

    class Sought(Protocol):
        """What a query looks for in a text."""

        @property
        def words(self) -> Mapping[str, float]:
            """The weights of its words, by stem."""

        @property
        def number(self) -> bool:
            """Whether it asks for a number or a date."""

        @property
        def near(self) -> Callable[[str], float]:
            """The similarity of a sentence to it, from 0 to 1."""

        @property
        def says(self) -> str:
            """A pattern of answers; empty without one.

            "I'm Ada, a locksmith" shares no word with "what is my profession?".
            """


_GAP = r"\s*\n\s*|(?<=\W)\s+"
"""A possible end of a sentence. Without `…` and the like in character classes, which compile slowly."""
_MARKS, _CLOSING = (".", "!", "?", "…"), "\"'”’)]"
_NEAR_END = 12
"""The characters before a gap that decide whether a sentence ends there."""
_ABBREVIATIONS = ("Mr.", "Dr.", "Mrs.", "Ms.", "St.", "vs.", "e.g.", "i.e.")
_NAME = r"(?<=[\w,;:] )[A-Z][a-z]{2}|\"\w|“\w|\d"
_ENTRY = r"(?:[-*+]|•|\d{1,3}[.)])\s+\S"
"""The beginning of a list entry."""
_LEANING = ("He", "She", "It", "They", "His", "Her", "Its", "Their", "This", "That", "These", "Those", "Just")
"""First words of a sentence that depends on the one before, as does one in lower case."""
_COUNTS = word_set(
    """
    twice half two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty
    ninety dozen dozens hundred hundreds thousand thousands
    """
)
_MONTHS = frozenset(map(str.capitalize, MONTHS))
_BARE = (
    *("yes", "yeah", "yep", "no", "nope", "not", "sure", "of course", "definitely", "absolutely", "exactly", "it"),
    *("that", "they"),
)
"""First words of an answer that says little without its question."""
_LONGEST_BARE = 20
_EXCLAMATION = 2
"""The most content words of an empty sentence: `That sounds amazing!`"""
_LISTENER = word_set("you your yours You Your Yours")
_OWN = word_set("I me my mine we us our ours Me My Mine We Us Our Ours")
_QUESTION, _ABOUT_LISTENER, _HEADING, _NAMING, _NUMBER, _CODE = 0.7, 0.7, 0.7, 1.3, 1.8, 0.5
_OTHERS = 0.1
"""Minimum score of an extra sentence, relative to the best."""
_NEXT, _NEXT_NUMBER = 0.2, 0.25
"""The scores, relative to the best, of the next sentence, and of the next one with a number if one is wanted."""
_FEWEST = 3
"""The fewest words of an extra sentence."""
_LEAD = 40
"""The characters of a long sentence shown before its first match."""
_LONGEST = 20_000
"""The characters of a text that are read."""
MARK = "… "
"""The mark for omitted words before an excerpt; its first character stands for those after it."""


def weights_by_stem(words: Mapping[str, float]) -> dict[str, float]:
    """The weights of words, by stem."""
    return {stem(word.casefold()): weight for word, weight in words.items()}


def score(text: str, weights: Mapping[str, float]) -> float:
    """The summed weights of the stems in a text."""
    return sum(weights[root] for root in {stem(word) for word in plain_words(text[:_LONGEST])} & weights.keys())


def best_score(text: str, wanted: "Sought", *, is_talk: bool = False) -> float:
    """The score of the sentence that an excerpt begins with."""
    return max(_values(list(_sentences(text[:_LONGEST])), wanted, is_talk), default=0.0)


def _values(sentences: Sequence[str], wanted: "Sought", is_talk: bool) -> list[float]:
    """The score of each sentence, by its words and its meaning."""
    whole = sum(wanted.words.values())
    said = (
        score(each, wanted.words) + whole * (wanted.near(each) + bool(wanted.says and re.search(wanted.says, each)))
        for each in sentences
    )
    return [value * _worth(each, is_talk, wanted.number) for value, each in zip(said, sentences, strict=True)]


def asks(text: str, wanted: "Sought") -> bool:
    """Whether the sentence with most sought words is a question."""
    return "?" in text and _is_question(
        max(_sentences(text[:_LONGEST]), key=lambda sentence: score(sentence, wanted.words), default="")
    )


def excerpt(text: str, wanted: "Sought", most: int, *, is_talk: bool = False, longest: int = 0) -> str:
    """A text on one line, cut to `most` characters: the sentence that answers best, and others.

    The others are those that also score, then those after the best; those before it only if the text ends first, and
    never before a list entry. Sentences are shown whole; only the best may be longer (`longest`), and beyond that is
    cut to the part with the stems. A sentence with a number counts more if one is wanted; code counts less. In talk
    between people, remarks about the listener count less, because they repeat what the listener said.
    """
    if len(text) <= min(most, _LONGEST) and text == " ".join(text.split()):
        return text  # most texts; needs no pattern for ends of sentences
    sentences = list(_sentences(text[:_LONGEST]))
    is_whole = len(text) <= _LONGEST
    if is_whole and len(flat := " ".join(sentences)) <= most:
        return flat
    room = max(most - 2 * len(MARK), 1)
    worth = _values(sentences, wanted, is_talk)
    if not any(worth):
        worth = [float(_says_something(each)) for each in sentences]
    best = max(range(len(sentences)), key=worth.__getitem__, default=0)
    if sentences and len(sentences[best]) <= max(room, longest):
        return _joined(sentences, _chosen(sentences, worth, best, room, wanted.number), is_whole=is_whole)
    shown = _part_of(sentences[best] if sentences else "", wanted, room)
    is_cut = (best + 1 < len(sentences) or not is_whole) and not shown.endswith(MARK[0])
    return MARK * (best > 0 and not shown.startswith(MARK)) + shown + f" {MARK[0]}" * is_cut


def _joined(sentences: Sequence[str], chosen: Sequence[int], *, is_whole: bool) -> str:
    """Join sentences of a text, with a mark for each gap."""
    gaps = (after - before > 1 for before, after in itertools.pairwise((-1, *chosen)))
    text = " ".join(MARK * gap + sentences[at] for gap, at in zip(gaps, chosen, strict=True))
    return text + f" {MARK[0]}" * (chosen[-1] + 1 < len(sentences) or not is_whole)


def _chosen(sentences: Sequence[str], worth: Sequence[float], best: int, room: int, number: bool) -> list[int]:
    """Choose the sentences that fit into `room`: the best one, then others by score."""
    chosen, is_prose, count = {best}, not is_code(sentences[best]), len(sentences)
    room -= len(sentences[best])

    def add(at: int) -> bool:
        nonlocal room
        gap = " " if chosen & {at - 1, at + 1} else f" {MARK}"
        if fits := at in chosen or len(gap + sentences[at]) <= room:
            room -= 0 if at in chosen else len(gap + sentences[at])
            chosen.add(at)
        return fits

    def add_while_it_fits(positions: Iterable[int]) -> None:
        for at in positions:
            if not add(at):
                break

    following = [at for at in range(best + 1, count) if not (is_prose and is_code(sentences[at]))]
    is_entry = _is_entry(sentences[best])
    value = _beside(sentences, worth, best, following if number else ())
    for at in sorted(value, key=value.__getitem__, reverse=True):
        if at > best or not is_entry:  # those before a list entry are about something else
            add(at)
    add_while_it_fits(following)
    if max(chosen) == count - 1 and not is_entry:
        add_while_it_fits(range(min(chosen) - 1, -1, -1))
    return sorted(chosen)


def _beside(sentences: Sequence[str], worth: Sequence[float], best: int, numbers: Sequence[int]) -> dict[int, float]:
    """The scores of the other sentences worth showing, by position.

    The first of `numbers` that has a number is added if the best sentence has none.
    """
    top = worth[best]
    value = {
        at: its for at, its in enumerate(worth)
        if at != best and its >= _OTHERS * top and len(plain_words(sentences[at])) >= _FEWEST
    }  # fmt: skip
    near = {best + 1: _NEXT}
    if numbers and not _has_count(sentences[best]):
        near |= dict.fromkeys(
            itertools.islice((at for at in numbers if re.search(r"\d", sentences[at])), 1), _NEXT_NUMBER
        )
    first = re.match(r"\w+", sentences[best])
    if first and (first[0] in _LEANING or "a" <= first[0][0] <= "z"):
        near[best - 1] = 1.0
    more = {at: value.get(at, 0.0) + share * top for at, share in near.items() if 0 <= at < len(sentences)}
    return value | more


def _part_of(sentence: str, wanted: "Sought", room: int) -> str:
    """The part of a long sentence that matches `wanted.says`, else the one with the highest score."""
    weights = wanted.words
    answer = re.search(wanted.says, sentence) if wanted.says else None
    hits = [(word.start(), root) for word in re.finditer(r"\w+", sentence)
            if (root := stem(word[0].casefold())) in weights]  # fmt: skip

    def between(start: int) -> float:
        said = sum(weights[root] for root in {root for at, root in hits if start <= at < start + room})
        return said * (_NUMBER if wanted.number and re.search(r"\d", sentence[start : start + room]) else 1.0)

    lead = min(_LEAD, room // 3)
    telling = [answer.start()] if answer else [0, *(at for at, _ in hits)]
    starts = [sentence.find(" ", at - lead) + 1 if at > lead else 0 for at in telling]
    start = max(starts, key=between)
    shown, end = sentence[start : start + room], start + room
    if end < len(sentence) and not sentence[end].isspace():
        shown = shown.rpartition(" ")[0] or shown
    return MARK * (start > 0) + shown.rstrip() + MARK[0] * (end < len(sentence))


def _sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text, stripped."""
    return (sentence for start, end in _spans(text) if (sentence := text[start:end].strip()))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The start of each sentence or line of a text, and the start of the next."""
    gaps = re.finditer(_GAP, text)
    ends = [0, *(gap.end() for gap in gaps if "\n" in gap[0] or _ends_before(text, gap.start())), len(text)]
    return itertools.pairwise(ends)


def sentence_around(text: str, position: int) -> tuple[int, int]:
    """The start and end (without white space) of the sentence that contains a position."""
    start, end = next((each for each in _spans(text) if each[0] <= position < each[1]), (0, len(text)))
    return start, start + len(text[start:end].rstrip())


def _ends_before(text: str, position: int) -> bool:
    """Whether a sentence ends before a position, rather than an abbreviation or the number of a list entry."""
    end = text[max(position - _NEAR_END, 0) : position].rstrip(_CLOSING)
    if not end.endswith(_MARKS):
        return False
    if short := next(filter(end.endswith, _ABBREVIATIONS), ""):
        before = end.removesuffix(short)[-1:]
        return before.isalnum() or before == "_"
    word = end.split()[-1]
    return not (len(word) <= len("10.") and word[:-1].isdecimal() and word[-1] == ".")


def worth_in_talk(sentence: str) -> float:
    """The likely worth of a sentence in talk between people."""
    return _worth(sentence, is_talk=True, number=False)


def _worth(sentence: str, is_talk: bool, number: bool) -> float:
    """The likely worth of a sentence: low for a question, high for a name, a title or a number."""
    if _is_question(sentence):
        return _QUESTION
    if is_code(sentence):
        return _CODE
    if is_talk and not _LISTENER.isdisjoint(words := re.findall(r"\w+", sentence)) and _OWN.isdisjoint(words):
        return _ABOUT_LISTENER
    if sentence.startswith("#") or sentence.rstrip("*_").endswith(":"):
        return _HEADING
    if number and _has_count(sentence):
        return _NUMBER
    return _NAMING if re.search(_NAME, sentence) else 1.0


def _has_count(sentence: str) -> bool:
    """Whether a sentence has a number or a date.

    Words are tested one by one, which is faster than compiling a pattern of them.
    """
    if any(map(str.isdecimal, sentence)):
        return True
    words = re.findall(r"\w+", sentence)
    small = [word.casefold() for word in words]
    return (
        not (_COUNTS.isdisjoint(small) and _MONTHS.isdisjoint(words))
        or any(word[1:].endswith("teen") or word.removesuffix("s") in WEEKDAYS for word in small)
        or ("once" in small and re.search(r"(?i)\bonce an?\b", sentence) is not None)
    )


def _is_entry(sentence: str) -> bool:
    """Whether a sentence begins an entry of a list."""
    return (sentence[:1] in "-*+•" or sentence[:1].isdecimal()) and re.match(_ENTRY, sentence) is not None


def _says_something(sentence: str) -> bool:
    """Whether a sentence is more than a greeting or an exclamation."""
    return len({word for word in plain_words(sentence) if word not in STOP_WORDS}) > _EXCLAMATION


def is_bare_answer(text: str) -> bool:
    """Whether a text begins like an answer that needs its question, such as "yes"."""
    small = text[:_LONGEST_BARE].lower()
    said = small.removeprefix(next(filter(small.startswith, ("oh, ", "oh ")), ""))
    return any(said.startswith(each) and not re.match(r"\w+", said[len(each) :]) for each in _BARE)


def last_question(text: str, most: int) -> str:
    """The question at the end of a text, at most its last `most` characters; else empty."""
    sentences = list(_sentences(text[-_LONGEST:]))
    if not sentences or not _is_question(sentences[-1]):
        return ""
    question = sentences[-1]
    return question if len(question) <= most else MARK + question[len(MARK) - most :].partition(" ")[2]


def _is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)").endswith("?")


_LEAST_SHARE = 0.4
"""The least share of a text's words that its sources must contain; it may paraphrase the rest."""


def is_grounded(text: str, sources: Sequence[str]) -> bool:
    """Whether sources support a text: they contain all its names and numbers, and enough of its words."""
    from memoir.english.names import count_words

    own, theirs = count_words([text]), count_words(sources)
    names = {*own.capitals, *own.identifiers}
    whole = " ".join(sources)
    numbers = set(re.findall(r"\d+", text)) - set(re.findall(r"\d+", whole))
    share = share_of_words(text, whole)
    return names <= theirs.texts.keys() and not numbers and share >= _LEAST_SHARE


def share_of_words(text: str, source: str) -> float:
    """The share of a text's content words that occur in another; 0 if it has none."""
    words = {stem(word) for word in plain_words(text) if word not in STOP_WORDS}
    return len(words & {stem(word) for word in plain_words(source)}) / len(words) if words else 0.0
