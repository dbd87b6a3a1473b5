"""Which sentences of documents and chats state something durable, and what kind of memory each is, by rules alone.

A question, a greeting, a request that is done with once, a reaction, or what only makes sense where it stands is
nothing to remember. What is left must say something of somebody or something by name, in a whole sentence.
`benchmarks.item_precision` prints how often this is right on sentences that were labelled before these rules. What is
worth keeping of a session with an agent is for `memoir.english.session_sentences` to say.
"""

import re

from memoir.english import statement_phrases as phrases
from memoir.english.phrases import SUPPOSITION, is_question, without_lead
from memoir.english.stopwords import IRREGULAR_PAST
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PLAN, PLAYBOOK, PREFERENCE, RESOLUTION

_FEWEST_WORDS = 4


def kind_of(sentence: str, *, talk: bool = False) -> str | None:
    """The kind of memory that a sentence is; None if it states nothing durable.

    In a document a sentence has an end. In talk, what is said to the other one, and what only praises or moans, is
    nothing durable either.
    """
    text = without_lead(sentence).strip()
    if phrases.GOES_ON.match(sentence) or _is_nothing(text) or (talk and _is_chatter(text)):
        return None
    return _by_form(text, talk=talk) if talk or _ends(text) else None


def _ends(text: str) -> bool:
    """Whether a text ends as a sentence does; in a document, a heading does not."""
    return text.rstrip("\"'”’)*_`").endswith((".", "!", ";"))


def likeliest_kind(text: str) -> str:
    """The kind of a text that is known to be a memory: a fact, if nothing says otherwise."""
    return _by_form(without_lead(text).strip(), talk=False) or FACT


def _is_chatter(text: str) -> bool:
    """Whether a sentence of a talk is to the other one, or only says how something is or feels."""
    if (phrases.TO_YOU.search(text) and not phrases.GENERAL.search(text)) or phrases.OPEN_OBJECT.search(text):
        return True
    says_what = _is_deed(text) or phrases.TIME.search(text) or re.search(r"\d|\w [A-Z][a-z]", text)
    return bool(phrases.PRAISE.search(text)) and not says_what


def _is_nothing(text: str) -> bool:
    """Whether a sentence is a question, a request, a reaction, a guess, or one that points at what stands around it."""
    if is_question(text) or text.endswith((":", "…")) or len(text.split()) < _FEWEST_WORDS or not _has_letters(text):
        return True
    if "->" in text or text.startswith(("Raises ", "Returns ")) or phrases.NO_NAME.match(text):
        return True
    if phrases.POINTER.search(text) or (SUPPOSITION.search(text) and not phrases.GENERAL.search(text)):
        return True
    return bool(phrases.PASSING_REMARK.match(text) and not phrases.NEEDS.match(text)) or bool(phrases.THING.match(text))


def _has_letters(text: str) -> bool:
    """Whether most of a text is words."""
    return sum(char.isalpha() or char.isspace() for char in text) > 0.7 * len(text)


def _by_form(text: str, *, talk: bool) -> str | None:
    if phrases.RESOLUTION.search(text) or (phrases.FIX.match(text) and len(text.split()) > 5):
        return RESOLUTION
    if phrases.PLAYBOOK.match(text):
        return PLAYBOOK
    if phrases.DIRECTIVE.match(text):
        return None if phrases.NO_RULE.search(text) or (talk and text.endswith("!")) else DIRECTIVE
    if phrases.IMPERATIVE.match(text):
        return None if phrases.DEICTIC.search(text) or _is_one_off(text) or text.endswith("!") else DIRECTIVE
    if phrases.PREFERENCE.search(text):
        return PREFERENCE
    if phrases.PLAN.search(text):
        return PLAN
    if _is_past(text):
        return EVENT
    if talk and (phrases.ENDS_OPEN.search(text) or not _names_subject(text)):
        return None
    return FACT if (phrases.STATES.match(text) or phrases.NAMED_SUBJECT.match(text)) else None


def _names_subject(text: str) -> bool:
    return bool(phrases.FIRST_PERSON.match(text) or phrases.ABOUT_NAME.match(text))


def _is_one_off(text: str) -> bool:
    """Whether an order is about one thing: "fix the typo", "add a docstring"; a rule is about things of a kind."""
    if phrases.GENERAL.search(text):
        return False
    words = text.split()
    first = words[1].lower() if words[0].lower() != "please" else (words[2:3] or [""])[0].lower()
    return first in ("the", "a", "an", "my", "one", "another") or text.lower().startswith("please")


def _is_deed(text: str) -> bool:
    """Whether a sentence says what somebody did."""
    match = phrases.PAST.match(text)
    verb = match["verb"].lower() if match else ""
    return verb in IRREGULAR_PAST or (len(verb) > 3 and verb.endswith("ed") and verb not in phrases.NO_PAST)


def _is_past(text: str) -> bool:
    """Whether a sentence reports what somebody did, or what happened at some time."""
    return _is_deed(text) or bool(
        phrases.TIME.search(text) and re.search(r"\b\w{2,}(?<!ne)ed\b|\bwas\b|\bwere\b|\bhad\b", text)
    )
