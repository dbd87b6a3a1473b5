"""The names of things in texts: titles in quotation marks, and one key for the forms of a name."""

import re
from collections.abc import Iterator

_QUOTATION = re.compile(r"""["“]([^"“”\n]{3,80})["”]""")
_LEAST_WORDS = 2


def titles(text: str) -> Iterator[str]:
    """The quoted titles of a text: two words or more that begin with a capital."""
    for quotation in _QUOTATION.findall(text):
        title = quotation.strip(" .,;:")
        if title[:1].isupper() and len(title.split()) >= _LEAST_WORDS:
            yield title


def key_of(name: str) -> str:
    """The key that the forms of a name share, whatever their capitals, blanks and number: `api` for `APIs`.

    It need not be a word: that of `Redis` is `redi`.
    """
    words = name.casefold().split()
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
