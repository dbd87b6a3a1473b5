"""What lasts in what somebody says to an assistant: the clauses in which they tell of themselves or of their work.

Most of a request is about the moment: what is tried, what fails, what is asked for. A clause lasts if it says what
somebody prefers, who they are, what they have or use, decided or reached, or what holds from now on. What is tried or
wanted lasts only where it names a term or a new value: "to meet the deadline of 3 May". `benchmarks.capture` prints how
often this is right on turns that were labelled apart from these rules.

The clauses of a sentence: the parts of it that could stand alone, each in the exact words of the sentence.

People put what lasts into requests: "I prefer short answers, so can you cut this?" is a preference and a request. A
new clause begins where somebody or something is named who does something, or where a question begins; a list, or
something that is said of the last noun, goes on.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoir.english import grammar
from memoir.english import lasting_phrases as phrases
from memoir.english.phrases import SUPPOSITION, is_question, without_lead
from memoir.english.session_phrases import PASSING_MATTER, STANDING_INSTRUCTION
from memoir.english.stopwords import IRREGULAR_PAST
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PREFERENCE

LONGEST_REQUEST = 4000
"""The most characters of a sentence whose clauses are looked at; people dictate."""
_FEWEST_WORDS, _LONGEST = 3, 400


class LastingClause(NamedTuple):
    """A clause that lasts, in the words of its sentence, and its kind: directive, preference, fact or event."""

    kind: str
    text: str


def find_lasting(sentence: str) -> Iterator[LastingClause]:
    """The clauses of a sentence that last, in order; what is only supposed has none."""
    if phrases.SUPPOSED.match(without_lead(sentence)):
        return
    for part in split_clauses(sentence):
        clause = part.rstrip("?") if part != sentence else part
        if kind := kind_of_clause(clause):
            yield LastingClause(kind, clause)
        elif term := phrases.OWN_TERM.search(clause):
            yield LastingClause(FACT, clause[term.start() :].rstrip("?"))


def is_request(sentence: str) -> bool:
    """Whether a clause of a sentence asks for something, or says what is tried or wanted at the moment."""
    return any(_is_of_the_moment(without_lead(clause).strip()) for clause in split_clauses(sentence))


def is_mixed(sentence: str) -> bool:
    """Whether a sentence has a part that lasts and another that does not, or begins with what is tried or wanted."""
    first, *others = split_clauses(sentence) or [""]
    begins_with_wish = bool(others and phrases.PASSING.match(without_lead(first).strip()))
    return begins_with_wish or bool(others and is_request(sentence) and any(find_lasting(sentence)))


def _is_of_the_moment(text: str) -> bool:
    """Whether a clause asks, or says what is tried, wanted or felt."""
    return is_question(text) or bool(phrases.ASKER.match(text) or phrases.PASSING.match(text))


def kind_of_clause(clause: str) -> str | None:
    """The kind of a clause that lasts; None for one that is about the moment."""
    text = without_lead(clause).strip()
    if _is_nothing(text):
        return None
    if phrases.PREFERENCE.search(text) and not phrases.UNSURE.match(text):
        return PREFERENCE
    if STANDING_INSTRUCTION.match(text) and not phrases.SOMEBODY.match(text):
        return DIRECTIVE
    if is_question(text) or phrases.ASKER.match(text) or grammar.is_order(grammar.words_of(text)):
        return None
    if phrases.DEED.match(text):
        return EVENT
    if phrases.PASSING.match(text) or SUPPOSITION.search(text):
        return FACT if _says_value(text) or phrases.MOVING.match(text) else None
    if _is_deed(text):
        return EVENT
    is_state = phrases.STATE.match(text) or _says_value(text) or _is_own(text) or _is_habit(text)
    return FACT if is_state else None


def _is_habit(text: str) -> bool:
    """Whether a clause says what "we" or "I" do again and again, and does not complain."""
    return grammar.is_habit(grammar.words_of(text)) and not PASSING_MATTER.search(text)


def _is_nothing(text: str) -> bool:
    """Whether a clause is too short or too long to say something, or a formula."""
    is_short = len(text.split()) < _FEWEST_WORDS
    return is_short or len(text) > _LONGEST or bool(phrases.FORMULA.search(phrases.CODE.sub("", text)))


def _says_value(text: str) -> bool:
    """Whether a clause names a term, a limit, or a value that something has now."""
    return bool(phrases.TERM.search(text) or phrases.NEW_VALUE.search(text))


def _is_own(text: str) -> bool:
    """Whether a clause says how something of the speaker's is, or was by name or number, and does not complain."""
    is_past = phrases.OWN_PAST.match(text) and phrases.ANCHOR.search(text)
    return bool((is_past or phrases.OWN.match(text)) and not PASSING_MATTER.search(text))


def _is_deed(text: str) -> bool:
    """Whether a clause says what the speaker did, with a number or a name."""
    match = phrases.PAST.match(text)
    verb = match["verb"].casefold() if match else ""
    is_past = verb in IRREGULAR_PAST or verb in phrases.PAST_VERBS or (len(verb) > 3 and verb.endswith("ed"))
    return is_past and verb not in phrases.PASSING_VERBS and bool(phrases.ANCHOR.search(text))


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
