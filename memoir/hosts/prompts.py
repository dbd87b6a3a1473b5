"""The user's text in a prompt, without the parts that a host has put around it; and whether it says anything."""

import re

from memoir.layers.host_text import ELEMENTS

_AROUND = re.compile(rf"<({ELEMENTS})>.*?(?:</\1>|\Z)", re.DOTALL)
"""What a host has put there; to the end, where its end tag is cut off with the rest of the prompt."""
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ACKNOWLEDGEMENT_WORDS = """
    a again ahead all alright also amazing and any awesome better bravo but bye can cheers commit continue cool
    correct could did do does doing done exactly excellent fine fix for go good got great hello hey hi hm hmm i it
    it's its just keep lgtm like looks love lovely make me more much my nah nevermind next nice no nope now of ok
    okay on one oh perfect please proceed push really resume retry right run same ship so sorry sounds start still
    stop sure test thank thanks that that's the then there this to too try undo up very wait way well what works
    would wow yeah yep yes you you're your
    """
"""Words of which an acknowledgement consists."""
_MOST_WORDS = 8
"""An acknowledgement is no longer than this."""


_OWN = re.compile(r"step: [a-z]+\.[a-z0-9]+\n")


def is_own(prompt: str) -> bool:
    """Whether memoir itself asks a model this, through a gateway that lets an agent answer."""
    return bool(_OWN.match(prompt))


def strip_host_text(prompt: str) -> str:
    """The text that the user typed: a prompt without the parts that the host has added."""
    return _AROUND.sub("", prompt).strip()


def says_nothing(text: str) -> bool:
    """Whether a typed text is empty, a command of the host, or an acknowledgement such as 'ok, go ahead'."""
    if not text or text[0] in "/!#":
        return True
    words = _WORDS.findall(text[:1000].casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and {*_ACKNOWLEDGEMENT_WORDS.split()}.issuperset(words)
