"""Sequences: the paths that follow each other, such as the turns of a conversation."""

import re

from memoir.taxonomy.paths import Address

_DIGITS = 20


def sequence_of(address: Address) -> str:
    """The name of the sequence that a path belongs to.

    Paths of one parent are in one sequence if their last segments differ only in numbers: `turn_1`, `turn_2`, or days.
    Siblings with different names, such as `testing` and `style`, are not; then only the memories of the same path are
    neighbours.
    """
    parent, _, last = address.path.rpartition(".")
    pattern = re.sub(r"\d+", "#", last)
    return f"{address.namespace}={parent}.{pattern}" if pattern != last else f"{address.namespace}={address.path}"


def sort_key(path: str) -> str:
    """The sort key of a path in a sequence: numbers in it count as numbers, so `turn_2` comes before `turn_10`."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(_DIGITS), path)
