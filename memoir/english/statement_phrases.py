"""The phrases by which statements of documents and chats are told from everything else, and their kinds."""

import re

from memoir.english.patterns import anywhere, at_start

GENERAL = anywhere(
    r"""
    always|never|every|each|all|any|only|must|from now on|from here on|going forward|whenever|unless|no matter
    by default
    """
)
DEICTIC = anywhere(
    r"""
    this|that|it|these|those|here|below|above|again|now|me|them|following|next|previous|once more|instead|today
    tomorrow|tonight
    """
)
POINTER = anywhere(
    r"""
    (?:see|read) (?:the|also|below|above|on|our|\[|`)|as (?:you can see|shown|described|follows|noted)
    (?:the )?following|below|(?:in|on) this (?:guide|page|section|chapter|tutorial|document|article|example)
    next section|previous section|more on (?:that|this)|let'?s (?:get|take|look|start|see)|click here|step \d+
    look(?:s)? like this|work in progress|table of contents|copyright|all rights reserved|for example|read on
    reach out|you are (?:now )?ready|now you|feedback|questions are
    """
)
PASSING_REMARK = at_start(
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
GOES_ON = at_start("so(?! *[,!.:;—-])")
THING = at_start(r"(?:its|the (?:result|output|table|example|snippet|section|page) )")
NEEDS = at_start(r"(?:you (?:must|need to|have to|may not|should (?:always|never)|cannot|can't))")

DIRECTIVE = re.compile(
    r"(?:please )?(?:always|never|from now on|do not|don'?t|avoid|make sure|be sure|remember to|prefer|going forward)\b"
    r"|.*\b(?:must(?: not|n'?t)?|should(?: not|n'?t)?|shall|may not|is required to|are required to|is not allowed|"
    r"are not allowed|has to be|have to be|needs? a|needs? an|belongs? in)\b",
    re.IGNORECASE,
)
IMPERATIVE = at_start(
    r"""
    (?:please )?(?:use|write|keep|put|add|answer|run|call|store|name|commit|squash|document|test|check|ask|start)
    (?:please )?(?:stick|follow|include|leave|log|open|pin|place|prefix|quote|return|review|separate|set|sort|tag|wrap)
    (?:please )?(?:limit|mark|format|report|reply|respond|speak|address|assume|cite|explain|treat|update|validate|fix)
    (?:please )?(?:bump|spell|indent|import|install|build|deploy|escape|declare|define|group|order|link|remove|delete)
    (?:please )?(?:rename|translate|copy|show|give|make|change|move|create|find|list|summari[sz]e|refactor|implement)
    (?:please )?(?:try|look|wait|rerun)
    """
)
PLAYBOOK = re.compile(
    r"(?:to|in order to) [a-z][\w'-]*(?: [^,]{1,80})?, [`a-z]|(?:when|if|before|after|once|whenever|for) [^,]{4,100}, "
    r"(?:please |always |first |simply |just )?(?:restart|run|use|restore|update|check|revert|open|set|add|call|remove|"
    r"delete|clear|start|stop|make|create|bump|tag|copy|purge|rotate|ask|write|edit|install|build|push|pull|merge|"
    r"commit|reset|rebase|rebuild|restore|retry|wait|flush|drain|disable|enable|switch|go|contact|ping|page)\b",
    re.IGNORECASE,
)
RESOLUTION = anywhere(
    r"""
    decided (?:to|on|against|that)
    (?:we|they|the (?:team|maintainers)) (?:agreed|chose|picked|settled|went with)|agreed (?:to|on|that)
    turned out|(?:was|were) caused by|root cause|cause of the|the (?:fix|solution|culprit) (?:was|is)
    (?:i|we) (?:fixed|solved|resolved|worked around)|fixed (?:the|it) by|chose .{1,60} over|settled on|solved by
    resolved by
    """
)
FIX = at_start(r"(?:fixed|resolved|solved|worked around)")
PLAN = anywhere(
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
PREFERENCE = anywhere(
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
TIME = anywhere(
    r"""
    yesterday|ago|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)
    in (?:19|20)\d\d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day
    (?:in|since|on|by) (?:early |late )?(?:january|february|march|april|may|june|july)
    (?:in|since|on|by) (?:early |late )?(?:august|september|october|november|december)
    recently|finally|this (?:morning|week|weekend)|when i was|as a (?:child|kid)
    just (?:got|had|finished|bought|moved|launched|started)|the other day
    """
)
TO_YOU = anywhere(
    r"""
    you|your|yours|you're|y'all|ya|u|(?:we|us) (?:both|two)|our (?:last )?(?:chat|talk|friendship)|each other
    """
)
PRAISE = anywhere(
    r"""
    so|such|super|really|awesome|amazing|incredible|inspir\w*|wonderful|fantastic|beautiful|great|joy|tough|hard
    rewarding|important|special|meaningful|grateful|thankful|proud|happy|excited|passionate|motivated|motivating
    empower\w*|support(?:ive)?|strength|courage|difference|impact|worth it|life|fun|peace\w*|freeing|liberat\w*
    staying|feels?|felt|feeling|positive|progress|cool|crazy|wild|lovely|love and|memories
    """
)
OPEN_OBJECT = anywhere(
    r"""
    (?:love|loved|find|found|miss|missed|try|tried|use|used|enjoy|enjoyed|like|liked|did|do|made|got) (?:it|that|them)
    i(?:'m| am) (?:stoked|determined|off to|busy|ready|lucky|all|pumped|keen|in)|believe in|something (?:new|like)
    """
)
NO_RULE = anywhere(
    r"""
    must (?:have|be)|should(?:'ve| have)|shouldn'?t (?:have|be)|we should|i should|should be (?:fun|great)
    (?:always|never) (?:here|there|had|saw|been|thought|knew|a|an|said|too|got|ever)
    don'?t (?:worry|quit|give up|stress|miss)
    """
)
FIRST_PERSON = at_start(r"(?:i|we|my|our)(?:'\w+)?")
ABOUT_NAME = re.compile(
    r"(?:The [\w-]+ |[A-Z][a-z]{2,}(?<!ity)(?<!ing)(?<!ion)(?<!ess)(?<!ent)(?<!ure)(?<!nce)(?<!ust)"
    r"(?: [A-Z]\w+| and [A-Z]\w+)* (?=[a-z]+s\b|can\b|will\b)| and (?:I|[A-Z]\w+) (?=are\b|have\b))"
)
ENDS_OPEN = re.compile(r"\b(?:that|it|this|them|so|too|there|one|ones)[.!]*$", re.IGNORECASE)
NO_PAST = frozenset(("need", "feed", "speed", "indeed", "proceed", "exceed", "succeed", "embed", "bleed", "breed"))
NO_NAME = at_start(
    r"""
    stay|keep|get|be|feel|been|being|having|making|finding|creating|losing|searching|dancing|working|life
    friends|family|positive|both|even|art|their|his|her|its|some|many|most|one|people|everyone|someone|nothing
    everything|raises?
    """
)
PAST = re.compile(
    r"(?:(?:I|[Ww]e|[Hh]e|[Ss]he|[Mm]y [\w ]{1,30}|[Oo]ur [\w ]{1,30}|[Tt]he [\w -]{1,40}"
    r"|[A-Z][\w.'’-]+(?: [A-Z\d][\w.'’-]*){0,3}(?: and I)?)"
    r"(?:'ve| have| has| had)? )(?:(?:just|also|finally|recently|already|only|never|once|actually|really|first) )*"
    r"(?P<verb>[a-z]+)\b"
)
STATES = re.compile(
    r"(?:i|we|my [\w' -]{1,40}|our [\w' -]{1,40})\b.*\b(?:am|is|are|'m|'re|have|has|'ve|work|live|use|run|own|speak|"
    r"study|teach|play|need|know|belong|come|grew|do|keep|host|store|deploy|start|send)|"
    r"(?:i|we) (?:(?:usually|also|only|always|never|mostly|currently|mainly) )?[a-z]{2,}(?<!ed)\b",
    re.IGNORECASE,
)
NAMED_SUBJECT = re.compile(
    r"(?:(?:the|a|an|each|every|all|both|most) )?(?:[`\"'“]?[\w./:@-]+[`\"'”]?(?:'s|’s)? ){1,7}?"
    r"(?:is|are|was|were|has|have|had|can|cannot|can't|does|do|will|holds?|takes?|uses?|keeps?|runs?|reads?|writes?|returns?|"
    r"exits?|expires?|requires?|needs?|supports?|contains?|listens?|skips?|starts?|speaks?|works?|lives?|stud(?:y|ies)|"
    r"leads?|teaches|owns?|sends?|stores?|depends?|means?|includes?|accepts?|belongs?|makes?|gives?|adds?|removed?|"
    r"[a-z]{3,}s|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
