"""The words of a command's error that say what went wrong.

What differs from run to run is taken out: paths, numbers, ids, addresses, times. So is how tools begin their lines.
"""

import re

LONGEST = 20_000
"""The characters of an error that are read, from its end: tools say last what went wrong."""
_MOST_WORDS = 120
_PATH = re.compile(r"(?<![\w/])(?:[\w.@~-]*[/\\])+[\w.@*-]*(?::\d+)*:?")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_ID = re.compile(r"\b(?:0x[0-9a-f]+|[0-9a-f]{7,}|[0-9][\w.:,-]*)\b", re.IGNORECASE)
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NOISE = re.compile(
    r"\b(?:exit (?:code|status)|traceback \(most recent call last\)|in <module>|no such file or directory|"
    r"command not found|permission denied|connection refused|aborted|killed|errno|npm err!?|fatal|error|errors|failed|"
    r"failure|warning|exception|line|file|caused by|passed|did you mean|note)\b[:!]?",
    re.IGNORECASE,
)
"""What nearly every failure says."""


def words_of_failure(error: str) -> str:
    """The words of an error by which memories about it are found; empty if it has none of its own."""
    text = _ESCAPE.sub("", error[-LONGEST:])
    for pattern in (_URL, _PATH, _ID, _NOISE):
        text = pattern.sub(" ", text)
    words = re.findall(r"[A-Za-z_][\w'.-]*\w", text)
    return " ".join(list(dict.fromkeys(words))[-_MOST_WORDS:])
