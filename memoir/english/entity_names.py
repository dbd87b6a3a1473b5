"""The names of things in texts: titles in quotation marks, and one key for the forms of a name."""

import re
from collections.abc import Iterator

_QUOTATION = re.compile(r"""["“]([^"“”\n]{3,80})["”]""")
_LEAST_WORDS = 2
SMALL_WORDS = frozenset(
    ("a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "of", "on", "or", "the", "to", "with")
)
"""Words that have no capital in a title."""


def titles(text: str) -> Iterator[str]:
    """The quoted titles of a text: two words or more, each with a capital but the smallest."""
    yield from filter(_is_title, (quotation.strip(" .,;:!?") for quotation in _QUOTATION.findall(text)))


def is_long_name(name: str) -> bool:
    """Whether a text is like a name of several words: each has a capital, but the smallest, and none is a genitive."""
    return _is_title(name) and "'s " not in name and "’s " not in name


def _is_title(text: str) -> bool:
    """Whether each word of a text has a capital, but the smallest; two others at least, or `The` and another."""
    words = text.split()
    capitals = [word for word in words if word[0].isupper()]
    return (
        len(capitals) >= _LEAST_WORDS
        and words[0][0].isupper()
        and all(word[0].isupper() or word in SMALL_WORDS for word in words)
    )


def key_of(name: str) -> str:
    """The key that the forms of a name share, whatever their capitals, blanks, article and number: `api` for `APIs`.

    It need not be a word: that of `Redis` is `redi`.
    """
    words = name.casefold().split()
    words = words[1:] if len(words) > _LEAST_WORDS and words[0] == "the" else words
    return " ".join([*words[:-1], _singular(words[-1])]) if words else ""


def forms_of(key: str) -> list[str]:
    """The words, in small letters, that may have a key: its singular and its plurals."""
    candidates = [key, f"{key}s", f"{key}es", f"{key[:-1]}ies"]
    return [form for form in candidates if key_of(form) == key]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
