"""The subject of a text, by how it begins: "Ada" in "Ada wrote the parser", "Lake Tinn" in "Lake Tinn: A lake".

It is the title if there is one, else the first words with capitals. A plain first word has a capital too, so the caller
has to check that a subject is a name.
"""

from memoir.english.stopwords import SMALL_WORDS

LONGEST = 80
"""Characters of the longest title."""
_OWNERS = ("'s", "’s")
"""How a name ends that owns what follows."""


def subject(text: str) -> str:
    """The title before a colon or the end of the first line, else the name at the beginning; in small letters.

    Brackets and a leading "the" are left out. It is empty if the text begins with a small letter.
    """
    beginning = text[: LONGEST + 2]
    title = beginning.partition("\n")[0].partition(": ")[0]
    found = title if len(title) < min(len(beginning), LONGEST + 1) else _first_name(beginning)
    return found.partition(" (")[0].strip(" .,;:!?\"'`“”").lower().removeprefix("the ")


def _first_name(text: str) -> str:
    """The words at the beginning that have a capital or a digit, with the small words between them; up to an owner."""
    name, size = list[str](), 0
    for word in text.split():
        if word[0].isupper() or word[0].isdigit():
            name.append(word)
            size = len(name)
            if word[-1] in ".,;:!?)" or word.endswith(_OWNERS):
                break
        elif name and word in SMALL_WORDS:
            name.append(word)
        else:
            break
    found = " ".join(name[:size])
    return found[: -len("'s")] if found.endswith(_OWNERS) else found


def stands_in(phrase: str, text: str) -> bool:
    """Whether a text in small letters has a phrase as whole words; nothing has an empty one."""
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        after = at + len(phrase)
        if not (text[at - 1 : at].isalnum() or text[after : after + 1].isalnum()):
            return True
        at = text.find(phrase, at + 1)
    return False
