"""Finding memories by their content, line by line."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

from memoir.errors import InvalidInput
from memoir.memory.damage import readable
from memoir.memory.read import key_range
from memoir.memory.record import projection
from memoir.memory.staleness import Staleness
from memoir.named_tuple import NamedTuple
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import Address, from_key

_SHOWN_CHARACTERS = 80
"""Characters of a bad pattern that an error repeats."""


class FoundLine(NamedTuple):
    """A line that matches: its number (from 1), its text, and the spans in which the pattern is found."""

    number: int
    text: str
    spans: list[tuple[int, int]]


class Match(NamedTuple):
    """A record whose content matches: its address and the lines that do; of an insight, whether it is out of date."""

    address: Address
    lines: list[FoundLine]
    stale: bool | None = None


def grep(
    snapshot: Snapshot, pattern: str, names: Iterable[str], globs: Sequence[str] = (), *, fixed: bool, ignore_case: bool
) -> Iterator[Match]:
    """The records whose active content matches a regular expression (or a fixed string), line by line.

    Raises:
        InvalidInput: not a regular expression.
    """
    search = _literal(pattern, ignore_case) if fixed else _expression(pattern, ignore_case)
    return _find(snapshot, search, names, globs)


def _find(snapshot: Snapshot, search: "Search", names: Iterable[str], globs: Sequence[str]) -> Iterator[Match]:
    matches, staleness = matcher(globs), Staleness(snapshot)
    for name in sorted(names, key=lambda name: name + "="):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            address = from_key(key)
            if not matches(address.path) or (record := readable(snapshot, key, value)) is None:
                continue
            if lines := _find_lines(projection(record), search):
                yield Match(address, lines, staleness.of(address))


def _find_lines(text: str, search: "Search") -> list[FoundLine]:
    lines = enumerate(text.split("\n"), 1)
    return [
        FoundLine(number, line, [match.span() for match in chain([first], rest)])
        for number, line in lines
        for rest in [search(line)]
        if (first := next(rest, None))
    ]


class _Match(Protocol):
    def span(self) -> tuple[int, int]: ...


Search = Callable[[str], Iterator[_Match]]
"""Finds every match of the pattern in a line."""


def _literal(pattern: str, ignore_case: bool) -> Search:
    return re.compile(re.escape(pattern), re.IGNORECASE if ignore_case else 0).finditer


def _expression(pattern: str, ignore_case: bool) -> Search:
    """Search for a regular expression with RE2, which takes time in proportion to the line, whatever the pattern.

    Python's own engine tries every way to match: one memory of 30 letters can keep it busy forever.
    """
    import re2

    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        search: Search = re2.compile(pattern, options).finditer
    except re2.error as error:
        raise _refusal(pattern, error.args[0].decode("utf-8", "replace")) from error
    except UnicodeEncodeError as error:
        raise _refusal(pattern, "it is not valid Unicode") from error
    return search


def _refusal(pattern: str, reason: str) -> InvalidInput:
    excerpt = pattern if len(pattern) <= _SHOWN_CHARACTERS else pattern[:_SHOWN_CHARACTERS] + "…"
    return InvalidInput(
        f"not a regular expression: {excerpt!r}: {reason[:_SHOWN_CHARACTERS]}",
        "-F searches for a plain string; look-around and references to groups are not supported",
    )
