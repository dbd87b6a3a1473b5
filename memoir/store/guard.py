"""Refuses a store that belongs to someone else or that could make git execute something.

A `.memoir/` can arrive inside any project that is cloned or unpacked. git trusts a repository's
own config (`uploadpack`, `sshCommand`, `include`, …), so that file is read here, by a parser that
understands only its plain form, and every setting must be on the list below.
"""

import os
import re
from pathlib import Path

from memoir.errors import DamagedStore, NoStore, UnsafeStore

Settings = dict[str, list[str]]

_ALLOWED = re.compile(
    r"core\.(repositoryformatversion|filemode|bare|logallrefupdates|fsync|fsyncmethod|ignorecase|precomposeunicode"
    r"|symlinks|compression|bigfilethreshold|sharedrepository)"
    r"|extensions\.objectformat"
    r"|remote\..+\.(url|pushurl|fetch|push|tagopt|prune|mirror)"
    r"|branch\..+\.(remote|merge|rebase|description)"
    r"|(gc|pack|repack|maintenance|memoir)\..+"
    r"|(receive|transfer|fetch)\.(fsckobjects|denynonfastforwards|denydeletes|denycurrentbranch|unpacklimit)"
    r"|user\.(name|email)"
)
# `ext::` and its kin are helpers that run what the URL says.
_URL_HELPER = re.compile(r"\w+::")
_SECTION = re.compile(r'\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]')
_SETTING = re.compile(r"([A-Za-z][\w-]*)(?:\s*=\s*(.*))?")


def inspect(git_dir: Path) -> Settings:
    """Check a store's owner and config and return its own settings, lower-cased key to values.

    Raises:
        NoStore: there is no config, so this is no store.
        UnsafeStore: the directory is another user's, or its config holds a setting memoir does not allow.
        DamagedStore: the config cannot be read as one.
    """
    _check_owner(git_dir)
    if (git_dir / "commondir").exists():
        raise _unsafe(git_dir, "it borrows its config from elsewhere (a file named 'commondir')")
    try:
        settings = parse_config((git_dir / "config").read_text("utf-8"))
    except FileNotFoundError:
        raise NoStore(f"{git_dir} is not a memoir store", "create one with 'memoir init'") from None
    except UnicodeDecodeError:
        raise DamagedStore(f"{git_dir / 'config'} is not UTF-8 text") from None
    for key, values in settings.items():
        if not _ALLOWED.fullmatch(key):
            raise _unsafe(git_dir, f"its config sets '{key}'")
        if key.startswith("remote.") and any(_URL_HELPER.match(v) or v.startswith("-") for v in values):
            raise _unsafe(git_dir, f"'{key}' names a program")
    return settings


def allows(key: str) -> bool:
    """Whether a store's own config may hold this setting."""
    return _ALLOWED.fullmatch(key) is not None


def _check_owner(git_dir: Path) -> None:
    try:
        owner = git_dir.stat().st_uid
    except FileNotFoundError:
        raise NoStore(f"{git_dir} does not exist", "create a store with 'memoir init'") from None
    user = os.geteuid()
    trusted = {user} | ({int(os.environ["SUDO_UID"])} if user == 0 and os.environ.get("SUDO_UID", "").isdigit() else set())
    if owner not in trusted:
        raise _unsafe(git_dir, f"it belongs to another user (id {owner}, you are {user})")


def _unsafe(git_dir: Path, reason: str) -> UnsafeStore:
    return UnsafeStore(f"refusing to open {git_dir}: {reason}", "if you trust it, take it over with 'memoir clone'")


def parse_config(text: str) -> Settings:
    """Read git's config syntax in its plain form: one setting a line, no continuation lines.

    Raises:
        DamagedStore: a line that this parser does not understand (so that git is never given it).
    """
    settings: Settings = {}
    prefix = ""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if section := _SECTION.fullmatch(line):
            sub = re.sub(r"\\(.)", r"\1", section[2]) if section[2] is not None else None
            prefix = section[1].lower() + (f".{sub}" if sub is not None else "")
        elif prefix and (setting := _SETTING.fullmatch(line)) and not line.endswith("\\"):
            settings.setdefault(f"{prefix}.{setting[1].lower()}", []).append(_value(setting[2]))
        else:
            raise DamagedStore(f"the store's config is not understood at line {number}", "see its file 'config'")
    return settings


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def _value(raw: str | None) -> str:
    """A setting's value: quotes removed, escapes undone, a trailing comment cut; absent means true."""
    if raw is None:
        return "true"
    value, quoted, escaped = "", False, False
    for char in raw:
        if escaped:
            value, escaped = value + _ESCAPES.get(char, char), False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            value += char
    return value.strip()
