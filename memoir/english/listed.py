"""The things that a question lists, each of which is asked for: `sort by date: the move, the first day, the party`."""

import re

_FEWEST = 3
"""Things of a list."""
_MOST_WORDS = 5
"""The words of one that no colon announces."""
_SEPARATOR = re.compile(r"[,;]\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_RUN = re.compile(r"(?:[\w.'’/-]+ ){1,20}?[\w.'’/-]+(?:, [\w.'’/ -]+)+,? (?:and|or) [\w.'’/ -]+", re.IGNORECASE)
"""Things with commas between them, and what stands before the first one."""
_LEAD = re.compile(r"^.*\b(?:for|of|about|between|like|with|on|in|to|from|were|are|is|did|use|used)\s+", re.IGNORECASE)
_SMALL = re.compile(
    r"^(?:(?:for|of|about|with|on|in|to|the|a|an|my|our|her|his|their|and|or|where|how|when)\s+)+", re.IGNORECASE
)
_ASKS = re.compile(r"(?:which|what|who)\b", re.IGNORECASE)


def listed(question: str) -> tuple[str, ...]:
    """The things that a question lists after a colon, or else between commas; empty if there are fewer than three."""
    _, colon, tail = question.strip().rstrip("?.!").partition(": ")
    if colon:
        return _things(_SEPARATOR.split(tail))
    if not (run := _RUN.search(question)):
        return ()
    first, *others = _SEPARATOR.split(run[0])
    first = _LEAD.sub("", first)
    return _things([first, *others]) if all(len(each.split()) <= _MOST_WORDS for each in (first, *others)) else ()


def _things(pieces: list[str]) -> tuple[str, ...]:
    things = (_SMALL.sub("", each.strip()) for each in pieces)
    found = tuple(dict.fromkeys(each for each in things if len(each) > 1 and not _ASKS.match(each)))
    return found if len(found) >= _FEWEST else ()
