"""Whether two texts say the same.

Vectors tell likeness, not truth: "use tabs" and "never use tabs", port 8080 and port 8081, or who reports to whom,
are as near as two texts can be. So what turns a meaning round must be the same as well, in the same order:
numbers, signs, negations and little words such as "before" and "only"; and what both have must not change places.
Names, flags, paths and lone letters ("R", "C") must stand in both.
"""

import re
from collections.abc import Sequence

from memoir.index.stopwords import STOP_WORDS
from memoir.memory.wording import all_words, naming_words

THRESHOLD = 0.95
"""The cosine from which two texts count as near-duplicates."""
_OVERLAP = 0.5
"""The share of all words that both must have: an embedder reads only the beginning of a long text."""
_ROUNDING = 5e-7
"""What a cosine of 32-bit floats may fall short by."""
_HARMLESS = frozenset(
    "a an the that this these those please is are am be been s i we you my our your it its of do does".split()  # noqa: SIM905
)
_NEGATIONS = frozenset(
    """
    not never none nothing nobody nowhere neither nor without cannot except unless instead rather avoid stop
    isn aren wasn weren don doesn didn won wouldn shouldn couldn can't hasn haven hadn mustn ain
    """.split()  # noqa: SIM905
)
_TOKEN = re.compile(r"(?<!\S)[-+]?\d[\w.,:]*\w|(?<!\S)[-+]\d|\w+|[+#<>=*/%&|@$€£]+")


def say_the_same(one: str, other: str, cosine: float, threshold: float = THRESHOLD) -> bool:
    """Whether two texts of a given cosine (-1 to 1) may stand for each other."""
    if cosine < threshold - _ROUNDING or not _name_the_same(one, other):
        return False
    a, b = _TOKEN.findall(one.casefold()), _TOKEN.findall(other.casefold())
    return _turning(a) == _turning(b) and _in_one_order(a, b) and _overlap(a, b) >= _OVERLAP


def _name_the_same(one: str, other: str) -> bool:
    """Whether each text has all the names, flags, paths and lone letters of the other."""
    return naming_words(one) <= all_words(other) and naming_words(other) <= all_words(one)


def _turning(tokens: Sequence[str]) -> list[str]:
    """The tokens that a small change of would change everything, in order."""
    return [token for token in tokens if token not in _HARMLESS and _turns(token)]


def _turns(token: str) -> bool:
    return token in _NEGATIONS or token in STOP_WORDS or not token.isalpha()


def _in_one_order(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether the words that both have once stand in the same order."""
    both = {token for token in set(a) & set(b) if a.count(token) == b.count(token) == 1}
    return [token for token in a if token in both] == [token for token in b if token in both]


def _overlap(a: Sequence[str], b: Sequence[str]) -> float:
    mine, theirs = set(a) - _HARMLESS, set(b) - _HARMLESS
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
