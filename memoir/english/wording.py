"""Comparing texts by their words, marks and capitals, without regard to white space."""


def as_written(text: str) -> str:
    """A text with its white space normalised: texts that differ only in white space become the same.

    Line breaks and indentation distinguish facts, as in code, so a text of several lines keeps them.
    """
    if "\n" in text.strip():
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return " ".join(text.split())


def same_as_written(one: str, other: str) -> bool:
    """Whether two texts differ only in white space.

    Most texts differ in their first or last word, so these are compared before the rest is read.
    """
    return one == other or (
        one.split(None, 1)[:1] == other.split(None, 1)[:1]
        and one.rsplit(None, 1)[-1:] == other.rsplit(None, 1)[-1:]
        and as_written(one) == as_written(other)
    )
