"""The paths of a store that could be taken for others.

None is accepted as new, but a merge or fetch brings one, and older versions accepted them.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.git.ref_names import BRANCHES
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, confusion, from_key


class Confusable(NamedTuple):
    """An address that could be taken for another, why, and the branches that have it now."""

    place: Address
    reason: str
    branches: list[str]


def confusables(store: Store, keys: Iterable[bytes]) -> list[Confusable]:
    """Those of some keys that a branch has now and that could be taken for others, in order."""
    reasons = {key: reason for key in keys if (reason := _reason(key))}
    branches: dict[bytes, list[str]] = {}
    for ref in store.refs.list(BRANCHES) if reasons else ():
        with suppress(DamagedStore):  # which is for the check itself to name
            for key in store.of(ref.commit).tree.get(reasons):
                branches.setdefault(key, []).append(ref.name)
    return [Confusable(from_key(key), reasons[key], names) for key, names in sorted(branches.items())]


def _reason(key: bytes) -> str | None:
    if key.isascii():
        return None
    reason, _ = confusion(from_key(key)) or (None, None)
    return reason
