"""What looks like a credential and is not: examples from documentation, page tokens, code and prose.

A password that everybody knows protects nothing, so a text that quotes it reveals nothing. Only a text in which
something was found needs these patterns.
"""

import re
from functools import cache

from memoir.secrets.credentials import BESIDE

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
_VARIABLE = re.compile(
    r"(?:[A-Z]+_)+(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|USER|NAME|ID|URL|URI|HOST|PORT|FILE|PATH|DIR)"
)
"""The name of an environment variable."""
_TYPE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+){0,9}\[[A-Za-z_.,| \[\]]{1,99}\W{0,9}")
"""A type with parameters, such as `list[Token]`, and the signs behind it."""
_NAME = re.compile(r"[A-Za-z]+(?:[._][A-Za-z]+){1,9}")
_OPERATOR = re.compile(r" [-+*/%|&] (?=\S)")
_CREDENTIAL = re.compile(r"\b(?:credential|key|password|secret|token)s?\b")
_FUNCTION_WORD = re.compile(r"\b(?:an?|for|from|in|instead|of|on|that|the|to|with)\b")
_PROSE, _FEW = 4, 2
"""The fewest words of prose, and of the common words that every prose has."""


def is_example(text: str, start: int, end: int, by_name: bool) -> bool:
    """Whether a string that was found in a text is only an example, not a credential.

    `by_name` says that it was found by the word before it, not by its own shape.
    """
    value = text[start:end]
    if value == "…" or ("EXAMPLE" in value and len(value) <= BESIDE):
        return True
    if by_name:
        before = text[max(start - _PLACE, 0) : start]
        return (
            _all_well_known(value)
            or _is_place(before.lower())
            or _is_code(value, before, text[end:])
            or _is_prose(value)
        )
    if text[end : end + 1] != "@" or "//" not in (before := text[max(start - BESIDE, 0) : start]):
        return False
    return _local(value, before, text[end : end + BESIDE])


def _is_place(before: str) -> bool:
    """Whether a text ends in the name of a token that says where a list goes on."""
    return "token" in before[-_TOKEN:] and bool(re.search(_PLACES, before))


def _is_code(value: str, before: str, behind: str) -> bool:
    """Whether a value is a variable's name, a type, or begins a calculation: `token: spent - kept`."""
    if _VARIABLE.fullmatch(value) or _TYPE.fullmatch(value):
        return True
    return before[-1:] == " " and bool(_NAME.fullmatch(value) and _OPERATOR.match(behind))


def _is_prose(value: str) -> bool:
    """Whether a value is what somebody says about a credential, as a table of settings does."""
    words = value.lower() if value.count(" ") >= _PROSE - 1 else ""
    return len(_FUNCTION_WORD.findall(words)) >= _FEW and bool(_CREDENTIAL.search(words))


def _local(value: str, before: str, behind: str) -> bool:
    """Whether a URL's password is well known or equals the user name, and its host is this machine or an example."""
    user = before.rpartition("//")[2].rstrip(":")
    return (value == user or _all_well_known(value)) and bool(re.match(_HOSTS, behind.lower()))


def _all_well_known(value: str) -> bool:
    return bool(_well_known().fullmatch(value.lower()))  # in small letters: a fourth of the time that IGNORECASE takes


@cache
def _well_known() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_WELL_KNOWN}|\d{{1,3}})(?:[-_ .]|$|(?=\d{{1,3}}$)))+")
