"""Refuses text that looks like a credential.

The rules are those of redact-secret: some 120 kinds of token, key and password, kept by that project and
matched by its Rust core, offline and the same every time. It takes a millisecond to load, less than the
compilation of any regular expression that could stand before it, so there is none that might let slip what
the rules would refuse. The few well-known shapes it leaves out are in the table below.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.memory.record import Memory
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    import redact_secret


class Finding(NamedTuple):
    """What a text was recognised by, and in which of its lines (from 1); never the credential itself."""

    rule: str
    line: int


class Shape(NamedTuple):
    """A credential's shape: a pattern, and what stands in every match and in few other texts.

    That is a part, and one of some words in lower case, whatever its case.
    """

    rule: str
    part: str
    pattern: str
    words: tuple[str, ...] = ("",)


_PASSWORD = ("passw", "passphrase", "pwd")
_TOKEN = ("token", "key", "secret")


def _password(given: str) -> str:
    """The pattern of a password that is given with a sign or a word: "=", ":" or "is".

    The value must mix letters and digits and be no path, name, call, variable, or kind of hash or encoding.
    """
    return (
        rf"(?i:password|passwd|passphrase|pwd)[\"']?\s{{0,3}}{given}\s{{0,3}}[\"']?"
        r"(?![/~.]|[A-Za-z]:[\\/]|[A-Za-z_]\w{0,60}\.[A-Za-z_]|(?i:sha|md|argon|scrypt|bcrypt|pbkdf|base|utf|aes)-?\d"
        r"|\d+-[a-z]+|\S{0,60}(?i:password))"
        r"(?=[^\s\"']{0,60}[A-Za-z])(?=[^\s\"']{0,60}\d)(?P<value>[^\s\"'`<>(){}\[\]$%*,;]{6,256}+)(?![(\[{<$%*])"
    )


def _token(given: str) -> str:
    """The same of a token or key: 20 letters and digits or more, and no path or address."""
    return (
        rf"(?i:token|api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?)[\"']?\s{{0,3}}{given}\s{{0,3}}[\"']?"
        r"(?![/~.]|\w+/\w+/|[A-Za-z_]\w{0,60}\.[A-Za-z_])"
        r"(?=[\w+/=-]{0,80}\d[\w+/=-]{0,80}\d)(?=[\w+/=-]{0,80}[A-Za-z])(?P<value>[A-Za-z0-9+/=_-]{20,256}+)(?![(\[{<$%*.:/])"
    )


SHAPES = (
    # RFC 7468 and RFC 9580. redact-secret knows whole PEM blocks; here a head with the start of a body counts.
    Shape(
        "private-key",
        "PRIVATE KEY",
        r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----[ \t]*(?:[\r\n]|\\[rn])(?:\s|\\[rn])*[\w+/:-]{8}",
    ),
    # PuTTY's manual, appendix C.
    Shape("putty-private-key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-[23]: [\w-]+(?:\s|\\[rn])+Encryption: "),
    # age's specification (C2SP/age), "The X25519 recipient type": Bech32.
    Shape("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    # AWS IAM user guide, "Unique identifiers". redact-secret lets the ids of Amazon's own examples pass.
    Shape("aws-access-key-id", "AKIA", r"\bAKIA[A-Z2-7]{16}\b"),
    # learn.microsoft.com, "Configure Azure Storage connection strings"; redact-secret wants the whole string.
    Shape("azure-storage-key", "AccountKey=", r"\bAccountKey=[A-Za-z0-9+/]{86}=="),
    # docs.slack.dev, "Sending messages using incoming webhooks": whoever knows the address may post.
    Shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w+/-]{40,}"),
    # discord.com/developers, "Webhook resource".
    Shape("discord-webhook", "/webhooks/", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{17,20}/[\w-]{60,}"),
    # Twilio's documentation, "REST API: API keys"; gitleaks' rule twilio-api-key.
    Shape("twilio-api-key", "SK", r"\bSK[0-9a-f]{32}\b"),
    # Claude Code's documentation, "setup-token" (sk-ant-oat…); redact-secret knows sk-ant-api… and sk-ant-admin….
    Shape("anthropic-token", "sk-ant-", r"\bsk-ant-[\w-]{32,}"),
    # HCP Terraform's documentation, "API tokens"; gitleaks' rule hashicorp-tf-api-token.
    Shape("terraform-token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    # Figma's REST API documentation, "Personal access tokens"; betterleaks' rule figma-personal-access-token.
    Shape("figma-token", "figd_", r"\bfigd_[\w-]{38,42}"),
    # PlanetScale's documentation, "Service tokens"; gitleaks' rules planetscale-….
    Shape("planetscale-token", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}"),
    # Airtable's Web API documentation, "Personal access tokens".
    Shape("airtable-token", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    # JFrog's documentation, "API key"; detect-secrets' ArtifactoryDetector.
    Shape("artifactory-api-key", "AKCp", r"\bAKCp[A-Za-z0-9]{68,70}\b"),
    # developers.google.com, "Using OAuth 2.0": access tokens.
    Shape("google-access-token", "ya29.", r"\bya29\.[\w-]{30,}"),
    # Mailgun's documentation, "Authentication"; gitleaks' rule mailgun-private-api-token.
    Shape("mailgun-key", "key-", r"\bkey-[0-9a-f]{32}\b"),
    # learn.microsoft.com, "Create an account SAS": the signature of a shared address.
    Shape("azure-sas", "sig=", r"[?&]sig=[A-Za-z0-9%+/]{40,}(?:=|%3D)"),
    # The GNU Inetutils manual, "The .netrc file".
    Shape("netrc", "machine", r"\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+[^\s<$]"),
    # sshpass(1) and the like: a password on a command line.
    Shape("sshpass", "sshpass", r"\bsshpass\s+-p\s?['\"]?[^\s'\"$<]{4,}"),
    Shape("password-option", "--password ", "--" + _password(" "), _PASSWORD),
    # detect-secrets' KeywordDetector. redact-secret leaves out short passwords, other names for them, and prose.
    Shape("password", "=", _password("=(?!=)"), _PASSWORD),
    Shape("password-colon", ":", _password(":(?![:=])"), _PASSWORD),
    Shape("password-in-words", " is", _password(r"is\b:?"), _PASSWORD),
    Shape("token", "=", _token("=(?!=)"), _TOKEN),
    Shape("token-colon", ":", _token(":(?![:=])"), _TOKEN),
    Shape("token-in-words", " is", _token(r"is\b:?"), _TOKEN),
)
"""Well-known shapes that redact-secret lacks, each with its source."""
_BY_NAME = frozenset(shape.rule for shape in SHAPES if "?P<value>" in shape.pattern)
"""Rules that know a credential by what stands before it, whatever it looks like."""


def find(text: str) -> Finding | None:
    """The first credential in a text, or None."""
    found = _found(text)
    if not found:
        return None
    start, _, rule = found[0]
    return Finding(rule, text.count("\n", 0, start) + 1)


def redacted(text: str) -> str:
    """A text with an ellipsis in place of each credential."""
    for start, end, _ in reversed(_found(text)):
        text = f"{text[:start]}…{text[end:]}"
    return text


def _found(text: str) -> list[tuple[int, int, str]]:
    """Where each credential begins and ends, and its rule; the first one first, of equals the one that says more."""
    found = [*_rules(text), *_shapes(text)]
    return sorted(found, key=lambda finding: (finding[0], finding[2] in _BY_NAME))


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
        if part in text and any(word in folded for word in words) and (match := re.search(pattern, text)):
            yield *match.span("value" if rule in _BY_NAME else 0), rule
