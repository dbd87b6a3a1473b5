"""Tell whether two texts say the same so certainly that one may supersede the other.

Vectors measure similarity, not truth: "use tabs" and "never use tabs", "works" and "fails", port 8080 and port 8081 are
nearly identical to them. So similarity only proposes. Two texts are near-duplicates if they differ only in articles,
copulas, contractions and a final full stop; every other word, mark, capital and word order counts. So does an article
or copula that may be something else (`plan a`, `a few`, `is paid` beside `paid`).
"""

from collections.abc import Sequence

from memoir.english.stopwords import (
    AMOUNTS,
    ARTICLES,
    COPULAS,
    HOSTS_OF_IS,
    IRREGULAR_PARTICIPLES,
    NO_COPULA_BEFORE,
    STOP_WORDS,
)
from memoir.english.words import as_written, split_contraction

_LITTLE = frozenset((*ARTICLES, *map(str.capitalize, ARTICLES), *map(str.upper, ARTICLES), *COPULAS))
"""Words that may be omitted."""
_REACH = 3
"""How many words after a copula are searched for a participle, which makes it an auxiliary."""


def essence(text: str) -> str:
    """The part of a text that carries its facts; texts with the same essence are near-duplicates.

    Line beginnings carry meaning, as in code, so a text of several lines is returned unchanged.
    """
    clean_text = as_written(text)
    if "\n" in clean_text:
        return clean_text
    words = _spell_out(_without_full_stop(clean_text).split())
    rest = [_capitalise(words, at) for at, word in enumerate(words) if not (word in _LITTLE and _is_empty(words, at))]
    return " ".join(rest) or clean_text


def _without_full_stop(text: str) -> str:
    ends = text[-2:-1]
    return text[:-1] if text.endswith(".") and (ends.isalnum() or ends in tuple(")\"'”’")) else text


def _spell_out(chunks: Sequence[str]) -> list[str]:
    words = [word for chunk in chunks for word in split_contraction(chunk)]
    result: list[str] = []
    for at, word in enumerate(words):
        base = word[:-2] if word.endswith(("'s", "’s")) else ""
        # Before a participle 's may mean "has".
        means_is = base.lower() in HOSTS_OF_IS and _is_optional(words[at + 1 : at + 1 + _REACH])
        result += [base, "is"] if means_is else [word]
    return result


def _is_empty(words: Sequence[str], at: int) -> bool:
    """Whether a word can be omitted without changing the meaning."""
    after = words[at + 1 : at + 1 + _REACH]
    if not after:
        return False
    if words[at] in COPULAS:
        before = words[at - 1] if at else ""
        follows = before[-1:].isalnum() and before != "as" and (words[at] != "am" or before == "I")
        return follows and _is_optional(after)
    opens = at == 0 or words[at - 1][-1] in ".!?:"
    article = words[at].lower() if opens else words[at]
    return article in ARTICLES and _is_article(article, after[0])


def _is_article(word: str, after: str) -> bool:
    """Whether a word is an article, not a name ("plan a is") or part of one ("The Hague")."""
    plain = after.strip(",;:").lower()
    if plain in STOP_WORDS or plain in AMOUNTS or not after[0].isalpha() or after.istitle():
        return False
    return word != "a" or plain[0] not in "aeio" or plain.startswith(("one", "eu"))


def _is_optional(after: Sequence[str]) -> bool:
    """Whether a copula before these words can be omitted: it is not an auxiliary."""
    near = [word.strip(".,;:!?").lower() for word in after]
    return (
        bool(near)
        and near[0] not in NO_COPULA_BEFORE
        and not any(word.endswith(("ed", "en", "wn")) or word in IRREGULAR_PARTICIPLES for word in near)
    )


def _capitalise(words: Sequence[str], at: int) -> str:
    """The word, capitalised if a capital article before it was omitted."""
    opens = at == 1 and words[0] in _LITTLE and words[0][0].isupper() and _is_empty(words, 0)
    return words[at][0].upper() + words[at][1:] if opens else words[at]
