"""Recognises strings that look like credentials but are not: examples of documentation, page tokens, code and prose.

A well-known password protects nothing, so quoting it reveals nothing. These patterns are needed only after a finding.
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
"""The characters before a page token that contain its name, and the word "token"."""
_VARIABLE = re.compile(
    r"(?:[A-Z]+_)+(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|USER|NAME|ID|URL|URI|HOST|PORT|FILE|PATH|DIR)"
)
"""The name of an environment variable."""
_TYPE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+){0,9}\[[A-Za-z_.,| \[\]]{1,99}\W{0,9}")
"""A type with parameters, such as `list[Token]`, and the signs after it."""
_NAME = re.compile(r"[A-Za-z]+(?:[._][A-Za-z]+){1,9}")
_OPERATOR = re.compile(r" [-+*/%|&] (?=\S)")
_CREDENTIAL = re.compile(r"\b(?:credential|key|password|secret|token)s?\b")
_FUNCTION_WORD = re.compile(r"\b(?:an?|for|from|in|instead|of|on|that|the|to|with)\b")
_PROSE, _FEW = 4, 2
"""The fewest words of prose, and the fewest function words in it."""


def is_example(text: str, start: int, end: int, by_name: bool) -> bool:
    """Whether a found string is only an example, not a credential.

    With `by_name`, it was found by the word before it, not by its own shape.
    """
    value = text[start:end]
    if value == "…" or ("EXAMPLE" in value and len(value) <= BESIDE):
        return True
    if by_name:
        before = text[max(start - _PLACE, 0) : start]
        return (
            _all_well_known(value)
            or _is_page_token(before.lower())
            or _is_code(value, before, text[end:])
            or _is_prose(value)
        )
    if text[end : end + 1] != "@" or "//" not in (before := text[max(start - BESIDE, 0) : start]):
        return False
    return _is_local_url(value, before, text[end : end + BESIDE])


def _is_page_token(before: str) -> bool:
    """Whether a text ends in the name of a page token, which continues a list."""
    return "token" in before[-_TOKEN:] and bool(re.search(_PLACES, before))


def _is_code(value: str, before: str, behind: str) -> bool:
    """Whether a value is a variable's name, a type, or the start of a calculation: `token: spent - kept`."""
    if _VARIABLE.fullmatch(value) or _TYPE.fullmatch(value):
        return True
    return before[-1:] == " " and bool(_NAME.fullmatch(value) and _OPERATOR.match(behind))


def _is_prose(value: str) -> bool:
    """Whether a value is a description of a credential, as in a table of settings."""
    words = value.lower() if value.count(" ") >= _PROSE - 1 else ""
    return len(_FUNCTION_WORD.findall(words)) >= _FEW and bool(_CREDENTIAL.search(words))


def _is_local_url(value: str, before: str, behind: str) -> bool:
    """Whether a URL's password is well known or equals the user name, and its host is this machine or an example."""
    user = before.rpartition("//")[2].rstrip(":")
    return (value == user or _all_well_known(value)) and bool(re.match(_HOSTS, behind.lower()))


def _all_well_known(value: str) -> bool:
    return bool(_well_known().fullmatch(value.lower()))  # lower case takes a quarter of the time of IGNORECASE


@cache
def _well_known() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_WELL_KNOWN}|\d{{1,3}})(?:[-_ .]|$|(?=\d{{1,3}}$)))+")
