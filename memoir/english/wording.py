"""Comparing texts by their words, marks and capitals, whatever their white space."""


def as_written(text: str) -> str:
    """A text's words, marks and capitals: texts that differ in nothing but white space have the same.

    Lines and what they begin with tell facts apart, as in code, so a text of several keeps those.
    """
    if "\n" in text.strip():
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return " ".join(text.split())


def same_as_written(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but white space.

    Most texts differ in their first word or their last, which is found without a look at the rest.
    """
    return one == other or (
        one.split(None, 1)[:1] == other.split(None, 1)[:1]
        and one.rsplit(None, 1)[-1:] == other.rsplit(None, 1)[-1:]
        and as_written(one) == as_written(other)
    )
