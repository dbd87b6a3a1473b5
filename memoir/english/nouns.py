"""Tell which words of a sentence may be nouns, by their endings and neighbours.

A heuristic for naming, without a dictionary: it prefers missing a noun to taking a verb, an adverb or a boolean for
one.
"""

from collections.abc import Sequence

from memoir.english.patterns import word_set
from memoir.english.stopwords import IRREGULAR_PARTICIPLES, IRREGULAR_PAST

_BOOLEANS = word_set("disabled enabled false nil no none null off ok okay on true yes")
NUMERALS = word_set(
    """
    billion both dozen eighteen eighty eleven fifteen fifty forty fourteen half hundred million neither ninety nineteen
    seventeen seventy sixteen sixty thirteen thirty thousand twelve twenty
    """
)
_ADVERBS = word_set(
    """
    abroad ahead almost alone aloud already although altogether always anyway apart aside away back backwards
    because behind besides downstream early elsewhere enough even ever everywhere except far fast forward
    forwards halfway hard hence however indeed indoors inside instead late later less maybe meanwhile near never
    nowhere offline often online otherwise outdoors outside overnight perhaps quite rather seldom sideways
    sometimes somewhere soon still straight there though thus today together tomorrow tonight twice underway
    unless upstairs upstream usually well whereas whether yesterday yet
    """
)
"""Adverbs that do not end in -ly, and conjunctions."""
_NOUNS_IN_LY = word_set(
    """
    ally anomaly assembly belly bully butterfly dragonfly family firefly fly italy jelly july lily monopoly
    rally reply supply
    """
)
_ADJECTIVES_IN_LY = word_set("daily early friendly hourly likely lonely monthly nightly quarterly weekly yearly")
_NOUNS_IN_ED = word_set("bed breed deed embed feed newsfeed reed seed shed sled speed steed thread weed")
_ADJECTIVES = word_set(
    """
    allergic asleep awake bad big blank broken busy cheap clean clever cold correct deep different dirty easy empty
    equal fast fine flaky free fresh great green happy hard heavy high hot huge invalid large late long longer loose
    loud low missing narrow new nice old open own pink plain purple quick quiet rare raw red right safe short sick
    silent simple slow small smaller soft stale strict strong stuck tall thin tight tiny trailing unused valid vegan
    vegetarian warm weak wet white wide wrong yellow young
    """
)
"""Adjectives and comparatives that seldom name a thing."""
_RARER_ADJECTIVES = word_set(
    """
    accurate afraid alive angry annoying aware bigger blind bored boring brief bumpy calm careless certain cheaper
    cheapest clumsy complete confusing crazy crooked curious current damp dead deaf decent distant drunk dry dusty
    earlier earliest enormous entire exact excellent expensive extra extreme fake familiar faster fastest formal
    former frequent funny gentle glad guilty hidden higher highest honest humid hungry identical ill important
    impossible inactive incomplete incorrect informal interesting intolerant irregular largest latest lazy little
    longest lovely lower lowest lucky major messy mild minor mouldy muddy narrower nasty nearest necessary newer
    newest noisy obvious odd older oldest partial perfect polite poor precise pregnant previous pricey proper rarer
    recent regular relevant rough rude rusty sad scared scary sensitive separate severe shallow sharp similar
    simpler simplest slower slowest smallest smooth sore spare steep sticky strange strict stricter stupid sudden
    sure terrible thick tired tricky typical ugly unable unclear unnecessary unsure unusual upset urgent useless
    usual vague various wise wooden worse worst younger youngest
    """
)
"""Further adjectives, some of which are names of people."""
_NOUNS_OF_PAST = word_set(
    """
    bent bound cost cut felt fit ground hit hurt lead led left lent let lit put quit read rid run set shed shot shut
    split spoke spread spun stuck wound
    """
)
"""Past forms that may also be nouns or adjectives; the neighbours decide."""
_ONLY_PAST = (IRREGULAR_PAST | IRREGULAR_PARTICIPLES) - _NOUNS_OF_PAST | word_set(
    "born chosen fallen forgotten given grown known risen seen shown taken written"
)
_ONLY_ING = word_set("being doing getting giving going having keeping making putting taking trying")
_ONLY_VERBS = word_set(
    """
    accept adopt allow analyse appear apply approve arrange arrive assign attach attend avoid become begin
    believe belong borrow bring cancel carry certify choose clarify clean clone close collect come complete
    compose concentrate confess configure confirm consider consist contain continue contribute convert create
    decide define deliver deny depend describe deserve destroy detect differ disable disappear discourage
    discover discuss dissolve download earn eat enable encourage encrypt enjoy ensure enter escape evict
    evolve exceed execute exist expand expect explain extend fail fascinate fetch finish follow forbid forgive
    gain gather generate get give go grow halve happen harden hate heal hear hurt ignore imagine implement
    improve include inform inherit insist inspect integrate intend introduce invent invest investigate invite
    involve keep know lack learn lend lengthen let lie like listen loosen lose maintain make manage mean meet
    melt mend migrate modify notify obey obtain occur operate organise oversee owe parse participate perform
    postpone prefer prepare pretend prevent proceed prove provide prune punish realise receive
    recommend recreate reduce refactor refer refuse rehearse reject rely remain remember remove renew repay
    replace represent require resolve respond restore retrieve reuse revisit revolve rewrite rinse rotate say
    scare see seem select sell send separate serve sharpen shorten shrink soften solve speak specify spoil
    steal strengthen struggle submit suffer suggest suppose take teach tell tend think tighten tolerate
    translate understand unify uninstall unload unlock unpack validate vanish vary verify wake want warn wear
    weigh weld widen wonder write
    """
)
"""Verbs that are almost never nouns."""
_VERBS = word_set(
    """
    address aim answer approach attempt bet build call catch change check commit copy cut deal debug delete
    deploy design drink drive drop dump edit end estimate export fall filter find fix force fork format guess
    handle help hide hire hold hope host import increase index install join jump kill launch lead leave limit
    link lint live load lock log look mark match measure meditate mention mentor merge mind mock monitor move
    need note open order own pass patch pay permit pick pin ping plan play point press print produce promise publish
    pull push put raise reach read rebase record refund release rename render repeat reply report request reset
    rest restart return revert review ride roll run save scan schedule scroll search set share ship show shut
    sign skip sleep sort spend split squash stand start stash stay stick stop store study support swap swim
    switch sync talk test throw touch trace track train travel trigger trust try turn type update upgrade upload
    use view visit vote wait walk wash watch weld whistle win wish work worry wrap
    """
)
"""Verbs that may also be nouns; the neighbours decide."""
_SELDOM_PLURALS = word_set(
    "begins ends freezes goes hangs keeps lasts matters picks prints retries starts stops turns waits works"
)
"""Third-person verbs that are seldom plural nouns."""
_PARTICLES = word_set("away back down off out over up")
"""Particles, which make a verb of the word before: "picks up the kids"."""
VERBS = _ONLY_VERBS | _VERBS
"""The base forms of common verbs."""
COMMON_WORDS = _BOOLEANS | NUMERALS | _ADVERBS | _ADJECTIVES | _ONLY_PAST | _ONLY_ING | VERBS
"""Words that are almost never a name by themselves, even with a capital in a title or a command."""
_SUBJECTS = word_set("he i it let lets she that they we which who you")
_PRONOUNS = word_set("he i she they we who you")
_BEFORE_VERBS = word_set(
    """
    also always can cannot could d dont ll may might must never not often please shall should t usually will
    would
    """
)
_BEFORE_PARTICIPLES = word_set("am are be been being get gets got had has have is m re ve was were")
_BEFORE_ING = word_set("after before by currently keep when while without")
AFTER_NOUNS = word_set("are can has have is may must need needs should was were will")
"""Verbs that almost never follow another verb."""
AFTER_PHRASES = word_set("and are at by for from in is of on or to was were with")
"""Words before which a word with -s is almost never a verb."""
_BEFORE_INFINITIVES = word_set(
    """
    able agree agreed aim aims allowed asked began begin continue decide decided easier easy forget forgot going
    had happy hard has have her him hope hopes how intend intends keen learn learned learning like likes love loves
    me mean means meant need needs ought plan plans prefer prefers ready refuse remember required start started supposed
    them time told tried tries try trying us used want wanted wants way what when where whether you
    """
)
"""Words before "to" and a verb."""
_ALSO_BEFORE_NOUNS = word_set("going like means time used")
"""Those that also come before "to" and a noun: "going to school"."""
ARTICLES = word_set("a an the my our your his her its their")
_DETERMINERS = ARTICLES | word_set("all any each every no some these this those")

OPENERS = word_set(
    """
    after although as at because before for if in on once since to unless until when whenever where while with
    """
)
"""First words of a clause before the subject: "When the oven breaks down, ..."."""
UNITS = word_set(
    "cents cm degrees dollars euro euros gb ghz grams kb kg km kwh litres mb metres mhz mm ms pence percent pounds px"
)
PREPOSITIONS = word_set(
    """
    about after against as at before beside between by for from in into like near of on onto over per since than till to
    under until via with within without
    """
)

_NEVER_NOUNS = _BOOLEANS | NUMERALS | _ADJECTIVES_IN_LY | PREPOSITIONS


def may_be_noun(words: Sequence[str], position: int) -> bool:
    """Whether the word at a position may be a noun; contractions may be split ("don", "t")."""
    if not words[position].islower() and (position or not words[position].istitle()):
        return True  # a name
    second, before, word, after = (each.casefold() for each in _around(words, position))
    if word in _NEVER_NOUNS or word in _ADVERBS or _ends_in_ly(word):
        return False
    if before == "to" and second in _BEFORE_INFINITIVES - _ALSO_BEFORE_NOUNS and not word.endswith("s"):
        return False
    is_wanted = second in _BEFORE_INFINITIVES or not second
    is_verb = _is_present(word, before, after, wanted=is_wanted) or _is_in_progress(word, before, after)
    return not (is_verb or _is_past(word, before))


def is_verb(words: Sequence[str], position: int) -> bool:
    """Whether the word at a position is probably a verb: a common verb that is no noun there."""
    word = words[position].casefold()
    if word in AFTER_NOUNS or may_be_noun(words, position):
        return word in AFTER_NOUNS
    is_known = not {word, word[:-1]}.isdisjoint(VERBS) or word in IRREGULAR_PAST
    return is_known or (word.endswith("ed") and len(word) > 3)


def is_adjective(word: str) -> bool:
    """Whether a word is a common adjective, or has an ending of adjectives only."""
    is_listed = word in _ADJECTIVES or word in _RARER_ADJECTIVES
    return is_listed or word.endswith(("ous", "ful", "ible", "less", "ional", "ical"))


def _around(words: Sequence[str], position: int) -> Sequence[str]:
    """The two words before a position, the word there and the next one; empty strings if missing."""
    return [words[at] if 0 <= at < len(words) else "" for at in range(position - 2, position + 2)]


def _ends_in_ly(word: str) -> bool:
    return word.endswith("ly") and len(word) > 3 and word not in _NOUNS_IN_LY and word not in _ADJECTIVES_IN_LY


def _is_present(word: str, before: str, after: str, *, wanted: bool) -> bool:
    """Whether a word is a present-tense verb: an imperative, an infinitive, or a finite verb."""
    bases = {word, word[:-1], word[:-2], word[:-3] + "y"} if word.endswith("s") else {word}
    may_be_verb = not bases.isdisjoint(_VERBS)
    if not bases.isdisjoint(_ONLY_VERBS):
        return True
    if word in _SELDOM_PLURALS:
        return before not in _DETERMINERS and after not in AFTER_NOUNS
    if not before:
        is_report = word not in _VERBS and after in _PARTICLES
        return may_be_verb and (is_report or (word in _VERBS and after not in AFTER_NOUNS))
    if before == "to":
        return may_be_verb and (wanted or after in _DETERMINERS)
    if before in _SUBJECTS or before in _BEFORE_VERBS or _ends_in_ly(before):
        return may_be_verb or before in _PRONOUNS
    return may_be_verb and word.endswith("s") and after in _DETERMINERS and before not in _DETERMINERS


def _is_past(word: str, before: str) -> bool:
    """Whether a word is a past-tense verb or a participle."""
    if word.endswith("ed") and len(word) > 3:
        return word not in _NOUNS_IN_ED
    may_be_past = word in _NOUNS_OF_PAST and (before in _BEFORE_PARTICIPLES or before in _SUBJECTS or not before)
    return word in _ONLY_PAST or may_be_past


def _is_in_progress(word: str, before: str, after: str) -> bool:
    """Whether a word in -ing is a verb, not a noun such as "testing"."""
    in_progress = before in _BEFORE_PARTICIPLES or before in _BEFORE_ING or after in ARTICLES
    return word in _ONLY_ING or (word.endswith("ing") and in_progress)
