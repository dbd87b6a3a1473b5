"""A store's own taxonomy: categories that extend or replace the default, versioned like memories.

The namespace `memoir:taxonomy`, which recall does not search, holds each category at its path: the description is the
content, examples and cues are metadata. A record at `_base` means that the default is replaced.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.memory.read import get, keys
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.record import Memory, Record, active_facets, encode
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Part
from memoir.store.transaction import Change, write
from memoir.taxonomy import catalogue
from memoir.taxonomy.catalogue import Catalogue, Category
from memoir.taxonomy.paths import INBOX, TAXONOMY_NAMESPACE, Address, address, check_new, check_path

_BASE = Address(TAXONOMY_NAMESPACE, "_base")
DEFAULT, EXTENSION, REPLACEMENT = "default", "extended", "replaced"


class StoreTaxonomy(NamedTuple):
    """The active categories, and their source: default, extended or replaced."""

    catalogue: Catalogue
    source: str


class LoadResult(NamedTuple):
    """The result of loading categories."""

    total: int
    """The number of loaded categories."""
    commit: "Commit | None"
    """The commit; None if nothing changed."""


def active_taxonomy(snapshot: Snapshot) -> StoreTaxonomy:
    """The taxonomy used for filing in a store."""
    places = list(keys(snapshot, [TAXONOMY_NAMESPACE]))
    if not places:
        return StoreTaxonomy(catalogue.default(), DEFAULT)
    by_place = get(snapshot, places, listed=True)
    own = Catalogue(_category(place, record) for place, record in by_place.items() if place != _BASE and record)
    if _BASE in by_place:
        return StoreTaxonomy(own, REPLACEMENT)
    return StoreTaxonomy(catalogue.default().plus(own), EXTENSION)


class Categories(Part):
    """The categories of a store: the default ones, extended or replaced by its own versioned ones."""

    def list(self, *, at: str | None = None) -> StoreTaxonomy:
        """Return the categories used for filing, and their source.

        Raises:
            NotFound: there is no such revision.
        """
        return active_taxonomy(self._store.at(at))

    def add(
        self,
        path: str,
        about: str,
        *,
        examples: Sequence[str] = (),
        cues: Sequence[str] = (),
        options: WriteOptions = DEFAULTS,
    ) -> "Commit | None":
        """Add or change a category of one or two segments: its description, example memories, and cue words.

        Raises:
            InvalidInput: the path is malformed or has more than two segments, or its first one is not a category.
        """
        store, category = self._store, Category(path, about, tuple(examples), tuple(cues))
        _refuse_credentials([category], options)
        first, dot, rest = path.partition(".")
        _refuse_inbox(path)
        if "." in rest:
            hint = "the third level is named after each memory's text"
            raise InvalidInput(f"{path!r} has more than two levels", hint)

        def change(head: Snapshot) -> Change:
            if dot and first not in active_taxonomy(head).catalogue:
                hint = f"add it first: memoir taxonomy add {first} --about 'what belongs there'"
                raise InvalidInput(f"there is no first level {first!r}", hint)
            return Change(_edits(head, [category]), options.message or f"taxonomy: add {path}")

        return write(store, change, branch=options.branch, dry_run=options.dry_run, reason="taxonomy add")

    def load(self, toml: bytes, *, extend: bool = False, options: WriteOptions = DEFAULTS) -> LoadResult:
        """Replace the default categories by those of a TOML document; with `extend`, add to them.

        Raises:
            InvalidInput: the document is malformed or holds no category, or a second segment lacks its first.
        """
        store, categories = self._store, catalogue.parse(toml)
        _refuse_credentials(categories.values(), options)
        for path in categories:
            _refuse_inbox(path)
        all_categories = catalogue.default().plus(categories) if extend else categories
        for path in categories:
            if path.partition(".")[0] not in all_categories:
                raise InvalidInput(
                    f"{path!r} has no first level", f'describe it: [{path.partition(".")[0]}] about = "…"'
                )
        if not categories:
            raise InvalidInput("the taxonomy is empty")

        def change(head: Snapshot) -> Change:
            old_keys = {place.key for place in keys(head, [TAXONOMY_NAMESPACE])}
            edits = dict(_edits(head, categories.values()))
            if not extend and _BASE.key not in old_keys:
                edits[_BASE.key] = encode([Memory.of("The default taxonomy is replaced.")])
            new_keys = {_address_of(path).key for path in categories} | ({_BASE.key} if not extend else set())
            edits |= dict.fromkeys(old_keys - new_keys)
            return Change(edits.items(), options.message or f"taxonomy: load {len(categories)} categories")

        commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason="taxonomy load")
        return LoadResult(len(categories), commit)

    def reset(self, options: WriteOptions = DEFAULTS) -> "Commit | None":
        """Go back to the default categories; None if they are active already."""
        check_message(options)

        def change(head: Snapshot) -> Change:
            edits = [(place.key, None) for place in keys(head, [TAXONOMY_NAMESPACE])]
            return Change(edits, options.message or "taxonomy: reset")

        return write(self._store, change, branch=options.branch, dry_run=options.dry_run, reason="taxonomy reset")


def _refuse_credentials(categories: Iterable[Category], options: WriteOptions) -> None:
    check_message(options)
    if not options.allow_secrets:
        from memoir.secrets.secrets import check_memory

        for category in categories:
            check_memory(_memory(category), [_address_of(category.path)])


def _refuse_inbox(path: str) -> None:
    inbox = INBOX.partition(".")[0]
    if path.partition(".")[0] == inbox:
        raise InvalidInput(f"{path!r} cannot be a category: '{inbox}' is reserved for unfiled memories")


def _edits(head: Snapshot, categories: Iterable[Category]) -> list[tuple[bytes, bytes | None]]:
    """The edits that store categories, without those already stored."""
    by_place = {_address_of(category.path): category for category in categories}
    old_records = get(head, list(by_place))
    for place in (place for place, record in old_records.items() if record is None):
        check_new(place)
    return [
        (place.key, encode([_memory(category)]))
        for place, category in by_place.items()
        if (record := old_records[place]) is None or _category(place, record) != category
    ]


def _address_of(path: str) -> Address:
    return address(check_path(path), TAXONOMY_NAMESPACE)


def _category(place: Address, record: Record) -> Category:
    memory = active_facets(record)[-1]
    lists = (memory.metadata.get("examples"), memory.metadata.get("cues"))
    examples, cues = (tuple(map(str, part)) if isinstance(part, list) else () for part in lists)
    return Category(place.path, memory.content, examples, cues)


def _memory(category: Category) -> Memory:
    lists = {"examples": [*category.examples], "cues": [*category.cues]}
    return Memory.of(category.about, metadata={name: part for name, part in lists.items() if part})
