"""The prompts of recall, and how paths are written in them."""

import re
from collections.abc import Sequence

from memoir.llm.prompts import beside, printable, quoted
from memoir.taxonomy.paths import Address

__all__ = ["PROMPTS", "filled", "fingerprint", "is_plain", "printable", "quoted", "template", "written"]

_PLAIN = re.compile(r"[\w.:@-]+")
PROMPTS = beside(__file__)
template, filled = PROMPTS.template, PROMPTS.filled


def fingerprint() -> str:
    """A digest of all the prompts' texts, for the identity of a kept answer."""
    return PROMPTS.fingerprint


def written(address: Address, namespaces: Sequence[str]) -> str:
    """A path or prefix as prompts have it: with its namespace if there are several.

    One that is not well-formed, as a hostile store may hold, is quoted.
    """
    text = address.full_key if len(namespaces) > 1 else address.path
    return text if is_plain(text) else quoted(text)


def is_plain(text: str) -> bool:
    """Whether a text holds nothing but what paths and namespaces are made of."""
    return _PLAIN.fullmatch(text) is not None
