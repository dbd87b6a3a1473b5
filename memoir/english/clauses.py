"""The clauses of a sentence: the parts of it that could stand alone, each in the exact words of the sentence.

People put what lasts into requests: "I prefer short answers, so can you cut this?" is a preference and a request. A
new clause begins where somebody or something is named who does something, or where a question begins; a list, or
something that is said of the last noun, goes on.
"""

import re

_JOINT = r"""
    (?:(?:and|but|so|because|since|as(?!\ of\b)|though|although|while|plus|considering|given\ that|especially|then|or
    |also|now(?=\ I\b))\b[\s,]{0,4}){1,4}
"""
"""A few words that join a clause to the one before it; few, so that a long row of them costs no more."""
_SELF = r"(?:I|we|my|our)(?:['’]\w+)?\b"
_OTHER = r"""
    (?:(?:it|that|this|these|there|he|she|they|you)(?:['’]\w+)?|the\ (?:\w+\ )?\w+\ (?:is|are|has|was)|here['’]?s
    |if\ \w+)\b
"""
_ASKER = r"""
    (?:(?:can|could|would|will|should|do|does|did|is|are|have|has)\ (?:you|we|i|it|there|this|that|my|someone|anyone)
    |how|what|why|please|any\ (?:help|tips|ideas|advice)|let['’]?s|like\ how|maybe)\b
"""
_BOUNDARY = re.compile(
    rf"""
    (?:[,;:]|\s[-–—])\s+(?=(?:{_JOINT})?(?:{_SELF}|{_OTHER}|{_ASKER}))
    | \s+(?!as\b)(?=(?:{_JOINT})(?:{_SELF}|{_ASKER}))
    | ,\s+(?=(?:so|and|but)\ (?:which|where|when|who)\b)
    | ,\s+(?=considering\b|specifically\b)
    | ;\s+ | \s[-–—]\s+
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LEAD = re.compile(rf"\W*{_JOINT}(?=\w|$)", re.IGNORECASE | re.VERBOSE)


def split_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence in order, without the words and marks that join them."""
    parts = (_without_joint(part).strip(" \t,;:-–—") for part in _BOUNDARY.split(sentence))
    return [part for part in parts if part]


def _without_joint(clause: str) -> str:
    lead = _LEAD.match(clause)
    return clause[lead.end() :] if lead else clause
