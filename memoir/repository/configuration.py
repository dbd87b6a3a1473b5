"""`repository.config`: reading and changing settings, which git's config keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoir.repository.door import Part
from memoir.setting_rules import check
from memoir.store import config

if TYPE_CHECKING:
    from memoir.store.config import SettingValue


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
            NotFound: the key has no value there. InvalidInput: it is not a key of memoir's.
            ReadOnlyStore: the store's config cannot be written.
        """
        config.unset(self._store, key, user=user)
        return config.normal(key)
