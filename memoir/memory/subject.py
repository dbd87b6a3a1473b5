"""The subject of a commit: what was done at which path, and the first words of the memory."""

_LONGEST = 50
_READ_CHARACTERS = 4096
"""Characters of a memory that are read, enough to find a credential that begins in the words shown."""


def subject(deed: str, content: str) -> str:
    """A subject such as `remember people.bob: Bob is in Busan`: one line, no control characters, no credential."""
    from memoir.memory.secrets import redact  # what scans is loaded for writing alone

    text = redact(content[:_READ_CHARACTERS])
    words = "".join(char if char.isprintable() else " " for char in text).split()
    line = " ".join(words)
    return f"{deed}: {_shorten(line)}" if line else deed


def _shorten(line: str) -> str:
    if len(line) <= _LONGEST:
        return line
    start = line[: _LONGEST - 1]
    return (start.rpartition(" ")[0] or start) + "…"
