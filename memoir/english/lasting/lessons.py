"""Find the sentences of an agent that state lasting facts: what it found out about a project, or decided.

Most of an agent's final message reports its own work ("I renamed the function, and all tests pass"), offers more, asks
or guesses. A lasting sentence is in the present and about a named thing; it states a duty, a restriction, a place or a
reason. Each such sign has a weight, from a logistic regression that `scripts/fit_lessons.py` fits to labelled messages.
Plain language has few signs, so the sentence's MiniLM vector counts as well, if there is one.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import exp, hypot
from operator import mul
from pathlib import Path

from memoir.english.lasting import grammar
from memoir.english.lasting import session_phrases as phrases
from memoir.english.patterns import anywhere, at_start

_POINTS = at_start(r"\W*(?:this|that|it|these|those|they|here|there|both|which)")
"""The beginning of a sentence that points at the one before."""
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
"""Signs by words."""
_SIZES = {"fewer than 6 words": (0, 6), "more than 14": (15, 500), "more than 22": (23, 500)}
"""Signs by length: the fewest words, and the number they stay below."""
WEIGHTS = {
    "every sentence": (-3.16, -2.79),
    "I do": (-1.49, -1.27),
    "any": (0.65, 0.69),
    "change": (-0.81, -0.82),
    "code": (0.65, 0.38),
    "contrast": (0.32, 0.3),
    "does": (1.09, 1.01),
    "duty": (1.09, 1.07),
    "fewer than 6 words": (-1.27, -1.07),
    "found": (1.28, 1.04),
    "fragment": (-0.35, -0.35),
    "guess": (-0.61, -0.43),
    "lesson": (1.79, 1.53),
    "more than 14": (0.97, 0.77),
    "more than 22": (1.38, 1.2),
    "name": (0.74, 0.59),
    "not": (0.77, 0.62),
    "now": (-0.67, -0.64),
    "number": (0.66, 0.74),
    "past": (-0.32, -0.26),
    "place": (1.12, 0.93),
    "reason": (0.83, 0.87),
    "state": (0.66, 0.55),
    "tests": (-0.98, -0.77),
    "this": (-0.28, -0.43),
    "we": (0.6, 0.69),
    "work": (-0.67, -0.56),
    "you": (-0.7, -0.46),
}
"""The fitted weights of each sign: without a vector, and beside one."""
FILE = Path(__file__).with_name("lesson_vector.txt")
"""The weights of a vector's components, in hundredths, after a comment line."""
UNIT = 100


def signs(sentence: str) -> Iterator[str]:
    """Yield the names of the signs in an agent's sentence that has no lead."""
    length = len(sentence.split())
    yield "every sentence"
    yield from ["this"] if _POINTS.match(sentence) else []
    yield from (name for name, pattern in _PHRASES.items() if pattern.search(sentence))
    yield from (name for name, (least, end) in _SIZES.items() if least <= length < end)
    yield from ["code"] if "`" in sentence else []
    yield from ["number"] if any(map(str.isdigit, sentence)) else []
    yield from ["state"] if grammar.is_state(sentence) else []
    yield from ["fragment"] if grammar.is_fragment(grammar.words_of(sentence)) else []


def likelihood(sentence: str, vector: Sequence[float] = ()) -> float:
    """The likelihood (0 to 1) that an agent's sentence lasts, by its signs and, if given, its MiniLM vector."""
    pairs = [WEIGHTS[sign] for sign in signs(sentence)]
    if not vector:
        return 1 / (1 + exp(-sum(alone for alone, _ in pairs)))
    meaning = sum(map(mul, _of_vector(), vector)) / (UNIT * hypot(*vector) or 1.0)
    return 1 / (1 + exp(-meaning - sum(beside for _, beside in pairs)))


@cache
def _of_vector() -> list[int]:
    return [int(number) for number in FILE.read_text("ascii").splitlines()[1].split()]
