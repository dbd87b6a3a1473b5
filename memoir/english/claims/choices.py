"""The names that a text says are used or not used: "use npm for packages", "not npm, we use pnpm here".

A rejected name contradicts any text in which it is used, whatever else they say. A name rejected for one purpose only
("not tabs, in Python files") counts as not rejected. A name that is not one thing ("the owner is Bob, not Anna") may be
another ("the manager is Anna").
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from memoir.english.claims.claim_words import GROUP, NUMBERS
from memoir.english.patterns import word_set
from memoir.english.stop_word_names import stop_word_names
from memoir.english.stopwords import STOP_WORDS
from memoir.times import MONTHS, WEEKDAYS

_NAME = r"[`\"]?(?P<name>@?[a-z][\w@/+#-]*(?:\.\w+)*)[`\"]?(?![\w`\"])"
_PURPOSES = word_set("in for on when if at inside within during while before after to unless until only")
_AFTER = r"(?:any\s?more|any\slonger|and|but|ever|at\sall|again|please|because|as|we|use|it)\b"
_REJECTING = rf"""(?x)
    (?:
        ^(?:\W*(?:no|nope|sorry|well|actually)\W+)*not | ^\S+\snot | ,?\sand\snot | ,\s(?:but\s)?not | \bno\smore
        | \b(?:instead\sof|rather\sthan)(?:\susing)? | \b(?:stop|avoid|do\snot|never)\s\w+(?:\s\w+)?\swith
        | \b(?:no\slonger|never|do\snot|not|stop|avoid|quit)\s(?:ever\s|be\s)?(?:use|using|run|running|call|calling)
        | \bno\slonger\s(?:with|via|through|(?:comes?\s)?from)
    )
    \s{_NAME} (?=\s*(?:$|[,;:(]\s*(?!(?:{"|".join(_PURPOSES)})\b)|{_AFTER}))
"""
"""Phrases that reject a name for all purposes."""
_REJECTS = ("not ", "no more ", "no longer ", "instead of ", "rather than ", "stop ", "avoid ", "never ", "quit ")
_ENDED = (
    rf"\b(?:we|i|{GROUP}) (?:have |had |finally |just )*(?:ditched|dropped|abandoned|retired|replaced|removed"
    rf"|got rid of|(?:switched|moved|migrated) (?:away )?(?:off|from)) {_NAME}"
    r"(?=\W*$|\W*[,;:.(]|\s(?:to|in|on|for|from|by|with|as|and|after|before|since|because|when|entirely|completely"
    r"|everywhere|now|already|recently|years?|months?|weeks?|last|this|a|two|some|long)\b)"
    rf"|(?:^|, ){_NAME.replace('name', 'gone')} (?:is|was|has been) (?:gone|dead|deprecated|history|retired|no more)\b"
)
_ENDS = (
    *("ditched ", "dropped ", "abandoned ", "retired", "replaced ", "removed ", "got rid of ", " off ", " from "),
    *(" gone", " dead", " deprecated", " history", " no more"),
)
"""Every match contains one of these; searching them is faster than compiling the pattern."""
_USING = word_set("use uses using run runs prefer prefers call calls with via")
_COMING = frozenset((("come", "from"), ("comes", "from")))
_BEFORE_VALUES = word_set("is are in on now")
_NOT_USING = word_set("not never longer stop than of")
_DENIALS = word_set("not never no avoid without")
_SOMEBODY_DOES = word_set("uses prefers likes loves hates wants")
_LIMITS = word_set("only except legacy today tomorrow tonight once want plan hope will would might")
"""Words of a statement limited to a case or a time, or of a mere wish."""
_SUBJECT = r"(?:^|[,;:.]\s)(?:(?:our|the|my|your|all)\s)*(?P<subject>\w[\w -]*?)\s(?:is|are)\b[^,;:]*$"
_NO_NAMES = STOP_WORDS.union(NUMBERS, MONTHS, WEEKDAYS)
_MARKS = "`\"',.;:()"


def choices(sentence: str, *, states: bool) -> Iterator[tuple[str, str]]:
    """Yield the choices of a sentence, each with "yes" or "no": "use npm" if npm is used, "be npm" if something is npm.

    A "yes" needs a sentence that `states` facts.
    """
    said = sentence.lower()
    words = said.split()
    of_somebody = sentence[:1].isupper() and not _SOMEBODY_DOES.isdisjoint(words[1:2])
    if of_somebody or not _PURPOSES.isdisjoint(words[:1]) or not _LIMITS.isdisjoint(words):
        return
    found = [(*each, "no") for each in _rejected(said)]
    if states:
        no = {name for _, name, _ in found}
        found += [(kind, name, "yes") for kind, name in _used(words) if name not in no]
    no_names = _NO_NAMES - stop_word_names(sentence) if found else _NO_NAMES
    yield from ((f"{kind} {name}", value) for kind, name, value in found if name not in no_names)


def _used(words: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs of kind and name: a name after a verb of use, or at the end of a clause with "is"."""
    ahead = ["", "", *words]
    for at, (before, word) in enumerate(pairwise(words)):
        name = word.strip(_MARKS)
        if not (name[:1].isalpha() or name[:1] == "@"):
            continue
        is_last = at + 2 == len(words) or word[-1] in ",;:"
        if before in _BEFORE_VALUES and is_last and not _is_denied(words[:at]):
            yield from ((kind, name) for kind in ("be", *_kinds_of_value(" ".join(words[: at + 1]))))
        denial, verb = ahead[at : at + 2]
        if (before in _USING and verb not in _NOT_USING) or ((verb, before) in _COMING and denial not in _NOT_USING):
            yield "use", name


def _is_denied(words: list[str]) -> bool:
    """Whether the clause that these words lead into is a denial: "never OFFSET on"."""
    start = next((at for at in range(len(words), 0, -1) if words[at - 1][-1] in ",;:"), 0)
    return not _DENIALS.isdisjoint(words[start:])


def _rejected(said: str) -> Iterator[tuple[str, str]]:
    """Pairs of kind and name that are not used, or no longer."""
    if any(each in said for each in _REJECTS):
        for match in re.finditer(_REJECTING, said):
            if _PURPOSES.isdisjoint(said[match.end() :].split()):
                kinds = _kinds_of_value(said[: match.start()]) or ("be",)
                yield from ((kind, match["name"]) for kind in ("use", *kinds))
    if any(each in said for each in _ENDS):
        for ended in re.finditer(_ENDED, said):
            yield from ((kind, ended["name"] or ended["gone"]) for kind in ("use", "be"))


def _kinds_of_value(before: str) -> tuple[str, ...]:
    """The subject of the value after these words, as "owner be"; empty if they name none."""
    match = re.search(_SUBJECT, before)
    if not match or (STOP_WORDS | _USING).issuperset(match["subject"].split()):
        return ()
    return (f"{match['subject']} be",)
