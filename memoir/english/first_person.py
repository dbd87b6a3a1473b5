"""Turn an assistant's note on its user into the user's own words: "User prefers tabs" becomes "I prefer tabs".

"User sessions expire" and "the user is redirected" are about a program's user and stay. The patterns are compiled only
for texts that begin with "user".
"""

import re

from memoir.english.patterns import alternatives, word_set
from memoir.english.people import without_name

_FORMS = {"is": "am", "has": "have", "was": "was", "does": "do", "doesn't": "don't", "isn't": "am not"}
_PEOPLE_DO = word_set(
    """
    appreciates avoids believes cares codes commutes dislikes drinks drives eats enjoys expects feels hates hopes
    intends keeps knows lacks learns likes lives loves manages needs owns plans plays prefers speaks struggles
    studies teaches thinks travels uses wakes wants wears wishes works
    got grew lived loved moved started stopped studied switched used wanted worked
    """
)
"""Verbs for people, seldom for the user of a program."""
_USER = r"(?is)(?:the )?user"
_DONE_TO = r"""(?ix) (?:(?:not|now|then|always|never|also|only)\s)*
    (?:(?!(?:married|interested|retired|based|engaged|divorced|trained|tired|worried|excited|employed)\b)\w+ed
    | sent|shown|given|told|kept|held|found|made|set|put|built)\b"""
"""Passive verbs with the user of a program as subject."""
_OF_PEOPLE = alternatives(
    r"""
    (?:own|main|current|native|first|favou?rite|preferred|home|best|work) \w
    wife|husband|partner|spouse|sons?|daughters?|kids?|child(?:ren)?|mother|father|mom|dad|parents?|brothers?|sisters?
    dogs?|cats?|pets?|boss|manager|team|company|employer|job|birthday|age|hometown|hobb(?:y|ies)|goals?|diet
    allerg(?:y|ies)|preferences?|pronouns|time ?zone|laptop|(?:name|title|editor) (?:is|was)
    """
)


def in_first_person(text: str) -> str:
    """Rewrite a text about what the user does, is or has in the first person; leave any other."""
    if not text[:8].lower().startswith(("user", "the user")):
        return text
    if whose := re.fullmatch(rf"{_USER}['’]s (?P<rest>(?:{_OF_PEOPLE}).*)", text):
        return f"My {whose['rest']}"
    if does := re.fullmatch(rf"{_USER} (?P<verb>[a-z]+(?:n['’]t)?) (?P<rest>\S.*)", text):
        verb = _of_first_person(does["verb"].lower().replace("’", "'"), does["rest"])
        return f"I {verb} {does['rest']}" if verb else text
    return text


def in_words_of(user: str, text: str) -> str:
    """Rewrite what a text tells of the taste of a user with this name; leave any other text."""
    rest = without_name(text, user)
    return text if rest is None else in_first_person(f"User{rest}")


def _of_first_person(verb: str, rest: str) -> str | None:
    """The verb form after "I"; None if it may be about a program's user."""
    if verb in _FORMS:
        return None if re.match(_DONE_TO, rest) else _FORMS[verb]
    if verb not in _PEOPLE_DO:
        return None
    return f"{verb[:-3]}y" if verb.endswith("ies") else re.sub(r"(?<=[sc]h)es$|(?<=[^s])s$", "", verb)
