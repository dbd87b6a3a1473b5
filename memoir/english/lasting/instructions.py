"""Find standing instructions and preferences: what a user tells an assistant to do from now on."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoir.english.lasting.lasting_clauses import LONGEST_REQUEST, find_lasting
from memoir.taxonomy.kinds import DIRECTIVE, PREFERENCE

_CLAUSES = 3
"""The clauses of a preference: the one that states it, and two more."""
_LONGEST = 400
"""The most characters of a sentence that counts as an instruction."""
_CODE = re.compile(r"(?s)(`{3,}|~{3,}).*?(?:\1|\Z)|`[^`\n]*`")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_VERBS = (
    "add answer ask assume avoid be break check cite combine compare confirm consider convert describe display do end"
    " ensure explain factor focus format give highlight ignore include indicate keep let limit list maintain make"
    " mention note offer point prefer present prioriti[sz]e provide put quote recommend refer remember remind reply"
    " report respond return round say show specify start state stick suggest summari[sz]e tailor take tell translate"
    " treat use verify warn write"
).replace(" ", "|")
_LEAD = r"^\W*(?:(?:and|also|so|okay|ok|well|but|oh|hey|hi|btw|by\ the\ way)\b[\s,:]*)*(?:please\b[\s,]*)?"
"""Possible openings before the instruction itself."""
_CASE = r"(?:when(?:ever)?|every\ time|each\ time|any\ ?time|if)\ I(?:['’]m|\ am)?"
_DIRECTIVE = re.compile(
    rf"""
    {_LEAD}(?:always|never)\ (?:{_VERBS})\b
    | {_LEAD}(?:(?:make|be)\ sure|remember|ensure|keep\ in\ mind)\b.*\b(?:always|never)\b
    | ^\W*please\b.*\b(?:always|never)\b
    | \bfrom\ (?:now|here)\ on\b | \bgoing\ forward\b
    | \bin\ (?:all\ )?future\ (?:answers|replies|responses|messages)\b
    | {_LEAD}{_CASE}\ (?:\w+\ )?(?:ask|say|want|need|mention|request)
    | \b{_CASE}\ (?:ask|inquire|request)(?:ing)?\b
    | {_LEAD}by\ default,?\ (?:{_VERBS})\b
    | {_LEAD}(?:do\ not|don['’]t|avoid)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PREFERENCE = re.compile(
    r"""
    \bI(?:['’]d|\ (?:would|usually|generally|really|always|do|typically|still|strongly|tend\ to))*\ prefer\b
    | \bmy\ preference\ (?:is|for)\b | \bpreferred\b
    | \bI(?:['’]d|\ would)\ rather\b | \bI\ like\ (?:it\ when|to|using)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LIKELY = re.compile(
    r"\b(?:always|never|from now on|going forward|whenever|each time|every time|future|prefer\w*|rather|like"
    r"|lov(?:e|ing)|enjoy\w*|hate|dislike|value|into|fond|fan|best|better|helps?|learner|favou?rite|go-to|suits|stand"
    r"|usually|normally|want|eat|drink)\b",
    re.IGNORECASE,
)
"""Words of most instructions and preferences; a sentence without any is not split into clauses."""
_SCOPE = re.compile(rf"\b{_CASE}\ \w+\ (?:about|for|to)?\s*(?P<scope>[^,.;!]+)", re.IGNORECASE | re.VERBOSE)


class StandingClause(NamedTuple):
    """An instruction or a preference: its kind, its words, and its topic, empty if it names none."""

    kind: str
    text: str
    scope: str


def find_standing(text: str) -> Iterator[StandingClause]:
    """Yield the standing instructions and preferences in a user's text, ignoring code."""
    for sentence in _SENTENCE.split(_CODE.sub(" ", text)):
        words = sentence.strip()
        is_statement = len(words) <= _LONGEST and not words.endswith("?")
        if is_statement and _DIRECTIVE.search(words):
            yield StandingClause(DIRECTIVE, words, _scope(words))
        elif cue := _PREFERENCE.search(words):
            yield StandingClause(PREFERENCE, _around(words, cue.start()), "")
        else:
            yield from _in_request(words)


def _in_request(sentence: str) -> Iterator[StandingClause]:
    """The clauses of a longer sentence that are instructions or preferences."""
    if len(sentence) <= LONGEST_REQUEST and _LIKELY.search(sentence):
        stands = (each for each in find_lasting(sentence) if each.kind in (DIRECTIVE, PREFERENCE))
        yield from (StandingClause(kind, text, _scope(text)) for kind, text in stands)


def _scope(clause: str) -> str:
    """The topic that an instruction names; empty without one."""
    scope = _SCOPE.search(clause)
    return scope["scope"].strip() if scope else ""


def _around(sentence: str, at: int) -> str:
    """The clause of a sentence that contains a position, and those after it."""
    ends = [match.end() for match in re.finditer(r"[,;:]\s+", sentence)]
    start = max((end for end in ends if end <= at), default=0)
    later = [end for end in ends if end > at]
    stop = later[_CLAUSES - 1] if len(later) >= _CLAUSES else len(sentence)
    return sentence[start:stop].strip(" ,;:")
