"""The parts of a text that answer a question: the sentence with most of its words and meaning, others, what follows.

And whether texts say what another text claims to have from them.
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
        """What a query asks for."""

        @property
        def words(self) -> Mapping[str, float]:
            """How much its words weigh, by their stems."""

        @property
        def number(self) -> bool:
            """Whether it wants a number or a date."""

        @property
        def near(self) -> Callable[[str], float]:
            """How near a sentence is to it in meaning, from 0 to 1."""

        @property
        def says(self) -> str:
            """The pattern of what answers it, if there is one.

            "I'm Ada, a locksmith" has no word of "what is my profession?".
            """


_GAP = r"\s*\n\s*|(?<=\W)\s+"
"""Where a sentence may end. A class of characters with `…` or the like would take long to compile, so none has them."""
_MARKS, _CLOSING = (".", "!", "?", "…"), "\"'”’)]"
_NEAR_END = 12
"""The characters before a gap that tell whether a sentence ends there."""
_ABBREVIATIONS = ("Mr.", "Dr.", "Mrs.", "Ms.", "St.", "vs.", "e.g.", "i.e.")
_NAME = r"(?<=[\w,;:] )[A-Z][a-z]{2}|\"\w|“\w|\d"
_ENTRY = r"(?:[-*+]|•|\d{1,3}[.)])\s+\S"
"""How an entry of a list begins."""
_LEANING = ("He", "She", "It", "They", "His", "Her", "Its", "Their", "This", "That", "These", "Those", "Just")
"""The words with which a sentence begins that cannot be read without the one before, as one in small letters."""
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
"""How an answer begins that says little without its question."""
_LONGEST_BARE = 20
_EXCLAMATION = 2
"""The most telling words of a sentence that says nothing: `That sounds amazing!`"""
_LISTENER = word_set("you your yours You Your Yours")
_OWN = word_set("I me my mine we us our ours Me My Mine We Us Our Ours")
_QUESTION, _ABOUT_LISTENER, _HEADING, _NAMING, _NUMBER, _CODE = 0.7, 0.7, 0.7, 1.3, 1.8, 0.5
_OTHERS = 0.1
"""The share of what the best sentence says that another one has at least, if it is shown before those that follow."""
_NEXT, _NEXT_NUMBER = 0.2, 0.25
"""What the sentence after the best is worth beside it, the next number where one is wanted."""
_FEWEST = 3
"""The words of a sentence that is shown apart from the best."""
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


def best_score(text: str, wanted: "Sought", *, is_talk: bool = False) -> float:
    """How much the sentence with which an excerpt begins has of what is sought."""
    return max(_values(list(_sentences(text[:_LONGEST])), wanted, is_talk), default=0.0)


def _values(sentences: Sequence[str], wanted: "Sought", is_talk: bool) -> list[float]:
    """How much each sentence has of what is sought, by its words and its meaning."""
    whole = sum(wanted.words.values())
    said = (
        score(each, wanted.words) + whole * (wanted.near(each) + bool(wanted.says and re.search(wanted.says, each)))
        for each in sentences
    )
    return [value * _worth(each, is_talk, wanted.number) for value, each in zip(said, sentences, strict=True)]


def asks(text: str, wanted: "Sought") -> bool:
    """Whether the sentence with most of the words that are sought is a question."""
    return "?" in text and _is_question(
        max(_sentences(text[:_LONGEST]), key=lambda sentence: score(sentence, wanted.words), default="")
    )


def excerpt(text: str, wanted: "Sought", most: int, *, is_talk: bool = False, longest: int = 0) -> str:
    """A text in one line, cut to a number of characters: the sentence that has most of what is sought, and others.

    These are the ones that have nearly as much, wherever they stand, and then those after the best. Sentences are shown
    whole; those before only if the end of the text leaves room for them, and never before an entry of a list. The best
    sentence alone may have `longest` characters; of a longer one the part with the stems is shown. If a number is
    wanted, a sentence with one counts more, and code counts less. In a talk between people, what somebody says of the
    listener counts less: it repeats what the listener has said.
    """
    if len(text) <= min(most, _LONGEST) and text == " ".join(text.split()):
        return text  # as most are, which need no pattern for the ends of sentences
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
    """Some sentences of a text, with a mark for those that are left out."""
    gaps = (after - before > 1 for before, after in itertools.pairwise((-1, *chosen)))
    text = " ".join(MARK * gap + sentences[at] for gap, at in zip(gaps, chosen, strict=True))
    return text + f" {MARK[0]}" * (chosen[-1] + 1 < len(sentences) or not is_whole)


def _chosen(sentences: Sequence[str], worth: Sequence[float], best: int, room: int, number: bool) -> list[int]:
    """The sentences that are shown in so much room: the best one, and others by what they say."""
    chosen, is_prose, count = {best}, not is_code(sentences[best]), len(sentences)
    room -= len(sentences[best])

    def add(at: int) -> bool:
        nonlocal room
        gap = " " if chosen & {at - 1, at + 1} else f" {MARK}"
        if fits := at in chosen or len(gap + sentences[at]) <= room:
            room -= 0 if at in chosen else len(gap + sentences[at])
            chosen.add(at)
        return fits

    def add_while_it_fits(places: Iterable[int]) -> None:
        for at in places:
            if not add(at):
                break

    following = [at for at in range(best + 1, count) if not (is_prose and is_code(sentences[at]))]
    is_entry = _is_entry(sentences[best])
    value = _beside(sentences, worth, best, following if number else ())
    for at in sorted(value, key=value.__getitem__, reverse=True):
        if at > best or not is_entry:  # those before an entry say something else
            add(at)
    add_while_it_fits(following)
    if max(chosen) == count - 1 and not is_entry:
        add_while_it_fits(range(min(chosen) - 1, -1, -1))
    return sorted(chosen)


def _beside(sentences: Sequence[str], worth: Sequence[float], best: int, numbers: Sequence[int]) -> dict[int, float]:
    """What the sentences say that are worth to be shown beside the best one, by their places.

    `numbers` are the places from which the first one with a number is, too, if the best has none.
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
    """The part of a long sentence with what answers in whatever words, else with most of some stems."""
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
    """The sentences and lines of a text, without the white space around them."""
    return (sentence for start, end in _spans(text) if (sentence := text[start:end].strip()))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence and line of a text begins, and where the next one does."""
    gaps = re.finditer(_GAP, text)
    ends = [0, *(gap.end() for gap in gaps if "\n" in gap[0] or _ends_before(text, gap.start())), len(text)]
    return itertools.pairwise(ends)


def sentence_around(text: str, place: int) -> tuple[int, int]:
    """Where the sentence begins and ends, without the white space around it, that a place in a text is in."""
    start, end = next((each for each in _spans(text) if each[0] <= place < each[1]), (0, len(text)))
    return start, start + len(text[start:end].rstrip())


def _ends_before(text: str, place: int) -> bool:
    """Whether a sentence ends before a place, and neither an abbreviation nor the number of an entry."""
    end = text[max(place - _NEAR_END, 0) : place].rstrip(_CLOSING)
    if not end.endswith(_MARKS):
        return False
    if short := next(filter(end.endswith, _ABBREVIATIONS), ""):
        before = end.removesuffix(short)[-1:]
        return before.isalnum() or before == "_"
    word = end.split()[-1]
    return not (len(word) <= len("10.") and word[:-1].isdecimal() and word[-1] == ".")


def worth_in_talk(sentence: str) -> float:
    """How much a sentence that somebody says to somebody is likely to say."""
    return _worth(sentence, is_talk=True, number=False)


def _worth(sentence: str, is_talk: bool, number: bool) -> float:
    """How much a sentence is likely to say: a question says little, and one with a name, a title or a number much."""
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

    Its words are looked for one by one: to compile a pattern of them takes longer than to show all that was found.
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
    """Whether a text begins like an answer that says little without its question."""
    small = text[:_LONGEST_BARE].lower()
    said = small.removeprefix(next(filter(small.startswith, ("oh, ", "oh ")), ""))
    return any(said.startswith(each) and not re.match(r"\w+", said[len(each) :]) for each in _BARE)


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
