"""`repository.captures`: keeping what hosts hand over of sessions, and remembering what of it is worth it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoir.capture.review import Review
    from memoir.capture.spool import Contents
    from memoir.store.store import Store


class Captures:
    """The captures of a store. They are kept on this machine, outside of the store, until they are reviewed."""

    def __init__(self, store: Store) -> None:
        from memoir.capture.spool import TurnSpool

        self._store = store
        self._spool = TurnSpool(store.git_dir)

    @property
    def on(self) -> bool:
        """Whether the texts of sessions that hosts hand over are kept."""
        return self._spool.is_on

    @property
    def folder(self) -> str | None:
        """The folder in which they are kept; None if there is no place for them."""
        return str(self._spool.folder) if self._spool.folder else None

    @property
    def branch(self) -> str:
        """The branch that captures are filed on."""
        from memoir.settings import CAPTURE_BRANCH

        return CAPTURE_BRANCH.read(self._store.config)

    def switch(self, on: bool) -> None:
        """Begin or stop keeping what hosts hand over; texts kept already stay until they are reviewed.

        Raises:
            ReadOnlyStore: there is no folder for it.
        """
        self._spool.switch(on)

    def contents(self) -> Contents:
        """Return how many texts are kept."""
        return self._spool.contents()

    def review(
        self,
        *,
        apply: bool = False,
        by: str | None = None,
        llm_calls: int | None = None,
        llm_tokens: int | None = None,
    ) -> Review:
        """Find what is worth remembering in the kept texts: by `rules`, or by the `model`, with a call a turn.

        With `apply` each memory is stored in a commit of its own on the branch for captures, and the reviewed texts are
        deleted. A request to forget what was said is listed, and changes nothing. Without `by` the setting
        `memoir.capture.by` decides. When the budget of calls and tokens is spent, rules go on.

        Raises:
            ReadOnlyStore, StoreBusy: the store cannot be written. LlmUnavailable: no model is configured.
            InvalidInput: `by` is neither.
        """
        from memoir.capture.review import file, finder_of, review

        finder = finder_of(self._store, by, llm_calls, llm_tokens)
        return file(self._store, finder) if apply else review(self._store, finder)
