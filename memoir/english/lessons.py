"""Which sentences of an agent's messages tell how things are and stay: what it found out of a project, or decided.

Most of what an agent says at the end of a turn reports its own work ("I renamed the function, and all tests pass"),
offers more of it, asks, or guesses. A sentence that lasts is in the present and about a thing that it names; it says
what must be, what holds only somewhere, where a thing is, or why. Each of these signs has a weight: a logistic
regression that `scripts/fit_lessons.py` fits to labelled messages.
"""

import re
from collections.abc import Iterator
from math import exp

from memoir.english import grammar
from memoir.english import session_phrases as phrases
from memoir.english.patterns import anywhere, at_start

_POINTS = at_start(r"\W*(?:this|that|it|these|those|they|here|there|both|which)")
"""How a sentence begins that points at the one before it."""
_PHRASES = {
    "lesson": phrases.LESSON,
    "I do": anywhere(r"i(?:['’](?:ve|ll|d|m))? \w+"),
    "we": anywhere("we|our"),
    "you": anywhere(r"you(?:r|['’](?:ll|d|re|ve))?"),
    "work": anywhere(
        r"""
        renamed|added|removed|updated|changed|replaced|moved|fixed|bumped|rewrote|refactored|extracted|deleted|created
        implemented|switched|tested|verified|checked|ran|reran|committed|pushed
        """
    ),
    "past": anywhere(r"was|were|had|did|(?:did|was|were)n['’]t"),
    "duty": anywhere(
        r"""
        must|mustn['’]t|can['’]?not|can['’]t|(?:has|have) to|needs?|may (?:not|only)|should(?:n['’]t)?|can only
        """
    ),
    "any": anywhere("only|never|always|every|each|any|all|no|both|nothing|none|anything|regardless|per"),
    "reason": anywhere(
        r"""
        because|since|so|as|otherwise|else|on purpose|by design|(?:deliberate|intentional)ly|rather than|instead of
        """
    ),
    "place": anywhere(
        r"(?:lives?|is|are|stored|kept|sits?|comes?|reads?|written|defined|configured|generated|owned|served|managed)"
        r" (?:in|at|under|on|by|from|outside|behind|to)"
    ),
    "does": anywhere(
        r"""
        hangs|breaks|fails|silently|ignores?|drops?|rejects?|refuses|expects?|requires?|relies on|depends on|reads?
        overwrites?|truncates?|strips?|expires?|assumes?|treats?|returns?|counts?|accepts?|sends?|waits?|stores?
        """
    ),
    "found": anywhere(
        r"""
        turn(?:s|ed) out|the (?:cause|reason|culprit|problem|issue|trick|convention) (?:is|was)|explains|decided|agreed
        chose|chosen|went with|we (?:keep|stay|use)|named|convention
        """
    ),
    "not": anywhere(r"not|\w+n['’]t|without|no longer"),
    "now": anywhere(
        r"""
        now|still|currently|today|yet|again|just|already|next|so far|at the moment|earlier|first|as well
        this (?:pr|branch|session|change|run|commit|time)
        """
    ),
    "tests": anywhere(r"pass(?:es|ed|ing)?|green|fail(?:s|ed|ing)?|clean|red"),
    "guess": anywhere(
        r"""
        may|might|maybe|perhaps|seems?|looks?|probably|likely|apparently|suspect|guess|not sure|unclear|possibly|i think
        """
    ),
    "contrast": anywhere(
        r"""
        although|though|while|whereas|unless|until|whenever|except|despite|even if|unlike|instead|when|before|after
        """
    ),
    "name": re.compile(r"\w[_./]\w|[a-z][A-Z]|(?<=[a-z,] )[A-Z]"),
    "change": re.compile(r"\bfrom \S+ (?:\w+ )?to \S+|→|->|\+\d"),
}
"""Signs in the words of a sentence."""
_SIZES = {"fewer than 6 words": (0, 6), "more than 14": (15, 500), "more than 22": (23, 500)}
"""Signs in the length of a sentence: from a number of words to before another."""
WEIGHTS = {
    "every sentence": -3.32,
    "I do": -1.32,
    "any": 0.42,
    "change": -0.66,
    "code": 0.67,
    "contrast": 0.44,
    "does": 1.02,
    "duty": 1.07,
    "fewer than 6 words": -1.28,
    "found": 1.31,
    "fragment": -0.29,
    "guess": -0.51,
    "lesson": 1.91,
    "more than 14": 1.16,
    "more than 22": 0.88,
    "name": 0.8,
    "not": 0.69,
    "now": -0.56,
    "number": 0.72,
    "past": -0.41,
    "place": 1.16,
    "reason": 0.84,
    "state": 0.73,
    "tests": -0.83,
    "this": -0.81,
    "we": 0.9,
    "work": -0.74,
    "you": -0.74,
}
"""The weight of each sign, as fitted."""


def signs(sentence: str) -> Iterator[str]:
    """The names of the signs that a sentence of an agent has, without the words that only lead to what it says."""
    length = len(sentence.split())
    yield "every sentence"
    yield from ["this"] if _POINTS.match(sentence) else []
    yield from (name for name, pattern in _PHRASES.items() if pattern.search(sentence))
    yield from (name for name, (least, end) in _SIZES.items() if least <= length < end)
    yield from ["code"] if "`" in sentence else []
    yield from ["number"] if any(map(str.isdigit, sentence)) else []
    yield from ["state"] if grammar.is_state(sentence) else []
    yield from ["fragment"] if grammar.is_fragment(grammar.words_of(sentence)) else []


def likelihood(sentence: str) -> float:
    """How likely a sentence of an agent is to last (0 to 1)."""
    return 1 / (1 + exp(-sum(WEIGHTS[sign] for sign in signs(sentence))))
