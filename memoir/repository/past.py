"""Reads the history of a store, and moves back and forth in it."""

import os
from itertools import islice
from typing import TYPE_CHECKING

from memoir.errors import InvalidInput
from memoir.progress import Progress, tell_nobody
from memoir.repository.door import Door, check_counts
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, check_namespace, only

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoir.git.objects import Oid
    from memoir.git.ssh_signatures import SignatureCheck
    from memoir.memory.provenance import LinkNode
    from memoir.memory.revisions import Comparison, RevisionContent
    from memoir.memory.versions import MemoryVersion
    from memoir.recall.timeline import Timeline
    from memoir.store.commit import Commit
    from memoir.store.proof import Proof
    from memoir.store.rewind import HistoryStep, ReflogEntry
    from memoir.store.snapshot import Snapshot
    from memoir.taxonomy.paths import MemoryAddress

MAX_DEPTH = 100
"""The greatest depth of `why`, in links."""


class History(Door):
    """The methods of `Repository` for history, undo and redo."""

    def log(
        self,
        key: str | None = None,
        *,
        namespaces: "Sequence[str]" = (),
        without: str | None = None,
        author: str = "",
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
    ) -> "Iterator[Commit]":
        """Return the commits that changed a path or paths below it, the namespaces, or anything, newest first.

        Commits that the revision `without` reaches are left out. `author` is part of an author's name or address;
        `since` and `until` are dates.

        Raises:
            InvalidInput: a key with several namespaces, or a malformed key or date.
            NotFound: there is no such revision, or no commit changed the path or a namespace.
        """
        from memoir.memory.versions import log

        names = [check_namespace(name) for name in namespaces]
        target = self._key_of_log(names, key, at) if key else None
        snapshot = self.store.at(at)
        one = self._versions_of(target, snapshot) if target and target.names_memory else None
        return log(
            self.store,
            snapshot,
            target.place if target else None,
            of=None if one is None else (version.commit for version in one),
            names=names,
            without=self.store.commit(without) if without else None,
            author=author,
            since=_second(since),
            until=_second(until, whole=True),
        )

    def _key_of_log(self, names: "Sequence[str]", key: str, at: str | None) -> "MemoryAddress":
        """The address of a key; if a revision was given instead, the error's hint says how to write that."""
        from memoir.memory.versions import revision_hint

        try:
            return self._in_one(names, key, at)
        except InvalidInput as error:
            error.hint = revision_hint(self.store, key) or error.hint
            raise

    def _in_one(self, names: "Sequence[str]", key: str, at: str | None) -> "MemoryAddress":
        """The address of a key, with at most one namespace given."""
        if len(names) > 1:
            raise InvalidInput("KEY is in one namespace", "give -n once, or write namespace:path")
        return self.address_of(key, namespace=only(names), at=at)

    def show(
        self, revision: str = "HEAD", key: str | None = None, *, namespace: str = DEFAULT_NAMESPACE
    ) -> "RevisionContent":
        """Return a commit with its changes, or with the memories at a key, or at `KEY#id`, in that commit.

        Raises:
            NotFound: there is no such revision, or the key is empty in it.
            InvalidInput: the key is malformed, or the id fits several memories.
        """
        from memoir.memory.revisions import show

        return show(self.store, revision, self.address_of(key, namespace=namespace, at=revision) if key else None)

    def blame(
        self, key: str, *, namespace: str = DEFAULT_NAMESPACE, limit: int | None = None, at: str | None = None
    ) -> "list[MemoryVersion]":
        """Return every version of a key, newest first; for `KEY#id`, those in which that memory came, changed or went.

        Raises:
            NotFound: no commit ever stored anything there, or there is no such revision.
            InvalidInput: a limit below 1, or the id fits several memories.
        """
        check_counts(limit=limit)
        from memoir.memory.versions import blame

        target, snapshot = self.address_of(key, namespace=namespace, at=at), self.store.at(at)
        if target.names_memory:
            return list(islice(self._versions_of(target, snapshot), limit))
        return list(blame(self.store, target.place, snapshot, limit))

    def _versions_of(self, target: "MemoryAddress", snapshot: "Snapshot") -> "Iterator[MemoryVersion]":
        """The versions of one memory among several at a path."""
        from memoir.memory.lineage import versions_of

        return versions_of(self.store, target, snapshot)

    def signatures(
        self, commits: "Sequence[Oid]", *, signers: str | os.PathLike[str] | None = None
    ) -> "dict[Oid, SignatureCheck]":
        """Check the signatures of commits.

        `signers` is a file of allowed signers, by default `gpg.ssh.allowedSignersFile` of the user's own configuration.

        Raises:
            NotFound: there is no such file. MemoirError: ssh-keygen is not installed.
        """
        from memoir.store.signing import check_signatures

        distinct = list(dict.fromkeys(commits))
        return dict(zip(distinct, check_signatures(self.store, distinct, signers), strict=True))

    def prove(self, key: str, *, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> "Proof":
        """Return a proof of the record at a key, or of its absence, for someone without the store.

        `bytes(proof)` is its text, one line, which `Repository.verify` reads.

        Raises:
            NotFound: there is no such revision, or no commit yet. InvalidInput: the key is malformed or `KEY#id`.
            DamagedStore: the record is damaged, or another program made the commit and left its tree out of shape.
        """
        from memoir.store.proof import prove

        target = self.address_of(key, namespace=namespace, at=at)
        if target.names_memory:
            hint = f"prove all of them: {target.place.short_key}"
            raise InvalidInput(f"a proof is of all memories at a path, not of one: {target.short_key}", hint)
        return prove(self.store.at(at), target.place.key)

    def diff(
        self,
        old: str | None = None,
        new: str | None = None,
        globs: "Sequence[str]" = (),
        *,
        namespaces: "Sequence[str]" = (),
        under: "Sequence[str]" = (),
    ) -> "Comparison":
        """Compare two revisions: `new` is by default the current one, `old` the commit before it.

        `under` limits the comparison to keys and all below them; `KEY#id` limits it to one memory.

        Raises:
            InvalidInput: keys with several namespaces.
            NotFound: there is no such revision or namespace, or no commit yet.
        """
        from memoir.memory.revisions import Differences, compare

        names = [check_namespace(name) for name in namespaces]
        targets = [self._in_one(names, key, new) for key in under]
        addresses = [target.place for target in targets]
        found = compare(self.store, old, new, globs, [] if addresses else names, addresses)
        if not any(target.names_memory for target in targets):
            return found
        from memoir.memory.lineage import differences_of

        return found._replace(differences=Differences(differences_of(found.differences, targets)))

    def is_key(self, word: str, *revisions: str, namespaces: "Sequence[str]" = ()) -> bool:
        """Return whether a word is a key or a prefix, now or at one of the revisions.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.memory.revisions import is_key

        return is_key(self.store, word, *revisions, names=namespaces)

    def timeline(
        self,
        *,
        around: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        namespaces: "Sequence[str]" = (),
        at: str | None = None,
        wait: bool = False,
        progress: "Progress" = tell_nobody,
    ) -> "Timeline":
        """Return memories by the time they were learnt, newest first; with `around`, those nearest in time to a key.

        `since` and `until` are dates. The index is completed for about a second, or with `wait` to its end.

        Raises:
            NotFound: the key is empty, or there is no such namespace or revision.
            InvalidInput: a malformed key or date, a limit below 1, or `since` is later than `until`.
        """
        from contextlib import closing

        from memoir.anchors.shown import signed
        from memoir.index.index import Index
        from memoir.recall.query import MOST_MOMENTS
        from memoir.recall.timeline import Window, timeline
        from memoir.times import seconds_of

        check_counts(limit=limit)
        window = Window(tuple(namespaces), *seconds_of(since, until), MOST_MOMENTS if limit is None else limit)
        target = self.address_of(around, namespace=only(namespaces), at=at) if around else None
        with closing(Index(self.store, progress=progress, wait=wait)) as index:
            snapshot = self.store.at(at)
            found = timeline(index, snapshot, window, target)
        return found._replace(moments=signed(self.store, snapshot, found.moments))

    def why(self, key: str, *, depth: int = 5, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> "LinkNode":
        """Return the tree of memories that led to one, by the links in their metadata; for a passage, to its segment.

        `KEY#id` is one memory of several, with only its own links.

        Raises:
            NotFound: the key is empty, or there is no such revision. InvalidInput: a depth not from 1 to 100.
        """
        from memoir.memory.provenance import why
        from memoir.setting import whole

        whole(1, MAX_DEPTH).check(depth, "depth")
        snapshot = self.store.at(at)
        return self._mark_tree(snapshot, why(snapshot, self.address_of(key, namespace=namespace, at=at), depth))

    def _mark_tree(self, snapshot: "Snapshot", node: "LinkNode") -> "LinkNode":
        """Mark the memories of a tree with their authors and the state of the code that they are about."""
        if node.record and not node.source:
            from memoir.anchors.shown import marked

            placed = [(node.address, memory) for memory in node.record]
            node = node._replace(record=tuple(marked(self.store, snapshot, placed)))
        return node._replace(links=tuple(self._mark_tree(snapshot, each) for each in node.links))

    def reflog(self) -> "Iterator[ReflogEntry]":
        """Return the states that `undo` can reach, newest first; entry 0 is the current one."""
        from memoir.store.rewind import entries

        return entries(self.store)

    def undo(self, steps: int = 1, *, branch: str | None = None) -> "HistoryStep":
        """Take back the last changes of a branch, of any kind.

        Changes that a remote already has are taken back by a new commit, which the next sync sends there, unless a sync
        or pull brought them.

        Raises:
            NotFound: there is no such branch, or there are fewer changes. NoStep: there is none.
            InvalidInput: fewer steps than 1.
        """
        check_counts(steps=steps)
        from memoir.exchange import same_commits
        from memoir.store.rewind import undo

        return undo(self.store, branch=branch, steps=steps, published=same_commits)

    def redo(self, *, branch: str | None = None) -> "HistoryStep":
        """Reverse the last `undo` of a branch.

        Raises:
            NotFound: there is no such branch. NoStep: nothing was undone since the last write.
        """
        from memoir.exchange import same_commits
        from memoir.store.rewind import redo

        return redo(self.store, branch=branch, published=same_commits)


def _second(date: str | None, *, whole: bool = False) -> int | None:
    """The second at which a date begins, or with `whole` ends; None without one."""
    from memoir.times import end_of, parse_date

    return int((end_of if whole else parse_date)(date).timestamp()) if date else None
