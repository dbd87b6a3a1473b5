"""Globs over paths: `fnmatch`'s, case-sensitive, with `*` crossing dots."""

import fnmatch
import re
from collections.abc import Callable, Sequence

_WILD = "*?["


def literal_prefix(glob: str) -> str:
    """The string that every match begins with: the part before the first wildcard."""
    return glob[: next((at for at, character in enumerate(glob) if character in _WILD), len(glob))]


def is_glob(text: str) -> bool:
    """Whether a string contains a wildcard."""
    return literal_prefix(text) != text


def is_prefix_glob(glob: str) -> bool:
    """Whether the glob is just a literal followed by `*`, so that it matches one key range exactly."""
    return glob == literal_prefix(glob) + "*"


def common_prefix(globs: Sequence[str]) -> str:
    """The longest string that every match of any of the globs begins with."""
    prefixes = [literal_prefix(glob) for glob in globs]
    shortest, longest = min(prefixes, default=""), max(prefixes, default="")
    length = next((i for i, (a, b) in enumerate(zip(shortest, longest, strict=False)) if a != b), len(shortest))
    return shortest[:length]


def matcher(globs: Sequence[str]) -> Callable[[str], bool]:
    """A test for paths that any of the globs matches; no globs at all match everything."""
    if not globs:
        return lambda path: True
    pattern = re.compile("|".join(fnmatch.translate(glob) for glob in globs))
    return lambda path: pattern.match(path) is not None
