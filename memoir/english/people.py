"""Whether a text is about another person: "Bob's time zone is CET", "Priya is on leave", "Siemens is Ada's boss"."""

import re
from functools import cache
from pathlib import Path

from memoir.english.stopwords import STOP_WORDS

_NAME = r"\s*([^\W\d_]+(?:-[^\W\d_]+)?)(?: [A-ZÀ-ÖØ-Þ][\w-]+)?"
"""A name, perhaps with a family name."""
_OF_ANYTHING = (
    r"(?:['’]s\b| (?:is|was|can|does|handles|has|hates|joined|knows|leads|left|likes|lives|loves|maintains|manages"
    r"|moved|needs|owns|plays|prefers|reports|reviews|said|speaks|studied|takes|thinks|uses|wants|will|works|wrote)\b)"
)
"""Words right behind a name, said of people and of other things."""
_TURN_TO = r"\s*(?:Ask|Call|Contact|Email|Message|Ping|Talk to|Write to) ([^\W\d_]+)\b"
_SAYS = r":\s+(?:I|My|We|Our)\b"
"""Words behind the name of a speaker who speaks of themself."""
_ALSO_NAMES = frozenset(("ada", "april", "august", "cassandra", "crystal", "julia", "june", "may", "pascal", "ruby"))
"""Given names that mean something else more often, but not before what a speaker says."""
_HAVE_PEOPLE = (
    r"['’]s (?:birthday|boss|employer|family|home ?town|husband|kids?|manager|partner|pronouns|salary|son|daughter|wife"
    r"|working hours)\b"
)
"""Words for things that only people have, right behind the name."""
_OF_PEOPLE = (
    rf"(?:{_HAVE_PEOPLE}"
    r"| (?:is|was) (?:currently |now |still |back |away |out )*(?:on |from |off |in |at )?(?:an? |her |his |their )?"
    r"(?:annual |maternity |parental |paternity |sick |unpaid )?"
    r"(?:leave|vacation|holidays?|sabbatical|sick|lunch|married|pregnant|retired|vegan|vegetarian|allergic)\b)"
)
"""Words right behind a name that are said only of people."""
_POSSESSION = rf"(?:[^\s.:;?]+ ){{1,4}}(?:are|is|was|were)(?={_NAME}['’]s )"
"""The beginning of a text about something that belongs to somebody: "Siemens is Bob's employer"."""
_NOBODY = STOP_WORDS | {"anybody", "anyone", "everybody", "everyone", "nobody", "somebody", "someone", "today"}


def subject(text: str) -> str | None:
    """The capitalised word that may be the name of the person whom a text is about; mostly it begins the text.

    Behind it comes *is*, *'s*, or another verb that is said of people, or a colon and what the person says of
    themself; or it is who is to be asked, called or told. Or else what the text begins with is this person's.
    """
    first = _first_name(text)
    return first if first and _is_person(text, first) else _owner(text) or first


def is_about_person(text: str, *, known: bool = False) -> bool:
    """Whether a text is about a person: by a given name, by what is said only of people, or because one is `known`.

    Args:
        text: The text.
        known: Whether its `subject` is known to be a person's name.
    """
    name = subject(text)
    return name is not None and (known or _is_person(text, name) or _owner(text) is not None)


def _first_name(text: str) -> str | None:
    """The name that a text may begin with."""
    head = next(iter(text.split(maxsplit=1)), "")
    if head[:1].islower() or head.casefold() in _NOBODY:  # most texts, and the patterns are slow to compile
        return None
    match = re.match(_NAME + _OF_ANYTHING, text) or re.match(_NAME + _SAYS, text) or re.match(_TURN_TO, text)
    return _name(match)


def _owner(text: str) -> str | None:
    """The person to whom a text says that something belongs."""
    if "'s " not in text and "’s " not in text:
        return None
    match = re.match(_POSSESSION, text)
    name = _name(re.match(_NAME, text[match.end() :])) if match else None
    return name if match and name and _is_person(text[match.end() :], name) else None


def _name(match: re.Match[str] | None) -> str | None:
    return match[1] if match and match[1].istitle() and match[1].casefold() not in _NOBODY else None


def _is_person(text: str, name: str) -> bool:
    """Whether the name that a text begins with is a person's."""
    first, _, _ = name.casefold().partition("-")
    if first in given_names() or (first in _ALSO_NAMES and re.match(_NAME + _SAYS, text)):
        return True
    return re.match(_NAME + _OF_PEOPLE, text) is not None


@cache
def given_names() -> frozenset[str]:
    """Common given names of many countries, in lower case.

    Left out are those that more often begin a sentence about software (Ada, Cassandra, Crystal, Julia, Pascal, Ruby)
    or about a month.
    """
    return frozenset(Path(__file__).with_name("given_names.txt").read_text("ascii").split())
