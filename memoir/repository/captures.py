"""`repository.captures`: keeps texts of sessions from hosts, and remembers the proposals that are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoir.capture.spool import TurnSpool
from memoir.errors import InvalidInput
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.store.store import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoir.capture.review import Acceptance, Review
    from memoir.capture.spool import Contents


class Captures(Part):
    """The captures of a store, kept on this machine outside the store until they are reviewed."""

    @property
    def _spool(self) -> TurnSpool:
        return TurnSpool(self._store.git_dir)

    @property
    def on(self) -> bool:
        """Whether texts of sessions from hosts are kept."""
        return self._spool.is_on

    @property
    def folder(self) -> str | None:
        """The folder in which they are kept; None if there is none."""
        return str(self._spool.folder) if self._spool.folder else None

    def switch(self, on: bool) -> None:
        """Start or stop keeping texts from hosts; texts kept already stay until they are reviewed.

        Raises:
            ReadOnlyStore: there is no folder for it.
        """
        self._spool.switch(on)

    def contents(self) -> Contents:
        """Return the number of kept texts."""
        return self._spool.contents()

    def purge(self) -> Contents:
        """Delete the kept texts and their proposals; return the number of texts.

        Raises:
            ReadOnlyStore, StoreBusy: the folder cannot be written to, or a review is running.
        """
        with self._spool.alone():
            return self._spool.purge()

    def review(self, *, by: str | None = None, llm_calls: int | None = None, llm_tokens: int | None = None) -> Review:
        """Propose memories from the kept texts, by `rules` or by the `model`, with one call for each turn.

        The proposals have numbers, which are valid until they are accepted or rejected. Requests to forget something
        are listed, and change nothing. Without `by`, the setting `memoir.capture.by` decides, and only new texts are
        read. When the budget of calls and tokens is spent, rules read the rest.

        Raises:
            ReadOnlyStore, StoreBusy: the folder of the texts cannot be written to.
            LlmUnavailable: no model is configured. InvalidInput: `by` is neither.
        """
        from memoir.capture.review import finder_of, review

        finder = finder_of(self._store, by, llm_calls, llm_tokens)
        return review(self._store, finder, again=by is not None)

    def accept(
        self,
        *numbers: int,
        every: bool = False,
        about: Sequence[str] = (),
        replace_similar: bool = False,
        options: WriteOptions = DEFAULTS,
    ) -> Acceptance:
        """Remember proposals of a review, by their numbers, or `every` one, in one commit.

        `about` ties them to files of the project, as in `remember`. The result's `filed` names the older memories that
        each contradicts or resembles; with `replace_similar` each replaces the most similar one.

        With `every`, new texts are reviewed first. A proposal that cannot be stored is in `refused`, and stays. When no
        proposal is left, the reviewed texts are deleted.

        Raises:
            NotFound: there is no such proposal, or no such file; nothing is remembered.
            InvalidInput: neither numbers nor `every`, or both; or the message looks like a credential.
            ReadOnlyStore, StoreBusy: the store or the folder of the texts cannot be written to.
        """
        from memoir.capture.review import accept, finder_of

        finder = finder_of(self._store, None, None, None)
        return accept(self._store, _choice(numbers, every), finder, options, about, replace_similar=replace_similar)

    def reject(self, *numbers: int, every: bool = False) -> Acceptance:
        """Drop proposals of a review, by their numbers, or `every` one; they are not proposed again.

        With `every`, new texts are dropped, too. When no proposal is left, the reviewed texts are deleted.

        Raises:
            NotFound: there is no such proposal; nothing is dropped.
            InvalidInput: neither numbers nor `every`, or both.
            ReadOnlyStore, StoreBusy: the folder of the texts cannot be written to.
        """
        from memoir.capture.review import reject

        return reject(self._store, _choice(numbers, every))


def _choice(numbers: Sequence[int], every: bool) -> Sequence[int] | None:
    """The chosen numbers; None for all."""
    if every == bool(numbers):
        raise InvalidInput("give the numbers of proposals, or --all", "'memoir capture review' shows them")
    return None if every else numbers
