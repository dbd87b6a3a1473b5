"""Paths that differ from stored ones in capitals only, such as `Preferences.Coding` beside `preferences.coding`.

git keeps both, and so do merges, imports and moves. But whoever names such a path for a new memory means the one that
is there, and would not find the memory again beside it.
"""

from collections.abc import Iterable

from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, LookAlike


def refuse_other_case(head: Snapshot, addresses: Iterable[Address]) -> None:
    """Refuse a new address that differs in capitals only from one that is there, or begins with such a segment.

    Raises:
        LookAlike: the hint has the address as the store has it.
    """
    for address in addresses:
        if (stored := _as_stored(head, address)) != address:
            raise LookAlike(
                f"{address.short_key!r} differs in capitals only from a path that is there",
                f"did you mean {stored.short_key!r}?",
            )


def _as_stored(head: Snapshot, address: Address) -> Address:
    """An address with each of its segments written as in the store, from the first one on that are there."""
    path = ""
    for segment in address.path.split("."):
        begin = f"{address.namespace}={path}"
        forms = _forms(head, begin, segment) if not _is_there(head, begin + segment) else []
        path += (forms[0] if forms else segment) + "."
    return address._replace(path=path[:-1])


def _forms(head: Snapshot, begin: str, segment: str) -> list[str]:
    """How a segment is written at a place of the tree: letter by letter, so that a wide level costs no more."""
    forms = [""]
    for letter in segment:
        cases = dict.fromkeys((letter.lower(), letter.upper()))
        forms = [form + case for form in forms for case in cases if _begins(head, begin + form + case)]
    return [form for form in forms if _is_there(head, begin + form)]


def _begins(head: Snapshot, begin: str) -> bool:
    """Whether a key begins so."""
    key = head.tree.first(begin.encode())
    return key is not None and key.startswith(begin.encode())


def _is_there(head: Snapshot, place: str) -> bool:
    """Whether a path is this or below it."""
    return head.tree.first(place.encode()) == place.encode() or _begins(head, f"{place}.")
