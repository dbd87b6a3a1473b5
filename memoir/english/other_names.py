"""Two names of one thing, where a text says that they are: "the staging cluster, aka the barn"."""

import re
from collections.abc import Iterator
from functools import cache

from memoir.english.lexicon.own_words import OwnLine, problem
from memoir.english.patterns import alternatives

_READ_CHARACTERS = 2000
_WORD = r"[^\W_][\w+#-]*"
_QUOTED = r"\"[^\"]{1,60}\"|“[^”]{1,60}”|'[^']{1,60}'"
_NAME = rf"(?:{_QUOTED}|(?:(?:the|our)\s+)?{_WORD}(?:\s+{_WORD})?)"
"""Words in quotation marks, or one or two words."""
_THING = rf"(?:{_QUOTED}|(?:(?:the|our|my|an?)\s+)?{_WORD}(?:\s+{_WORD}){{0,3}}?)"
_START = r"(?:^|(?<=[.,;:!?(]\s)|(?<=\n))"
_GOES_ON = "is|are|was|were|has|have|had|and|or|but|which|that|who|when|where|because|since|if|in|on|at"
_END = rf"(?=\s*(?:[,.;:!?)\n]|$|\s(?:{_GOES_ON})\b))"
_TOLD = rf"""
    (?P<thing>{_THING})(?:,\s*|\s*\(\s*)(?:aka|a\.k\.a\.|also\sknown\sas|(?:also|otherwise)\scalled)\s+(?P<name>{_NAME})
    {_START}(?P<name1>{_NAME})\s+is\s+(?:our|the|a)\s+(?:own\s+)?(?:name|nickname|code\s?name|shorthand|word)\s+for\s+(?P<thing1>{_THING})
    {_START}(?P<name2>{_NAME})\s+(?:stands\sfor|is\sshort\sfor)\s+(?P<thing2>{_THING})
    (?i:we)\s+(?:all\s+)?call\s+(?P<thing3>(?:the|our)\s+{_WORD}(?:\s+{_WORD}){{0,2}}?)\s+(?P<name3>{_QUOTED}|(?:the|our)\s+{_WORD})
    (?i:by)\s+(?P<name4>{_NAME})\s+we\s+mean\s+(?P<thing4>{_THING})
    {_START}(?P<name5>{_QUOTED})\s+(?:means|refers\sto)\s+(?P<thing5>{_THING})
"""


def find_other_names(text: str) -> list[OwnLine]:
    """The lines that a text tells for a store's own words: a name, and what it stands for."""
    return list(dict.fromkeys(_lines(text[:_READ_CHARACTERS])))


def _lines(text: str) -> Iterator[OwnLine]:
    for match in _pattern().finditer(text):
        sides = {key.rstrip("12345"): _bare(value) for key, value in match.groupdict().items() if value}
        line = OwnLine((sides["name"],), (sides["thing"],))
        if not problem(line.text):
            yield line


def _bare(phrase: str) -> str:
    """A phrase without quotation marks, and without its last article and what stands before it."""
    return re.split(r"(?i)\b(?:the|our|my|an?)\s", phrase.strip("\"'“”. "))[-1].strip()


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{alternatives(_TOLD)}){_END}")
