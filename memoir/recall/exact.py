"""A query that is a path: what is there comes first."""

from collections.abc import Mapping, Sequence

from memoir.errors import InvalidInput
from memoir.index.documents import IndexedDocument
from memoir.recall.channel import Channel, Search
from memoir.taxonomy.paths import MAX_KEY_BYTES, Address, address


class ExactPath(Channel):
    """Finds the memories at the path that the query is, in every searched namespace or in the one that it names."""

    name = "path"
    weight = 2.0  # more than all other evidence together
    finds = True
    answers = True

    def find(self, search: Search) -> Sequence[int]:
        """The ids of the memories at that path."""
        target = _parse_path(search.query.text.strip())
        return search.among.at_path(target.path, target.namespace) if target else ()

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """1 for a memory at that path."""
        return dict.fromkeys(self.find(search), 1.0)


def _parse_path(text: str) -> Address | None:
    """The path that a text is, with the namespace that it names or an empty one; None if it is no path."""
    if len(text) > MAX_KEY_BYTES or len(text.split()) > 1:
        return None
    try:
        target = address(text)
    except InvalidInput:
        return None
    return target if ":" in text else Address("", target.path)
