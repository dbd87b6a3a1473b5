"""Tell which documents speak for a project, and which of their sentences state what holds in it.

A manual's sentences are not memories of the project that contains it. A team's own documents are recognised by name
("CONTRIBUTING", "adr-0007"), by title, or by a typical line: "Status: accepted", "Attendees: …", "Action items". Their
lasting sentences are rules, decisions, habits of "we", roles and dates.
"""

import re
from collections.abc import Sequence

from memoir.english.patterns import alternatives, anywhere, at_start
from memoir.english.people import is_about_person
from memoir.taxonomy.kinds import DIRECTIVE, PLAYBOOK, PREFERENCE, RESOLUTION

_FILES = re.compile(r"(?<![^\W_])(?:CLAUDE|AGENTS|GEMINI|CONTRIBUTING|CONVENTIONS)(?![^\W_])|copilot-instructions")
_NAMES = alternatives(
    r"""
    adrs?|decisions|decision record|runbooks?|post ?mortems?|incident report|meetings?|minutes of|retro(?:spective)?s?
    stand ?up|telcon|weekly|conventions|(?:style|coding|writing) guide|design (?:doc|note|proposal)|on ?call|roadmap
    action items|(?:claude|cursor|team|project) rules
    """
)
_NAMED = re.compile(rf"\b(?:{_NAMES})\b", re.IGNORECASE)
_TITLE = re.compile(r"^(?:#{1,2} |title:).*", re.MULTILINE)
_HEADINGS = alternatives(
    r"""
    (?:key |the )?decisions?(?: outcome| made| drivers)?|action (?:items|points)|root cause
    what went (?:well|wrong|badly)
    """
)
_LABELS = alternatives(
    r"""
    present|attendees|participants|deciders|reviewers|note ?taker|escalation|incident commander|on[- ]call
    (?:service )?owner
    """
)
_STATES = "accepted|proposed|draft|superseded|approved|reviewed|in review|final"
_MARK = r"[ \t#*_>|-]*"
_SIGN = re.compile(
    rf"^{_MARK}(?:\d+[.)] *)?(?:{_HEADINGS})[*_: \t]*$|^{_MARK}(?:{_LABELS})[*_]*[ \t]*:"
    rf"|^{_MARK}status[*_: \t|]*\n?\W{{0,20}}(?:{_STATES})\b",
    re.IGNORECASE | re.MULTILINE,
)
_WEIGHS = anywhere("context|problem|background|motivation|options?|alternatives|pros|links|references|examples?")
_VAGUE = anywhere(
    r"""
    this|these|those|its|their|it|they|here|there|however|whether you|(?:would|could|might)(?:n['’]t)?|we['’]d|still
    maybe|perhaps|one (?:in|into|from|to)|(?:existing|other|new|old|same) ones?
    your[-_][\w-]+|your (?:own|fork|clone|machine|account|editor|shell)
    """
)
"""Words of a sentence that refers to others, guesses, or addresses the reader."""
_WISH = at_start(
    r"""
    (?:we|i)(?:['’]re| are|['’]ve| have)? (?:committed|sent|tried|to)
    (?:we|i)(?:['’]ve| have| did)(?:n['’]t| not)
    (?:we|i) (?:will )?(?:need(?:ed)?|may|can|hope|think|believe|feel|talked|discussed|recommend|want|have to|expect)
    """
)
_TASK = at_start(
    r"""
    change|check|copy|create|define|delete|find|fix|give|implement|list|look|make(?! sure)|move|refactor|rename|review
    show|summari[sz]e|translate|try|update
    """
)
"""The beginning of a one-time order."""
_WE, _I = at_start(r"\W*we"), at_start(r"\W*(?:i|my)")
_DECIDED = anywhere("decided|agreed|chose|picked|settled|went with|rejected|root cause|caused by")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
_STEP = re.compile(
    r"\s*\d{1,3}[.)]\s+(?!.*\b(?:always|whenever|(?:after|at|before|for|in|on|with) (?:each|every))\b)\W*"
    r"(?:add|ask|build|call|check|commit|confirm|copy|create|define|delete|deploy|ensure|execute|install"
    r"|merge|open|push|record|remove|report|restart|restore|run|set|start|stop|submit|switch|tag|test|update|validate"
    r"|verify|wait)\b",
    re.IGNORECASE,
)
_DAYS = "project.timeline."
_OF_A_PERSON = ("preferences.", "profile.")


def speaks_for_project(name: str, text: str) -> bool:
    """Whether a document, by its name or text, states what holds in its team's project."""
    title = _TITLE.search(text)
    words = re.sub(r"[\W_]+", " ", f"{name} {title[0] if title else ''}")
    return bool(_FILES.search(name) or _NAMED.search(words) or _SIGN.search(text)) and "template" not in words.lower()


def without_steps(text: str) -> str:
    """Remove numbered imperatives, which are steps of a procedure: "2. Run the checks".

    A recurring one is a rule and stays: "2. Run the checks before every commit".
    """
    kept, is_step = list[str](), False
    for line in text.splitlines(keepends=True):
        if _ITEM.match(line) or not line.strip():
            is_step = bool(_STEP.match(line))
        kept += [] if is_step else [line]
    return "".join(kept)


def only_weighs(headings: Sequence[str]) -> bool:
    """Whether the text under headings only weighs things without deciding: context, options."""
    return any(map(_WEIGHS.search, headings[-1:]))


def holds(sentence: str, kind: str, path: str) -> bool:
    """Whether a sentence of a team's document, filed at a path, states what holds in the project."""
    if _VAGUE.search(sentence) or _WISH.match(sentence) or _TASK.match(sentence):
        return False
    if _WE.match(sentence) or (_I.match(sentence) and kind in (PREFERENCE, RESOLUTION)):
        return True
    if path.startswith(_OF_A_PERSON) or kind == PLAYBOOK:
        return False
    if kind == RESOLUTION:
        return bool(_DECIDED.search(sentence))
    return kind == DIRECTIVE or path.startswith(_DAYS) or (is_about_person(sentence) and ": " not in sentence)
