"""The phrases by which the standing instructions and facts of a session are told from everything else."""

from memoir.english.patterns import anywhere, at_start

REMINDER = anywhere(
    r"""
    btw|by the way|fyi|keep (?:this|that|it) in mind|for (?:future )?reference|for the record
    remember(?: that)?(?!.*\?)|keep in mind
    just so you know|you should know|be aware|heads up|note for later|don'?t forget that
    """
)
"""Words that say that something is to be remembered."""
RETRACTION = anywhere(
    r"""
    never ?mind (?:what|about|the|that)|forget (?:what|about|that|the \w+ (?:rule|thing))|scratch that|ignore what i
    disregard (?:what|that|my)|i was wrong about|i take (?:that|it) back|strike that
    """
)
QUESTION = at_start(
    r"""
    what(?!ever)|why|how|which|who(?!ever)|whose|where(?!ver)|when (?:do|does|did|is|are|will|should)
    do (?:we|you|i|they)|does|did|is (?:there|it|this|that|the)|are (?:there|we|you|they|the)|am i
    should (?:we|i|it|they|this|the)|(?:can|could|would|will) (?:you|we|i|it)|have (?:you|we)|has|shall|any idea
    here(?:'s| is| are)
    """
)
ONCE = anywhere(
    r"""
    this time|tomorrow|tonight|this (?:morning|afternoon|evening|week)|for now|just (?:this )?once|right now
    at the moment|again this|line \d+|today|yet|as a draft
    for this (?:pr|mr|commit|task|ticket|branch|one|session|time|change)|the (?:log|diff|stack ?trace) below
    the last (?:change|commit)|you (?:added|removed|changed|wrote|made|forgot|broke|missed)
    """
)
"""Words of something that holds for one time."""
HERE_AND_NOW = anywhere(
    r"""
    the (?:ones?|things?) (?:i|you)|i(?:['’]m| am) (?:thinking|trying|having trouble|struggling)
    , (?:please|pls) \w+ (?:the|this|my|a)
    the (?:function|button|dropdown|sidebar|component|header|footer|spinner|toggle|list) (?:should|must|has to|needs)
    """
)
"""Words about the thing that is worked on, or thought about."""
GENERAL = anywhere(
    r"""
    from now on|going forward|from here on|in (?:the )?future|future sessions|always
    (?<!could )(?<!he )(?<!they )(?<!ve )never(?! ?mind)|each (?:day|night|week|month|year|morning|evening|\w+day)
    wherever|no \w+ at all|to \w+ .{3,60} you (?:have to|need to|must|go|use|take|run)|every time
    each time|whenever|ever again|don'?t ever|any ?more|at all times|by default|no exceptions?|without exception
    in general|generally|normally|typically|as a rule|for the rest of the|rule:|nothing may|only ever
    no ?(?:one|body) (?:may|gets?|can|must|should)|you(?:['’]re| are) not (?:allowed|supposed) to|standing rule
    when an? \w+ .{2,60}\bi (?:want|need|expect)
    when(?:ever)? (?:you|we) (?!are|'re|have|get|can|come|think|see|finish|wake|want)\w+|everywhere|nowhere
    every (?!\w+ (?:in|of) the (?:file|list)|second|other|two|three|\d)\w+
    """
)
"""Words of something that holds in general."""
LASTING_ORDER = anywhere(
    r"""
    whenever|every time|each time|from now on|going forward|in (?:the )?future|as a rule|at all times
    (?:before|after) (?:each|every|any)|(?:from|in|to|for|with|before you \w+) any(?:thing)?|nothing (?:newer|older)
    unless (?:i|we|you|they)|anything (?:you|that)|everything you|in general
    across (?:the|our|all)|by default|no exceptions?|ever|any of (?:my|our)|, never|without (?:me )?asking
    every (?:morning|evening|day|week|month|\w+day)|in (?:each|every|all|my|our) (?:\w+ ){0,2}\w+s|in each
    in the (?:morn|even)ings
    on (?:week|\w+)days|when you (?!are|have|get|finish|see|can|think|come|want|need|know|do|like|run)\w+
    """
)
"""Words that make an order hold beyond the task at hand."""
TASK = at_start(
    r"""
    (?:(?:please|pls|now|then|and|ok|let'?s|just) )*(?!\w+ \w+s? (?:should|must|ha(?:ve|s) to|are|is|may|need)\b)(?:fix
    add|write|implement|create|refactor|rename|convert|update|remove|delete|move|generate|change|commit|push|run
    show
    open|revert|set|bump|make(?! sure)|put|try|build|check|look|find|explain|review|document|scaffold|translate
    optimi[sz]e|install|upgrade|replace|extract|split|merge|rebase|deploy|debug|investigate|simplify|clean|sort
    format
    skip|tell
    give|read|print|increase|reduce|enable|disable|wrap|test|start|restart|copy|undo|redo|continue|finish|close|list
    count|draw
    design|prepare|migrate|port|import|export|connect|integrate|handle|hide|display|render|log|expose|only change
    return
    throw|raise|apply|go with|switch|have a look|take|do|use (?:the|a|an|option|this|that|it|\w+ instead))
    (?:i|we)(?: want| need| would like|'?d like)(?! you to (?:always|never|write|ask|answer))
    there (?:is|are|was|were|seems?)(?! (?:two|three|four|five|no) )|when i
    (?:i|it|that|they) (?:get|got|see|saw|gets|says|said|did|does|didn'?t|doesn'?t|still|found|tried|noticed|clicked)
    """
)
"""How a task, or the report of a problem, begins."""
STANDING_INSTRUCTION = at_start(
    r"""
    (?:please |pls |so |and |then )*(?:always|\w+ always|never(?! ?mind)|don'?t ever|do not ever|from now on)
    (?:please |pls |so |and |then )*(?:going forward|whenever)
    (?:please |pls |so |and |then )*(?:make sure (?:you |to |that you )?always|each time|every time)
    (?:please |pls |so |and |then )*(?:in (?:the )?future|stop \w+ing)
    (?:please )?(?:only )?use .{2,80}\b(?:instead of|rather than|not)\b.*\b(?:files|code|tests|repo|project|always)
    .*(?:, always| ever again)|(?:please )?(?:answer|reply|respond|speak|write) (?:to me )?in (?-i:[A-Z])\w+
    (?:please )?(?:don'?t|do not|avoid) (?:us|writ|add|put|creat|mock)(?:e|ing)?\b(?! (?:that|this|it|the|any)\b)
    (?:no|don'?t|do not|avoid|keep) .{2,80}\b(?:in|to|from|under) (?:commit messages|the ui|main|master|vendor|prod\w*)
    (?:no|don'?t|do not|avoid|keep) .{2,80}\b(?:in|to|from|under) (?:tests|comments|logs|docs|code)
    (?:please )?(?:do not|don'?t) (?:touch|edit|modify|commit|push|log)\b.*\b(?:because|since|they'?re|it'?s|are)
    ask me (?:before|first)|only use (?!the|this|that|these|it|one)
    only (?:answer|book|buy|include|order|plan|quote|recommend|send|suggest) (?!the|this|that|it|one|.*\bthese\b)
    (?:please |pls )?(?:prefer|avoid|favou?r|stick (?:to|with)) (?!(?:that|this|it|the)\b)
    (?:please |pls )?no (?!idea|worries|problem|need|rush|luck|one|thanks)[\w /-]+? (?:in|on|to|from|for|under)
    (?:please |pls )?no (?:more )?[\w /:-]+,? (?:ever|please|anywhere|from you)
    """
)
"""How a standing instruction begins, even if it begins like a task."""
OURS = anywhere(
    r"""
    we (?:always|never|only|don'?t|do not|use|prefer|require|keep|follow|have to|must(?:n'?t| not)?|can'?t|cannot|avoid)
    we (?:decided|agreed|settled|log|deploy|ship|store|run|host|write|squash|name|return|throw|work|support|target|call)
    we(?:'re| are) (?:on|in|using|based|a|an|the)|we (?:moved|switched|migrated|changed) (?:from|to|away|off)
    (?:our|my(?! (?:guess|question|problem|point|idea|mistake|plan|goal))) (?:[\w'/.-]+ ){0,5}(?:is|are|has|have|must)
    (?:our|my) (?:[\w'/.-]+ ){0,5}(?:wants?|uses?|says?|requires?|needs?|should|lives?|runs?|only|starts?|works?)
    (?:team|house|project|code) (?:convention|policy|rule)|style guide|convention is|policy is
    we (?:recently |just |now )?(?:dropped|retired|renamed|replaced|standardi[sz]ed|deprecated|adopted)
    (?:convention|rule|policy|standard|norm) (?:here )?is
    that'?s (?:our|how|what|the way) we|that'?s our
    we(?:'ve| have) (?:moved|switched|migrated|agreed|decided|settled)
    that'?s (?:how|what|the way) we|let'?s (?:agree|stick|stay)
    in (?:this|our) (?:repo|repository|code ?base|project|team|company|org|system|app)|(?:is|are) not allowed
    is forbidden|are forbidden|may only|only \w+ may
    """
)
"""How things are done here."""
MINE = anywhere(
    r"""
    i (?:really |strongly |usually |generally |always |much )*(?:prefer|dislike|work|use|avoid|live)
    i (?:really |strongly |generally |always |much )*(?:like|love|hate)(?! (?:the|this|that|it|your|how|what)\b)
    (?:i )?can['’]?t stand|i don['’]?t (?:like|want) .*\b(?:anywhere|ever|any)|my name is|call me
    i(?:['’]?d| would) (?:always |much |far )*(?:rather|hate to)|i(?:['’]m| am) (?:more comfortable|partial to|keen on)
    i find .{3,60} (?:distracting|annoying|boring|confusing|tiring|relaxing|(?:hard|easy|easier) to \w+)
    i (?:write|work|think|learn|sleep|focus|concentrate) best|(?:interest|suit|bore|annoy)s? (?:me|us)
    i(?:['’]m| am) more of an?|i appreciate (?!it\b|that|this|the|your|you|any)|nothing beats|beats .{3,40} for me
    my \w+ (?:loves|hates|likes|prefers|dislikes|adores)|(?:our|the) team (?:favou?rs|prefers|likes)
    i(?:'m| am) (?:an?|on|the|based|in|running|colou?r|left-handed|dyslexic|allergic|responsible|in charge|new to)
    my (?:editor|shell|timezone|time zone|machine|os|role|favou?rite|preferred)(?= \w+)
    i want you to (?:always|never|write|ask|use|answer)
    """
)
"""Words about what the user prefers, or who they are."""
CURT = at_start(
    r"""
    (?:love|hate|adore|prefer|can['’]?t stand|not (?:a fan of|into))(?! (?:it|th[eai]\w*|how|your|what|to)\b)
    give me (?:the )?[\w -]{2,30} over
    """
)
"""How a preference begins that does not say whose it is."""
CHANGED = anywhere(
    r"""
    took over|(?:is|are|am) no longer|(?:(?:is|are|am|['’](?:m|s|re)) not|(?:is|are)n['’]t) .{2,60}any ?more
    (?:went|gone|goes) (?:up|down|from)|(?:down|up) from|used to be|we now
    (?:re(?:booked|named|newed|placed)|postponed|halved|slipped)
    (?:title|name|address|price|date|plan|number)s? (?:has |have )?changed
    """
)
"""Words of something that is otherwise than it was."""
COMPLAINT = at_start("(?:always|never) (?:gets?|got|crash\\w*|fails?|shows?|says?|hangs?|breaks?)")
"""How somebody complains of what happens again and again."""
OTHERS_WORDS = at_start(
    r"""
    (?:he|she|they|people|everyone|someone|somebody|(?:my|his|her|their) \w+) (?:says?|said|claims?|swears?)
    (?:he|she|they|people|everyone|someone|somebody|my \w+) (?:thinks?|told me|believes?)
    """
)
"""How somebody begins who repeats what another one thinks."""
MUST = anywhere(
    r"""
    must(?:n'?t| not)?|(?:have|has) to be|needs? to be|shall|may not|(?:is|are) required|max(?:imum)?|at most
    at least
    (?<!\bi )should (?:always |never )?(?:be|have|go|use|live|start|end|contain|follow|match|not)
    """
)
PASSING_MATTER = anywhere(
    r"""
    broken|failing|(?:is|are|went|turned|stays?) red|flickers?|crash(?:es|ed)|fail(?:s|ed)(?! because)|wrong|typo
    (?:not|isn['’]t|aren['’]t) (?:working|showing|loading|displaying|rendering|responding|opening)|not centered|too \w+
    looks? (?:great|good|ok|fine|bad|odd|weird)|doesn'?t work|did ?n[o']t work|same error|nothing happens|blank
    hard to
    good|great|perfect|nice|thanks?(?: you)?|blue, not|still takes|see (?:above|below)|please \w+$|and i need
    shows? an?|(?:is|are) missing|missing (?:an?|the|from)|cut off|(?:\w+s|sent|\w+ed) twice|jumps?|randomly
    suddenly|(?:when|after) \w+ing|(?:is|are) left|no (?:worries|problem|rush|idea)
    your (?:change|fix|patch|answer|version)
    does nothing|do nothing|time[sd]? out|hangs?|stuck|freezes?|empty|undefined|leaks?|overlaps?|off by (?:one|\d)
    slow(?:er)?|it(?:['’]s)? clear(?:er)?
    terrible|awful|annoying|ugly|confusing|unclear|strange|unreadable|disappears?|keeps? \w+ing|won'?t \w+|goes away
    same (?:problem|result|issue)|doesn'?t exist|(?:is|are) (?:down|gone|done|ready|fine|back|up now|\w+ing)\b
    (?:is|are|'s) (?:almost|nearly|already|finally|really|so|very|pretty|kind of|a bit)
    (?:readme|docs?|documentation|issue|ticket|comment|error|message|page|reviewer) says
    (?:throws?|got) an?|mis\w+ed|needs? an? \w+$|(?:look|feel|seem|sound)s? (?!at\b|after\b|for\b|up\b)
    (?:when|if|after|once) i|now that|lgtm!?$
    still (?:not|fail\w*|broken|get\w*|see\w*|ha[sv]e?|blank|the same|there|does\w*|crash\w*|isn'?t|aren'?t|wrong|takes)
    the (?:\w+ )?(?:error|bug|problem|issue|crash|warning|failure|exception|test) (?:only|also|is|has|happens|goes)
    """
)
"""Trouble, praise and requests of the moment."""
BECAUSE = anywhere("because|which is why|otherwise|unless")
"""Words that join a state of things to its reason."""
DISCOVERY = at_start(
    r"(?:i(?:'ve| have)? )?(?:found|got|solved|traced|tracked)(?: (?:it|the|this|that))?|mystery solved|that was it"
)
"""How an agent begins that has found something out."""
POINTS_BACK = at_start(
    r"""
    that(?:'?s| is)|this (?:is|goes)|it(?:'?s| is)|i don'?t want (?:those|these|that|them)|no exceptions?
    (?:always|never|ever|everywhere|nowhere|without exception|not (?:in|on|for|even)|we do (?:that|it|so|this))
    """
)
LESSON = anywhere(
    r"""
    root cause|(?:found|here is|that was) the (?:cause|reason|culprit|problem)
    the (?:cause|reason|culprit) (?:is|was|of)|the (?:reason|cause) .{3,80} (?:is|was)
    turn(?:s|ed) out|note for later
    for future reference|worth (?:noting|remembering)|i(?:'ve| have) noted|i(?:'ll| will) (?:always|never|remember)
    as you asked
    i(?:'ve| have)? learn(?:ed|t) that|from now on|important:|gotcha|otherwise it (?:hangs|fails|breaks|crashes)
    must be run|caveat|(?:was|were|is|are) caused by
    (?:must|has to|have to|needs? to) (?:run|come|happen|be set) (?:be)?
    which (?:is why|explains|means)|so (?:it|they) (?:only|must|has to|have to)
    i (?:noticed|discovered|see)(?: that)? (?:the|your|this) (?:project|repo\w*|code ?base|team|build|ci|tests?|config)
    """
)
"""Words of an agent about something that it has learnt."""
