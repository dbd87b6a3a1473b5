"""A commit's subject: what was done where, and the first words of what it was done with."""

_LONGEST = 50
_LOOKED_AT = 4096
"""Characters: a credential that begins among the words shown is recognised within these."""


def subject(deed: str, content: str) -> str:
    """`remember people.bob: Bob is in Busan`: one line without control characters and without a credential."""
    from memoir.memory.secrets import redacted  # what scans is loaded for writing alone

    text = redacted(content[:_LOOKED_AT])
    words = "".join(char if char.isprintable() else " " for char in text).split()
    line = " ".join(words)
    return f"{deed}: {_shortened(line)}" if line else deed


def _shortened(line: str) -> str:
    if len(line) <= _LONGEST:
        return line
    start = line[: _LONGEST - 1]
    return (start.rpartition(" ")[0] or start) + "…"
