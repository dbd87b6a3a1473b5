"""Strings that look like credentials and are not: examples from documentation, and page tokens.

A password that everybody knows protects nothing, so a text that quotes it reveals nothing.
"""

import re
from functools import cache

_WELL_KNOWN = (
    "password|passwd|pass|passphrase|pwd|secret|token|api|key|access|user|username|guest|admin|root|anonymous|default|"
    "postgres|mysql|mongo|redis|rabbitmq|django|insecure|change|me|it|changeme|changeit|test|testing|tests|dev|demo|"
    "example|sample|dummy|fake|mock|placeholder|foo|bar|baz|todo|your|my|the|here|some|value|none|null|redacted|hidden|x+"
)
_HOSTS = (
    r"@\[?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1"
    r"|[a-z][a-z0-9_-]*(?=[]:/\s\"'`,)]|$)|[\w.-]*\bexample(?:\.\w+)?)"
)
_PLACES = (
    r"(?:next|prev|previous|page|paging|continuation|continue|cursor|sync|resume)[_ -]?(?:page)?[_ -]?token\W{0,6}$"
)
_PLACE, _TOKEN = 30, 11
"""How many characters before a page token its name takes, and the word "token" in it."""
BESIDE = 120
"""How many characters before and after any other value are read."""


def is_example(text: str, start: int, end: int, by_name: bool) -> bool:
    """Whether a string that was found in a text is only an example, not a credential.

    `by_name` says that it was found by the word before it, not by its own shape.
    """
    value = text[start:end]
    if value == "…" or ("EXAMPLE" in value and len(value) <= BESIDE):
        return True
    if by_name:
        return _all_well_known(value) or _is_place(text[max(start - _PLACE, 0) : start].lower())
    if text[end : end + 1] != "@" or "//" not in (before := text[max(start - BESIDE, 0) : start]):
        return False
    return _local(value, before, text[end : end + BESIDE])


def _is_place(before: str) -> bool:
    """Whether a text ends in the name of a token that says where a list goes on."""
    return "token" in before[-_TOKEN:] and bool(re.search(_PLACES, before))


def _local(value: str, before: str, behind: str) -> bool:
    """Whether a URL's password is well known or equals the user name, and its host is this machine or an example."""
    user = before.rpartition("//")[2].rstrip(":")
    return (value == user or _all_well_known(value)) and bool(re.match(_HOSTS, behind.lower()))


def _all_well_known(value: str) -> bool:
    return bool(_well_known().fullmatch(value.lower()))  # in small letters: a fourth of the time that IGNORECASE takes


@cache
def _well_known() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_WELL_KNOWN}|\d{{1,3}})(?:[-_ .]|$|(?=\d{{1,3}}$)))+")
