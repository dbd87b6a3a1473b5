"""Restate a sentence about a change as what has held since: "we are back to Jenkins" as "we use Jenkins"."""

import re
from collections.abc import Iterator

from memoir.english.claims.claim_words import CHANGES, GROUP, HEADS
from memoir.times import MONTHS, WEEKDAYS

_MOVES = ("changed", "migrated", "moved", "returned", "reverted", "switched")
_WE = r"(?P<who>[Ww]e|I|i)(?: (?:have|just|now|finally|all))*"
_BACK = rf"(?:(?:are|am|is|went|gone) back|(?:{'|'.join(_MOVES)})(?: back)?)"
_THING = r"(?:the |our |my )?(?P<thing>\w[\w' -]*?)(?: back)?"
_FROM = r"(?: from [^,]+?)?"
_WHEN = (
    r"(?: (?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)| in (?:20\d\d|[A-Z]\w+)| for [A-Z]\w+)?"
    r"(?:(?:,| because| since| as) .*)?$"
)
"""What may follow: when it became so, and why."""
_ONCE = r"(?!.*\b(?:this|(?:for|on) (?:\w+day|\d)|\w+day's|to(?:day|night|morrow)|\d))"
"""What ended was not for one time only."""
_NAME = (
    r"(?P<name>(?:the (?=[A-Z]))?(?!(?:an?|the|our|my|its?|this|that)\b)[\w@`][\w@/+#.`-]*(?: [A-Z\d]\S*)*"
    r"(?: (?:for|in|on|with) .*?)??)"
    rf"(?: again)?{_WHEN}"
)
"""A name with its purpose."""
_WHO = r"(?P<who>\w[\w'. -]*?)(?: (?:have|has|had|just|recently|finally))*"
_GROUPS = "(?:band|board|choir|club|committee|company|crew|department|firm|group|lab|project|team)"
_DATES = "|".join(each.capitalize() for each in (*WEEKDAYS, *MONTHS))
_PERIODS = (
    "autumn|fall|moment|month|point(?= on)|quarter|release|season|semester|spring|sprint|summer|term|version|week"
    "|winter|(?:school )?year"
)
_BEGINNING = (
    rf"(?:now|20\d\d|(?:this|(?:the )?next) (?:{_PERIODS}|{_DATES})|(?:\d\d?\.? )?(?:{_DATES})(?: \d+)?)"
    "(?: on(?:wards)?)?"
)
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
        (" up to ", " down to "),
        r"(?P<what>.+?)(?: has| have)? (?:goes?|gone|went) (?:up|down) to (?P<new>\D?\d.*?)(?:,? (?:as of|from) .+)?$",
        r"\g<what> rose to \g<new>",
    ),
    (
        ("left ", "quit ", "resigned "),
        rf"{_WHO} (?:left|quit|resigned from) (?P<what>(?:the )?[A-Z]\S*(?: [A-Z]\S*)*|the [\w' -]+ {_GROUPS}){_WHEN}",
        r"\g<who> no longer belong \g<what>",
    ),
    (
        ("cancel", "gave up ", "given up ", "quit "),
        rf"{_WHO} (?:cancell?ed|g[ai]ven? up|quit) {_ONCE}(?:my |our )?(?P<what>\w.*?){_WHEN}",
        r"\g<who> no longer have \g<what>",
    ),
    (
        (" due ", " planned ", " scheduled "),
        r"(?P<what>.+?) (?P<is>is|are) (?:due|planned|scheduled) (?:for|on) (?P<date>.+)$",
        r"\g<what> \g<is> on \g<date>",
    ),
    *(
        ((" over ",), rf"{_WHO} (?:took|taken) over (?P<what>.+?)(?: from .*)?$", rf"\g<who> {verb} \g<what>")
        for verb in sorted(HEADS)
    ),
    (
        (" as of ", " from ", " starting "),
        rf"(?P<now>.+?),? (?:as of|(?:as |starting )?from|starting(?: in| on)?) {_BEGINNING}$",
        r"\g<now>",
    ),
)
"""Of each kind of change: strings one of which such a sentence contains, its pattern, and what has held since.

The last is for `memoir.english.claims.claims`, not for people: "no longer belong Initech" ends what "works at Initech"
claims (`LASTING`)."""


def restatements(sentence: str) -> Iterator[str]:
    """Yield what a sentence about a change says of how things have been since."""
    sentence = re.sub(rf"^{GROUP}(?= )", "We", sentence, flags=re.IGNORECASE)
    for cues, pattern, since in _RESTATEMENTS:
        if any(cue in sentence for cue in cues) and (found := re.match(pattern, sentence)):
            yield found.expand(since)
