"""Refuses text that looks like a credential.

The rules are those of redact-secret: some 120 kinds of token, key and password, kept by that project and
matched by its Rust core, offline and the same every time. It takes a millisecond to load, less than the
compilation of any regular expression that could stand before it, so there is none that might let slip what
the rules would refuse. The well-known shapes it leaves out are in `memoir.memory.credentials`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.memory.credentials import BY_NAME, SHAPES
from memoir.memory.record import Memory
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    import redact_secret


class Finding(NamedTuple):
    """What a text was recognised by, and in which of its lines (from 1); never the credential itself."""

    rule: str
    line: int


def find(text: str) -> Finding | None:
    """The first credential in a text, or None."""
    found = _found(text)
    if not found:
        return None
    start, _, rule = found[0]
    return Finding(rule, text.count("\n", 0, start) + 1)


def redacted(text: str) -> str:
    """A text with an ellipsis in place of each credential."""
    kept, at = [], 0
    for start, end, rule in _found(text):
        if start >= at:
            kept += [text[at:start], "…"]
        at = max(at, len(text) if rule.endswith("private-key") else end)  # a key's head is found; its body follows
    return "".join([*kept, text[at:]])


def _found(text: str) -> list[tuple[int, int, str]]:
    """Where each credential begins and ends, and its rule; the first one first, of equals the one that says more."""
    found = [*_rules(text), *_shapes(text)]
    return sorted(found, key=lambda finding: (finding[0], finding[2] in BY_NAME))


def check(text: str, where: str = "") -> None:
    """Refuse a text that holds a credential; `where` names the text to the reader.

    Raises:
        InvalidInput: it holds one. The error names the rule and the line, and repeats nothing of the text.
    """
    if found := find(text):
        line = f", line {found.line}" if found.line > 1 else ""
        raise InvalidInput(
            f"{where or 'this'} looks like a credential (rule: {found.rule}{line})",
            "name where it is kept instead; if it is none, pass --allow-secret",
            rule=found.rule,
        )


def check_around(message: str | None, places: Iterable[Address]) -> None:
    """Refuse a commit message, a path or a namespace that holds a credential: history keeps those as well.

    Raises:
        InvalidInput: one does.
    """
    check(message or "", "the message")
    for place in places:
        check(place.full_key, "the path")


def check_memory(memory: Memory) -> None:
    """Refuse a memory that holds a credential in its content or its metadata.

    Raises:
        InvalidInput: it holds one.
    """
    check(memory.content)
    for text in _texts("", memory.metadata):
        check(text, "the metadata")


def _texts(key: str, value: Any) -> Iterator[str]:
    """Every text in metadata, with its key before it: a password is often recognised by its name alone."""
    if isinstance(value, str):
        yield f"{key}={value}" if key else value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(key, item)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if not isinstance(item, str):
                yield name
            yield from _texts(name, item)


@cache
def _scanner() -> Callable[[str], "list[redact_secret.Finding]"]:
    import redact_secret

    # Both bounds are beyond what a memory can hold: a scan must not fail for the size of its text.
    limits = redact_secret.WholeInputLimits(max_input_bytes=2**40, max_findings=2**32)
    return lambda text: redact_secret.scan(text, limits=limits)


def _rules(text: str) -> Iterator[tuple[int, int, str]]:
    """Where redact-secret's rules match."""
    # Lone surrogates are no text to the scanner; memories with them are refused elsewhere, by name.
    for finding in _scanner()(text if text.isascii() else text.encode(errors="replace").decode()):
        yield finding.start, finding.end, finding.type.replace("_", "-")


def _shapes(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a shape of the table matches. Its parts are looked for first: few texts need a pattern at all."""
    folded = text.casefold()
    for rule, part, pattern, words in SHAPES:
        if (part in text or part in folded) and any(word in folded for word in words):
            for match in re.finditer(pattern, text):
                yield *match.span("value" if rule in BY_NAME else 0), rule
