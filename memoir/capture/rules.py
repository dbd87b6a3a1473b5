"""Which sentences of a conversation with an agent are standing instructions or facts, by rules alone.

A standing instruction says how things are always to be done; a fact says how things are, outside of the task at hand.
A task that is done with once, a question, thanks and a supposition are no memories. "Never mind what I said" takes
something back, and is shown as that; nothing is forgotten by itself. `benchmarks.capture` prints how often this is
right on turns that were labelled apart from these rules.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoir.capture import grammar, phrases
from memoir.taxonomy.kinds import DIRECTIVE, FACT, PREFERENCE, RESOLUTION

# The sentences of a turn that somebody said: without code, logs and quotations.

_FENCE = re.compile(r"^\s*(```|~~~).*?(?:^\s*\1|\Z)", re.DOTALL | re.MULTILINE)
_NOT_SAID = re.compile(
    r"""^\s*(?:
        > | \$\s | \#\s*include | at\s[\w.$]+\( | Traceback\s\(most | File\s" | [\w.]*(?:Error|Exception|Warning):\s
        | \[?\d{4}-\d\d-\d\d[T\s]\d\d: | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b | [+-]{3}\s | @@ | \|
        | [{}\]\[);]+\s*$
    )""",
    re.VERBOSE,
)
_QUOTATION = re.compile(
    r"\b(?:says|said|wrote|writes|reads|called out|quote|log|output|message|error|sentence|prints?)\b"
    r"[^.\n]{0,40}[:,]?\s*(?:\"[^\"]*\"|“[^”]*”|'[^']{6,}'|:\s.*$)",
    re.IGNORECASE | re.MULTILINE,
)
_TRANSLATE = re.compile(r"^\s*(?:please )?(?:translate|proofread|rephrase|correct)\b.*", re.IGNORECASE | re.DOTALL)
_ABBREVIATIONS = "".join(rf"(?<!\b{each}\.)" for each in ("Mr", "Mrs", "Ms", "Dr", "vs", "No", r"e\.g", r"i\.e"))
_END = re.compile(
    rf"{_ABBREVIATIONS}(?<=[.!?])[\"'”)]*\s+(?=\S)|\s+but\s+(?=(?:the|our|we|in|all|every) )"
    r"|\n\s*(?:[-*•]|\d+[.)])?\s*|;\s+|\s[-–—]\s|,\s+and\s+(?=remember\b|keep in mind\b)"
)
_LONGEST = 500
"""A longer sentence is none."""
_MOST = 200
"""The sentences of a turn that are looked at."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text."""
    speech = "\n".join(line for line in _FENCE.sub("\n", text).splitlines() if not _NOT_SAID.match(line))
    speech = _QUOTATION.sub("", _TRANSLATE.sub("", speech))
    for part in _END.split(speech)[:_MOST]:
        sentence = " ".join(part.split())
        if sentence and len(sentence) <= _LONGEST:
            yield sentence


RETRACTION = "retraction"
"""The kind of a sentence that takes something back. It is no memory."""
_FEWEST_WORDS = 3


class TurnFinding(NamedTuple):
    """A capture: a text of a turn that may be worth remembering, its kind, and the rule that found it, in words."""

    content: str
    kind: str
    reason: str


def findings(text: str, role: str) -> list[TurnFinding]:
    """The captures in a turn of a `user` or an `assistant`, in order.

    A sentence that points back ("that's how we do it") is joined to the one before it.
    """
    judge = _of_user if role == "user" else _of_assistant
    results: list[TurnFinding] = []
    before, is_kept = "", False
    for sentence in sentences(text):
        finding = judge(sentence, before)
        if finding and before and phrases.POINTS_BACK.match(finding.content):
            start = results.pop().content if is_kept else before
            finding = finding._replace(content=f"{start} {finding.content}")
        results += [finding] if finding else []
        before, is_kept = sentence, finding is not None
    return results


def _of_user(sentence: str, before: str) -> TurnFinding | None:
    """The capture that a sentence of the user is, if it is one."""
    if phrases.RETRACTION.search(sentence):
        return TurnFinding(sentence, RETRACTION, "it takes something back")
    plain = phrases.LEAD.sub("", sentence, count=1)
    if len(plain.split()) < _FEWEST_WORDS or _is_passing(plain):
        return None
    return _rule(plain) or _statement(plain, told=bool(phrases.REMINDER.search(sentence)))


def _is_passing(sentence: str) -> bool:
    """Whether a sentence is a question, a supposition, or about what is done right now."""
    if (
        sentence.rstrip("\"') ").endswith("?")
        or phrases.QUESTION.match(sentence)
        or phrases.SUPPOSITION.search(sentence)
    ):
        return True
    if phrases.ONCE.search(sentence) or phrases.HERE_AND_NOW.search(sentence):
        return True
    return grammar.points_at_task(grammar.words_of(sentence))


def _rule(sentence: str) -> TurnFinding | None:
    """A standing instruction or a preference."""
    lasts = grammar.is_ban(grammar.words_of(sentence)) or (
        _is_order(sentence) and phrases.LASTING_ORDER.search(sentence)
    )
    if phrases.STANDING_INSTRUCTION.match(sentence) or lasts:
        return TurnFinding(sentence, DIRECTIVE, "it says how things are always to be done")
    if grammar.is_choice(sentence):
        return TurnFinding(sentence, DIRECTIVE, "it says what is wanted, and no more")
    if _is_order(sentence):
        return None
    if phrases.MINE.search(sentence):
        return TurnFinding(sentence, PREFERENCE, "it says what the user prefers, or who they are")
    if phrases.GENERAL.search(sentence) or (
        phrases.MUST.search(sentence) and not phrases.PASSING_MATTER.search(sentence)
    ):
        return TurnFinding(sentence, DIRECTIVE, "it holds in general, not for one task")
    return None


def _is_order(sentence: str) -> bool:
    """Whether a sentence tells the agent to do something."""
    return bool(phrases.TASK.match(sentence)) or grammar.is_order(grammar.words_of(sentence))


def _statement(sentence: str, *, told: bool) -> TurnFinding | None:
    """A fact about the project, its people or its systems."""
    if _is_order(sentence) or (phrases.PASSING_MATTER.search(sentence) and not told):
        return None
    words = grammar.words_of(sentence)
    if phrases.OURS.search(sentence) or grammar.is_habit(words):
        return TurnFinding(sentence, FACT, "it says how things are here")
    if told:
        return TurnFinding(sentence, FACT, "it was told to be remembered")
    if grammar.is_state(sentence):
        return TurnFinding(sentence, FACT, "it states a fact")
    return TurnFinding(sentence, FACT, "it gives a value") if grammar.is_label(sentence) else None


def _of_assistant(sentence: str, before: str) -> TurnFinding | None:
    """The capture that a sentence of the agent is: a fact that it says it has learnt, never a report of its work."""
    plain = phrases.LEAD.sub("", sentence, count=1)
    if len(plain.split()) < _FEWEST_WORDS or _is_passing(sentence):
        return None
    is_reason = phrases.DISCOVERY.match(before) and phrases.BECAUSE.search(sentence) and grammar.is_state(plain)
    if not is_reason and not phrases.LESSON.search(sentence):
        return None
    return TurnFinding(plain, RESOLUTION, "the agent says that it has learnt this")
