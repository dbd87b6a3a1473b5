"""Machine text: tell code from prose by its signs, and find the telling words of an error message."""

import re

_SIGNS = str.maketrans("", "", "{}()[];=<>|&/\"'`")
_FENCES = ("```", "~~~")
_FENCE = r"\s*(?:`{3,}|~{3,})(\S*)"
_FORMULA = r"\\[a-zA-Z]+|\\[(){}\[\]]|[\^_]\{[^}]*\}"
"""TeX markup, which is not code."""
_BEGINS = (
    r"(?:import|export|const|let|var|def|class|return|function|async function|else|elif|try|catch|throw|await)\b"
    r"|//|/\*|\*/|#include|</?\w|[}\])@$]"
)
_ENDS = (";", "{", "}", "=>", "({", "[", "],", "},", ");", "),", "/>")
_DENSE = 0.1
"""The share of signs from which a line is code; prose has a third of it."""
_BETWEEN_FENCES = r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)"


def without_fenced(text: str, instead: str) -> str:
    """Replace each fenced part of a text by `instead`."""
    return re.sub(_BETWEEN_FENCES, instead, text) if "```" in text or "~~~" in text else text


def is_code(line: str) -> bool:
    """Whether a line, or a sentence of a text with joined lines, is code."""
    text = line.strip()
    if text.startswith(_FENCES):
        return True
    share = _share_of_signs(text)
    if share < _DENSE / 2:
        return False  # settles most prose before a pattern is compiled
    is_dense = share >= _DENSE or text.endswith(_ENDS) or re.match(_BEGINS, text) is not None
    return is_dense and not re.search(_FORMULA, text)


def is_mostly_code(text: str) -> bool:
    """Whether most of a text is code; everything between fences is."""
    if _share_of_signs(text) < _DENSE / 4 and "```" not in text and "~~~" not in text:
        return False  # settles most texts
    of_code, of_prose, fenced = 0, 0, False
    for line in text.splitlines():
        if fence := re.match(_FENCE, line):
            fenced = bool(fence[1]) or not fenced
        elif fenced or is_code(line):
            of_code += len(line.strip())
        else:
            of_prose += len(line.strip())
    return of_code > of_prose


def _share_of_signs(text: str) -> float:
    return 1 - len(text.translate(_SIGNS)) / len(text) if text else 0.0


LONGEST = 20_000
"""The last characters of an error that are read: tools print the cause last."""
_MOST_WORDS = 120
_PATH = r"(?<![\w/])(?:[\w.@~-]*[/\\])+[\w.@*-]*(?::\d+)*:?"
_URL = r"(?i)\b[a-z][a-z0-9+.-]*://\S+"
_ID = r"(?i)\b(?:0x[0-9a-f]+|[0-9a-f]{7,}|[0-9][\w.:,-]*)\b"
_ESCAPE = r"\x1b\[[0-9;]*[A-Za-z]"
_NOISE = (
    r"(?i)\b(?:exit (?:code|status)|traceback \(most recent call last\)|in <module>|no such file or directory|"
    r"command not found|permission denied|connection refused|aborted|killed|errno|npm err!?|fatal|error|errors|failed|"
    r"failure|warning|exception|line|file|caused by|passed|did you mean|note)\b[:!]?"
)
"""Words found in nearly every failure."""


def words_of_failure(error: str) -> str:
    """The distinctive words of an error, to search memories by; empty if it has none."""
    text = error[-LONGEST:]
    for pattern, instead in ((_ESCAPE, ""), (_URL, " "), (_PATH, " "), (_ID, " "), (_NOISE, " ")):
        text = re.sub(pattern, instead, text)
    words = re.findall(r"[A-Za-z_][\w'.-]*\w", text)
    return " ".join(list(dict.fromkeys(words))[-_MOST_WORDS:])
