"""The phrases by which `memoir.capture.rules` tells standing instructions and facts from everything else."""

import re


def _any(phrases: str) -> "re.Pattern[str]":
    """A pattern of phrases anywhere in a sentence; a line break between them is as good as a `|`."""
    return re.compile(rf"\b(?:{_joined(phrases)})\b", re.IGNORECASE)


def _start(phrases: str) -> "re.Pattern[str]":
    """A pattern of phrases at the beginning of a sentence."""
    return re.compile(rf"(?:{_joined(phrases)})\b", re.IGNORECASE)


def _joined(phrases: str) -> str:
    return "|".join(line.strip() for line in phrases.strip().splitlines())


LEAD = re.compile(
    r"\A(?:(?:ok(?:ay)?|so|and|but|also|oh|hey|hm+|no(?=[,.!])|yes|nope|well|btw|by the way|fyi|note|please note"
    r"|note for later|one more thing|for (?:future )?reference|for the record|(?:please |pls )?remember(?: that)?"
    r"|keep in mind(?: that)?|just so you know|you should know(?: that)?|be aware(?: that)?|heads up|cool|right|again)"
    r"\b(?:[\s,:.!-]+|$))+",
    re.IGNORECASE,
)
"""Words that lead to what is said."""
TOLD = _any(
    r"""
    btw|by the way|fyi|for (?:future )?reference|for the record|remember(?: that)?(?!.*\?)|keep in mind
    just so you know|you should know|be aware|heads up|note for later|don'?t forget that
    """
)
"""Words that say that something is to be remembered."""
RETRACTED = _any(
    r"""
    never ?mind (?:what|about|the|that)|forget (?:what|about|that|the \w+ (?:rule|thing))|scratch that|ignore what i
    disregard (?:what|that|my)|i was wrong about|i take (?:that|it) back|strike that
    """
)
QUESTION = _start(
    r"""
    what(?!ever)|why|how|which|who(?!ever)|whose|where(?!ver)|when (?:do|does|did|is|are|will|should)
    do (?:we|you|i|they)|does|did|is (?:there|it|this|that|the)|are (?:there|we|you|they|the)|am i
    should (?:we|i|it|they|this|the)|(?:can|could|would|will) (?:you|we|i|it)|have (?:you|we)|has|shall|any idea
    here(?:'s| is| are)
    """
)
SUPPOSED = _any(
    r"""
    if we ever|imagine|suppose|maybe|perhaps|i(?:'m| am) thinking|not sure|i wonder|what if|might want|could always
    would be nice|i guess|probably|hypothetically|let me know
    """
)
ONCE = _any(
    r"""
    this time|for now|just (?:this )?once|right now|at the moment|again this|line \d+|today|yet|as a draft
    for this (?:pr|mr|commit|task|ticket|branch|one|session|time|change)|the (?:log|diff|stack ?trace) below
    the last (?:change|commit)|you (?:added|removed|changed|wrote|made|forgot|broke|missed)
    """
)
"""What holds for one time."""
HERE_AND_NOW = _any(
    r"""
    this (?:function|method|class|component|button|test|file|line|page|query|variable|loop|regex|script|endpoint|dialog)
    this (?:form|view|table|one|error|bug|issue|commit|pr|change|snippet|module|column|field|code|screen|migration)
    the (?:function|button|dropdown|sidebar|component|header|footer|spinner|toggle|list) (?:should|must|has to|needs)
    """
)
"""What is about the thing that is worked on."""
GENERAL = _any(
    r"""
    from now on|going forward|from here on|in (?:the )?future|future sessions|always|never(?! ?mind)|every time
    each time|whenever|ever again|don'?t ever|any ?more|at all times|by default|no exceptions?|without exception
    in general|generally|normally|typically|as a rule|for the rest of the|rule:|no (?:one|body) may|nothing may
    when(?:ever)? (?:you|we) (?:write|change|add|name|commit|edit|create|touch|deploy|release|update|rename|test|review)
    when(?:ever)? (?:you|we) (?:merge|push|bump|open)|every (?!\w+ (?:in|of) the (?:file|list))\w+
    """
)
"""What holds in general."""
TASK = _start(
    r"""
    (?:(?:please|pls|now|then|and|ok|let'?s|just) )*(?!\w+ \w+s? (?:should|must|ha(?:ve|s) to|are|is|may|need)\b)(?:fix
    add|write|implement|create|refactor|rename|convert|update|remove|delete|move|generate|change|commit|push|run|show
    open|revert|set|bump|make(?! sure)|put|try|build|check|look|find|explain|review|document|scaffold|translate
    optimi[sz]e|install|upgrade|replace|extract|split|merge|rebase|deploy|debug|investigate|simplify|clean|sort|format
    skip|tell
    give|read|print|increase|reduce|enable|disable|wrap|test|start|restart|copy|undo|redo|continue|finish|close|list
    count|draw
    design|prepare|migrate|port|import|export|connect|integrate|handle|hide|display|render|log|expose|only change|return
    throw|raise|apply|go with|switch|have a look|take|do|use (?:the|a|an|option|this|that|it|\w+ instead))
    (?:i|we)(?: want| need| would like|'?d like)(?! you to (?:always|never|write|ask|answer))
    there (?:is|are|was|were|seems?)(?! (?:two|three|four|five|no) )|when i
    (?:i|it|that|they) (?:get|got|see|saw|gets|says|said|did|does|didn'?t|doesn'?t|still|found|tried|noticed|clicked)
    """
)
"""How a task, or the report of a problem, begins."""
STANDING = _start(
    r"""
    (?:please |pls |so |and |then )*(?:always|never|don'?t ever|do not ever|from now on|going forward|whenever)
    (?:please |pls |so |and |then )*(?:make sure (?:you |to |that you )?always|each time|every time)
    (?:please |pls |so |and |then )*(?:in (?:the )?future|stop \w+ing)
    (?:please )?(?:only )?use .{2,80}\b(?:instead of|rather than|not)\b.*\b(?:files|code|tests|repo|project|always)
    .*(?:, always| ever again)|(?:please )?(?:answer|reply|respond|speak|write) (?:to me )?in (?-i:[A-Z])\w+
    (?:please )?(?:don'?t|do not|avoid) (?:us|writ|add|put|creat|mock)(?:e|ing)?\b(?! (?:that|this|it|the|any)\b)
    (?:no|don'?t|do not|avoid|keep) .{2,80}\b(?:in|to|from|under) (?:commit messages|the ui|main|master|vendor|prod\w*)
    (?:no|don'?t|do not|avoid|keep) .{2,80}\b(?:in|to|from|under) (?:tests|comments|logs|docs|code)
    (?:please )?(?:do not|don'?t) (?:touch|edit|modify|commit|push|log)\b.*\b(?:because|since|they'?re|it'?s|are)
    ask me (?:before|first)
    """
)
"""How a standing instruction begins, even if it begins like a task."""
OURS = _any(
    r"""
    we (?:always|never|only|don'?t|do not|use|prefer|require|keep|follow|have to|must(?:n'?t| not)?|can'?t|cannot|avoid)
    we (?:decided|agreed|settled|log|deploy|ship|store|run|host|write|squash|name|return|throw|work|support|target|call)
    we(?:'re| are) (?:on|in|using|based|a|an|the)|we (?:moved|switched|migrated|changed) (?:from|to|away|off)
    (?:our|my) (?:[\w'/.-]+ ){0,5}(?:is|are|has|have|wants?|uses?|says?|requires?|needs?|must|should|lives?|runs?|only)
    (?:our|my) (?:[\w'/.-]+ ){0,5}(?:starts?|works?|expects?|sits?)
    (?:team|house|project|code) (?:convention|policy|rule)|style guide|convention is|policy is
    that'?s (?:how|what|the way) we|let'?s (?:agree|stick|stay)
    in (?:this|our) (?:repo|repository|code ?base|project|team|company|org|system|app)|(?:is|are) not allowed
    is forbidden|are forbidden|may only|only \w+ may
    """
)
"""How things are done here."""
MINE = _any(
    r"""
    i (?:really |strongly |usually |generally |always |much )*(?:prefer|like|love|hate|dislike|work|use|avoid|live)
    i can'?t stand|i don'?t (?:like|want) .*\b(?:anywhere|ever|any)|my name is|call me|i'?d rather
    i(?:'m| am) (?:an?|on|the|based|in|running|colou?r|left-handed|dyslexic|allergic|responsible|in charge|new to)
    my (?:editor|shell|timezone|time zone|machine|os|role|favou?rite|preferred)
    i want you to (?:always|never|write|ask|use|answer)
    """
)
"""What the user prefers, or who they are."""
MUST = _any(
    r"""
    must(?:n'?t| not)?|(?:have|has) to be|needs? to be|shall|may not|(?:is|are) required|max(?:imum)?|at most|at least
    should (?:always |never )?(?:be|have|go|use|live|start|end|contain|follow|match|not)
    """
)
FACT = re.compile(
    r"(?:the|all|our|any|every|each|both|only|there|(?-i:[A-Z])[\w.-]+|prices|dates|deploys|tests|releases"
    r"|builds|api keys|secrets|credentials|staging|production|prod|ci|qa|e2e"
    r"|\w+ (?:tests|files|keys|messages|branches|ids?|context)"
    r"|(?:hotfixes|backups|migrations|new \w+s))\b(?: [\w'`(),/.*-]+){0,8}? "
    r"(?:is|are|has|have|runs?|lives?|lie|sits?|uses?|needs?|requires?|go|goes|come|comes|belongs?|owns?|starts?"
    r"|fails? because|expects?|listens?|points?|depends?|means?|stays?|takes?|happens?|signs?|calls?|still calls?"
    r"|rebuilds?|deploys?|supports?|returns?|can(?:'?t|not)|don'?t|doesn'?t|mustn'?t)\b",
    re.IGNORECASE,
)
"""A thing by its name, and what it is or does."""
PASSING = _any(
    r"""
    broken|failing|red|flickers?|crash(?:es|ed)|fail(?:s|ed)(?! because)|wrong|typo|not (?:working|centered)|too \w+
    looks? (?:great|good|ok|fine|bad|odd|weird)|doesn'?t work|did ?n[o']t work|same error|nothing happens|blank|hard to
    good|great|perfect|nice|thanks?(?: you)?|lgtm|blue, not|still takes|see (?:above|below)|please \w+$|and i need
    shows? an?|missing|cut off|left|no (?:worries|problem|rush|idea)
    """
)
"""Trouble, praise and requests of the moment."""
POINTS_BACK = _start(
    r"""
    that(?:'?s| is)|this (?:is|goes)|it(?:'?s| is)|i don'?t want (?:those|these|that|them)|no exceptions?
    """
)
LEARNT = _any(
    r"""
    root cause|(?:found|here is|that was) the (?:cause|reason|culprit|problem)
    the (?:cause|reason|culprit) (?:is|was|of)|the (?:reason|cause) .{3,80} (?:is|was) (?:that|because)
    turn(?:s|ed) out|note for later
    for future reference|worth (?:noting|remembering)|i(?:'ve| have) noted|i(?:'ll| will) (?:always|never|remember)
    as you asked
    i(?:'ve| have)? learn(?:ed|t) that|from now on|important:|gotcha|otherwise it (?:hangs|fails|breaks|crashes)
    must be run|caveat
    """
)
"""What an agent says of something that it has learnt."""
