"""The phrases by which sentences of sessions, documents and chats alike are told from what is worth keeping."""

import re

from memoir.english.patterns import alternatives, anywhere, at_start

_CALLS = r"""
    hey|hi|hello|yo|oh|ah|wow|whoa|woohoo|yay|aww?|haha\w*|lol|yeah|yes|yep|yup|nope?|nah|ok(?:ay)?|sure|right|alright
    well|so|and|but|also|plus|anyway|actually|honestly|basically|totally|absolutely|exactly|definitely|of course
    thanks(?: so much| a lot)?|thank you(?: so much)?|sorry|cool|great|nice|awesome|amazing
    good (?:morning|evening|afternoon)|guess what|in short|as (?:a reminder|mentioned)
"""
"""Words that lead to what is said if a mark follows them, or a name and a mark."""
_LEADS = r"""
    ok(?:ay)?|so|and|but|also|oh|hey|hm+|no(?=[,.!])|yes|nope|well|cool|right|again|btw|by the way|fyi|heads up
    (?:please )?note(?: that)?|note for later|one more thing|for (?:future )?reference|for the record
    (?:please |pls )?remember(?: that)?|keep in mind(?: that)?|just so you know|you should know(?: that)?
    be aware(?: that)?
"""
"""Words that lead to what is said, whatever follows them."""
_LEAD = re.compile(
    rf"(?:(?:{alternatives(_CALLS)})(?:\s+(?-i:[A-Z])[\w'’-]+)?\s*[,!.:;—-]+\s*"
    rf"|(?:{alternatives(_LEADS)})\b(?:[\s,:.!-]+|$))+",
    re.IGNORECASE,
)
SUPPOSITION = anywhere(
    r"""
    if we ever|imagine|suppose|maybe|perhaps|might|i (?:think|guess|suppose|wonder|doubt|feel like|bet)
    i(?:'m| am) guessing|not sure|what if|could always|could be|would be|wouldn'?t|probably
    hypothetically|let me know|hopefully|hope|wish|fingers crossed|it depends|kidding|if only
    """
)
NEW_SUBJECT = at_start(
    """
    anyway|by the way|btw|on another note|on a different note|changing the subject|to change the subject|new topic
    different topic|unrelated|one more thing|another thing|next topic
    """
)
"""How somebody begins who changes the subject of a talk."""


def without_lead(sentence: str) -> str:
    """A sentence without the words that only lead to what it says: "by the way, "."""
    return sentence[lead.end() :] if (lead := _LEAD.match(sentence)) else sentence


_TO_KEEP = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|also|please|pls|(?:can|could|will|would) you)\b[\s,]*)*"
    r"(?:remember|keep in mind|bear in mind|make a note|note|don['’]?t forget|do not forget)(?:\s+that\b|\s*:)[\s,:]*"
    r"(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)


def asked_to_remember(sentence: str) -> str:
    """What a sentence asks somebody to remember, "please remember that …"; empty if it does not, or asks a question."""
    asked = _TO_KEEP.match(sentence)
    return sentence[asked.end() :] if asked and not is_question(sentence) else ""


def is_question(text: str) -> bool:
    """Whether a text ends as a question does."""
    return "?" in text.rstrip()[-3:]
