"""Tell whether a text is about another person: "Bob's time zone is CET", "Priya is on leave"."""

import re

from memoir.english.foreign import COMMON
from memoir.english.lexicon.table import is_known
from memoir.english.patterns import word_set
from memoir.english.proper_names import given_names
from memoir.english.stopwords import STOP_WORDS

_NAME = (
    r"\s*(?:(?:Mrs?|Ms|Miss|Dr|Prof)\.? (?=[A-ZÀ-ÖØ-Þ]))?"
    r"((?:[OD]['’])?[^\W\d_]+(?:-[^\W\d_]+)?)(?: [A-ZÀ-ÖØ-Þ][\w-]+)?"
)
"""A name, such as Bob or O'Brien, optionally with a title and a family name."""
_OFTEN = r":? (?:(?:also|always|never|often|\w+ly) )?"
_MINDS = (
    rf"{_OFTEN}(?:adores|believes|detests|drinks|eats|enjoys|swears by|thinks|would (?:rather|sooner)"
    r"|can(?:['’]t|not| not) stand|is (?:fond of|keen on|a fan of))\b"
)
"""Words right after a name for what no language does, though it has a person's name."""
_TASTES = (
    rf"(?:['’]s (?:favou?rite|preferred)\b|{_MINDS}"
    rf"|{_OFTEN}(?:dislikes|favou?rs|hates|likes|loves|prefers|does(?:n['’]t| not) like)\b"
    r"| (?:always|never|often|\w+ly) (?:orders|wears)\b"
    r"|,? (?:and|&) [A-ZÀ-ÖØ-Þ][\w-]+ (?:dislike|enjoy|hate|like|love|prefer)\b)"
)
"""Words right after a name for what somebody likes or thinks; some are said of tools, too."""
_OF_ANYTHING = (
    rf"(?:{_TASTES}|['’]s\b| (?:is|was|can|does|finds|handles|has|joined|knows|leads|left|lives|maintains|manages"
    r"|moved|needs|owns|plays|reports|reviews|runs|said|speaks|studied|takes|teaches|uses|wants|will|works|wrote)\b)"
)
"""Words right after a name of a person or of anything else."""
_TURN_TO = r"\s*(?:Ask|Call|Contact|Email|Message|Ping|Talk to|Write to) ([^\W\d_]+)\b"
_SAYS = r":\s+(?:I|My|We|Our)\b"
"""Words after the name of a speaker who speaks of themself."""
_ALSO_NAMES = frozenset(("ada", "april", "august", "cassandra", "crystal", "julia", "june", "may", "pascal", "ruby"))
"""Given names that usually mean something else, except before a speaker's words."""
_HAVE_PEOPLE = (
    r"['’]s (?:anniversary|birthday|boss|daughter|employer|family|home ?town|husband|kids?|manager|partner|pronouns"
    r"|salary|son|wedding|wife|working hours)\b"
)
"""Words right after a name for things that only people have."""
_OWN_DAY = r"(?i)\s*(?:my|our) (?:wedding )?(?:anniversary|birthday)(?= (?:is|was|falls|on)\b|['’]s\b|\s*[:=]|\W*\Z)"
"""Words that begin a text about a day of the speaker's own life."""
_OF_PEOPLE = (
    rf"(?:{_HAVE_PEOPLE}"
    r"| (?:is|was) (?:currently |now |still |back |away |out )*(?:on |from |off |in |at )?(?:an? |her |his |their )?"
    r"(?:annual |maternity |parental |paternity |sick |unpaid )?"
    r"(?:leave|vacation|holidays?|sabbatical|sick|lunch|married|pregnant|retired|vegan|vegetarian|allergic)\b)"
)
"""Words right after a name that apply only to people."""
_OF_THINGS = (
    r" (?:is|was) (?:an?|my|our|the) (?:[\w-]+ ){0,3}(?:branch|city|cluster|country|county|database|host|island|laptop"
    r"|location|machine|market|office|place|printer|product|region|robot|server|site|state|town|venue|version|zone)"
    r"(?=\W*\Z|[,.;:!)]| (?:and|at|because|for|from|in|of|on|since|so|that|to|until|where|which|with)\b)"
)
"""Words right after a name that apply only to places and things: "Virginia is the default region"."""
_HANDLE = r"\s*@([\w-]+)"
_POSSESSION = rf"(?:[^\s.:;?]+ ){{1,4}}(?:are|is|was|were)(?={_NAME}['’]s )"
"""The beginning of a text about somebody's possession: "Siemens is Bob's employer"."""
_KIN = (
    "aunt|boyfriend|brother|cousin|dad|daughter|father|girlfriend|grand(?:daughter|father|ma|mother|pa|son)|husband|mom"
    "|mother|mum|nephew|niece|sister|son|uncle|wife"
)
_CLOSE = rf"{_KIN}|boss|colleague|flatmate|friend|manager|neighbou?r|partner|roommate"
_RELATIVE = r"\s*[Mm]y (?:\w+ )?(?:%s)(?: [A-Z][\w-]+)? (?:\w+(?:ed|s)|can(?:not|['’]t)?|will|would|went)\b"
"""The beginning of a text about somebody close to the speaker: "my aunt plays chess"."""
_NOBODY = STOP_WORDS - {"will"} | word_set("anybody anyone everybody everyone nobody somebody someone today")
"""Words that are no names; "Will is" does not begin a statement unless Will is one."""


def subject(text: str) -> str | None:
    """The capitalised word that may name the person whom a text is about; usually its first word.

    It is followed by *is*, *'s* or another verb used of people, or by a colon and the person's own words; or the text
    says to ask, call or tell them. Otherwise it is the owner of the thing that the text begins with.
    """
    first = _first_name(text)
    return first if first and _is_person(text, first) else _owner(text) or first


def is_about_person(text: str, *, known: bool = False) -> bool:
    """Whether a text is about a person: by a given name, by words used only of people, or by a `known` subject."""
    name = subject(text)
    return name is not None and (known or _is_person(text, name) or _owner(text) is not None)


def is_about_somebody_close(text: str, *, kin: bool = False) -> bool:
    """Whether a text begins with what somebody close to the speaker does or likes: "my aunt plays chess".

    With `kin`, only with what a relative does.
    """
    return text.lstrip()[:3] in ("My ", "my ") and re.match(_RELATIVE % (_KIN if kin else _CLOSE), text) is not None


def tells_taste(text: str) -> bool:
    """Whether a text begins with a name and what its bearer likes, who may be a tool: "Rust prefers composition"."""
    return _first_name(text) is not None and re.match(_NAME + _TASTES, text) is not None


def is_taste_of_namesake(text: str) -> bool:
    """Whether a text tells what a person or a language of that name likes: "Ada prefers tea", "Ada prefers records"."""
    return tells_taste(text) and (_first_name(text) or "").casefold() in _ALSO_NAMES


def without_name(text: str, name: str) -> str | None:
    """What follows the given name, or the whole name, of somebody whose taste a text begins with; else None."""
    rests = (text[len(each) :] for each in (name, name.partition(" ")[0]) if each and text.startswith(each))
    return next((rest for rest in rests if re.match(_TASTES, rest)), None)


def is_about_private_life(text: str) -> bool:
    """Whether a text begins with a private matter: "my dad's birthday is 4 May", "our anniversary is 3 May"."""
    has_owner = "'s " in text or "’s " in text
    form = rf"(?i:my |our )?{_NAME}{_HAVE_PEOPLE}" if has_owner else _OWN_DAY
    return re.match(form, text) is not None


def _first_name(text: str) -> str | None:
    """The name that a text begins with, if any."""
    head, after = (*text.split(maxsplit=2), "", "")[:2]
    if head.casefold() in _NOBODY:  # most texts, and the patterns are slow to compile
        return None
    if head[:1] == "@":
        return match[1] if (match := re.match(_HANDLE + f"(?:{_TASTES}|{_OF_PEOPLE})", text)) else None
    if head[:1].islower():
        may_name = head in given_names() or head in _ALSO_NAMES
        return head if may_name and re.match(_NAME + _TASTES, text) else None
    match = re.match(_NAME + _OF_ANYTHING, text) or re.match(_NAME + _SAYS, text) or re.match(_TURN_TO, text)
    return _name(match) or (head if after in COMMON and head.casefold() in given_names() else None)


def _owner(text: str) -> str | None:
    """The owner named in a text about a possession, if any."""
    if "'s " not in text and "’s " not in text:
        return None
    match = re.match(_POSSESSION, text)
    name = _name(re.match(_NAME, text[match.end() :])) if match else None
    return name if match and name and _is_person(text[match.end() :], name) else None


def _name(match: re.Match[str] | None) -> str | None:
    return match[1] if match and match[1].removeprefix("Mc").istitle() and match[1].casefold() not in _NOBODY else None


def _is_person(text: str, name: str) -> bool:
    """Whether the name that a text begins with is a person's."""
    first, _, _ = name.casefold().partition("-")
    if text.lstrip()[:1] == "@" or (first in _ALSO_NAMES and re.match(f"{_NAME}(?:{_SAYS}|{_MINDS})", text)):
        return True
    if first in given_names():
        return re.match(_NAME + _OF_THINGS, text) is None
    is_rare = first not in _ALSO_NAMES and not is_known(first)
    return re.match(_NAME + _OF_PEOPLE, text) is not None or (is_rare and tells_taste(text))
