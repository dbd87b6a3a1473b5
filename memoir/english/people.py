"""Whether a text is about another person, with whom it begins: "Bob's time zone is CET", "Priya is on leave"."""

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
"""What is said of people and of other things, right behind the name."""
_TURN_TO = r"\s*(?:Ask|Call|Contact|Email|Message|Ping|Talk to|Write to) ([^\W\d_]+)\b"
_SAYS = r":\s+(?:I|My|We|Our)\b"
"""What follows the name of a speaker who speaks of themself."""
_ALSO_NAMES = frozenset(("ada", "april", "august", "cassandra", "crystal", "julia", "june", "may", "pascal", "ruby"))
"""Given names that mean something else more often, but not before what a speaker says."""
_OF_PEOPLE = (
    r"(?:['’]s (?:birthday|boss|family|husband|kids?|manager|partner|pronouns|salary|son|daughter|wife|working hours)\b"
    r"| (?:is|was) (?:currently |now |still |back |away |out )*(?:on |from |off |in |at )?(?:an? |her |his |their )?"
    r"(?:annual |maternity |parental |paternity |sick |unpaid )?"
    r"(?:leave|vacation|holidays?|sabbatical|sick|lunch|married|pregnant|retired|vegan|vegetarian|allergic)\b)"
)
"""What is said only of people, right behind the name."""
_NOBODY = STOP_WORDS | {"anybody", "anyone", "everybody", "everyone", "nobody", "somebody", "someone", "today"}


def subject(text: str) -> str | None:
    """The capitalised word that a text begins with, if it may be a person's name.

    Behind it comes *is*, *'s*, or another verb that is said of people, or a colon and what the person says of
    themself; or it is who is to be asked, called or told.
    """
    head = next(iter(text.split(maxsplit=1)), "")
    if head[:1].islower() or head.casefold() in _NOBODY:  # most texts, and the patterns are slow to compile
        return None
    found = re.match(_NAME + _OF_ANYTHING, text) or re.match(_NAME + _SAYS, text) or re.match(_TURN_TO, text)
    is_name = found is not None and found[1].istitle() and found[1].casefold() not in _NOBODY
    return found[1] if found and is_name else None


def is_about_person(text: str, *, known: bool = False) -> bool:
    """Whether a text begins with a person: by a given name, by what is said only of people, or because one is `known`.

    Args:
        text: The text.
        known: Whether its `subject` is known to be a person's name.
    """
    name = subject(text)
    if name is None or known:
        return known and name is not None
    first, _, _ = name.casefold().partition("-")
    if first in _given_names() or (first in _ALSO_NAMES and re.match(_NAME + _SAYS, text)):
        return True
    return re.match(_NAME + _OF_PEOPLE, text) is not None


@cache
def _given_names() -> frozenset[str]:
    """Common given names of many countries, in lower case.

    Left out are those that more often begin a sentence about software (Ada, Cassandra, Crystal, Julia, Pascal, Ruby)
    or about a month.
    """
    return frozenset(Path(__file__).with_name("given_names.txt").read_text("ascii").split())
