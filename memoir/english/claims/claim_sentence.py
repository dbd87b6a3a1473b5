"""The words of a text's first sentence, with the kinds and the values that `claims` compares."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from memoir.english.claims import claim_words as lists
from memoir.english.stop_word_names import QUOTED, with_names_quoted
from memoir.english.words import split_contraction
from memoir.times import MONTHS, WEEKDAYS

_LONGEST = 1_000
"""The characters within which a text's first sentence must end."""
_MONTH = "|".join((*MONTHS, *(month[:3] for month in MONTHS)))
_OF_MONTHS = rf"""
        | (?i: \d\d? (?:st|nd|rd|th)? \s (?:of\s)? (?:{_MONTH}) \b (?: ,?\s \d{{4}} \b )?
        | (?:{_MONTH}) \s \d\d? (?:st|nd|rd|th)? \b (?: ,?\s \d{{4}} \b )? )
"""
_FORMS = r"""
      (?P<date> \d{4}-\d\d-\d\d \b MONTHS )
    | (?P<time> \d\d?:\d\d (?: \s?[aApP][mM] \b )? | \d\d?\s?[aApP][mM] \b )
    | (?P<number> (?<![\w.]) [vV]?\d[\d,]*(?:\.\d+)* (?![\w/-]) )
    | (?P<stop> [,:()] | (?<![<>=!~]) = (?!=) )
    | (?P<word> QUOTED | [\#@~/]? \w (?: [\w/+\#'-] | \.(?=\w) )* )
"""
_PLAIN = str.maketrans("’–—", "'((")
"""ASCII for signs that count the same here: a set of characters with others takes seven times as long to compile."""
_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!?;](?:\s|$)|\n")
_OPENING = (
    r"(?i:(?:from (?:now|today) on|going forward|in (?:the )?future|as of (?:now|today)|actually"
    r"|(?:it )?turns out(?: that)?)\b[,:]?|(?:no|sorry|correction|update|note|fyi)\b[,:])\s+"
)
"""Openings of a rule or a correction."""
_TAKEN_BACK = tuple(
    f"{mark} {words}"
    for mark in ".,;:"
    for words in ("actually ", "correction", "i mean ", "make that ", "no, ", "scratch that", "sorry, ", "wait, ")
)
"""Phrases that take back what was just said."""
_HERE = r"(?i)\s(?:here|in (?:this|our) (?:repo|repository|project|code ?base))(?=\W*$|,)"
"""Words for the store's whole project."""
_BEGINNINGS = frozenset(("fr", "go", "in", "as", "ac", "it", "tu", "no", "so", "co", "up", "fy"))
"""The first letters of the openings; other texts skip the pattern."""
_DAYS = {name: day for day in WEEKDAYS for name in (day, f"{day}s", day[:3].capitalize())}


class Word(NamedTuple):
    """A word: its base form for comparison, its text, and its kind and value, if any."""

    base: str
    text: str
    kind: str = ""
    value: str = ""

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name."""
        return bool(not self.kind and (self.text[0].isupper() or re.search(r"[\d#@/_.`-]|[a-z][A-Z]", self.text)))


def first_sentence(text: str) -> str:
    """The first sentence, without contractions; empty if it is a question, taken back or too long."""
    head = text.strip()[:_LONGEST].translate(_PLAIN)
    if head[:2].lower() in _BEGINNINGS and (opening := re.match(_OPENING, head)):
        head = head[opening.end() :]
    end = _END.search(head)
    asks, lower = end is not None and end.group().startswith("?"), head.lower()
    if asks or (end is None and len(text.strip()) > _LONGEST) or any(words in lower for words in _TAKEN_BACK):
        return ""
    said = _as_denials(head[: end.start() if end else None])
    said = with_names_quoted(re.sub(_HERE, "", said))
    return " ".join(word for chunk in said.split() for word in split_contraction(chunk))


_STOPPED = (
    r"(?i)\b(?:(?:has|have) )?(?:(?:stopped|quit|gave up|given up) (?P<deed>\w+)ing"
    r"|(?:dropped|ended|removed) (?:support (?:for|of)|(?P<thing>\S+(?: [\d.]+)?) support))\b"
)


def _as_denials(sentence: str) -> str:
    """A sentence in which what has ended is denied: "has stopped playing" is "no longer play"."""
    if not any(word in sentence.lower() for word in ("stopped", "quit", " up ", "support")):
        return sentence
    return re.sub(_STOPPED, _denial, sentence)


def _denial(ended: re.Match[str]) -> str:
    stem = ended["deed"]
    if not stem:
        return f"no longer support {ended['thing'] or ''}".rstrip()
    verb = next((each for each in (stem, f"{stem}e", stem[:-1]) if each.lower() in lists.VERBS), "")
    return f"no longer {verb}" if verb else ended[0]


@cache
def _token(months: bool) -> re.Pattern[str]:
    """The pattern of a word; that with the names of months takes long to compile, and few texts name one."""
    forms = _FORMS.replace("QUOTED", QUOTED)
    return re.compile(forms.replace("MONTHS", _OF_MONTHS * months), re.VERBOSE)


def words_of(sentence: str) -> list[Word]:
    """The words of a sentence; days in a row, as in "on Monday, Wednesday and Friday", are one value."""
    return _join_days(_each_word(sentence))


def _each_word(sentence: str) -> Iterator[Word]:
    lower = sentence.casefold()
    has_months = any(map(str.isdigit, lower)) and any(month[:3] in lower for month in MONTHS)
    for match in _token(has_months).finditer(sentence):
        kind, text = match.lastgroup or "", match.group()
        lower = text.lower()
        if kind == "stop":
            yield Word(text, text, kind)
        elif kind != "word":
            value = lists.VALUES[kind](lower)
            yield Word(value, text, kind, value)
        elif day := _DAYS.get(lower) or _DAYS.get(text):
            yield Word(day, text, "day", day)
        elif text[0].isupper() and lower in MONTHS:
            yield Word(lower, text, "month", lower)
        elif lower in lists.NUMBERS:
            yield Word(lists.NUMBERS[lower], text, "number", lists.NUMBERS[lower])
        else:
            yield Word(_base(lower), text)


def _join_days(words: Iterator[Word]) -> list[Word]:
    joined: list[Word] = []
    for word in words:
        if word.kind == "day":
            end = len(joined)
            while end and joined[end - 1].base in (",", "and"):
                end -= 1
            if end and joined[end - 1].kind == "day":
                days = f"{joined[end - 1].value} {word.value}"
                joined[end - 1 :] = ()
                word = word._replace(base=days, value=days)
        joined.append(word)
    return joined


def _base(word: str) -> str:
    """The base form of a word, without the ending of a plural or of the third person."""
    word = lists.SAME.get(word, word)
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    return lists.SAME.get(word, word)
