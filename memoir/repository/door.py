"""The way to the store that every method of a repository goes, until it is closed."""

from typing import TYPE_CHECKING

from memoir.records.origins import storable

if TYPE_CHECKING:
    from memoir.store.store import Store


class Door:
    """What has a store, until it is closed."""

    def __init__(self, store: "Store", origin: str) -> None:
        self.origin = storable(origin)
        """Who vouches for what is remembered and edited by this door: `user`, `agent`, …"""
        self._behind = store
        self._is_closed = False

    @property
    def store(self) -> "Store":
        """The store; for memoir's own modules.

        Raises:
            MemoirError: the repository is closed.
        """
        if self._is_closed:
            from memoir.errors import MemoirError

            raise MemoirError(f"the repository of {self._behind.git_dir} is closed", "open it again: 'Repository.open'")
        return self._behind


class Part:
    """A group of a repository's methods, such as `repository.branches`."""

    def __init__(self, repository: Door) -> None:
        self._repository = repository

    @property
    def _store(self) -> "Store":
        return self._repository.store


def check_counts(**counts: int | None) -> None:
    """Refuse what is not a whole number from 1 up; None means that it is not given.

    Raises:
        InvalidInput: the first such count is named.
    """
    if not all(count is None or (type(count) is int and count > 0) for count in counts.values()):
        from memoir.setting import require_positive  # what is rarely needed, and slower to import than to use

        require_positive(**counts)
