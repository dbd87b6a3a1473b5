"""Amendments: new values for what a speaker has just said, as in "on Monday. Actually Tuesday".

An amendment is a bare value or a whole new clause. The value replaces the one in the previous sentence that has the
same kind, or that it contradicts (`memoir.english.claims`). If no value fits, or several do, nothing is amended.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from memoir.english.claims.claims import claims, contradict
from memoir.english.patterns import alternatives
from memoir.english.sentences import LONGEST_SAID, is_question
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import stems

_CUE = alternatives(
    r"""
    (?:(?:oh|no|hm+|and|but) ){0,2}(?:actually|wait|sorry|my bad|oops|correction|(?:hang|hold) on)
    (?:scratch|strike) that|i (?:mean|meant)|make (?:that|it)|or rather|rather|never ?mind|(?:no|nope)(?=\s*[,.!:;—–-])
    """
)
_CUES = rf"(?:(?:{_CUE})\b(?P<mark>[\s,.!:;—–-]*))+"
_AMENDMENT = re.compile(_CUES, re.IGNORECASE)
_INSIDE = re.compile(rf"\s*[,(—–]\s*(?={_CUES})", re.IGNORECASE)
"""The mark before an amendment inside a sentence: "on Monday, no, Tuesday"."""
_LEADING = re.compile(
    r"(?:(?:it|that)(?:['’]?s| is| should be)|should be|use|run|call|with|on|at|in|by|to|from|port|every)\s+",
    re.IGNORECASE,
)
"""Words before the value in an amendment."""
_MOST_WORDS = 4
"""The most words of a value."""
_NO_VALUES = ("yes", "no")
"""The values of clauses that are merely affirmed or denied: neither is the value of "we do not use Redis"."""
_CHUNK = re.compile(r"[^\s,;:()\"“”]*[^\s,;:()\"“”.!]")


class Amended(NamedTuple):
    """A sentence with its amendments applied, and as it was said, followed by the sentences that amend it."""

    held: str
    said: str


def amend(sentences: Iterable[str]) -> list[Amended]:
    """Apply the amendments within consecutive sentences."""
    result: list[Amended] = []
    for sentence in sentences:
        own = _amended_inside(sentence)
        if result and (new := amended(result[-1].held, own)):
            result[-1] = Amended(new, f"{result[-1].said} {sentence}")
        else:
            result.append(Amended(own, sentence))
    return result


def with_amendments(sentences: Iterable[str]) -> list[str]:
    """The consecutive sentences with their amendments applied."""
    return [each.held for each in amend(sentences)]


def amended(sentence: str, after: str) -> str:
    """The sentence as amended by the next one; empty if that amends nothing."""
    cue = _AMENDMENT.match(after)
    if not cue or len(sentence) > LONGEST_SAID or is_question(after) or is_question(sentence):
        return ""
    rest = after[cue.end() :]
    if contradict(claims(sentence), claims(rest)):
        return rest[0].upper() + rest[1:]
    return _with_value(sentence, _value_of(rest))


def _amended_inside(sentence: str) -> str:
    start = _INSIDE.search(sentence)
    end = "." * sentence.endswith(".")
    return (start and amended(sentence[: start.start()] + end, sentence[start.end() :])) or sentence


def _value_of(rest: str) -> str:
    """The value that a text consists of; empty if it says more."""
    while lead := _LEADING.match(rest):
        rest = rest[lead.end() :]
    value = rest.rstrip(" .!)")
    words = value.split()
    return value if len(words) <= _MOST_WORDS and not STOP_WORDS.issuperset(value.lower().split()) else ""


def _with_value(sentence: str, value: str) -> str:
    """The sentence with `value` in place of the old one; empty unless exactly one place fits."""
    own, kind = {clause: held for clause, held in claims(sentence).items() if held not in _NO_VALUES}, _kind(value)
    chunks = [match.span() for match in _CHUNK.finditer(sentence)] if value else []
    for size in range(1, _MOST_WORDS + 1):
        spans = [(start, end) for (start, _), (_, end) in zip(chunks, chunks[size - 1 :], strict=False)]
        texts = {at: f"{sentence[: at[0]]}{value}{sentence[at[1] :]}" for at in spans}
        fitting = [
            text
            for (start, end), text in texts.items()
            if (kind and _kind(sentence[start:end]) == kind)
            or (_is_name(value) >= _is_name(sentence[start:end]) and contradict(own, claims(text)))
        ]
        if fitting:
            return fitting[0] if len(fitting) == 1 else ""
    return ""


def _is_name(value: str) -> bool:
    """Whether a value looks like a name; only a name replaces a name, not "lunch" in "Postgres. Hang on, lunch"."""
    return any(sign.isupper() or sign.isdigit() for sign in value)


def _kind(value: str) -> list[str]:
    """The kind of a value with a number, a day and the like, such as "{number} day"; else empty."""
    words = stems(value)
    return words if any(word.startswith("{") for word in words) else []
