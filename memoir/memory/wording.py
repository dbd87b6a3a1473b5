"""Texts word by word, as far as the words tell facts apart."""

CONTRACTIONS = (
    ("can't", "can not"), ("won't", "will not"), ("cannot", "can not"), ("n't", " not"), ("'m", " am"), ("'re", " are"),
    ("'ve", " have"), ("'ll", " will"),
)  # fmt: skip
"""What stands for two words, and the two; the longer ones first."""
_WRITTEN = [(case(short), case(whole)) for short, whole in CONTRACTIONS for case in (str, str.capitalize, str.upper)]
_QUOTES = "\"'“”‘’`"


def as_written(text: str) -> str:
    """A text's words, marks and capitals: texts that differ in nothing but white space have the same.

    Lines and what they begin with tell facts apart, as in code, so a text of several keeps those.
    """
    if "\n" in text.strip():
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return " ".join(text.split())


def same_as_written(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but white space.

    Most texts differ in their first word or their last, which is found without a look at the rest.
    """
    return one == other or (
        one.split(None, 1)[:1] == other.split(None, 1)[:1]
        and one.rsplit(None, 1)[-1:] == other.rsplit(None, 1)[-1:]
        and as_written(one) == as_written(other)
    )


def all_words(text: str) -> set[str]:
    """Every word of a text, in lower case."""
    return {_bare(chunk).lower() for chunk in _chunks(text)}


def naming_words(text: str) -> set[str]:
    """The words of a text, in lower case, that name something: single letters, names, and what is not plain."""
    chunks = _chunks(text)
    return {
        _bare(chunk).lower()
        for before, chunk in zip([".", *chunks], chunks, strict=False)
        if _names(_bare(chunk), opens=before[-1] in ".,;:!?…")
    }


def _chunks(text: str) -> list[str]:
    return [word for chunk in text.replace("’", "'").split() for word in _expanded(chunk)]


def _expanded(chunk: str) -> list[str]:
    """A chunk, or the words that it stands for."""
    for short, whole in _WRITTEN:
        head, found, tail = chunk.partition(short)
        quoted = head.startswith(tuple(_QUOTES)) or not (head or short[0].isalpha())
        if found and not quoted and not tail.strip(".,;:!?"):
            return f"{head}{whole}{tail}".split()
    return [chunk]


def _bare(chunk: str) -> str:
    """A chunk without the quotes around it and the points behind it; one of nothing else is kept."""
    return chunk.strip(_QUOTES).rstrip(".,;:!?…").rstrip(_QUOTES) or chunk


def _names(word: str, *, opens: bool) -> bool:
    single = len(word) == 1 and word not in ("a", "I", "i") and not (word == "A" and opens)
    return single or not word.replace("'", "").isalpha() or (not opens and not word.islower() and word != "I")
