"""Strings that look like credentials and are not: examples from documentation, and page tokens.

A password that everybody knows protects nothing, so a text that quotes it reveals nothing.
"""

import re

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
_BESIDE = 120
"""How many characters before and after a value are read."""


def is_example(text: str, start: int, end: int, *, by_name: bool) -> bool:
    """Whether a string that was found in a text is only an example, not a credential.

    `by_name` says that it was found by the word before it, not by its own shape.
    """
    value, before = text[start:end], text[max(start - _BESIDE, 0) : start]
    if value == "…" or (len(value) <= _BESIDE and "EXAMPLE" in value):
        return True
    if by_name:
        return _all_well_known(value) or bool(re.search(_PLACES, before, re.IGNORECASE))
    return "//" in before and text[end : end + 1] == "@" and _local(value, before, text[end : end + _BESIDE])


def _local(value: str, before: str, behind: str) -> bool:
    """Whether a URL's password is well known or equals the user name, and its host is this machine or an example."""
    user = before.rpartition("//")[2].rstrip(":")
    return (value == user or _all_well_known(value)) and bool(re.match(_HOSTS, behind, re.IGNORECASE))


def _all_well_known(value: str) -> bool:
    return bool(re.fullmatch(rf"(?:(?:{_WELL_KNOWN}|\d{{1,3}})(?:[-_ .]|$|(?=\d{{1,3}}$)))+", value, re.IGNORECASE))
