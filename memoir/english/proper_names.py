"""Find proper names of one or more words: runs of capitalised words, and quoted titles.

A capital counts neither at the beginning of a sentence, a line or a quotation, nor in a heading or title. Days and
months have capitals but are not names, and a greeting before a name is not part of it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from memoir.english.code_text import is_code, without_fenced
from memoir.english.nouns import COMMON_WORDS
from memoir.english.stopwords import CHATTER, NAMELESS, SMALL_WORDS, STOP_WORDS
from memoir.times import MONTHS, WEEKDAYS

_SET_APART = r"(?s)\\\(.*?\\\)|\\\[.*?\\\]|\$(?![\d\s])[^$\n]+(?<!\s)\$|\*\*[^*\n]+\*\*"
"""Formulas, whose letters are not names elsewhere, and labels in bold."""
_QUOTATION = r"""["“]([^"“”\n]{3,80})["”]"""
_LEAST_WORDS = 2


def titles(text: str) -> Iterator[str]:
    """Yield the quoted titles of a text: two or more words, capitalised except for small ones."""
    yield from filter(_is_title, (quotation.strip(" .,;:!?") for quotation in re.findall(_QUOTATION, text)))


def is_long_name(name: str) -> bool:
    """Whether a text looks like a name of several words: capitalised except for small ones, and no genitive."""
    return _is_title(name) and "'s " not in name and "’s " not in name


def _is_title(text: str) -> bool:
    """Whether all words but small ones have a capital: two at least, or `The` and another."""
    words = text.split()
    capitals = [word for word in words if word[0].isupper()]
    return (
        len(capitals) >= _LEAST_WORDS
        and words[0][0].isupper()
        and all(word[0].isupper() or word in SMALL_WORDS for word in words)
    )


def key_of(name: str) -> str:
    """The key of a name, common to its forms; capitals, spaces, article and number do not matter: `api` for `APIs`.

    It may not be a word: that of `Redis` is `redi`.
    """
    words = name.casefold().split()
    words = words[1:] if len(words) > _LEAST_WORDS and words[0] == "the" else words
    return " ".join([*words[:-1], _singular(words[-1])]) if words else ""


def forms_of(key: str) -> list[str]:
    """The lower-case words with a given key: its singular and its plurals."""
    candidates = [key, f"{key}s", f"{key}es", f"{key[:-1]}ies"]
    return [form for form in candidates if key_of(form) == key]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


Run = tuple[str, ...]
"""The words of a name as written, with `of` and the like between them."""

_WORD = r"[^\W_][\w'’&-]*"
_LINKS = frozenset(("of", "de", "la", "del", "van", "von"))
_INSIDE = r",? +"
"""The gap between a word and a capital that counts."""
_QUOTES = ('"', "“")
_POSSESSIVE = r"['’]s$|['’]$"
_UNIT = r"[kmgt]i?b|[kmg]?hz|v?\d[\d./-]*"
_SEASONS = ("spring", "summer", "autumn", "winter")
_LONGEST_RUN = 5
_NEARLY_ALL = 0.8
"""The share of the longer names with a word that one name must have; the others may be slips."""
_OFTENER = 3
"""How many times more often a word must occur alone than in a longer name, to be a name itself."""


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[Run, ...]:
    """The names in a text, in order, ignoring code."""
    return tuple(run for line in prose_lines(text) if not _is_heading(line) for run in _of_line(line))


def prose_lines(text: str) -> Iterator[str]:
    """The lines of a text that are not code, without formulas and bold labels."""
    plain = re.sub(_SET_APART, " . ", without_fenced(text, "\n"))
    return (line for line in plain.split("\n") if not is_code(line))


def words_of(run: Sequence[str]) -> list[str]:
    """The key of each word of a name."""
    return [key_of(_bare(word)) for word in run]


def meaning(word: str, names: Mapping[str, int]) -> tuple[str, ...]:
    """The names that a word may stand for: itself, or longer ones that contain it.

    A word that nearly always occurs in one longer name stands for that name, if it is a given name or not much more
    frequent alone. So Vegas is Las Vegas if no other Vegas occurs, and York is York if the store knows it. `word` and
    the keys of `names` are name keys; the values are counts.
    """
    alone, longer = names.get(word, 0), [name for name in names if " " in name]
    whole = {_commonest_part(name, names) for name in longer if not any(_is_in(name, other) for other in longer)}
    total = sum(names[name] for name in longer)
    uses = {
        name: sum(names[each] for each in longer if f" {name} " in f" {each} " or _is_in(each, name)) for name in whole
    }
    most = max(sorted(uses), key=uses.__getitem__, default="")
    is_one = bool(most) and uses[most] >= _NEARLY_ALL * total
    if is_one and (word in given_names() or alone <= _OFTENER * total):
        return (most,)
    return (*([word] if alone > 0 and not tells_nothing(word) else []), *sorted(whole))


def _is_in(name: str, other: str) -> bool:
    return name != other and f" {name} " in f" {other} "


def _commonest_part(name: str, names: Mapping[str, int]) -> str:
    """A name, or a longer part of it that is more frequent: New York in New York City."""
    parts = [part for part in names if " " in part and _is_in(part, name) and names[part] > names[name]]
    return max(parts, key=lambda part: (names[part], part), default=name)


def is_unit(word: str) -> bool:
    """Whether a lower-case word is a unit, or a number such as `2.0.1`."""
    return bool(re.fullmatch(_UNIT, word))


def tells_nothing(word: str) -> bool:
    """Whether a word alone is never a name, even with a capital: a day, a verb, a greeting, a letter."""
    return len(word) < 2 or word.casefold() in _no_names()


@cache
def _no_names() -> frozenset[str]:
    return frozenset({*_no_parts(), *NAMELESS, *COMMON_WORDS})


@cache
def _no_parts() -> frozenset[str]:
    """Words that are not part of a name at either end."""
    names = [*WEEKDAYS, *MONTHS]
    days = {form for name in names for form in (name, f"{name}s", name[:3], name[:4])} - {"mar", "marc"}
    return frozenset({*days, *_SEASONS, *STOP_WORDS, *CHATTER})


def _is_heading(line: str) -> bool:
    """Whether a line is a heading: marked as one, or with capitals on all but small words."""
    words = re.findall(_WORD, line[:400])
    is_title = len(words) > 1 and not line.rstrip().endswith((".", "!", "?"))
    return line.startswith("#") or (is_title and all(not word[0].islower() or word in SMALL_WORDS for word in words))


def _of_line(line: str) -> Iterator[Run]:
    run, links, end, is_quoted = list[str](), list[str](), 0, False
    for match in re.finditer(_WORD, line):
        word, gap = match[0], line[end : match.start()] if end else f".{line[: match.start()]}"
        end = match.end()
        if run and not is_quoted and re.search(_POSSESSIVE, run[-1]):
            gap = ","  # the thing owned is a name of its own
        if run and gap == " " and word in _LINKS and not links:
            links = [word]
        elif run and gap == " " and word[0].isupper():
            run, links = [*run, *links, word], []
        else:
            yield from _trim(run, is_quoted=is_quoted)
            is_quoted = gap.endswith(_QUOTES)
            is_told = is_quoted or re.fullmatch(_INSIDE, gap) or word.casefold() in given_names()
            run, links = ([word] if is_told else [""]) if word[0].isupper() else [], []
    yield from _trim(run, is_quoted=is_quoted)


def _trim(run: Sequence[str], *, is_quoted: bool) -> Iterator[Run]:
    """Trim words that are not part of the name from both ends; a quotation of one word is not a name."""
    words = [word.replace("’", "'") for word in run if word]
    while words and (_bare(words[0]).casefold() in _no_parts() or words[0] in _LINKS):
        del words[0]
    while words and _bare(words[-1]).casefold() in _no_parts():
        del words[-1]
    is_title = any((word[0].isupper() and word.casefold() in STOP_WORDS) or len(word) == 1 for word in words)
    if is_quoted < len(words) <= _LONGEST_RUN and not is_title:
        yield (*words[:-1], _bare(words[-1]))


def _bare(word: str) -> str:
    return re.sub(_POSSESSIVE, "", word)


@cache
def given_names() -> frozenset[str]:
    """Common given names of many countries, in lower case.

    Excluded are names that more often begin a sentence about software (Ada, Cassandra, Crystal, Julia, Pascal, Ruby) or
    a month.
    """
    return frozenset(Path(__file__).with_name("given_names.txt").read_text("ascii").split())


def same_names(key: str) -> tuple[str, ...]:
    """The keys of all names for the same thing, the commonest first; usually only the given one."""
    return _same_names().get(key, (key,))


@cache
def _same_names() -> Mapping[str, tuple[str, ...]]:
    lines = Path(__file__).with_name("same_names.txt").read_text("utf-8").splitlines()
    groups = [tuple(dict.fromkeys(key_of(name) for name in line.split(", "))) for line in lines]
    return {key: group for group in groups for key in group}
