"""What an assistant notes of its user, in the user's own words: "User prefers tabs" as "I prefer tabs".

"User sessions expire" and "the user is redirected" are about the user of a program, and stay as they are. The patterns
are compiled for texts that begin with the word alone.
"""

import re

from memoir.english.patterns import alternatives, word_set

_FORMS = {"is": "am", "has": "have", "was": "was", "does": "do", "doesn't": "don't", "isn't": "am not"}
_PEOPLE_DO = word_set(
    """
    appreciates avoids believes cares codes commutes dislikes drinks drives eats enjoys expects feels hates hopes
    intends keeps knows lacks learns likes lives loves manages needs owns plans plays prefers speaks struggles
    studies teaches thinks travels uses wakes wants wears wishes works
    got grew lived loved moved started stopped studied switched used wanted worked
    """
)
"""What people do, and the user of a program hardly does."""
_USER = r"(?is)(?:the )?user"
_DONE_TO = r"""(?ix) (?:(?:not|now|then|always|never|also|only)\s)*
    (?:(?!(?:married|interested|retired|based|engaged|divorced|trained|tired|worried|excited|employed)\b)\w+ed
    | sent|shown|given|told|kept|held|found|made|set|put|built)\b"""
"""What is done to the user of a program."""
_OF_PEOPLE = alternatives(
    r"""
    (?:own|main|current|native|first|favou?rite|preferred|home|best|work) \w
    wife|husband|partner|spouse|sons?|daughters?|kids?|child(?:ren)?|mother|father|mom|dad|parents?|brothers?|sisters?
    dogs?|cats?|pets?|boss|manager|team|company|employer|job|birthday|age|hometown|hobb(?:y|ies)|goals?|diet
    allerg(?:y|ies)|preferences?|pronouns|time ?zone|laptop|(?:name|title|editor) (?:is|was)
    """
)


def in_first_person(text: str) -> str:
    """A text that begins with what the user does, is or has, as the user would say it; any other as it is."""
    if not text[:8].lower().startswith(("user", "the user")):
        return text
    if whose := re.fullmatch(rf"{_USER}['’]s (?P<rest>(?:{_OF_PEOPLE}).*)", text):
        return f"My {whose['rest']}"
    if does := re.fullmatch(rf"{_USER} (?P<verb>[a-z]+(?:n['’]t)?) (?P<rest>\S.*)", text):
        verb = _of_first_person(does["verb"].lower().replace("’", "'"), does["rest"])
        return f"I {verb} {does['rest']}" if verb else text
    return text


def _of_first_person(verb: str, rest: str) -> str | None:
    """A verb as it stands after "I"; None if it may tell of the user of a program."""
    if verb in _FORMS:
        return None if re.match(_DONE_TO, rest) else _FORMS[verb]
    if verb not in _PEOPLE_DO:
        return None
    return f"{verb[:-3]}y" if verb.endswith("ies") else re.sub(r"(?<=[sc]h)es$|(?<=[^s])s$", "", verb)
