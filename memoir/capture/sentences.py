"""The sentences of a turn that somebody said: without code, logs and quotations."""

import re
from collections.abc import Iterator

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
