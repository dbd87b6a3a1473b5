"""Find lasting clauses: those in which somebody tells an assistant about themselves or their work.

Most of a request is about the moment: what is tried, fails or is asked for. A clause lasts if it states a preference,
who somebody is, what they have, use, decided or reached, or what holds from now on. Attempts and wishes last only if
they name a deadline or a new value: "to meet the deadline of 3 May". `benchmarks.capture` measures this on turns that
were labelled apart from these rules.

A clause is a part of a sentence that could stand alone, in the sentence's exact words. "I prefer short answers, so can
you cut this?" is a preference and a request. A new clause begins with a new subject or a question; a list, or a remark
on the last noun, continues the clause.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoir.english.lasting import grammar
from memoir.english.lasting.session_phrases import PASSING_MATTER, STANDING_INSTRUCTION
from memoir.english.patterns import anywhere, at_start, word_set
from memoir.english.sentences import SUPPOSITION, is_question, without_lead
from memoir.english.stopwords import IRREGULAR_PAST
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PREFERENCE

LONGEST_REQUEST = 16_000
"""The most characters of a sentence that is split into clauses; dictated ones are long."""
FEWEST_WORDS = 3
"""The fewest words of a meaningful clause; "I'm" is two."""
_LONGEST = 400
_OFTEN = r"(?:(?:also|really|currently|now|just|recently|already|only|mainly|mostly|always|usually|generally) )*"
_AM = rf"(?:i|we)(?:['’]m|['’]re| am| are) {_OFTEN}(?:(?:kinda|kind of|sorta|a bit|so|very|still|not|super|quite) )*"
_HAVE = rf"(?:i|we)(?:['’]ve| have) {_OFTEN}"
_DID = rf"(?:i|we) {_OFTEN}"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
_DAY = rf"(?:the )?(?:{_MONTH} \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|\d{{4}}-\d\d-\d\d)"
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)\b"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_VALUE = rf"(?:[$€£]?\d[\d,.]*\+?|{_DAY}|{_NUMBER}|{_WEEKDAY})"
_IS_JOINED = re.compile(r"\b(?:i['’]m|we['’]re)\b", re.IGNORECASE)
_CODE = re.compile(r"`[^`]*`")
_FORMULA = re.compile(r"(?:(?:[{}=<>∩∠×√]|\w\().*){2}|^\W*(?:def|class|import|const|function)\b", re.DOTALL)
"""Unmarked code, and formulas."""
_POINTER = anywhere("the following|this (?:code(?! ?base)|function|script|snippet|example)|(?:is|are|has|have)$")
"""Words that point at text above or below."""
_PREFERENCE = anywhere(
    r"""
    i(?:['’]d| would| usually| generally| really| always| do| typically| still| strongly| much| tend to)* prefer
    (?:like|as) i (?:usually |always )?prefer|(?:my (?:\w+ )?)?preference (?:is|for)
    i(?:['’]d| would) rather|i (?:really )?like (?:it when|using)
    i (?:really |only )?like (?!(?:the|this|that|it|how|what|your|to|these|those|where)\b)
    i don['’]?t want (?!(?:to|it|this|that|the|you|my|these|those)\b)|i don['’]?t (?:eat|drink)
    i don['’]?t like (?!(?:to|it|this|that|the|your|how)\b)
    i (?:always|usually|never|normally) (?:use|choose|pick|go for|go with|work|write|drink|eat|buy|read|take|avoid)
    i (?:only|mostly) (?:use|drink|eat|buy|read|wear|write|cook|take) (?!(?:it|this|that|the|these|those|one|once)\b)
    i (?:really |also |still )*(?:enjoy|love|hate|dislike|value)(?! to (?:see|get|hear|know)| if)|i can['’]?t stand
    i(?:['’]m| am) (?:really |also )?(?:enjoying|loving|into|fond of|(?:not )?a (?:big |huge )?fan of)
    works? (?:best|better) for me
    (?:helps|\w+s (?:really )?help) me (?:\w+ )?(?:visuali[sz]e|understand|learn|remember|focus)
    i(?:['’]m| am) an? \w+ learner|my (?:favou?rite|go-to)|suits me|i learn best
    """
)
_SUPPOSED = at_start("suppose|imagine|assum(?:e|ing)|let['’]?s say|hypothetically|what if|if (?:i|we|my|our|the|an?)")
"""The beginning of a supposition."""
_SOMEBODY = at_start("i|you|he|she|it|they|this|that|who|which|what|somebody|someone|everyone|people")
"""The beginning of a statement about somebody, not an instruction: "he always wins"."""
_UNSURE = at_start("if|whether|do|does|should|would|could|can|which|what|how|will")
"""The beginning of a clause that asks for a preference or supposes one."""
_ASKING = at_start(
    r"""
    (?:can|could|would|will|should|do|does|did|is|are|have|has|may) (?:you|we|i|it|there|this|that|my|the|someone)
    how|what|why|when (?:should|do|does|is|are)|where|which|who|please|any (?:tips|ideas|advice|suggestions)
    here(?:['’]s| is| are)|let['’]?s|let me|for (?:example|instance)|specifically|if|whether|thanks|thank you|maybe
    sure|yes|yeah|got it|that|it(?:['’]s)?|this|these|those|there|you
    """
)
"""The beginning of a question, a request or an answer."""
_PASSING = at_start(
    rf"""
    {_AM}(?:sure|unsure|trying|having|getting|wondering|looking|stuck|confused|worried|concerned|struggling|curious)
    {_AM}(?:open to|hoping|excited|glad|happy|sorry|lost|afraid|nervous|stressed|thinking|missing|familiar|seeing|aware)
    {_DID}(?:want|wanna|need|would|should|could|can|can['’]?t|may|might|think|thought|guess|know|knew|understand|see)
    {_DID}(?:feel|felt|mean|wonder|hope|believe|tried|heard|noticed|appreciate|get|got|was|were|keep|came across)
    {_DID}(?:don['’]t|didn['’]t|do not|did not) (?:know|understand|see|get|have|want|think|need|feel|remember|mind)
    {_DID}(?:saw|read|suppose|assume|reali[sz]e|made an? (?:mistake|error))
    (?:i|we)['’](?:d|ll)|(?:i|we) (?:will|have to|do)
    {_HAVE}(?:tried|heard|seen|read|checked|found|noticed|thought|wondered|looked|come across|to|no idea|the following)
    {_HAVE}been (?:trying|told|considering|looking|stuck|thinking|struggling|staring|having|putting|getting)
    {_HAVE}(?:got (?:the|an?) (?:following|function|basic|simple|error)|some (?:code|trouble))
    {_HAVE}a (?:question|feeling|function|problem)
    my (?:\w+ )?(?:question|problem|issue|concern|code|attempt|understanding|error|guess|calculation|css|html|function)
    """
)
"""The beginning of a clause about what is tried, wanted, felt or known at the moment."""
_STATE = at_start(
    rf"""
    {_AM}(?!\w+ing\b)(?:an?|the|based|from|in charge|responsible|(?-i:[A-Z])\w+|\d+)(?! (?:bit|little|loss|issue))
    {_AM}(?:using|on|targeting|planning to|planning a|aiming|running) .*(?:\d|(?-i:[A-Z]))\w*
    {_AM}(?:working on|preparing (?:for|to)|coordinating|studying|building|exploring|integrating)
    {_AM}(?:learning|training (?:for|to)|saving (?:for|up)|writing a|moving to|raising|teaching|renovating|expecting)
    {_AM}(?:allergic|\w+ intolerant|vegetarian|vegan|pregnant|retired|married|divorced|single|deaf|blind|diabetic)
    {_AM}(?:colou?r.?blind|left-handed|dyslexic|self-employed|unemployed|new to|responsible)
    {_AM}(?:considering using|focusing on|focused on)
    {_HAVE}(?:got )?(?:an?|my|\w+) .*(?:\d|(?-i:[A-Z]))\w*
    {_HAVE}been (?:using|working|studying|practi[sc]ing|doing|running|living)
    {_DID}(?:use|own|run|live|work|host|store|deploy|target|support|pay|earn|speak|keep)
    instead of .{{2,40}} (?:we|i)
    my (?:\w+ ){{0,2}}(?:friend|partner|wife|husband|boss|supervisor|manager|colleague|mentor|team|doctor|sister)
    my (?:\w+ ){{0,2}}(?:brother|mother|father|mom|mum|dad|son|daughter|client|landlord|teacher|coach)
    """
)
"""The beginning of a clause about who somebody is, and what they have, use or work on."""
_THING = r"(?:my|our) (?:[\w'’/.%$-]+ ){1,8}?"
_OWN = at_start(rf"{_THING}(?:is|are|has|have|covers|ends|starts|targets|includes|contains|uses|now|will)")
_OWN_PAST = at_start(rf"{_THING}(?:was|had)")
"""The beginning of a clause about something of the speaker's."""
_ANCHOR = re.compile(rf"(?<=\w )(?!I\b)[A-Z]\w+|[$€£]?\d|\b(?i:{_DAY})")
"""A name or a number, inside a clause."""
_MATTER = (
    r"(?:deadline|due date|launch|budget|quota|limit|target|goal|salary|sprint|milestone|release|interview|appointment"
    r"|exam|subscription|allowance|raise|increase|offer|income|rent|fee|wage|allocation)s?"
)
_NEXT = r"(?: [\w'’-]+)"
_BEGIN = r"(?:launch|deliver|start|begin|finish|complet|ship|releas|submit|present)(?:e|e?s|e?d|ing)?"
_TERM = anywhere(
    rf"""
    {_MATTER} (?:\w+ ){{0,2}}(?:of|for|by|on|is|at|to|until|now){_NEXT}{{0,7}} {_VALUE}\S*
    {_VALUE}\S*{_NEXT}{{0,2}} {_MATTER}
    (?:by|before|until) {_DAY}
    the \w+(?: \w+)? (?:was|were|has been|have been) \w+ .{{0,40}}(?:in|on|since) (?:{_DAY}|(?:19|20)\d\d)
    {_BEGIN} .{{0,60}}(?:on|in) {_DAY}
    (?:keep|stay|remain)(?:ing)? .{{0,60}}(?:under|below|within|at most) {_VALUE}\S*
    """
)
"""A deadline, a limit or the like, with its value."""
_OWN_TERM = anywhere(
    rf"(?:my|our){_NEXT}{{0,3}} {_MATTER} (?:of|for|by|on|is|at|to){_NEXT}{{0,5}} {_VALUE}\S*"
    rf"|(?:my|our){_NEXT}{{0,3}} {_VALUE}\S*{_NEXT}{{0,3}} {_MATTER}"
)
"""A deadline or limit of the speaker's, as a question or an order may name it."""
_CHANGED = (
    "improved|increased|reduced|extended|decreased|raised|lowered|grown|grew|dropped|gone|moved|changed|switched"
    "|cut|rose"
)
_NEW_VALUE = anywhere(
    rf"""
    (?:new|updated|revised|current|latest){_NEXT}{{1,4}} (?:of|is|to) {_VALUE}\S*
    (?:now|recently|currently) \w+{_NEXT}{{0,6}} {_VALUE}\S*
    (?:{_CHANGED}) .{{0,80}}\b(?:to|from|by) {_VALUE}\S*
    \w+ed .{{0,60}}\bfrom {_VALUE}\S*(?: \w+)? to {_VALUE}\S*
    """
)
"""A new or current value."""
_MOVING = re.compile(rf"{_AM}\w+ (?:that|about|of|by|with|to) (?:my|our|the|a) .*{_VALUE}", re.IGNORECASE)
"""A feeling or thought about something with a value: "worried about my rent of 900"."""
_DEED = at_start(
    rf"""
    (?:{_HAVE}|{_DID})(?:decided|chose|chosen|completed|finished|settled|switched|moved|launched|deployed|reached)
    (?:{_HAVE}|{_DID})(?:achieved|enrolled|signed up|scheduled|allocated|budgeted|hired|accepted|declined|joined|agreed)
    (?:{_HAVE}|{_DID})(?:started (?:using|working|an?|my|with)|stopped|met|confirmed|finali[sz]ed|defined|planned)
    (?:{_HAVE}|{_DID})got (?:\d|promoted|married|engaged|accepted|hired|an offer)
    (?:{_HAVE}|{_DID})got (?:the|a|my) (?:\w+ )?(?:job|degree|visa|loan|keys)
    {_HAVE}(?:never|always)|{_DID}never
    """
)
"""The beginning of a clause about what somebody decided, reached or arranged."""
_NUMBERED = re.compile(r"\d")
_MEASURE = re.compile(rf"[$€£]\s?\d|\d\s?(?:%|ms\b|[kmgt]i?b\b)|\b{_DAY}", re.IGNORECASE)
_PLACED = at_start(
    r"(?:[\w/.'’-]+ ){1,6}?(?:is|are|lives?|listens?|runs?|sits?|stays?) (?:\S+ ){0,8}?"
    r"(?:[~/][\w.-]+/[\w./-]+|`[^`]*\w|port \d+|[a-z]+-\d+|\w+\.(?:json|toml|ya?ml|py|db|md|sql|sh))(?!\w)"
)
"""The beginning of a clause that gives the port, host or file of something."""
_PAST = re.compile(rf"(?:{_HAVE}|{_DID})(?P<verb>[a-z]+)\b", re.IGNORECASE)
_PAST_VERBS = word_set("set met bought sold put chose paid taught won quit hit")
_PASSING_VERBS = word_set(
    """
    tried wanted noticed needed thought heard saw read looked checked clicked ran got had did found came wondered used
    hoped expected asked pasted attached copied opened missed learned realized realised discussed mentioned added wrote
    made need
    """
)
"""Verbs for passing acts during work."""


class LastingClause(NamedTuple):
    """A clause that lasts, in the words of its sentence, and its kind: directive, preference, fact or event."""

    kind: str
    text: str


def find_lasting(sentence: str) -> Iterator[LastingClause]:
    """Yield the lasting clauses of a sentence, in order; a supposition has none."""
    yield from filter(None, (lasting_part(part, sentence) for part in split_clauses(sentence)))


def lasting_part(part: str, sentence: str) -> LastingClause | None:
    """The lasting part of a clause, or None."""
    if _SUPPOSED.match(without_lead(sentence)):
        return None
    clause = part.rstrip("?") if part != sentence else part
    if kind := kind_of_clause(clause):
        return LastingClause(kind, clause)
    term = _OWN_TERM.search(clause)
    return LastingClause(FACT, clause[term.start() :].rstrip("?")) if term else None


def is_request(sentence: str) -> bool:
    """Whether any clause of a sentence requests something, or is about the moment."""
    return any(_is_of_the_moment(without_lead(clause).strip()) for clause in split_clauses(sentence))


def _is_of_the_moment(text: str) -> bool:
    """Whether a clause asks, or is about what is tried, wanted or felt."""
    return is_question(text) or bool(_ASKING.match(text) or _PASSING.match(text))


def is_passing(clause: str) -> bool:
    """Whether a clause begins like one about the moment."""
    return bool(_PASSING.match(without_lead(clause).strip()))


def kind_of_clause(clause: str) -> str | None:
    """The kind of a lasting clause; None if it is about the moment."""
    text = without_lead(clause).strip()
    if _is_nothing(text):
        return None
    if _PREFERENCE.search(text) and not _UNSURE.match(text):
        return PREFERENCE
    if STANDING_INSTRUCTION.match(text) and not _SOMEBODY.match(text):
        return DIRECTIVE
    if is_question(text) or _ASKING.match(text) or grammar.is_order(grammar.words_of(text)):
        return None
    if _DEED.match(text):
        return EVENT
    if _PASSING.match(text) or SUPPOSITION.search(text):
        return FACT if _says_value(text) or _MOVING.match(text) else None
    if _is_deed(text):
        return EVENT
    is_state = _STATE.match(text) or _says_value(text) or _is_own(text) or _is_habit(text)
    return FACT if is_state else None


def is_deed(text: str) -> bool:
    """Whether a clause (without its lead) states what somebody decided, reached or arranged."""
    return bool(_DEED.match(text))


def names_value(text: str) -> bool:
    """Whether a clause (without its lead) names a deadline, a limit, a value and its owner, or a number reached."""
    is_reached = is_deed(text) and _NUMBERED.search(text)
    return bool(is_reached or _says_value(text) or _MOVING.match(text) or _OWN_TERM.search(text))


def is_measured(text: str) -> bool:
    """Whether a clause has a sum of money, a percentage, milliseconds, a size in bytes, or a day of a month."""
    return bool(_MEASURE.search(text))


def is_placed(clause: str) -> bool:
    """Whether a clause gives the port, host or file of something, and is not a complaint."""
    text = without_lead(clause)
    return bool(_PLACED.match(text) and not is_question(text) and not PASSING_MATTER.search(text))


def _is_habit(text: str) -> bool:
    """Whether a clause is about a habit of "we" or "I", and is not a complaint."""
    return grammar.is_habit(grammar.words_of(text)) and not PASSING_MATTER.search(text)


def is_too_short(clause: str) -> bool:
    """Whether a clause has too few words to state anything."""
    return len(clause.split()) + len(_IS_JOINED.findall(clause)) < FEWEST_WORDS


def _is_nothing(text: str) -> bool:
    """Whether a clause is too short or too long, points at other text, or is a formula."""
    if is_too_short(text) or len(text) > _LONGEST:
        return True
    return bool(_POINTER.search(text) or _FORMULA.search(_CODE.sub("", text)))


def _says_value(text: str) -> bool:
    """Whether a clause names a deadline, a limit, or a current value."""
    return bool(_TERM.search(text) or _NEW_VALUE.search(text))


def _is_own(text: str) -> bool:
    """Whether a clause is about something of the speaker's (with a name or number, if past), and is not a complaint."""
    is_past = _OWN_PAST.match(text) and _ANCHOR.search(text)
    return bool((is_past or _OWN.match(text)) and not PASSING_MATTER.search(text))


def _is_deed(text: str) -> bool:
    """Whether a clause reports the speaker's act, with a number or a name."""
    match = _PAST.match(text)
    verb = match["verb"].casefold() if match else ""
    is_past = verb in IRREGULAR_PAST or verb in _PAST_VERBS or (len(verb) > 3 and verb.endswith("ed"))
    return is_past and verb not in _PASSING_VERBS and bool(_ANCHOR.search(text))


_JOINT = r"""
    (?:(?:and|but|so|because|since|as(?!\ of\b)|though|although|while|plus|considering|given\ that|especially|then|or
    |also|now(?=\ I\b))\b[\s,]{0,4}){1,4}
"""
"""At most a few joining words before a clause; the bound keeps long rows cheap."""
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
    """The clauses of a sentence, in order, without joining words and marks."""
    parts = (_without_joint(part).strip(" \t,;:-–—") for part in _BOUNDARY.split(sentence))
    return [part for part in parts if part]


def _without_joint(clause: str) -> str:
    lead = _LEAD.match(clause)
    return clause[lead.end() :] if lead else clause
