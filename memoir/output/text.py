"""Making stored text safe to show: no memory may move a cursor, ring a bell or reorder a line."""

import re

# C0 and C1 controls save the tab, DEL, and the marks that change the direction of text.
_UNSAFE = "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def neutralise(text: str) -> str:
    r"""Show control characters as escapes (`\x1b`, `\u202e`)."""
    return text if text.isprintable() else re.sub(_UNSAFE, _escape, text)


def _escape(match: "re.Match[str]") -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str, width: int = 100) -> str:
    """The first line of a text, shortened to a width with an ellipsis."""
    first, _, rest = text.strip().partition("\n")
    if len(first) <= width and not rest:
        return first
    return first[: width - 1].rstrip() + "…"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 memory`, `2 memories`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
