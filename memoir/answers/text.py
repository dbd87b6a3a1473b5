"""Words of several answers: a string in one line, a number of things."""


def one_line(text: str, width: int = 100) -> str:
    """The first line of a string, shortened to a width with an ellipsis."""
    first, _, rest = text.strip().partition("\n")
    if len(first) <= width and not rest:
        return first
    return first[: width - 1].rstrip() + "…"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 memory`, `2 memories`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
