"""`repository.config`, `taxonomy` and `lexicon`: the settings, categories and words of a store, read and changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.repository.door import Part
from memoir.setting_rules import check
from memoir.store import config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoir.filing.store_taxonomy import StoreTaxonomy
    from memoir.memory.store_lexicon import LexiconChange, StoredLine, TextSpot
    from memoir.store.commit import Commit
    from memoir.store.config import SettingValue


class LoadResult(NamedTuple):
    """The result of loading categories."""

    total: int
    """How many were loaded."""
    commit: Commit | None
    """The commit; None if nothing changed."""


class Configuration(Part):
    """The settings that hold in a store. Keys are as git's config has them, such as `memoir.recall.mode`.

    An environment variable comes before the store's config, that before the user's, and that before the default.
    """

    @staticmethod
    def normal(key: str) -> str:
        """Return a key in git's form: section and name in lower case.

        Raises:
            InvalidInput: it is not a key.
        """
        return config.normal(key)

    def list(self) -> list[SettingValue]:
        """Return the values of every setting with their origins; the last value of a setting is active."""
        return config.list_entries(self._store)

    def get(self, key: str) -> SettingValue:
        """Return the active value of a setting.

        Raises:
            NotFound: the setting has no value and no default. InvalidInput: there is no such setting.
        """
        return config.get(self._store, key)

    def set(self, key: str, value: str, *, user: bool = False) -> str:
        """Set a value in the store's config, or with `user` in the user's, and return the key in git's form.

        Raises:
            InvalidInput: there is no such setting, it cannot have this value, or only the user may decide it.
            ReadOnlyStore: the store's config cannot be written.
        """
        store, name = self._store, config.normal(key)
        check(store.config, name, value)
        config.put(store, key, value, user=user)
        return name

    def unset(self, key: str, *, user: bool = False) -> str:
        """Remove a value from the store's config, or with `user` from the user's; return the key in git's form.

        Raises:
            NotFound: the key has no value there. InvalidInput: memoir has no such key.
            ReadOnlyStore: the store's config cannot be written.
        """
        config.unset(self._store, key, user=user)
        return config.normal(key)


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


class Lexicon(Part):
    """The words of a store's own: what a project calls things, versioned like its memories."""

    def add(self, line: str, options: WriteOptions = DEFAULTS) -> LexiconChange:
        """Add a line, `NAME, NAME = WORDS, WORDS`: names of one thing, and words for the same.

        Names are no longer read by memoir's lexicon, but as the words are. What the store has already is left out.

        Raises:
            InvalidInput: the line is malformed or too long, a word says nothing, or there are too many lines.
        """
        from memoir.english.lexicon.own_words import parse
        from memoir.memory.store_lexicon import add_line

        return add_line(self._store, parse(line), options)

    def remove(self, name: str, options: WriteOptions = DEFAULTS) -> LexiconChange:
        """Remove the lines of a name; with `NAME = WORDS` only these words of its lines.

        Raises:
            NotFound: the store has no such name, or no such word for it. InvalidInput: the text is malformed.
        """
        from memoir.memory.store_lexicon import remove_line

        return remove_line(self._store, name, options)

    def why(self, text: str, *, at: str | None = None) -> list[TextSpot]:
        """Return what a text speaks of, in its order: by the store's own words, and by memoir's lexicon.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.memory.store_lexicon import read_text

        return read_text(self._store.at(at), text)

    def list(self, *, at: str | None = None) -> list[StoredLine]:
        """Return the lines of the store, by name.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.memory.store_lexicon import stored_lines

        return stored_lines(self._store.at(at))
