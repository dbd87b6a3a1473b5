"""Phrases that the rules for sessions recognise: instructions, retractions, the words of others, lessons."""

from memoir.english.patterns import anywhere, at_start

RETRACTION = anywhere(
    r"""
    never ?mind (?:what|about|the|that)|forget (?:what|about|that|the \w+ (?:rule|thing))|scratch that|ignore what i
    disregard (?:what|that|my)|i was wrong about|i take (?:that|it) back|strike that
    """
)
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
"""The beginning of a standing instruction, even one that looks like a task."""
COMPLAINT = at_start(r"(?:always|never) (?:gets?|got|crash\w*|fails?|shows?|says?|hangs?|breaks?)")
"""The beginning of a complaint about a recurring problem."""
_OTHERS = r"(?:my|our|his|her|their|old) (?:[\w'’]+ ){1,3}?"
OTHERS_WORDS = at_start(
    rf"""
    (?:he|she|they|people|everyone|someone|somebody) (?:says?|said|claims?|swears?|reckons?|thinks?|told me|believes?)
    {_OTHERS}(?:says?|said|claims?|swears?|swore|reckons?|thinks?|believes?|wants?|would (?:say|like|rather))
    {_OTHERS}(?:likes?|loves?|hates?|prefers?|abhors?|told (?:me|us)|always)
    """
)
"""The beginning of a report of what others think or like."""
UNMARKED_QUESTION = at_start(
    r"""
    (?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|am) (?:you|we|i|it|there|an?|the|my|our)
    (?:can|could|would|will|should|do|does|did|is|are|was|were|has|have) (?:this|that|these|those)
    (?:in general )?(?:do|does|did|is|are|has|have) (?:\d+|any\w*|\w+s)
    """
)
"""The beginning of a question without a question mark."""
FOR_ONCE = anywhere(
    r"""
    (?:only|just) (?:(?:in|for|on|with) )?(?:this|that|tonight\S*|today\S*|now|these|once)|this once|for once|one.off
    this (?:week|chapter|time)
    """
)
"""Words that limit a sentence to the moment."""
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
GOING_ON = anywhere(
    r"(?:is|are) (?!using|working|living|running|moving|learning|studying|teaching|building|expecting)\w+ing"
)
"""An action going on at the moment: "my boss is getting impatient"."""
BECAUSE = anywhere("because|which is why|otherwise|unless")
"""Words that join a state to its reason."""
DISCOVERY = at_start(
    r"(?:i(?:'ve| have)? )?(?:found|got|solved|traced|tracked)(?: (?:it|the|this|that))?|mystery solved|that was it"
)
"""The beginning of an agent's discovery."""
NO_VERB = "an?|the|on|in|at|with|without|for|to|by|from|during|before|after|while|when|if"
"""Words after an "always" or "never" without a verb of its own: "never in local time"."""
POINTS_BACK = at_start(
    rf"""
    that(?:'?s| is)|this (?:is|goes)|it(?:'?s| is)|i don'?t want (?:those|these|that|them)|no exceptions?
    (?:always|never|ever)(?:(?= (?:{NO_VERB})\b)|(?! \w))
    (?:everywhere|nowhere|without exception|not (?:in|on|for|even)|we do (?:that|it|so|this))
    """
)
POINTS_THERE = anywhere(r"(?:in|to|from|into|on|with) (?:there|it|them)|(?:touch|edit|change|use|call|run) (?:it|them)")
"""Words of an order that need the sentence before: "don't edit anything in there"."""
ALWAYS_ALONE = at_start(
    r"(?:(?:not )?ever|always|every (?:single )?time|anywhere|everywhere|no exceptions?|without exception)(?=[.!]*$)"
)
"""A sentence that only says that the one before it always holds."""
PLACE_ALONE = at_start(r"(?:any|every)where(?=[.!]*$)")
"""A sentence of `ALWAYS_ALONE` about places."""
ASKED_FOR_GOOD = at_start(
    r"(?:can|could|would|will) you (?:please )?"
    r"(?P<what>.*\b(?:whenever|always|every time|each time|from now on|in future))"
)
"""A request for all future cases."""
OF_THE_TALK = at_start(r"no (?:worries|rush|hurry|problem)|i (?:said|meant) (?:the|this|that)")
"""Remarks about the talk itself."""
ACKNOWLEDGED = at_start(
    r"(?:i(?:['’]ve| have) noted|i(?:['’]ll| will) (?:always )?remember)(?: (?:it|this|that|so))?"
    r"(?=[.!]*$| and\b| for\b)"
)
"""An agent's bare acknowledgement, without content: "I have noted it and scheduled the command"."""
HERE = anywhere(
    r"""
    (?<!from )here(?! (?:is|are|you|we|and|goes|comes|to)\b|['’]s|\()
    this (?:app|component|crate|folder|directory|library|lib|module|package|service|subproject|workspace)
    """
)
"""Words that point at a place in the project."""
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
"""Words of an agent about a lesson."""
