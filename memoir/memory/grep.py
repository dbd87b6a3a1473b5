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

_SHOWN = 80
"""How much of a bad pattern an error repeats."""


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
    search = _fixed(pattern, ignore_case) if fixed else _expression(pattern, ignore_case)
    matches = matcher(globs)
    for name in sorted(names, key=lambda name: name + "="):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            address = from_key(key)
            if matches(address.path) and (lines := _matching_lines(projection(decode(value)), search)):
                yield Match(address, lines)


def _matching_lines(text: str, search: Callable[[str], object]) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if search(line)]


Search = Callable[[str], object]
"""Finds the pattern in a line; None if it is not there."""


def _fixed(pattern: str, ignore_case: bool) -> Search:
    return re.compile(re.escape(pattern), re.IGNORECASE if ignore_case else 0).search


def _expression(pattern: str, ignore_case: bool) -> Search:
    """The search for a regular expression by RE2, whose time grows with the line and not faster, whatever the pattern.

    Python's own engine tries every way to match: one memory of 30 letters can keep it busy for ever.
    """
    import re2

    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        search: Search = re2.compile(pattern, options).search
    except re2.error as error:
        raise _refusal(pattern, error.args[0].decode("utf-8", "replace")) from None
    except UnicodeEncodeError:
        raise _refusal(pattern, "it is not valid Unicode") from None
    return search


def _refusal(pattern: str, reason: str) -> InvalidInput:
    shown = pattern if len(pattern) <= _SHOWN else pattern[:_SHOWN] + "…"
    return InvalidInput(
        f"not a regular expression: {shown!r}: {reason[:_SHOWN]}",
        "-F takes it as a plain text; look-around and references to groups are not supported",
    )
