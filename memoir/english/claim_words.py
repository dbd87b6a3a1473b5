"""The words that decide what a text claims, each list named after its use (`memoir.english.claims`); values and names.

Of names of one class a text chooses one: "We use PostgreSQL for billing" leaves no room for MySQL. The lexicon knows
that both are relational databases. That two names are of one class says little alone: a team knows several languages,
and a connector supports several warehouses. So a clause has to say what is done with the name ("is stored in", "we
deploy the API to", "use it for …"), or, if it says no more than that it is used, the class has to be one of which a
project has one.
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
"""Verbs that state what is so, or what somebody should do."""
AUXILIARIES = word_set("be can could do have may might must shall should will would")
"""Verbs after which `not` denies the clause."""
SAME = {
    "am": "be", "are": "be", "big": "large", "db": "database", "deny": "forbid", "does": "do", "enjoy": "like",
    "goes": "go", "has": "have", "is": "be", "love": "like", "permit": "allow", "permitted": "allowed",
    "prohibit": "forbid",
    "required": "mandatory",
}  # fmt: skip
"""Words that are read as others."""
DENIALS = {
    "avoid": "use", "detest": "like", "disabled": "enabled", "disallow": "allow", "dislike": "like", "forbid": "allow",
    "forbidden": "allowed", "hate": "like", "illegal": "legal", "impossible": "possible", "inactive": "active",
    "off": "on", "optional": "mandatory", "unavailable": "available", "unnecessary": "necessary", "unsafe": "safe",
    "unsupported": "supported",
}  # fmt: skip
"""Words that deny others."""
NOISE = word_set(
    """
    a about again already always an any anymore approximately around currently definitely generally just mostly
    now nowadays please really roughly still strictly the then usually
    """
)
"""Words that change no claim."""
NOT_ALONE = word_set("he if it she that they these those unless until when while")
"""Words that begin a sentence with a condition, or with a subject that another sentence names."""
PHRASES = frozenset((("no", "longer"), ("any", "more")))
"""Words of which the second changes no claim after the first."""
OPEN = word_set(
    """
    also another btw considering could either example fyi idea including maybe might nb neither note other perhaps
    possibly probably proposal ps reminder some sometimes todo too various
    """
)
"""Words of a clause that does not claim to be all, or to be so."""
PASSING = word_set("ago been did earlier had last next recently today tomorrow tonight was were yesterday")
"""Words of a clause that reports, or is true only for a time."""
PAST = word_set(
    """
    ate began bought broke brought came caught chose drew drove fell felt flew forgot found gave got grew heard held
    knew learnt lost made met paid ran said sang sat saw sent slept sold spent spoke stood swam told took taught
    thought went woke won wore wrote
    """
)
"""Verbs that report what happened and do not end in -ed."""
SCOPES = word_set(
    """
    after and as at before but during except for if in inside on only or outside plus unless until up when where while
    with within without
    """
)
"""Words after a comma that narrow down what is before it."""
REASONS = word_set("although because instead since though")
"""Words that begin what narrows nothing down."""
CHANGES = word_set(
    """
    bumped changed decreased extended increased lowered moved postponed pushed raised reduced renamed rescheduled
    shifted shortened switched updated upgraded
    """
)
"""What was done to a thing that has another value now."""
BEFORE_CHANGES = word_set("are been got had has have is was were")
"""Auxiliaries before such a word."""
SETTLED = word_set("based built called deployed drawn hosted kept located named pinned set stored written")
"""Participles that say what was chosen, one thing at a time."""
PLACED = word_set("be belong deploy go lie listen live meet point rehearse report run sit stay store work")
"""Verbs that say, with a preposition and a name, where one thing is."""
OF_ALL = word_set("belong go live report")
"""Those of them that hold for all of several things alike, or for me."""
PREPOSITIONS = word_set("at by for in on to under using with")
LIMITS = PREPOSITIONS.union(word_set("as each every from within"))
"""Words that begin what narrows down a clause which says enough without it."""
CHOICES = word_set("answer be default indent keep prefer reply set use write")
"""Verbs with which somebody chooses among alternatives."""
ONE_OF_A_KIND = word_set("default favorite favourite main maximum minimum only preferred primary")
"""Words for a thing of which there is one, so that any word may name it."""
HEADS = word_set("head lead maintain manage own")
"""Verbs whose subject is one person at a time."""


def _groups(*groups: tuple[str, ...]) -> dict[str, str]:
    """The words of some groups, with the first of those beside each."""
    return {word: group[0] for group in groups for word in group}


ALTERNATIVES = _groups(
    ("tab", "space"), ("light", "dark"), ("single", "double"), ("rebase", "merge", "squash"),
    ("british", "american"), ("metric", "imperial"), ("celsius", "fahrenheit"), ("public", "private"),
    ("manual", "automatic"), ("daily", "weekly", "monthly", "quarterly"), ("morning", "afternoon", "evening"),
    ("left", "right"), ("synchronous", "asynchronous"), ("short", "long"), ("small", "large"),
    ("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "polish", "japanese", "chinese"),
)  # fmt: skip
"""Words of which only one can be chosen."""
TASTES = _groups(
    ("coffee", "tea"), ("beer", "wine"), ("cat", "dog"), ("bus", "train", "plane", "car", "bike"), ("window", "aisle"),
    ("email", "phone", "chat"), ("summer", "winter"), ("mountain", "beach", "sea"),
)  # fmt: skip
"""Words of which people prefer one, though they may have, use and like all."""
RIVALRY = ("over", "instead of", "rather than", "but not", "not to", "not")
"""What is between a choice and what was not chosen."""
SERIES = word_set(
    """
    action bug cause chapter dependency example feature figure fix goal idea issue item keyword lesson line page phase
    pr problem question risk rule section skill stack step tag task test ticket tip tool topic
    """
)
"""Words for things of which there are many, so that a number or a name after one says only which."""
WHOLE_DAYS = word_set("attend drink drive eat meet play smoke speak study teach wear work")
"""Verbs for what is done on several days."""
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
    """A time as the minutes after midnight or noon, because people leave out which."""
    hour, _, minute = text.rstrip("apm ").partition(":")
    return f"{int(hour) % 12}h{int(minute or 0):02}"


def _as_number(text: str) -> str:
    return text.replace(",", "").removeprefix("v")


VALUES = {"date": _date, "time": _time, "number": _as_number}
"""How a value of each kind is read."""


_CHOOSING = word_set(
    """
    build built chat collect collected come deploy deployed do draw format formatted generate generated go handle
    handled host hosted keep kept log logged manage managed monitor monitored power powered provision provisioned
    release released run schedule scheduled send sent serve served ship shipped store stored test tested track tracked
    train trained write written
    """
)
"""Verbs, by their bases, that say with a preposition what something is done with or where it goes."""
_PREPOSITIONS = word_set("by from in on through to using with")
_USING = ("run", "use")
_BEFORE = _PREPOSITIONS.union(("prefer", *_USING))
"""The words of which one is right before a name that is chosen."""
_JOINING = word_set("and or nor plus beside besides alongside")
"""Words beside one of several names."""
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
"""Classes of the lexicon of which whoever uses one mostly uses no other."""


def rivals(texts: Sequence[str], bases: Sequence[str], sentence: str) -> Iterator[tuple[int, int, str, str]]:
    """The names that a clause chooses: where each begins and ends, its class, and the name in small letters.

    Args:
        texts: The words of the clause, as they are written.
        bases: The words by which they are compared.
        sentence: The whole sentence. A class of which it has several names is none of which it chooses one.
    """
    names = () if _BEFORE.isdisjoint(bases) else _names(sentence)
    counts = Counter(kind for _, kinds in names for kind in kinds)
    for name, kinds in names:
        if (place := _place(texts, name)) and not _is_joined(bases, *place):
            is_preferred = bases[place[0] - 1 : place[0]] == ["prefer"]
            for kind in kinds[:1] if is_preferred else kinds:
                if counts[kind] == 1 and (is_preferred or _chooses(bases, *place, kind)):
                    yield *place, kind, " ".join(name)


@lru_cache(maxsize=1_000)
def _names(sentence: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The names in a sentence that the lexicon knows, each with the classes that it is of."""
    from memoir.english.lexicon.spotting import spot

    terms = (each for each in spot(sentence) if each.is_term)
    return tuple((each.words, tuple(kind for kind, weight in each.concepts.items() if weight == 1)) for each in terms)


_VERSION = r"v?\d+(?:\.\w+)*"


def _place(texts: Sequence[str], name: Sequence[str]) -> tuple[int, int] | None:
    """Where a name and its version are in a clause, whose words may be cut otherwise: `fly.io` is two words of one."""
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
    """Whether the words before a name choose it, and leave no room for another one of its class."""
    before = bases[start - 1] if start else ""
    if before in _USING:
        return end < len(bases) or kind in _ONE_AT_A_TIME
    return before in _PREPOSITIONS and not _CHOOSING.isdisjoint(bases[: start - 1])
