"""The phrases by which the clauses of a request that last are told from those about the moment."""

import re

from memoir.english.patterns import anywhere, at_start, word_set

_OFTEN = r"(?:(?:also|really|currently|now|just|recently|already|only|mainly|mostly|always|usually|generally) )*"
_AM = rf"(?:i|we)(?:['’]m|['’]re| am| are) {_OFTEN}(?:(?:kinda|kind of|sorta|a bit|so|very|still|not|super|quite) )*"
_HAVE = rf"(?:i|we)(?:['’]ve| have) {_OFTEN}"
_DID = rf"(?:i|we) {_OFTEN}"
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_DAY = rf"(?:the )?(?:{_MONTH} \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|\d{{4}}-\d\d-\d\d)"
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)\b"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_VALUE = rf"(?:[$€£]?\d[\d,.]*\+?|{_DAY}|{_NUMBER}|{_WEEKDAY})"
CODE = re.compile(r"`[^`]*`")
FORMULA = re.compile(r"(?:(?:[{}=<>∩∠×√]|\w\().*){2}|^\W*(?:def|class|import|const|function)\b", re.DOTALL)
"""Code that is not marked as such, and formulas."""
PREFERENCE = anywhere(
    r"""
    i(?:['’]d| would| usually| generally| really| always| do| typically| still| strongly| much| tend to)* prefer
    (?:like|as) i (?:usually |always )?prefer|(?:my (?:\w+ )?)?preference (?:is|for)
    i(?:['’]d| would) rather|i (?:really )?like (?:it when|using)
    i (?:really |only )?like (?!(?:the|this|that|it|how|what|your|to|these|those|where)\b)
    i don['’]?t want (?!(?:to|it|this|that|the|you|my|these|those)\b)|i don['’]?t (?:eat|drink)
    i don['’]?t like (?!(?:to|it|this|that|the|your|how)\b)
    i (?:always|usually|never|normally) (?:use|choose|pick|go for|go with|work|write|drink|eat|buy|read|take|avoid)
    i (?:really |also |still )*(?:enjoy|love|hate|dislike|value)(?! to (?:see|get|hear|know)| if)|i can['’]?t stand
    i(?:['’]m| am) (?:really |also )?(?:enjoying|loving|into|fond of|(?:not )?a (?:big |huge )?fan of)
    works? (?:best|better) for me|(?:really )?helps? me (?:\w+ )?(?:visuali[sz]e|understand|learn|remember|focus)
    i(?:['’]m| am) an? \w+ learner|my (?:favou?rite|go-to)|suits me|i learn best
    """
)
SUPPOSED = at_start("suppose|imagine|assum(?:e|ing)|let['’]?s say|hypothetically|what if|if (?:i|we|my|our|the|an?)")
"""How a sentence begins that is about what might be."""
SOMEBODY = at_start("i|you|he|she|it|they|this|that|who|which|what|somebody|someone|everyone|people")
"""How a clause begins that says what somebody does, and is not an instruction: "he always wins"."""
UNSURE = at_start("if|whether|do|does|should|would|could|can|which|what|how|will")
"""How a clause begins that only asks for a preference, or supposes one."""
ASKER = at_start(
    r"""
    (?:can|could|would|will|should|do|does|did|is|are|have|has|may) (?:you|we|i|it|there|this|that|my|the|someone)
    how|what|why|when (?:should|do|does|is|are)|where|which|who|please|any (?:tips|ideas|advice|suggestions)
    here(?:['’]s| is| are)|let['’]?s|let me|for (?:example|instance)|specifically|if|whether|thanks|thank you|maybe
    sure|yes|yeah|got it|that|it(?:['’]s)?|this|these|those|there|you
    """
)
"""How a question, a request or an answer begins."""
PASSING = at_start(
    rf"""
    {_AM}(?:sure|unsure|trying|having|getting|wondering|looking|stuck|confused|worried|concerned|struggling|curious)
    {_AM}(?:open to|hoping|excited|glad|happy|sorry|lost|afraid|nervous|stressed|thinking|missing|familiar|seeing|aware)
    {_DID}(?:want|wanna|need|would|should|could|can|can['’]?t|may|might|think|thought|guess|know|knew|understand|see)
    {_DID}(?:feel|felt|mean|wonder|hope|believe|tried|heard|noticed|appreciate|get|got|was|were|keep|came across)
    {_DID}(?:don['’]t|didn['’]t|do not|did not) (?:know|understand|see|get|have|want|think|need|feel|remember|mind)
    {_DID}(?:saw|read|suppose|assume|reali[sz]e|made an? (?:mistake|error))
    (?:i|we)['’](?:d|ll)|(?:i|we) (?:will|have to|do)
    {_HAVE}(?:tried|heard|seen|read|checked|found|noticed|thought|wondered|looked|come across|to|no idea|the following)
    {_HAVE}been (?:trying|told|looking|stuck|thinking|struggling|staring|having|putting|getting)
    {_HAVE}(?:got (?:the|an?) (?:following|function|basic|simple|error)|some (?:code|trouble))
    {_HAVE}a (?:question|feeling|function|problem)
    my (?:\w+ )?(?:question|problem|issue|concern|code|attempt|understanding|error|guess|calculation|css|html|function)
    """
)
"""How a clause begins that says what is tried, wanted, felt or known at the moment."""
STATE = at_start(
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
"""How a clause begins that says who somebody is, and what they have, use or work on."""
_THING = r"(?:my|our) (?:[\w'’/.%$-]+ ){1,8}?"
OWN = at_start(rf"{_THING}(?:is|are|has|have|covers|ends|starts|targets|includes|contains|uses|now|will)")
OWN_PAST = at_start(rf"{_THING}(?:was|had)")
"""How a clause begins that says how something of the speaker's is."""
ANCHOR = re.compile(rf"(?<=\w )(?!I\b)[A-Z]\w+|[$€£]?\d|\b(?i:{_DAY})")
"""A name or a number, inside a clause."""
_MATTER = (
    r"(?:deadline|due date|launch|budget|quota|limit|target|goal|salary|sprint|milestone|release|interview|appointment"
    r"|exam|subscription|allowance|raise|increase|offer|income|rent|fee|wage|allocation)s?"
)
_NEXT = r"(?: [\w'’-]+)"
_BEGIN = r"(?:launch|deliver|start|begin|finish|complet|ship|releas|submit|present)(?:e|e?s|e?d|ing)?"
TERM = anywhere(
    rf"""
    {_MATTER} (?:\w+ ){{0,2}}(?:of|for|by|on|is|at|to|until|now){_NEXT}{{0,7}} {_VALUE}\S*
    {_VALUE}\S*{_NEXT}{{0,2}} {_MATTER}
    (?:by|before|until) {_DAY}
    the \w+(?: \w+)? (?:was|were|has been|have been) \w+ .{{0,40}}(?:in|on|since) (?:{_DAY}|(?:19|20)\d\d)
    {_BEGIN} .{{0,60}}(?:on|in) {_DAY}
    (?:keep|stay|remain)(?:ing)? .{{0,60}}(?:under|below|within|at most) {_VALUE}\S*
    """
)
"""A term or a limit, with its value."""
OWN_TERM = anywhere(
    rf"(?:my|our){_NEXT}{{0,3}} {_MATTER} (?:of|for|by|on|is|at|to){_NEXT}{{0,5}} {_VALUE}\S*"
    rf"|(?:my|our){_NEXT}{{0,3}} {_VALUE}\S*{_NEXT}{{0,3}} {_MATTER}"
)
"""A term or a limit of the speaker's, as a question or an order may name it."""
_CHANGED = (
    "improved|increased|reduced|extended|decreased|raised|lowered|grown|grew|dropped|gone|moved|changed|switched"
    "|cut|rose"
)
NEW_VALUE = anywhere(
    rf"""
    (?:new|updated|revised|current|latest){_NEXT}{{1,4}} (?:of|is|to) {_VALUE}\S*
    (?:now|recently|currently) \w+{_NEXT}{{0,6}} {_VALUE}\S*
    (?:{_CHANGED}) .{{0,80}}\b(?:to|from|by) {_VALUE}\S*
    """
)
"""A value that something has now, or from now on."""
MOVING = re.compile(rf"{_AM}\w+ (?:that|about|of|by|with|to) (?:my|our|the|a) .*{_VALUE}", re.IGNORECASE)
"""A feeling or a thought about something that has a value: "worried about my rent of 900"."""
DEED = at_start(
    rf"""
    (?:{_HAVE}|{_DID})(?:decided|chose|chosen|completed|finished|settled|switched|moved|launched|deployed|reached)
    (?:{_HAVE}|{_DID})(?:achieved|enrolled|signed up|scheduled|allocated|budgeted|hired|accepted|declined|joined|agreed)
    (?:{_HAVE}|{_DID})(?:started (?:using|working|an?|my|with)|stopped|met|confirmed|finali[sz]ed|defined|planned)
    (?:{_HAVE}|{_DID})got (?:\d|promoted|married|engaged|accepted|hired|an offer)
    (?:{_HAVE}|{_DID})got (?:the|a|my) (?:\w+ )?(?:job|degree|visa|loan|keys)
    {_HAVE}(?:never|always)|{_DID}never
    """
)
"""How a clause begins that says what somebody decided, reached or arranged."""
PAST = re.compile(rf"(?:{_HAVE}|{_DID})(?P<verb>[a-z]+)\b", re.IGNORECASE)
PAST_VERBS = word_set("set met bought sold put chose paid taught won quit hit")
PASSING_VERBS = word_set(
    """
    tried wanted noticed needed thought heard saw read looked checked clicked ran got had did found came wondered used
    hoped expected asked pasted attached copied opened missed learned realized realised discussed mentioned added wrote
    made need
    """
)
"""Verbs of what was done in passing, while something was worked on."""
