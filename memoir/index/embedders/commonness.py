"""How common a word is in English: the vocabulary of the model begins with the words that texts have most often."""

from functools import cache

from memoir.index.embedders.weights import VOCABULARY

_MOST_COMMON = 7_000
"""The entries that are taken for common words: "home", "value", "task"."""


def is_common(word: str) -> bool:
    """Whether a word in small letters is one that texts about anything have."""
    return word in _common()


@cache
def _common() -> frozenset[str]:
    with VOCABULARY.open(encoding="utf-8") as file:
        return frozenset(line.rstrip("\n") for line, _ in zip(file, range(_MOST_COMMON), strict=False))
