"""Checks keys and records from elsewhere before a store takes them, and finds paths that look alike.

A path that looks like another is not damage: writes refuse such a path, but merges and fetches can bring one, and older
versions accepted them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from memoir.errors import DamagedStore, InvalidInput
from memoir.git.ref_names import BRANCHES
from memoir.memory.layer_namespaces import mark_problem
from memoir.records import sound
from memoir.store.store import Store
from memoir.taxonomy.paths import (
    LAYERS_NAMESPACE,
    LEXICON_NAMESPACE,
    MAX_KEY_BYTES,
    MAX_SEGMENTS,
    Address,
    check_namespace,
    check_path,
    confusion,
    from_key,
)

_PLAIN_KEY = re.compile(rb"(?!memoir:)\w[\w:@-]*+=\w[\w-]*+(?:\.\w[\w-]*+){,%d}" % (MAX_SEGMENTS - 1))
"""A sound ASCII key outside memoir's own namespaces, as nearly all keys are."""


@cache
def _plain_keys() -> re.Pattern[bytes]:
    """A pattern for many such keys, each after a zero byte, which no key can contain."""
    return re.compile(rb"(?:\0%s)*+" % _PLAIN_KEY.pattern)


def are_plain(keys: Sequence[bytes]) -> bool:
    """True only if all keys are sound and outside memoir's own namespaces; may be False for sound keys."""
    return max(map(len, keys), default=0) <= MAX_KEY_BYTES and bool(_plain_keys().fullmatch(b"\0" + b"\0".join(keys)))


def fault(key: bytes, value: bytes | None) -> str | None:
    """The fault of a stored key, or of its record if `value` is given; None if there is none."""
    if len(key) > MAX_KEY_BYTES or not _PLAIN_KEY.fullmatch(key):
        return _find_fault(key, value)
    return None if value is None else sound.problem(value)


def _find_fault(key: bytes, value: bytes | None) -> str | None:
    address = from_key(key)
    try:
        check_namespace(address.namespace)
        check_path(address.path)
    except InvalidInput as error:
        return error.message
    if len(key) > MAX_KEY_BYTES:
        return f"the key takes {len(key)} bytes, {MAX_KEY_BYTES} are allowed"
    if address.namespace == LAYERS_NAMESPACE:
        return mark_problem(address, value)
    if address.namespace == LEXICON_NAMESPACE:
        from memoir.memory.store_lexicon import line_problem  # most stores have no words of their own

        return line_problem(address, value)
    return None if value is None else sound.problem(value)


def refuse_faults(values: Mapping[Address, bytes]) -> None:
    """Refuse damaged records."""
    for address, value in values.items():
        if problem := fault(address.key, value):
            raise DamagedStore(f"the record at {address.full_key} is damaged: {problem}")


class Confusable(NamedTuple):
    """An address that looks like another, the reason, and the branches that have it now."""

    place: Address
    reason: str
    branches: list[str]


def confusables(store: Store, keys: Iterable[bytes]) -> list[Confusable]:
    """The keys that look like others and are on a branch now, sorted."""
    reasons = {key: reason for key in keys if (reason := _reason(key))}
    branches: dict[bytes, list[str]] = {}
    tips = store.refs.list(BRANCHES) if reasons else {}
    for name, commit in tips.items():
        with suppress(DamagedStore):  # the check itself reports it
            for key in store.of(commit).tree.get(reasons):
                branches.setdefault(key, []).append(name)
    return [Confusable(from_key(key), reasons[key], names) for key, names in sorted(branches.items())]


def _reason(key: bytes) -> str | None:
    if key.isascii():
        return None
    reason, _ = confusion(from_key(key)) or (None, None)
    return reason
