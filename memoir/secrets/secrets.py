"""Text that must not be stored: credentials, and text between `<private>` and `</private>`.

The rules are those of redact-secret: some 120 kinds of tokens, keys and passwords, maintained by that project and
matched offline and deterministically by its Rust core. It loads in a millisecond, faster than a regular expression
compiles, so no filter is needed before it. Further well-known shapes are in `memoir.secrets.credentials`; strings that
it wrongly takes for credentials are recognised in `memoir.secrets.examples`.

Private text is removed from sources and from sessions of hosts. A memory with private text is refused, so that its
writer does not assume it was stored.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.records.metadata import OF_MEMOIR, strings_of
from memoir.records.record import Memory
from memoir.secrets.scan import WINDOW, Credential, Window, credentials, first_credential
from memoir.taxonomy.paths import Address


class CredentialFinding(NamedTuple):
    """The rule that found a credential, and its line (from 1); never the credential itself."""

    rule: str
    line: int


def find(text: str) -> CredentialFinding | None:
    """The first credential in a text, or None."""
    credential = first_credential(text)
    return CredentialFinding(credential.rule, text.count("\n", 0, credential.start) + 1) if credential else None


def redact(text: str) -> str:
    """A text with an ellipsis in place of each credential."""
    return strike(text)[0]


def strike(text: str, window: Window = WINDOW) -> tuple[str, list[CredentialFinding]]:
    """A text with an ellipsis in place of each credential, and the findings."""
    parts, findings, at, line, counted = list[str](), list[CredentialFinding](), 0, 1, 0
    for start, end, rule in whole_credentials(text, window):
        if start >= at:
            line, counted = line + text.count("\n", counted, start), start
            parts += [text[at:start], "…"]
            findings.append(CredentialFinding(rule, line))
        at = max(at, end)
    return "".join([*parts, text[at:]]), findings


def whole_credentials(text: str, window: Window = WINDOW) -> Iterator[Credential]:
    """Every credential in a text, in order; a private key, of which rules find only the head, with its body."""
    at = 0
    for each in credentials(text, window):
        is_head = each.rule.endswith("private-key") and each.end > at
        whole = each._replace(end=max(each.end, _end_of_key(text, each.start))) if is_head else each
        at = max(at, whole.end)
        yield whole


_LAST_OF_KEY = r"-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[0-9a-f]+"
"""The last line of a private key, in the formats of the RFCs and of PuTTY."""


def _end_of_key(text: str, at: int) -> int:
    """The end of a private key that begins at `at`; the end of the text if its last line is missing."""
    last = re.compile(_LAST_OF_KEY).search(text, at)
    return last.end() if last else len(text.rstrip())


_HINT = "write where it is kept instead; if it is not a credential, pass --allow-secret"


def quotable(message: str) -> str:
    """The message about a malformed text; if it contains a credential, one that does not quote the text."""
    finding = find(message)
    return f"it is malformed, and looks like a credential (rule: {finding.rule})" if finding else message


def check(text: str, where: str = "", *, hint: str = _HINT) -> None:
    """Refuse a text with a credential; `where` names the text in the message.

    Raises:
        InvalidInput: the text has a credential. The error names the rule and the line, and quotes nothing.
    """
    if finding := find(text):
        line = f", line {finding.line}" if finding.line > 1 else ""
        raise InvalidInput(
            f"{where or 'this'} looks like a credential (rule: {finding.rule}{line})",
            hint,
            rule=finding.rule,
        )


def check_name(name: str) -> None:
    """Refuse a new name of a branch, tag or remote with a credential: logs, messages and remotes would contain it."""
    check(name, "the name", hint="choose another name")


def check_around(message: str | None, addresses: Iterable[Address]) -> None:
    """Refuse a commit message, path or namespace with a credential, because history keeps these, too."""
    _check_together([("the message", message or ""), *(("the path", address.full_key) for address in addresses)])


def check_memory(memory: Memory, addresses: Iterable[Address] = (), message: str | None = None) -> None:
    """Refuse a memory with a credential in its content, metadata or paths, or in its commit's message."""
    _check_together([*_parts(memory, addresses), ("the message", message or "")])


def refusals(memories: Sequence[tuple[Memory, Address]]) -> Iterator[tuple[int, InvalidInput]]:
    """The positions of memories with a credential, each with its error.

    They are scanned together first, and one by one only if that finds something.
    """
    if is_in_any(text for memory, address in memories for _, text in _parts(memory, [address])):
        for position, (memory, address) in enumerate(memories):
            try:
                check_memory(memory, [address])
            except InvalidInput as refusal:
                yield position, refusal


_BETWEEN = "\n\n|\n\n"
"""The separator of texts that are scanned together; no credential contains it."""


def is_in_any(texts: Iterable[str]) -> bool:
    """Whether any of the texts has a credential; scanning them together takes a fraction of the time."""
    together = _BETWEEN.join(filter(None, texts))
    return bool(together) and find(together) is not None


def _check_together(texts: list[tuple[str, str]]) -> None:
    """Refuse the first text with a credential."""
    if is_in_any(text for _, text in texts):
        for where, text in texts:
            check(text, where)


def _parts(memory: Memory, addresses: Iterable[Address]) -> Iterator[tuple[str, str]]:
    """Every string of a memory, each with its name for errors."""
    yield "", memory.content
    for text in _texts("", memory.metadata) if memory.metadata else ():
        yield "the metadata", text
    for address in addresses:
        yield "the path", address.full_key


def _texts(key: str, value: Any, by_name: bool = True) -> Iterator[str]:
    """Every string in metadata, after its key, because a password is often recognised only by its name.

    In fields that memoir itself writes, names do not count.
    """
    if isinstance(value, str):
        yield f"{key}={value}" if key and by_name else value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(key, item, by_name)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            is_searched = by_name and (bool(key) or name not in OF_MEMOIR)
            if not (is_searched and isinstance(item, str)):
                yield name
            yield from _texts(name, item, is_searched)


MARK = "…"
"""The replacement of a private passage, as of a credential."""
_TAG = r"(?i)\\?<\s*+(?P<end>/\s*+)?+private\b[^<>\\]{0,200}+\\?>"
"""A tag, also if its signs are escaped by backslashes, as in Markdown."""


class PrivatePassage(NamedTuple):
    """The first line of a passage, from 1, and whether an end tag closes it; otherwise it extends to the end."""

    line: int
    closed: bool


def strip_private(text: str, mark: str = MARK) -> tuple[str, list[PrivatePassage]]:
    """A text without its private passages, and their positions. Passages may be nested; a lone end tag is text."""
    if "<" not in text:
        return text, []
    parts, passages, at, depth, line, counted = list[str](), list[PrivatePassage](), 0, 0, 1, 0
    for tag in re.finditer(_TAG, text):
        if tag["end"] and depth:
            depth -= 1
            passages[-1] = passages[-1]._replace(closed=not depth)
            at = tag.end()
        elif not tag["end"]:
            if not depth:
                line, counted = line + text.count("\n", counted, tag.start()), tag.start()
                parts += [text[at : tag.start()], mark]
                passages.append(PrivatePassage(line, False))
            depth += 1
    return "".join(parts) + ("" if depth else text[at:]), passages


def refuse_private(memory: Memory) -> None:
    """Refuse a memory with a private passage in its content or metadata.

    Raises:
        InvalidInput: it has one.
    """
    if any(strip_private(text)[1] for text in (memory.content, *strings_of(memory.metadata))):
        raise InvalidInput(
            "text in <private> is never stored, so the memory is refused",
            "write the memory without that part; without the angle brackets, the word itself is welcome",
        )
