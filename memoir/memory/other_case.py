"""Paths that differ from others in capitals only, such as `Preferences.Coding` beside `preferences.coding`.

git keeps both, and so do merges and moves. But a user who names such a path for a new memory means the existing one,
and would not find the memory beside it. Writes check this inside their transaction, so that the second of two
concurrent writers is refused.
"""

from collections.abc import Iterable, Iterator

from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, LookAlike


def refuse_other_case(head: Snapshot, addresses: Iterable[Address]) -> None:
    """Refuse new addresses that differ, as a whole or at the beginning, only in capitals from stored ones.

    They are also compared with each other.
    """
    spellings = Spellings(head)
    for address in addresses:
        _refuse_if_different(address, _as_stored(head, address))
        spellings.refuse(address)
        spellings.add(address)


class Spellings:
    """The spellings of paths and their beginnings in a list of addresses, which may be read once."""

    def __init__(self, head: Snapshot) -> None:
        self._head = head
        self._first: dict[tuple[str, str], str] = {}

    def __bool__(self) -> bool:
        return bool(self._first)

    def add(self, address: Address) -> None:
        """Note the spelling of an address, if it is the first."""
        for prefix in _prefixes(address):
            self._first.setdefault((address.namespace, prefix.lower()), prefix)

    def refuse(self, address: Address) -> None:
        """Refuse an address that differs only in capitals from a noted one, unless the store has it spelled so."""
        for prefix in _prefixes(address):
            known = self._first.get((address.namespace, prefix.lower()), prefix)
            if known != prefix and not _exists(self._head, f"{address.namespace}={prefix}"):
                _refuse_if_different(address, address._replace(path=known + address.path[len(prefix) :]))


def _prefixes(address: Address) -> Iterator[str]:
    """The prefixes of an address's path, from its first segment to the whole path."""
    segments = address.path.split(".")
    return (".".join(segments[:end]) for end in range(1, len(segments) + 1))


def _refuse_if_different(address: Address, known: Address) -> None:
    if known != address:
        raise LookAlike(
            f"{address.short_key!r} differs in capitals only from {known.short_key!r}",
            f"did you mean {known.short_key!r}?",
        )


def _as_stored(head: Snapshot, address: Address) -> Address:
    """An address with its segments spelled as in the store, where the store has them."""
    path = ""
    for segment in address.path.split("."):
        begin = f"{address.namespace}={path}"
        forms = _spellings_of(head, begin, segment) if not _exists(head, begin + segment) else []
        path += (forms[0] if forms else segment) + "."
    return address._replace(path=path[:-1])


def _spellings_of(head: Snapshot, begin: str, segment: str) -> list[str]:
    """The spellings of a segment in the store; searched letter by letter, so that a wide level costs no more."""
    forms = [""]
    for letter in segment:
        cases = dict.fromkeys((letter.lower(), letter.upper()))
        forms = [form + case for form in forms for case in cases if _any_begins(head, begin + form + case)]
    return [form for form in forms if _exists(head, begin + form)]


def _any_begins(head: Snapshot, begin: str) -> bool:
    """Whether any key begins like this."""
    key = head.tree.first(begin.encode())
    return key is not None and key.startswith(begin.encode())


def _exists(head: Snapshot, prefix: str) -> bool:
    """Whether the prefix is a path or has paths below it."""
    return head.tree.first(prefix.encode()) == prefix.encode() or _any_begins(head, f"{prefix}.")
