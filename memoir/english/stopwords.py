"""Lists of common English words, each named after its use."""

from memoir.english.patterns import word_set

STOP_WORDS = word_set(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do
    does doing don done down each else for from get got had has have having he her here hers him his how i if in
    into is it its just let like ll m may me might more most must my no nor not now of off on once one only or
    other our ours out over own re s said same say says shall she should so some such t than that the their
    theirs them then there these they this those through to too under until up upon us ve very was we were what
    when where which while who whom whose why will with would you your yours
    """
)
"""Words that do not distinguish memories: queries are not searched by them."""

SMALL_WORDS = word_set("a an and as at but by for from in into of on or the to with")
"""Words that have no capital in a title."""

NAMELESS = word_set(
    """
    always never use uses used using usually prefer prefers like likes love hate want wants need needs have has make
    makes keep please day days week weeks month months year years time times thing things one two three first last
    next new old good better best big small many much lot name named called set sets work works working go goes get
    gets take takes took put run runs running start started every currently really mostly often around per via today
    now everything something anything someone rather instead favourite favorite user team project people person way
    would contains contain listens listen configured configure posts learn learned learning learnt become became
    interested interest talk talking talked understand understood agree agreed lose lost wait waiting waits merged
    moved picked chose chosen decided decide told tell said say says asked ask written write writes read reading
    reads built means mean meant helps help helped know knows known think thought care cares enjoy enjoys enjoyed
    owns own lives live lived come came comes gave give gives went found find finds look looks looking looked needed
    wanted finally recently sometimes studying study studied teaching taught begun begin began finish finished
    starting happened happens fails failed broke broken fixed fix crashed crashes returns return returned sends sent
    holds hold several four five six seven eight nine ten second third another different enabled disabled across
    along least turned turns btw everybody everyone fyi info nb note ps reminder todo
    against anybody anyone beneath beside beyond cannot decision fixme herself himself itself lesson myself nobody none
    onto ourselves somebody someone themselves toward towards whatever whenever wherever whoever within yourself
    afternoon afternoons autumn evening evenings hour hours minute minutes monthly morning mornings night nights
    percent summer weekend winter
    above below between during hence kind lots nothing ones plus sort top twice whenever
    bst cdt cest cet cst edt est gmt ist jst mdt mst pdt pst utc lasts lasted
    """
)
"""Further words that say too little about a fact to name its path."""

SIGNPOSTS = word_set(
    """
    ago already always between both currently during every except first instead last never next often rather since still
    three today tomorrow two usually without yesterday yet
    """
)
"""Further words that show the kind of a fact, not its topic."""

CHATTER = word_set(
    """
    ah aw bye haha hello hey hi hmm oh ok okay please sure thank thanks uh wow yay yeah yep yes yup
    absolutely amazing awesome cool definitely glad great incredible nice perfect really sounds totally wonderful
    """
)
"""Words of mere responses."""

ACKNOWLEDGEMENTS = word_set(
    """
    a again ahead all alright also amazing and any awesome better bravo but bye can cheers commit continue cool
    correct could did do does doing done exactly excellent fine fix for go good got great hello hey hi hm hmm i it
    it's its just keep lgtm like looks love lovely make me more much my nah nevermind next nice no nope now of ok
    okay on one oh perfect please proceed push really resume retry right run same ship so sorry sounds start still
    stop sure test thank thanks that that's the then there this to too try undo up very wait way well what works
    would wow yeah yep yes you you're your
    """
)
"""Words that make up an acknowledgement, which requests nothing: "ok, go ahead"."""

REFERENCES = word_set(
    """
    also and anyway before but finally he her here hers hey his how i'm instead it its let my no oh okay one or
    other otherwise our plus she so some such thanks that their them then there these they this those what when
    where which while who whose why wow yeah yep yes you you're your
    """
)
"""First words of a sentence that refer to the one before, or to the listener."""

VAGUE_WORDS = word_set(
    """
    act active acts advice ago amount appreciate balance bit blast boost brand brighten calm calming case chance
    change changes column creative cute deal detail details determination difference dream dreams effect energy
    event events example fact faith feeling feelings few focus friendship fun future goal goals gonna grateful half
    hand heart herself himself hope hopes idea ideas impact itself journey joy key kind lately life local love luck
    matter matters memories memory mind mode modes moment moments move myself negative none others ourselves part
    passion past peaceful photo photos pic pics picture pictures place places plan plus point positive power pretty
    progress proud reason relative remind reminds resilient rest right road same sense side since special spirit
    step steps stuff success successes support sure themselves tip tips vibe vibes wanna weekend whatever without
    word words world yourself
    """
)
"""Nouns that tell too little about a text's topic."""

FIELD_NAMES = word_set(
    """
    a address answer author authors bcc caution cc changed context date description email error example expected
    fixed from hint id important input keywords key language license mobile name note notes output phone q question
    reason result see solution source status step subject summary tags tel tip title to todo type url usage value
    version warning website
    """
)
"""Words before a colon at the beginning of a line that are field names, not speakers."""

AUTHORS = word_set("i we they")
"""Pronouns that open a report of what was done: "we moved"."""
LATELY = word_set("just recently finally already once accidentally")
"""Adverbs between such a pronoun and its verb: "we recently moved"."""
IRREGULAR_PAST = word_set("built wrote rewrote led lost took gave spoke made went began broke sent spent")
"""Past forms that do not end in -ed."""

ARTICLES = word_set("a an the")
COPULAS = word_set("is are am")
HOSTS_OF_IS = word_set("it that there here he she what who where")
"""Words after which `'s` may mean "is"; after other words it is a possessive."""
AMOUNTS = word_set(
    "couple bit lot few little number many half dozen hundred thousand million majority minority great good"
)
"""Words with which an article changes the meaning: "a few" is not "few"."""
NO_COPULA_BEFORE = word_set("to like being been")
"""Words before which a copula cannot be omitted."""
IRREGULAR_PARTICIPLES = word_set(
    """
    bent bought bound brought built burnt burst caught clung cost cut dealt dug fed felt fought found got ground had
    heard held hit hung hurt kept knit laid lead led left lent let lit lost made meant met paid put quit read rid run
    said sat sent set shed shot shut slept slid sold sought spent split spread spun stood struck stuck swept swung
    taught thought thrown told understood won wound become come overcome gone been
    """
)
"""Participles that do not end in -ed and may be read as verbs: "Ann is paid" is not "Ann paid"."""
