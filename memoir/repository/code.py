"""`repository.code`: memories about files of the project beside the store, and whether they still hold."""

from __future__ import annotations

from contextlib import closing, nullcontext
from typing import TYPE_CHECKING

from memoir.anchors.tie import require_file
from memoir.anchors.working_tree import working_tree
from memoir.index.index import Index
from memoir.layers import code_memories
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.repository.door import Part, signed
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memoir.layers.code_memories import ChangeReview, CodeMemory
    from memoir.memory.write import WriteResult
    from memoir.store.snapshot import Snapshot

    Progress = Callable[[int, int], None]


class Code(Part):
    """The methods for memories about code. The project is the git checkout, or the folder, that the store lies in."""

    def about(
        self, file: str, *, namespaces: Sequence[str] = (), at: str | None = None, progress: Progress | None = None
    ) -> list[CodeMemory]:
        """Return the memories about a file, or about any file of a folder, each with what became of its code.

        Args:
            file: A file or folder of the project, named from the current directory or from the project's root; it
                may be gone.
            namespaces: Where to look; everywhere without any.
            at: A revision of the store.
            progress: Is called while the index is completed.

        Raises:
            InvalidInput: it lies outside of the project. NotFound: there is no such revision.
        """
        with working_tree(self._store) or nullcontext() as tree, self._index(progress) as index:
            snapshot = self._store.at(at)
            return self._signed(
                snapshot, code_memories.about(index, snapshot, tree, require_file(tree, file), namespaces)
            )

    def stale(
        self,
        prefix: str | None = None,
        *,
        since: str | None = None,
        diffs: bool = False,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress | None = None,
    ) -> list[CodeMemory]:
        """Return the memories whose code has changed or is gone, at or below a path if one is given.

        `since` is a revision of the project: only files that differ between it and the working tree count. With
        `diffs` each comes with the difference of the lines that it is about.

        Raises:
            InvalidInput: the path is malformed, or there is no project.
            NotFound: there is no such revision, of the store or of the project.
        """
        below = address(prefix.removesuffix("."), namespace) if prefix else None
        with working_tree(self._store) or nullcontext() as tree, self._index(progress) as index:
            snapshot = self._store.at(at)
            return self._signed(
                snapshot, code_memories.stale(index, snapshot, tree, prefix=below, since=since, diffs=diffs)
            )

    def confirm(
        self,
        key: str,
        about: Sequence[str] = (),
        *,
        namespace: str = DEFAULT_NAMESPACE,
        options: WriteOptions = DEFAULTS,
    ) -> WriteResult:
        """Note that a memory holds for its code as that is now: where its text is, or at the files `about` instead.

        Raises:
            NotFound: the key holds nothing, or there is no such file.
            InvalidInput: the path has several memories and the key names none of them, there is no project, a file is
                outside of it, or the memory is about no file.
        """
        from memoir.anchors.change import confirm

        return confirm(self._store, self._repository._address_now(key, namespace, options.branch), about, options)

    def review(self, revisions: str, *, since: str | None = None, progress: Progress | None = None) -> ChangeReview:
        """Return what a change does to memory: the paths that differ, and what is stale or contradicts for it.

        Args:
            revisions: `BASE..HEAD`, two revisions of the store.
            since: The revision of the project before the change; by default `origin/BASE` or `BASE`, if it has one.
            progress: Is called while the index is completed.

        Raises:
            NotFound: there is no such revision, of the store or of the project.
            InvalidInput: it is not `BASE..HEAD`, or `since` is given and there is no project.
        """
        base, head = code_memories.split_range(revisions)
        with working_tree(self._store) or nullcontext() as tree, self._index(progress) as index:
            found = code_memories.review(self._store, index, tree, base, head, since)
        return found._replace(stale=self._signed(self._store.at(head), found.stale))

    def _signed(self, snapshot: Snapshot, found: Sequence[CodeMemory]) -> list[CodeMemory]:
        """Memories, with the authors of those that came from a remote."""
        facets = signed(self._store, snapshot, (each.facet for each in found))
        return [each._replace(facet=facet) for each, facet in zip(found, facets, strict=True)]

    def _index(self, progress: Progress | None) -> closing[Index]:
        return closing(Index(self._store, progress=progress or (lambda done, total: None), wait=True))
