"""The word lists behind claims (`memoir.english.claims`), each named after its use, and the choice of rival names.

Names of one class exclude each other: "We use PostgreSQL for billing" contradicts MySQL, since the lexicon knows both
as relational databases. The class alone is not enough: a team knows several languages, and a connector supports several
warehouses. So the clause must say what is done with the name ("is stored in", "we deploy the API to", "use it for …");
if it only says that the name is used, projects must usually have one of the class.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memoir.english.patterns import word_set
from memoir.times import MONTHS

VERBS = word_set(
    """
    allow answer arrive attend bake be begin belong close contain cost default depart deploy drink drive eat end exceed
    expire get go have keep know land last lead leave lie like listen live maintain manage mean meet need open own pay
    play point prefer rehearse release reply report require retry return run set sit smoke speak squash start stay store
    study support take target teach use wait wear weigh work write
    """
)
"""Verbs that state a fact or a duty."""
AUXILIARIES = word_set("be can could do have may might must shall should will would")
"""Verbs after which `not` denies the clause."""
SAME = {
    "am": "be", "are": "be", "big": "large", "db": "database", "deny": "forbid", "does": "do", "enjoy": "like",
    "goes": "go", "has": "have", "is": "be", "love": "like", "permit": "allow", "permitted": "allowed",
    "prohibit": "forbid",
    "required": "mandatory",
}  # fmt: skip
"""Words replaced by an equivalent one."""
DENIALS = {
    "avoid": "use", "detest": "like", "disabled": "enabled", "disallow": "allow", "dislike": "like", "forbid": "allow",
    "forbidden": "allowed", "hate": "like", "illegal": "legal", "impossible": "possible", "inactive": "active",
    "off": "on", "optional": "mandatory", "unavailable": "available", "unnecessary": "necessary", "unsafe": "safe",
    "unsupported": "supported",
}  # fmt: skip
"""Words replaced by the one that they deny."""
NOISE = word_set(
    """
    a about again already always an any anymore approximately around currently definitely generally just mostly
    now nowadays please really roughly still strictly the then usually
    """
)
"""Words that change no claim."""
NOT_ALONE = word_set("he if it she that they these those unless until when while")
"""First words of a sentence with a condition, or with a subject named in another sentence."""
PHRASES = frozenset((("no", "longer"), ("any", "more")))
"""Pairs of words whose second word changes no claim."""
OPEN = word_set(
    """
    also another btw considering could either example fyi idea including maybe might nb neither note other perhaps
    possibly probably proposal ps reminder some sometimes todo too various
    """
)
"""Words of a clause that claims no completeness or no certainty."""
PASSING = word_set("ago been did earlier had last next recently today tomorrow tonight was were yesterday")
"""Words of a clause that reports the past, or holds only for a time."""
PAST = word_set(
    """
    ate began bought broke brought came caught chose drew drove fell felt flew forgot found gave got grew heard held
    knew learnt lost made met paid ran said sang sat saw sent slept sold spent spoke stood swam told took taught
    thought went woke won wore wrote
    """
)
"""Past forms that do not end in -ed."""
SCOPES = word_set(
    """
    after and as at before but during except for if in inside on only or outside plus unless until up when where while
    with within without
    """
)
"""Words after a comma that restrict the part before it."""
REASONS = word_set("although because instead since though")
"""First words of a clause that restricts nothing."""
CHANGES = word_set(
    """
    bumped changed decreased dropped extended fell increased lowered migrated moved postponed pushed raised reduced
    relocated renamed rescheduled rose shifted shortened slipped switched updated upgraded
    """
)
"""Past forms of changes that give a thing a new value."""
BEFORE_CHANGES = word_set("are been got had has have is was were")
"""Auxiliaries before such a word."""
LASTING = dict.fromkeys(("be", "lead", "study", "teach", "work"), "belong")
LASTING |= dict.fromkeys(("attend", "do", "get", "go", "have", "own", "pay", "play", "take", "use"), "have")
"""Verbs for where somebody belongs until they leave, and for what they have until they cancel it."""
CONTRACTS = word_set("membership subscription")
"""Words that are left out when people say what they cancelled: "a Spotify subscription", "cancelled Spotify"."""
NAMED_GROUPS = word_set("class form grade group house shift ward")
"""Groups of which somebody is in one, before its name: "in class 5a"."""
SETTLED = word_set("based built called deployed drawn hosted kept located named pinned set stored written")
"""Participles for a choice of one thing."""
GROUP = r"(?:the|our) (?:club|company|department|family|group|lab|office|studio|team)"
"""A pattern of words for us, in the singular."""
PLACED = word_set("be belong deploy go lie listen live meet point rehearse report run sit stay store work")
"""Verbs that place one thing, with a preposition and a name."""
OF_ALL = word_set("belong go live report")
"""The verbs of `PLACED` that also hold for several things together, or for the speaker."""
PREPOSITIONS = word_set("at by for in on to under using with")
LIMITS = PREPOSITIONS.union(word_set("as each every from within"))
"""Words that begin a restriction of a clause that is complete without it."""
CHOICES = word_set("answer be default indent keep prefer reply set use write")
"""Verbs that choose among alternatives."""
ONE_OF_A_KIND = word_set("default favorite favourite main maximum minimum only preferred primary")
"""Words for unique things, whose value may be any word."""
HEADS = word_set("head lead maintain manage own")
"""Verbs with one person at a time as subject."""


def _groups(*groups: tuple[str, ...]) -> dict[str, str]:
    """Map each word to the first word of its group."""
    return {word: group[0] for group in groups for word in group}


ALTERNATIVES = _groups(
    ("tab", "space"), ("light", "dark"), ("single", "double"), ("rebase", "merge", "squash"),
    ("british", "american"), ("metric", "imperial"), ("celsius", "fahrenheit"), ("public", "private"),
    ("manual", "automatic"), ("daily", "weekly", "monthly", "quarterly"), ("morning", "afternoon", "evening"),
    ("left", "right"), ("synchronous", "asynchronous"), ("short", "long"), ("small", "large"),
    ("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "polish", "japanese", "chinese"),
)  # fmt: skip
"""Words that exclude each other, mapped to their group."""
TASTES = _groups(
    ("coffee", "tea"), ("beer", "wine"), ("cat", "dog"), ("bus", "train", "plane", "car", "bike"), ("window", "aisle"),
    ("email", "phone", "chat"), ("summer", "winter"), ("mountain", "beach", "sea"),
)  # fmt: skip
"""Words of which people prefer one, though they may use and like all, mapped to their group."""
RIVALRY = ("over", "instead of", "rather than", "but not", "not to", "not")
"""Words between a choice and the rejected alternative."""
SERIES = word_set(
    """
    action bug cause chapter dependency example feature figure fix goal idea issue item keyword lesson line page phase
    pr problem question risk rule section skill stack step tag task test ticket tip tool topic
    """
)
"""Words for numbered things, after which a number or a name only says which one."""
WHOLE_DAYS = word_set("attend drink drive eat meet play smoke speak study teach wear work")
"""Verbs for things done on several days."""
NUMBERS = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, word in enumerate(words.split(), 1)
}
"""Words for numbers."""


def _date(text: str) -> str:
    """A date as `03-14` or `2026-03-14`."""
    if re.match(r"\d{4}-", text):
        return text
    numbers = re.findall(r"\d+", text)
    month = next((at for at, name in enumerate(MONTHS, 1) if name[:3] in text), 0)
    return "-".join((*numbers[1:], f"{month:02}", f"{int(numbers[0]):02}"))


def _time(text: str) -> str:
    """A time on a 12-hour clock, because people leave out am and pm."""
    hour, _, minute = text.rstrip("apm ").partition(":")
    return f"{int(hour) % 12}h{int(minute or 0):02}"


def _as_number(text: str) -> str:
    return text.replace(",", "").removeprefix("v")


VALUES = {"date": _date, "time": _time, "number": _as_number}
"""The reader of each kind of value."""


_CHOOSING = word_set(
    """
    build built chat collect collected come deploy deployed do draw format formatted generate generated go handle
    handled host hosted keep kept log logged manage managed monitor monitored power powered provision provisioned
    release released run schedule scheduled send sent serve served ship shipped store stored test tested track tracked
    train trained write written
    """
)
"""Verbs (base forms) that choose a name if a preposition stands between."""
_PREPOSITIONS = word_set("by from in on through to using with")
_USING = ("run", "use")
_BEFORE = _PREPOSITIONS.union(("prefer", *_USING))
"""The words one of which directly precedes a chosen name."""
_JOINING = word_set("and or nor plus beside besides alongside")
"""Words that join a name to others."""
_ONE_AT_A_TIME = frozenset(
    line.strip()
    for line in """
    app platform, bundler, business software suite, ci pipeline, cloud provider, code hosting, container orchestration,
    continuous integration, customer relationship management, data warehouse, deep learning framework,
    documentation generator, email newsletter, end-to-end testing, error tracking, feature flag, formatter,
    frontend framework, game engine, infrastructure as code, mobile framework, online shop, orm, package manager,
    payment provider, relational database, search engine, secret management, single sign-on, static site generator,
    support ticket, task tracking, team chat, unit testing, version control, web framework, workflow orchestration
    """.replace("\n", " ").split(",")
)
"""Classes of the lexicon of which a project usually uses one member."""


def rivals(texts: Sequence[str], bases: Sequence[str], sentence: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the names that a clause chooses: start, end, class, and the name in lower case.

    Args:
        texts: The words of the clause, as they are written.
        bases: Their base forms, for comparison.
        sentence: The whole sentence. If it has several names of a class, it chooses none of them.
    """
    names = () if _BEFORE.isdisjoint(bases) else _names(sentence)
    counts = Counter(kind for _, kinds in names for kind in kinds)
    for name, kinds in names:
        if (place := _find_name(texts, name)) and not _is_joined(bases, *place):
            is_preferred = bases[place[0] - 1 : place[0]] == ["prefer"]
            for kind in kinds[:1] if is_preferred else kinds:
                if counts[kind] == 1 and (is_preferred or _chooses(bases, *place, kind)):
                    yield place[0], _end_of_purpose(texts, place[1], kind), kind, " ".join(name)


def _end_of_purpose(texts: Sequence[str], end: int, kind: str) -> int:
    """The end of a name with a purpose that only names its class, as in "Jenkins for CI"."""
    purpose = " ".join(texts[end + 1 :]).lower()
    if texts[end : end + 1] == ["for"] and kind in _ONE_AT_A_TIME:
        from memoir.english.lexicon.spotting import spot

        if any(kind in each.concepts and " ".join(each.words) == purpose for each in spot(purpose)):
            return len(texts)
    return end


@lru_cache(maxsize=1_000)
def _names(sentence: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The names in a sentence that the lexicon knows, each with its classes."""
    from memoir.english.lexicon.spotting import spot

    terms = (each for each in spot(sentence) if each.is_term)
    return tuple((each.words, tuple(kind for kind, weight in each.concepts.items() if weight == 1)) for each in terms)


_VERSION = r"v?\d+(?:\.\w+)*"


def _find_name(texts: Sequence[str], name: Sequence[str]) -> tuple[int, int] | None:
    """The position of a name and its version in a clause, whose words may be split differently (`fly.io` into two)."""
    whole = "".join(name)
    for start in range(len(texts)):
        joined = ""
        for end in range(start, len(texts)):
            joined += re.sub(r"\W", "", texts[end].lower())
            if joined == whole:
                has_version = end + 1 < len(texts) and re.fullmatch(_VERSION, texts[end + 1])
                return start, end + (2 if has_version else 1)
            if not whole.startswith(joined):
                break
    return None


def _is_joined(bases: Sequence[str], start: int, end: int) -> bool:
    return not _JOINING.isdisjoint((*bases[max(start - 1, 0) : start], *bases[end : end + 1]))


def _chooses(bases: Sequence[str], start: int, end: int, kind: str) -> bool:
    """Whether the words before a name choose it, to the exclusion of others of its class."""
    before = bases[start - 1] if start else ""
    if before in _USING:
        return end < len(bases) or kind in _ONE_AT_A_TIME
    return before in _PREPOSITIONS and not _CHOOSING.isdisjoint(bases[: start - 1])
