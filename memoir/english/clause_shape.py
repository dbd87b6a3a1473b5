"""How a clause is built: an order, a state of things or a fragment; of things in general, or of this one.

A rule speaks of any such thing ("every alert has a runbook", "when you move a pin, update the table"), and what is
asked for once of this one ("make this shorter").
"""

import re
from collections.abc import Iterator

from memoir.english import grammar
from memoir.english.patterns import word_set
from memoir.english.sentences import without_lead

_CONDITIONS = word_set(
    """
    when whenever where wherever if once before after unless while until should for in on at with without every as
    """
)
"""Words that begin a condition or a place, after which an order may come."""
_GENERIC = word_set(
    """
    every each any all anything everything whatever whichever whenever wherever whoever no never always nothing nobody
    only anyone everyone none
    """
)
_OF_THIS = word_set(
    """
    this that these those it them here now today tomorrow tonight yesterday above below attached instead again first
    next then following
    """
)
"""Words that point at the task at hand."""
_DUTIES = word_set("must should shall has have needs need")
_TO_BE = re.compile(r"\b(?:is|are|has|have|ought|needs?) to be \w")
_PASSIVE = re.compile(r"\b(?:gets?|is|are|be) \w+(?:ed|en|wn|pt|ut|et)\b")
_KNOWN = ("the", "my")
"""Words before a thing that is known already."""


def shape(clause: str, place: str) -> Iterator[str]:
    """The features of a clause that is the "first" or "last" of its turn, "both" or "neither"."""
    plain = without_lead(clause)
    words = grammar.words_of(plain)
    if not words:
        return
    kind, said = _kind(words, plain), " ".join(words)
    generic, of_this = (not known.isdisjoint(words) for known in (_GENERIC, _OF_THIS))
    begins_plural = any(map(grammar.is_plural, words[: 1 if words[0] in _KNOWN else 2]))
    has_plural = any(map(grammar.is_plural, words[1:6]))
    yield from (f"@{kind}", f"@{kind} {place}", f"@{kind} the{min(sum(map(words.count, _KNOWN)), 2)}")
    for name, is_so in (("general", generic), ("plural", has_plural), ("plurals", begins_plural)):
        yield f"@{kind} {name} {int(of_this)}{int(is_so)}"
    marks = {"@general": generic, "@this": of_this, "@duty": not _DUTIES.isdisjoint(words)}
    marks |= {"@to be": _TO_BE.search(said) is not None, "@passive": _PASSIVE.search(said) is not None}
    yield from (mark for mark, is_so in marks.items() if is_so)


def _kind(words: list[str], plain: str) -> str:
    """What a clause is: an order, an order for a case, a fragment without a verb, a state of things, or another."""
    _, _, main = plain.partition(", ")
    if words[0] in _CONDITIONS and main and grammar.is_order(grammar.words_of(main)):
        return "case"
    if grammar.is_order(words):
        return "order"
    if grammar.is_fragment(words):
        return "fragment"
    return "state" if grammar.is_state(plain) else "other"
