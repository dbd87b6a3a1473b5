"""Finding memories by their content, line by line."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.memory.read import key_range
from memoir.memory.record import decode, projection
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import Address, from_key


class Match(NamedTuple):
    """A memory whose content matches: its address, its line numbers (from 1) and those lines."""

    address: Address
    lines: list[tuple[int, str]]


def grep(
    snapshot: Snapshot, pattern: str, names: Iterable[str], globs: Sequence[str] = (), *, fixed: bool, ignore_case: bool
) -> Iterator[Match]:
    """The memories in force whose content matches a regular expression (or a fixed text), line by line.

    Raises:
        InvalidInput: not a regular expression.
    """
    try:
        search = re.compile(re.escape(pattern) if fixed else pattern, re.IGNORECASE if ignore_case else 0).search
    except re.error as error:
        raise InvalidInput(f"not a regular expression: {pattern!r}: {error}", "-F takes it as a fixed text") from None
    matches = matcher(globs)
    for name in sorted(names, key=lambda name: name + "="):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            address = from_key(key)
            if matches(address.path) and (lines := _matching_lines(projection(decode(value)), search)):
                yield Match(address, lines)


def _matching_lines(text: str, search: Callable[[str], object]) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if search(line)]
