"""Texts word by word, as far as the words tell facts apart."""

_LITTLE = frozenset(("a", "an", "the", "please"))
CONTRACTIONS = (
    ("can't", "can not"), ("won't", "will not"), ("cannot", "can not"), ("n't", " not"), ("'m", " am"), ("'re", " are"),
    ("'ve", " have"), ("'ll", " will"),
)  # fmt: skip
"""What stands for two words, and the two; the longer ones first."""
_QUOTES, _POINTS = "\"'“”‘’`", ".,;:!?…"


def said(text: str) -> list[str]:
    """The words of a text without articles, the case of plain words, quotes, and the points behind words."""
    words = [_plain(bare(chunk)) for chunk in _chunks(text)]
    return [word for word in words if word not in _LITTLE] or words


def all_words(text: str) -> set[str]:
    """Every word of a text, case-folded."""
    return {bare(chunk).casefold() for chunk in _chunks(text)}


def bare(chunk: str) -> str:
    """A chunk of text without the quotes around it and the points behind it; one of nothing else is kept."""
    return chunk.strip(_QUOTES).rstrip(_POINTS).rstrip(_QUOTES) or chunk


def telling(text: str) -> set[str]:
    """The words of a text, case-folded, that name something: letters by themselves, names, and what is not plain."""
    chunks = _chunks(text)
    return {
        bare(chunk).casefold()
        for before, chunk in zip([".", *chunks], chunks, strict=False)
        if _names(bare(chunk), opens=before[-1] in _POINTS)
    }


def _chunks(text: str) -> list[str]:
    text = text.replace("’", "'")
    for short, whole in CONTRACTIONS:
        text = text.replace(short, whole).replace(short.upper(), whole.upper())
    return text.split()


def _plain(word: str) -> str:
    """A plain word in lower case; abbreviations, flags, identifiers and the like as they are."""
    plain = word.replace("'", "").isalpha() and (word[1:].islower() or word in ("A", "I"))
    return word.casefold() if plain else word


def _names(word: str, *, opens: bool) -> bool:
    lone = len(word) == 1 and word not in ("a", "A", "I", "i")
    return lone or not word.replace("'", "").isalpha() or (not opens and not word.islower() and word != "I")
