"""Paths that differ from others in capitals only, such as `Preferences.Coding` beside `preferences.coding`.

git keeps both, and so do merges and moves. But whoever names such a path for a new memory means the one that is there,
and would not find the memory again beside it. A write asks inside its transaction, so that of two writers at once the
second one is refused.
"""

from collections.abc import Iterable, Iterator

from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, LookAlike


def refuse_other_case(head: Snapshot, addresses: Iterable[Address]) -> None:
    """Refuse a new address that differs in capitals only from one that is there, or begins with such a segment.

    The addresses are compared with each other, too.
    """
    spellings = Spellings(head)
    for address in addresses:
        _insist(address, _as_stored(head, address))
        spellings.refuse(address)
        spellings.add(address)


class Spellings:
    """How a list of addresses writes its paths and their beginnings, for a list that need not fit into memory."""

    def __init__(self, head: Snapshot) -> None:
        self._head = head
        self._first: dict[tuple[str, str], str] = {}

    def __bool__(self) -> bool:
        return bool(self._first)

    def add(self, address: Address) -> None:
        """Note how an address is written, unless the list has written it otherwise before."""
        for place in _places(address):
            self._first.setdefault((address.namespace, place.lower()), place)

    def refuse(self, address: Address) -> None:
        """Refuse an address that differs in capitals only from those noted, unless the store has it so."""
        for place in _places(address):
            known = self._first.get((address.namespace, place.lower()), place)
            if known != place and not _is_there(self._head, f"{address.namespace}={place}"):
                _insist(address, address._replace(path=known + address.path[len(place) :]))


def _places(address: Address) -> Iterator[str]:
    """The beginnings of an address's path, a segment longer each, up to the whole."""
    segments = address.path.split(".")
    return (".".join(segments[:end]) for end in range(1, len(segments) + 1))


def _insist(address: Address, known: Address) -> None:
    if known != address:
        raise LookAlike(
            f"{address.short_key!r} differs in capitals only from {known.short_key!r}",
            f"did you mean {known.short_key!r}?",
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
