"""Whether two texts say the same.

Vectors tell likeness, not truth: "use tabs" and "never use tabs", or port 8080 and port 8081, are as near
as two texts can be. So what turns a meaning round, negations and numbers, must be the same as well.
"""

import re

THRESHOLD = 0.95
"""The cosine from which two texts count as near-duplicates."""
_NEGATIONS = frozenset(
    """
    no not never none nothing nobody nowhere neither nor without cannot except unless instead rather avoid stop
    isn aren wasn weren don doesn didn won wouldn shouldn couldn can't hasn haven hadn mustn ain
    """.split()  # noqa: SIM905
)


def say_the_same(one: str, other: str, cosine: float, threshold: float = THRESHOLD) -> bool:
    """Whether two texts of a given cosine (-1 to 1) may stand for each other."""
    return cosine >= threshold and _turning(one) == _turning(other)


def _turning(text: str) -> list[str]:
    """The words that a small change of would change everything: numbers and negations, sorted."""
    words = re.findall(r"\w+", text.casefold())
    return sorted(word for word in words if word in _NEGATIONS or any(char.isdigit() for char in word))
