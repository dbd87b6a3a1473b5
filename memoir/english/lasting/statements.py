"""Find the sentences of documents and chats that state something durable, and their kinds, by rules alone.

Questions, greetings, one-time requests, reactions, and sentences that need their context are not memories. The rest
must state something about a named subject in a whole sentence. `benchmarks.item_precision` measures this on sentences
labelled before these rules. `memoir.english.lasting.session_sentences` covers sessions with an agent, and an
assistant's part in chats.
"""

import re

from memoir.english.patterns import anywhere, at_start
from memoir.english.sentences import SUPPOSITION, is_question, without_lead
from memoir.english.stopwords import IRREGULAR_PAST
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PLAN, PLAYBOOK, PREFERENCE, RESOLUTION

_FEWEST_WORDS = 4
_GENERAL = anywhere(
    r"""
    always|never|every|each|all|any|only|must|from now on|from here on|going forward|whenever|unless|no matter
    by default
    """
)
_DEICTIC = anywhere(
    r"""
    this|that|it|these|those|here|below|above|again|now|me|them|following|next|previous|once more|instead|today
    tomorrow|tonight
    """
)
_POINTER = anywhere(
    r"""
    (?:see|read) (?:the|also|below|above|on|our|\[|`)|(?:the )?following|below|step \d+|for example|reach out|feedback
    questions are|as (?:you can see|shown|described|follows|noted)
    """
)
_PASSING_REMARK = at_start(
    r"""
    let me|let'?s|lemme|i'?ll|i will (?:check|look|have|take|see|try|get)
    i(?:'m| am) (?:looking|checking|running|working on it|on it|going to (?:check|look|try|run)|so |really |just )
    (?:i )?just (?:wanted|want|checking|a quick)|gotta|gonna
    i(?:'m| am) (?:here|glad|happy|proud|excited|sorry|sure|curious|thrilled|amazed|wondering|trying)
    i just (?:opened|ran|saw|checked|sent|read|tried|want(?:ed)? to say)
    i (?:see|agree|totally|completely|understand|know|mean|hear you|get it|can'?t (?:wait|believe|imagine)|appreciate)
    can i|can you|could you|would you|will you|do you|did you|have you|are you|is there|is it|what|why|how
    when did|who|which|where|here (?:is|are|you|'s)|here'?s|there you|you(?:'re|'ve|'ll|r)?|take care|good luck
    good point|see you|talk (?:soon|to you)|catch|keep (?:it up|going|up|me)|enjoy|have (?:fun|a )|congrat\w*
    happy \w+!|sounds?|looks?|seems?|glad|great|nice|cool|awesome|amazing|wow|good|interesting|same here|me too
    not (?:really|yet|much)|done|wait|one (?:moment|sec)|no (?:worries|problem|idea)|for example|note|todo|usage
    overview|contents|introduction|that reminds|speaking of|tell me|show me|give me|let us|make it|try|hope
    it'?s|its|it|that'?s|that|this|these|those|they|they'?re|such|so|there'?s|there (?:is|are|was|were)|imagine
    suppose|any ideas|and you|how
    """
)
_GOES_ON = at_start("so(?! *[,!.:;—-])")
_NEEDS = at_start(r"(?:you (?:must|need to|have to|may not|should (?:always|never)|cannot|can't))")

_DIRECTIVE = re.compile(
    r"(?:please )?(?:always|never|from now on|do not|don'?t|avoid|make sure|be sure|remember to|prefer|going forward)\b"
    r"|.*\b(?:must(?: not|n'?t)?|should(?: not|n'?t)?|shall|may not|is required to|are required to|is not allowed|"
    r"are not allowed|has to be|have to be|needs? a|needs? an|belongs? in)\b",
    re.IGNORECASE,
)
_IMPERATIVE = at_start(
    r"""
    (?:please )?(?:use|write|keep|put|add|answer|run|call|store|name|commit|squash|document|test|check|ask|start)
    (?:please )?(?:stick|follow|include|leave|log|open|pin|place|prefix|quote|return|review|separate|set|sort|tag|wrap)
    (?:please )?(?:limit|mark|format|report|reply|respond|speak|address|assume|cite|explain|treat|update|validate|fix)
    (?:please )?(?:bump|spell|indent|import|install|build|deploy|escape|declare|define|group|order|link|remove|delete)
    (?:please )?(?:rename|translate|copy|show|give|make|change|move|create|find|list|summari[sz]e|refactor|implement)
    (?:please )?(?:try|look|wait|rerun)
    """
)
_PLAYBOOK = re.compile(
    r"(?:to|in order to) [a-z][\w'-]*(?: [^,]{1,80})?, [`a-z]|(?:when|if|before|after|once|whenever|for) [^,]{4,100}, "
    r"(?:please |always |first |simply |just )?(?:restart|run|use|restore|update|check|revert|open|set|add|call|remove|"
    r"delete|clear|start|stop|make|create|bump|tag|copy|purge|rotate|ask|write|edit|install|build|push|pull|merge|"
    r"commit|reset|rebase|rebuild|restore|retry|wait|flush|drain|disable|enable|switch|go|contact|ping|page)\b",
    re.IGNORECASE,
)
_RESOLUTION = anywhere(
    r"""
    decided (?:to|on|against|that)
    (?:we|they|the (?:team|maintainers)) (?:agreed|chose|picked|settled|went with)|agreed (?:to|on|that)
    turned out|(?:was|were) caused by|root cause|cause of the|the (?:fix|solution|culprit) (?:was|is)
    (?:i|we) (?:fixed|solved|resolved|worked around)|fixed (?:the|it) by|chose .{1,60} over|settled on|solved by
    resolved by
    """
)
_FIX = at_start(r"(?:fixed|resolved|solved|worked around)")
_PLAN = anywhere(
    r"""
    (?:am|are|is|'m|'re|'s) (?:going to|planning|about to|aiming|hoping to start)|plans? (?:to|on)|planned for
    intends? to|i want to|we want to|i(?:'d| would) like to
    will (?:be |soon |then )?(?:drop|move|ship|start|switch|release|launch|replace|migrate|visit|travel|open|join)
    will (?:be |soon |then )?(?:meet|add|remove|host|run|go|have)
    appointment|scheduled (?:for|on)|signed up for|(?:my|our) (?:goal|dream|plan)s? (?:is|are)
    thinking (?:of|about) (?:opening|starting|moving|buying|getting|going|adopting|working|learning)
    looking (?:for|into) (?:a|an|counseling|adoption)
    """
)
_PREFERENCE = anywhere(
    r"""
    prefers?|favou?rites?
    (?:i|we) (?:(?:really|also|just|absolutely|usually|always|especially) )?(?:love|like|hate|dislike|enjoy|adore)
    (?:he|she|(?:my|our) \w+(?: \w+)?|(?-i:[A-Z])\w+) (?:(?:really|also|always) )?(?:loves|likes|hates|dislikes)
    (?:he|she|(?:my|our) \w+(?: \w+)?|(?-i:[A-Z])\w+) (?:(?:really|also|always) )?(?:enjoys|adores)
    (?:don'?t|doesn'?t|do not|does not) (?:really )?(?:like|enjoy|eat|drink)|i'?d rather|would rather
    can'?t stand|(?:i|we) (?:always|usually|tend to) (?:pick|drink|take|choose|go for|order|eat)
    (?:i|we) find .{1,60} (?:easier|harder|better|boring|annoying|relaxing)|(?:my|our) go-to|fond of
    a (?:big |huge )?fan of|into (?:hiking|reading|music|painting|cooking|running)
    """
)
_TIME = anywhere(
    r"""
    yesterday|ago|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)
    in (?:19|20)\d\d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day
    (?:in|since|on|by) (?:early |late )?(?:january|february|march|april|may|june|july)
    (?:in|since|on|by) (?:early |late )?(?:august|september|october|november|december)
    recently|finally|this (?:morning|week|weekend)|when i was|as a (?:child|kid)
    just (?:got|had|finished|bought|moved|launched|started)|the other day
    """
)
_TO_YOU = anywhere(
    r"""
    you|your|yours|you're|y'all|ya|u|(?:we|us) (?:both|two)|our (?:last )?(?:chat|talk|friendship)|each other
    """
)
_PRAISE = anywhere(
    r"""
    so|such|super|really|awesome|amazing|incredible|inspir\w*|wonderful|fantastic|beautiful|great|joy|tough|hard
    rewarding|important|special|meaningful|grateful|thankful|proud|happy|excited|passionate|motivated|motivating
    empower\w*|support(?:ive)?|strength|courage|difference|impact|worth it|life|fun|peace\w*|freeing|liberat\w*
    staying|feels?|felt|feeling|positive|progress|cool|crazy|wild|lovely|love and|memories
    """
)
_OPEN_OBJECT = anywhere(
    r"""
    (?:love|loved|find|found|miss|missed|try|tried|use|used|enjoy|enjoyed|like|liked|did|do|made|got) (?:it|that|them)
    i(?:'m| am) (?:stoked|determined|off to|busy|ready|lucky|all|pumped|keen|in)|believe in|something (?:new|like)
    """
)
_NO_RULE = anywhere(
    r"""
    must (?:have|be)|should(?:'ve| have)|shouldn'?t (?:have|be)|we should|i should|should be (?:fun|great)
    (?:always|never) (?:here|there|had|saw|been|thought|knew|a|an|said|too|got|ever)
    don'?t (?:worry|quit|give up|stress|miss)
    """
)
_FIRST_PERSON = at_start(r"(?:i|we|my|our)(?:'\w+)?")
_ABOUT_NAME = re.compile(
    r"(?:The [\w-]+ |[A-Z][a-z]{2,}(?<!ity)(?<!ing)(?<!ion)(?<!ess)(?<!ent)(?<!ure)(?<!nce)(?<!ust)"
    r"(?: [A-Z]\w+| and [A-Z]\w+)* (?=[a-z]+s\b|can\b|will\b)| and (?:I|[A-Z]\w+) (?=are\b|have\b))"
)
_ENDS_OPEN = re.compile(r"\b(?:that|it|this|them|so|too|there|one|ones)[.!]*$", re.IGNORECASE)
_NO_PAST = frozenset(("need", "feed", "speed", "indeed", "proceed", "exceed", "succeed", "embed", "bleed", "breed"))
_NO_NAME = at_start(
    r"""
    stay|keep|get|be|feel|been|being|having|making|finding|creating|losing|searching|dancing|working|life
    friends|family|positive|both|even|art|their|his|her|its|some|many|most|one|people|everyone|someone|nothing
    everything|raises?
    """
)
_PAST = re.compile(
    r"(?:(?:I|[Ww]e|[Hh]e|[Ss]he|[Mm]y [\w ]{1,30}|[Oo]ur [\w ]{1,30}|[Tt]he [\w -]{1,40}"
    r"|[A-Z][\w.'’-]+(?: [A-Z\d][\w.'’-]*){0,3}(?: and I)?)"
    r"(?:'ve| have| has| had)? )(?:(?:just|also|finally|recently|already|only|never|once|actually|really|first) )*"
    r"(?P<verb>[a-z]+)\b"
)
_STATES = re.compile(
    r"(?:i|we|my [\w' -]{1,40}|our [\w' -]{1,40})\b.*\b(?:am|is|are|'m|'re|have|has|'ve|work|live|use|run|own|speak|"
    r"study|teach|play|need|know|belong|come|grew|do|keep|host|store|deploy|start|send)|"
    r"(?:i|we) (?:(?:usually|also|only|always|never|mostly|currently|mainly) )?[a-z]{2,}(?<!ed)\b",
    re.IGNORECASE,
)
_NAMED_SUBJECT = re.compile(
    r"(?:(?:the|a|an|each|every|all|both|most) )?(?:[`\"'“]?[\w./:@-]+[`\"'”]?(?:'s|’s)? ){1,7}?"
    r"(?:is|are|was|were|has|have|had|can|cannot|can't|does|do|will|holds?|takes?|uses?|keeps?|runs?|reads?|writes?|returns?|"
    r"exits?|expires?|requires?|needs?|supports?|contains?|listens?|skips?|starts?|speaks?|works?|lives?|stud(?:y|ies)|"
    r"leads?|teaches|owns?|sends?|stores?|depends?|means?|includes?|accepts?|belongs?|makes?|gives?|adds?|removed?|"
    r"[a-z]{3,}s|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)


def kind_of(sentence: str, *, talk: bool = False) -> str | None:
    """The kind of memory that a sentence makes; None if it states nothing durable.

    In a document a sentence must end like one. In talk, remarks to the listener, praise and complaints are not durable
    either.
    """
    text = without_lead(sentence).strip()
    if _GOES_ON.match(sentence) or _is_nothing(text) or (talk and _is_chatter(text)):
        return None
    return _by_form(text, talk=talk) if talk or _ends(text) else None


def _ends(text: str) -> bool:
    """Whether a text ends like a sentence, unlike a heading."""
    return text.rstrip("\"'”’)*_`").endswith((".", "!", ";"))


def likeliest_kind(text: str) -> str:
    """The kind of a text that is already a memory; by default a fact."""
    return _by_form(without_lead(text).strip(), talk=False) or FACT


def _is_chatter(text: str) -> bool:
    """Whether a sentence in talk only addresses the listener or expresses a feeling."""
    if (_TO_YOU.search(text) and not _GENERAL.search(text)) or _OPEN_OBJECT.search(text):
        return True
    says_what = _is_deed(text) or _TIME.search(text) or re.search(r"\d|\w [A-Z][a-z]", text)
    return bool(_PRAISE.search(text)) and not says_what


def _is_nothing(text: str) -> bool:
    """Whether a sentence is a question, a request, a reaction or a guess, or needs its context."""
    if is_question(text) or text.endswith((":", "…")) or len(text.split()) < _FEWEST_WORDS or not _has_letters(text):
        return True
    if _NO_NAME.match(text):
        return True
    if _POINTER.search(text) or (SUPPOSITION.search(text) and not _GENERAL.search(text)):
        return True
    return bool(_PASSING_REMARK.match(text) and not _NEEDS.match(text))


def _has_letters(text: str) -> bool:
    """Whether most characters of a text are letters or spaces."""
    return sum(char.isalpha() or char.isspace() for char in text) > 0.7 * len(text)


def _by_form(text: str, *, talk: bool) -> str | None:
    if _RESOLUTION.search(text) or (_FIX.match(text) and len(text.split()) > 5):
        return RESOLUTION
    if _PLAYBOOK.match(text):
        return PLAYBOOK
    if _DIRECTIVE.match(text):
        return None if _NO_RULE.search(text) or (talk and text.endswith("!")) else DIRECTIVE
    if _IMPERATIVE.match(text):
        return None if _DEICTIC.search(text) or _is_one_off(text) or text.endswith("!") else DIRECTIVE
    if _PREFERENCE.search(text):
        return PREFERENCE
    if _PLAN.search(text):
        return PLAN
    if _is_past(text):
        return EVENT
    if talk and (_ENDS_OPEN.search(text) or not (_FIRST_PERSON.match(text) or _ABOUT_NAME.match(text))):
        return None
    return FACT if (_STATES.match(text) or _NAMED_SUBJECT.match(text)) else None


def _is_one_off(text: str) -> bool:
    """Whether an order is about one thing ("fix the typo", "add a docstring"), not things of a kind."""
    if _GENERAL.search(text):
        return False
    words = text.split()
    first = "".join(words[2:3] if words[0].lower() == "please" else words[1:2]).lower()
    return first in ("the", "a", "an", "my", "one", "another") or text.lower().startswith("please")


def _is_deed(text: str) -> bool:
    """Whether a sentence reports somebody's act."""
    match = _PAST.match(text)
    verb = match["verb"].lower() if match else ""
    return verb in IRREGULAR_PAST or (len(verb) > 3 and verb.endswith("ed") and verb not in _NO_PAST)


def _is_past(text: str) -> bool:
    """Whether a sentence reports an act, or a past event with its time."""
    return _is_deed(text) or bool(
        _TIME.search(text) and re.search(r"\b\w{2,}(?<!ne)ed\b|\bwas\b|\bwere\b|\bhad\b", text)
    )
