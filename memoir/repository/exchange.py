"""`repository.remotes`: names other stores, fetches their commits and sends ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import NotFound
from memoir.exchange import remotes
from memoir.git.ref_names import BRANCHES, TAGS, is_ref_name
from memoir.store.store import Part

if TYPE_CHECKING:
    from memoir.exchange.auto_sync import AutoSync
    from memoir.exchange.fetch import FetchedBranch, FetchResult
    from memoir.exchange.layout import RemotePlace
    from memoir.exchange.merge import MergeResult
    from memoir.exchange.sync import SyncResult
    from memoir.store.store import Store


class PullResult(NamedTuple):
    """The result of a pull."""

    place: RemotePlace
    """The place of memory in the remote."""
    branch: str
    """The branch merged into."""
    moves: list[FetchedBranch]
    """The remote's branches that moved."""
    merge: MergeResult
    """The result of the merge."""


class PushResult(NamedTuple):
    """The result of a push."""

    place: RemotePlace
    """The place of memory in the remote."""
    results: list[tuple[str, str]]
    """The name of each pushed ref with its result."""


class Remotes(Part):
    """The remotes of a store.

    Methods that contact a remote may raise `NotFound` (there is no such remote) and `GitError` (it does not answer).
    """

    def list(self) -> dict[str, str]:
        """Return the URLs of the remotes by name, sorted by name."""
        return remotes.remotes(self._store)

    def add(self, name: str, url: str) -> str:
        """Add a remote and return its URL; a local path is made absolute.

        Raises:
            Conflict: the name is taken. InvalidInput: git refuses the name, or memoir the URL.
        """
        from memoir.secrets.secrets import check_name

        check_name(name)
        remotes.add(self._store, name, url)
        return self._note_use(name)

    def set_url(self, name: str, url: str) -> str:
        """Change the URL of a remote and return it; a local path is made absolute.

        Raises:
            NotFound: there is no such remote. InvalidInput: memoir refuses the URL.
        """
        remotes.set_url(self._store, name, url)
        return self._note_use(name)

    def remove(self, name: str) -> None:
        """Remove a remote and its fetched branches.

        Raises:
            NotFound: there is no such remote.
        """
        remotes.remove(self._store, name)

    def fetch(self, name: str = "origin") -> FetchResult:
        """Fetch a remote's branches, readable as `REMOTE/BRANCH`, and tags; no branch of this store changes.

        Raises:
            DamagedStore: a branch has content that memoir never writes, or its history is cut off.
        """
        from memoir.exchange.fetch import refuse

        result = self._fetch(name)
        refuse(result.moves)
        return result

    def pull(self, name: str = "origin", branch: str | None = None, *, strategy: str | None = None) -> PullResult:
        """Fetch, and merge a remote's branch into the current one; by default the branch of the same name.

        Raises:
            NotFound: the remote has no such branch. InvalidInput: there is no such strategy.
            Conflict: both sides changed the same memory, and there is no strategy, or the remote's branch lost commits
                that this store has; nothing was merged.
            DamagedStore: the branch has content that memoir never writes.
        """
        from memoir.exchange.changed_branches import refuse_rewritten
        from memoir.exchange.merge import merge_each
        from memoir.exchange.writers.fold import revisions_of

        target, wanted = self._store.branch(), self._store.branch(branch)
        place, moves = self._fetch(name)
        theirs = revisions_of(self._store, name, wanted)
        if not theirs:
            raise _no_branch(self._store, place, wanted, named=branch is not None)
        ours = self._store.head().commit
        refuse_rewritten(self._store, name, [ours.id] if ours else [], joined=wanted, sent=False)
        return PullResult(place, target, moves, merge_each(self._store, theirs, strategy=strategy))

    def sync(self, name: str = "origin", *, strategy: str | None = None) -> SyncResult:
        """Fetch, put the current branch's unpublished commits on top of the remote's, and push them.

        Raises:
            Conflict: both sides changed the same memory, and there is no strategy, or other stores pushed during every
                try, or the remote's branch lost commits that this store has; nothing was changed. InvalidInput: there
                is no such strategy.
            DamagedStore: the remote's branch has content that memoir never writes.
        """
        from memoir.exchange.sync import sync

        done = sync(self._store, name, strategy=strategy)
        self._note_use(name)
        return done

    def fold(self, name: str = "origin", *, strategy: str | None = None) -> SyncResult:
        """Sync, merge the writers' own refs into the remote's branch, and remove these refs.

        Refs of writers that contradict others stay, unless there is a strategy.

        Raises:
            Conflict: this store contradicts the remote's branch, and there is no strategy, or other stores pushed
                during every try. InvalidInput: there is no such strategy.
        """
        from memoir.exchange.sync import fold_writers

        done = fold_writers(self._store, name, strategy=strategy)
        self._note_use(name)
        return done

    def sync_after_write(self) -> AutoSync:
        """Sync with `origin` if a write was made and `memoir.sync` is `after-write`.

        It asks for no password, and sends nothing to a remote that the user has never named by `add`, `set_url`,
        `sync`, `push` or a clone. A separate process does it, and this one waits at most 2 seconds for it. After no
        answer, the next try waits half a minute, then twice as long each time, up to an hour. The command line calls
        this after every command.
        """
        from memoir.exchange.auto_sync import sync_after_write

        return sync_after_write(self._store)

    def wants_sync_at_end(self) -> bool:
        """Whether `memoir.sync` is `on-session-end`, and there is an `origin`.

        Raises:
            InvalidInput: the setting has no such value.
        """
        from memoir.exchange.auto_sync import is_wanted

        return is_wanted(self._store, "on-session-end")

    def sync_trouble(self) -> str | None:
        """Return why the last background sync failed, or the next one would not be tried; None if all is well."""
        from memoir.exchange.auto_sync import trouble

        return trouble(self._store)

    def sync_alone(self) -> AutoSync:
        """Sync with `origin` as `sync_after_write` does, even without a write."""
        from memoir.exchange.auto_sync import sync_alone

        return sync_alone(self._store)

    def push(
        self,
        name: str = "origin",
        branch: str | None = None,
        *,
        all_branches: bool = False,
        tags: bool = False,
        force: bool = False,
    ) -> PushResult:
        """Send a branch, by default the current one, or all branches; with `tags` also all tags.

        A remote whose branches have code keeps memory under `refs/memoir/`. With `force` a branch of the remote is
        replaced, if it has not changed since the last fetch.

        Raises:
            NotFound: there is no such branch, or it has no commit.
            Conflict: the remote has commits that this store lacks, or lost some that this store has, or has something
                other than memories, or seems to have renamed the current branch, and none is named.
        """
        from memoir.exchange.changed_branches import refuse_renamed
        from memoir.exchange.layout import place
        from memoir.exchange.push import push

        source = self._store.branch(branch)
        if not all_branches:
            self._require_branch(source, name, named=branch is not None)
        there = place(self._store, name)
        if not (branch or all_branches or force):
            refuse_renamed(self._store, there, source)
        branches = [] if all_branches else [source]
        done = push(self._store, name, branches, tags=tags, force=force, at=there)
        self._note_use(name)
        return PushResult(there, done)

    def delete_branch(self, name: str, branch: str) -> PushResult:
        """Delete a branch of memories at a remote, if unchanged since the last fetch, and the writers' refs of it.

        Raises:
            NotFound: no such branch was fetched. Conflict: it has moved since, has no memories, or writers have more
                commits.
        """
        from memoir.exchange.layout import place
        from memoir.exchange.push import delete

        there = place(self._store, name)
        return PushResult(there, delete(self._store, name, branch, at=there))

    def _fetch(self, name: str) -> FetchResult:
        from memoir.exchange.fetch import fetch

        return fetch(self._store, name)

    def _note_use(self, name: str) -> str:
        """Note that the user has named a remote, and return its URL."""
        remotes.note(self._store, name)
        return remotes.require(self._store, name)

    def _require_branch(self, branch: str, remote: str, *, named: bool) -> None:
        """Refuse to push a branch that does not exist."""
        ref = BRANCHES + branch
        if not (is_ref_name(ref) and self._store.refs.read(ref)):  # main~1 is not a name, although git finds a commit
            raise self._nothing_to_push(remote, branch, named=named)

    def _nothing_to_push(self, remote: str, branch: str, *, named: bool) -> NotFound:
        if not named:
            hint = "'memoir remember' creates the first"
            return NotFound(f"branch {branch!r} has no commits to push", hint, revision=branch)
        hint = self._store.refs.suggest(branch)
        if self._store.refs.read(TAGS + branch):
            hint = f"{branch!r} is a tag: 'memoir push {remote} --tags' sends every tag"
        return NotFound(f"no branch named {branch!r}", hint, revision=branch)


def _no_branch(store: Store, there: RemotePlace, name: str, *, named: bool) -> NotFound:
    from shlex import quote

    from memoir.exchange.changed_branches import new_name, rename_hint

    if new := new_name(store, there, name):
        hint = rename_hint(there.remote, name, new)
    else:
        hint = f"'memoir push {there.remote}{f' {quote(name)}' if named else ''}' creates it"
    return NotFound(f"{there.remote} has no branch {name!r}", hint, revision=f"{there.remote}/{name}")
