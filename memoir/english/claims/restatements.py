"""Restate a sentence about a change as what has held since: "we are back to Jenkins" as "we use Jenkins"."""

import re
from collections.abc import Iterator

from memoir.english.claims.claim_words import CHANGES, GROUP
from memoir.times import MONTHS, WEEKDAYS

_MOVES = ("changed", "migrated", "moved", "returned", "reverted", "switched")
_WE = r"(?P<who>[Ww]e|I|i)(?: (?:have|just|now|finally|all))*"
_BACK = rf"(?:(?:are|am|is|went|gone) back|(?:{'|'.join(_MOVES)})(?: back)?)"
_THING = r"(?:the |our |my )?(?P<thing>\w[\w' -]*?)(?: back)?"
_FROM = r"(?: from [^,]+?)?"
_NAME = (
    r"(?P<name>(?:the (?=[A-Z]))?(?!(?:an?|the|our|my|its?|this|that)\b)[\w@`][\w@/+#.`-]*(?: [A-Z\d]\S*)*"
    r"(?: (?:for|in|on|with) .*?)??)"
    r"(?: again)?(?: (?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)| in (?:20\d\d|[A-Z]\w+))?"
    r"(?:(?:,| because| since| as) .*)?$"
)
"""A name with its purpose, and what may follow: when it was chosen, and why."""
_DATES = "|".join(each.capitalize() for each in (*WEEKDAYS, *MONTHS))
_BEGINNING = rf"(?:now|20\d\d|(?:this|next|the next) \w+|(?:\d\d?\.? )?(?:{_DATES})(?: \d+)?)(?: on(?:wards)?)?"
"""When a new value begins to hold."""
_RESTATEMENTS = (
    ((" back ", *_MOVES), rf"{_WE} {_BACK}{_FROM} (?:to|on) {_NAME}", r"\g<who> use \g<name>"),
    ((" again",), rf"{_WE} (?:are|am|is) (?:now |back to )?using {_NAME}", r"\g<who> use \g<name>"),
    (_MOVES, rf"{_WE} (?:{'|'.join(_MOVES)}) {_THING}{_FROM} to {_NAME}", r"\g<who> use \g<name> for \g<thing>"),
    (
        CHANGES,
        rf"{_WE} (?P<change>{'|'.join(sorted(CHANGES))}) {_THING}(?P<new>{_FROM} to .*)$",
        r"\g<thing> \g<change>\g<new>",
    ),
    (
        (" as of ", " from ", " starting "),
        rf"(?P<now>.+?),? (?:as of|(?:as |starting )?from|starting(?: in| on)?) {_BEGINNING}$",
        r"\g<now>",
    ),
)
"""Of each kind of change: strings one of which such a sentence contains, its pattern, and what has held since."""


def restatements(sentence: str) -> Iterator[str]:
    """Yield what a sentence about a change says of how things have been since."""
    sentence = re.sub(rf"^{GROUP}(?= )", "We", sentence, flags=re.IGNORECASE)
    for cues, pattern, since in _RESTATEMENTS:
        if any(cue in sentence for cue in cues) and (found := re.match(pattern, sentence)):
            yield found.expand(since)
