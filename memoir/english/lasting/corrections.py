"""Corrections: facts or choices that replace what was said or done before.

"That's wrong, the staging db is on 5433" and "Not npm, we use pnpm here" last: they concern something with a name.
"Wrong line, it's 41" and "no, use the second one instead" concern the task at hand.
"""

import re

from memoir.english.lasting import grammar
from memoir.english.lasting.lasting_clauses import FEWEST_WORDS, split_clauses
from memoir.english.lasting.session_phrases import FOR_ONCE, PASSING_MATTER
from memoir.english.patterns import alternatives, anywhere, at_start
from memoir.english.sentences import LONGEST_SAID, is_question, without_lead

_LEADS = r"(?:(?:no|nope|nah|hm+|sorry|ugh|well|actually|wait|but|and|ok(?:ay)?|small|quick|an?|one)\b[\s,.!:;—–-]*)*"
_OBJECTIONS = alternatives(
    r"""
    (?:no|nope|nah)
    (?:that|this|it|you)(?:['’]?s|['’]?re| is| are) (?:\w+ )?(?:wrong|incorrect|false|mistaken)
    (?:that|this|it|you)(?:['’]?s|['’]?re| is| are) not (?:quite |at all )?(?:right|correct|true|so)
    (?:that|it) (?:isn['’]?t|is ?n['’]t) (?:right|correct|true)
    (?:that['’]?s )?(?:the )?wrong(?: [\w-]+)?|not (?:right|true|correct)|incorrect
    you(?:['’]ve)? (?:have|got|made|did) (?:an? )?(?:mistake|error)
    you (?:got|have) (?:it|that|this) (?:wrong|backwards)
    (?:(?:it|that)(?:['’]?s| is) )?(?:exactly |just )?the (?:other way a?round|opposite|reverse)|other way a?round
    (?:what )?i (?:said|told you|gave you)\b[^.,:;]{0,40} (?:wrong|bad|not right|not true|mistaken|a mistake)
    i was (?:wrong|mistaken)(?: about [^.,:;]{1,40})?
    correction(?: (?:to|for|of) [^:.]{1,60})?
    """
)
_OBJECTION = re.compile(
    rf"{_LEADS}(?:{_OBJECTIONS})(?: (?:again|before|earlier|there))?(?:\s*[,.!:;—–]+\s*|\s+-+\s+|$)", re.IGNORECASE
)
"""A mere objection, up to the mark after it."""
_NOT_THAT = re.compile(
    rf"{_LEADS}not (?!(?:to|sure|only|just|yet|now|urgent|all|really|quite|bad|this|that|these|those|here|there|keen|in"
    r"|the|an?|my|your|it|if|even|everything|everyone|much|many|again|too|so|very|as)\b)"
    r"(?:[\w'’./@+-]+ ){0,3}?[\w'’./@+-]*[\w'’][,:;—–]\s+",
    re.IGNORECASE,
)
"""An opening that rejects a name: "not npm, "."""
_NAMED = at_start(
    r"(?:it(?:['’]?s| is)|use|it goes) (?!(?:the|an?|this|that|not|just|only|still|in|on|my|your|too|so)\b)\S+"
)
"""A clause that begins with the replacement's name."""
_USE = re.compile(
    r"(?:please |pls |just )*(?:use|run|call|type|import|prefer|write|go with|stick (?:to|with))\s+"
    r"(?!(?:the|this|that|these|those|it|them|an?|my|your|his|her|another|one|both|other|two|three)\b|.*\s\d)\S.*\binstead\b",
    re.IGNORECASE,
)
"""An order to use something named."""
_OF_THE_TASK = anywhere(
    r"""
    (?:this|that|these|those|above|below|again|today|tomorrow|tonight|yesterday|next|second|third|last|previous|other)
    should|must|has to|have to|needs?|gives?|returns?|prints?|line|paragraph|sentence|column \d+|there$|only the|button
    """
)
"""Words of a clause that asks for a change, or points at the current work."""


def correction(sentence: str, before: str = "") -> str:
    """The part of a sentence that corrects something lastingly, in its own words; else empty.

    The objection may begin the sentence, or be the sentence `before`.
    """
    if is_question(sentence) or len(sentence) > LONGEST_SAID:
        return ""
    if unlike := _NOT_THAT.match(sentence):
        said = sentence[unlike.end() :]
        kept = _lasting_start(said, is_named=True)
        return without_lead(sentence[: unlike.end()]) + kept if kept else ""
    objection = _OBJECTION.match(sentence)
    if not objection and not is_objection(before):
        return ""
    return _lasting_start(sentence[objection.end() if objection else 0 :])


def is_objection(sentence: str) -> bool:
    """Whether a sentence is a mere objection."""
    match = _OBJECTION.match(sentence)
    return match is not None and match.end() == len(sentence)


def is_use(clause: str) -> bool:
    """Whether a clause orders to use something named instead."""
    return any(_USE.match(part) for part in clause.split(", "))


def _lasting_start(text: str, *, is_named: bool = False) -> str:
    """The leading clauses of a text that state lasting facts; empty if the first does not."""
    end = 0
    for clause in split_clauses(text):
        if not _lasts(clause) and not (is_named and not end and _NAMED.match(clause)):
            break
        end = text.index(clause, end) + len(clause)
    return text[:end]


def _lasts(clause: str) -> bool:
    """Whether a clause states a fact or a choice that is neither about the task nor trouble of the moment."""
    plain = without_lead(clause)
    words = grammar.words_of(plain)
    if len(words) < FEWEST_WORDS or _OF_THE_TASK.search(plain) or FOR_ONCE.search(plain):
        return False
    if is_use(plain):
        return True
    return (grammar.is_habit(words) or grammar.is_state(plain)) and not PASSING_MATTER.search(plain)
