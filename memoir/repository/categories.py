"""`repository.taxonomy`: reading and changing the categories that memories are filed under."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.repository.door import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoir.filing.store_taxonomy import StoreTaxonomy
    from memoir.store.commit import Commit


class LoadResult(NamedTuple):
    """The result of loading categories.

    Attributes:
        total: How many were loaded.
        commit: The commit; None if nothing changed.
    """

    total: int
    commit: Commit | None


class Categories(Part):
    """The categories of a store: the default ones, extended or replaced by its own, which are versioned."""

    def list(self, *, at: str | None = None) -> StoreTaxonomy:
        """Return the categories by which the store files, and whether they are its own.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.filing.store_taxonomy import active_taxonomy

        return active_taxonomy(self._store.at(at))

    def add(
        self,
        path: str,
        about: str,
        *,
        examples: Sequence[str] = (),
        cues: Sequence[str] = (),
        options: WriteOptions = DEFAULTS,
    ) -> Commit | None:
        """Add a category of one or two segments, or change one: what belongs there, memories that do, words for it.

        Raises:
            InvalidInput: the path is malformed or has more than two segments, or its first one is not a category.
        """
        from memoir.filing.store_taxonomy import add_category
        from memoir.taxonomy.catalogue import Category

        return add_category(self._store, Category(path, about, tuple(examples), tuple(cues)), options)

    def load(self, toml: bytes, *, extend: bool = False, options: WriteOptions = DEFAULTS) -> LoadResult:
        """Replace the default categories by those of a TOML document; with `extend`, keep them beside these.

        Raises:
            InvalidInput: the document is malformed or holds no category, or a second segment lacks its first.
        """
        from memoir.filing.store_taxonomy import load_catalogue
        from memoir.taxonomy.catalogue import parse

        categories = parse(toml)
        return LoadResult(len(categories), load_catalogue(self._store, categories, extend=extend, options=options))

    def reset(self, options: WriteOptions = DEFAULTS) -> Commit | None:
        """Go back to the default categories; None if they are active already."""
        from memoir.filing.store_taxonomy import reset_taxonomy

        return reset_taxonomy(self._store, options)
