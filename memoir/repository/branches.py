"""`repository.branches` and `repository.tags`: listing, creating, renaming and deleting them; checking out branches."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import Conflict, NotFound
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.memory.revisions import hint_for_key, is_key
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.store.snapshot import FIRST_COMMIT
from memoir.store.store import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoir.exchange.merge import MergeResult
    from memoir.exchange.status import BranchChoice
    from memoir.store.commit import Commit


class Ref(NamedTuple):
    """A short name (`main`, `v1`, `origin/main`) and the commit it points at."""

    name: str
    commit: Oid


def _check_name(name: str) -> None:
    from memoir.secrets.secrets import check_name  # the scanner is loaded only for new names

    check_name(name)


class Tags(Part):
    """The tags of a store."""

    def list(self, glob: str | None = None) -> list[Ref]:
        """List the tags, or those whose names match a glob."""
        from fnmatch import fnmatchcase

        tags = starmap(Ref, self._store.refs.list(TAGS).items())
        return [tag for tag in tags if glob is None or fnmatchcase(tag.name, glob)]

    def create(self, name: str, revision: str | None = None) -> Oid:
        """Tag a revision, by default the newest commit, and return the commit's id.

        Raises:
            Conflict: the tag exists. InvalidInput: it cannot have this name. NotFound: there is no such revision, or no
                commit yet.
        """
        from memoir.git.lock import writer_lock

        commit = self._store.at(revision).commit
        if commit is None:
            raise NotFound("there is no commit to tag yet", FIRST_COMMIT)
        _check_name(name)
        with writer_lock(self._store.git_dir):
            self._store.refs.create("tag", name, commit.id)
        return commit.id

    def delete(self, name: str) -> Oid:
        """Delete a tag and return the id of the commit it named.

        Raises:
            NotFound: there is no such tag.
        """
        return self._store.refs.delete("tag", name)


class Branches(Part):
    """The branches of a store."""

    def choice(self) -> BranchChoice:
        """Return the current branch, and what chose it."""
        from memoir.exchange.status import choice

        return choice(self._store)

    def list(self, *, remotes: bool = False) -> list[Ref]:
        """List the branches, or with `remotes` the fetched ones.

        Raises:
            DamagedStore: the commit of a branch is lost. NotFound: the current branch does not exist.
        """
        refs = self._store.refs.list(REMOTES) if remotes else self._store.refs.branches()
        self._store.commits(list(refs.values()))
        self._store.head()
        return list(starmap(Ref, refs.items()))

    def landed(self) -> tuple[Ref, ...]:
        """List the branches whose code branch of the same name was merged or lost its upstream.

        Only branches with commits that the current branch lacks are listed.
        """
        from memoir.store import ancestry, branch_choice

        here = self._store.head().commit
        done = branch_choice.find_landed(self._store.git_dir.parent)
        return tuple(
            ref
            for ref in self.list()
            if ref.name in done and not (here and ancestry.is_ancestor(self._store, ref.commit, here.id))
        )

    def merge_landed(
        self, *, strategy: str | None = None, options: WriteOptions = DEFAULTS
    ) -> tuple[tuple[str, MergeResult], ...]:
        """Merge every branch that `landed` lists, in turn, and return each name with its result.

        Raises:
            Conflict: both sides changed the same memory, and there is no strategy; earlier branches stay merged.
            InvalidInput: there is no such strategy. DamagedStore: a branch has content that memoir never writes.
        """
        from memoir.exchange.merge import merge

        names = [ref.name for ref in self.landed()]
        return tuple((name, merge(self._store, name, strategy=strategy, options=options)) for name in names)

    def create(self, name: str, start: str | None = None) -> Commit:
        """Create a branch at a revision, by default at the current branch.

        Raises:
            Conflict: the branch exists. InvalidInput: it cannot have this name. NotFound: there is no such revision, or
                the current branch has no commit yet. DamagedStore: the commit is not sound.
        """
        _check_name(name)
        commit = self._start(start)
        if commit is None:
            raise NotFound("the current branch has no commits yet, so no branch can be created from it", FIRST_COMMIT)
        return self._create(name, commit)

    def rename(self, new: str, old: str | None = None) -> Oid:
        """Rename a branch, by default the current one, and return the id of its newest commit.

        Raises:
            NotFound: there is no such branch. Conflict: the new one exists. InvalidInput: it cannot have this name.
        """
        from memoir.store.rewind import rename

        _check_name(new)
        return rename(self._store, old or self._store.branch(), new)

    def delete(self, name: str, *, force: bool = False) -> Oid:
        """Delete a branch and return the id of its newest commit.

        Raises:
            Conflict: it is checked out, or its commits would be lost (unless `force`).
            NotFound: there is no such branch.
        """
        if name == self._store.refs.current:
            raise Conflict(f"branch {name!r} is checked out", "'memoir checkout BRANCH' switches to another one")
        if not force and self._is_only_home(name):
            raise Conflict(f"branch {name!r} has commits that would be lost", "merge it first, or delete it with -f")
        return self._store.refs.delete("branch", name)

    def checkout(
        self, name: str, *, create: bool = False, start: str | None = None
    ) -> tuple[str, Commit | None, str | None]:
        """Switch to a branch (`-` is the previous one).

        With `create` it is created first, as by the method `create`; in a store without commits it stays without. A
        branch that only one remote has is created from the remote's, too, as git does it.

        Returns:
            Its name, its newest commit, and the remote's branch that it was created from without `create`.

        Raises:
            NotFound: there is no such branch, or it is a revision. Conflict: the branch to create exists.
            InvalidInput: it cannot have this name.
        """
        refs, origin = self._store.refs, None
        name = refs.before() if name == "-" and not create else name
        if not create and (origin := self._only_remote(name)):
            create, start = True, origin
        commit = self._create_if_possible(name, start) if create else self._tip_of(name)
        try:
            refs.switch(refs.check_name("branch", name).removeprefix(BRANCHES))
        except Exception:
            if create and commit and refs.current != name:
                refs.update(BRANCHES + name, None, commit.id, "checkout failed")
            raise
        return name, commit, origin

    def _remotes_of(self, name: str) -> Sequence[str]:
        """The fetched branches of this name, such as `origin/topic`."""
        return [ref for ref in self._store.refs.list(REMOTES) if ref.partition("/")[2] == name]

    def _only_remote(self, name: str) -> str | None:
        """The remote's branch that a name means: there is no branch or revision of this name, and one remote has it."""
        store, theirs = self._store, self._remotes_of(name)
        return theirs[0] if len(theirs) == 1 and name != store.refs.current and not store.resolve(name) else None

    def _start(self, start: str | None) -> Commit | None:
        return self._store.commit(start) if start else self._store.head().commit

    def _create(self, name: str, commit: Commit) -> Commit:
        from memoir.exchange.merge import begin_branch

        return begin_branch(self._store, name, commit)

    def _create_if_possible(self, name: str, start: str | None) -> Commit | None:
        self._store.refs.check_name("branch", name)
        _check_name(name)
        commit = self._start(start)
        return self._create(name, commit) if commit else None

    def _tip_of(self, name: str) -> Commit | None:
        """The newest commit of a branch; only the checked-out one may have none."""
        store = self._store
        is_current = name == store.refs.current
        if not is_current and not store.refs.read(BRANCHES + name) and store.resolve(name):
            hint = "read it with --at, or create a branch there: 'memoir checkout -b NAME REVISION'"
            raise NotFound(f"{name!r} is a revision, not a branch", hint, revision=name)
        commit = store.resolve(store.refs.check_name("branch", name))
        if commit is None and not is_current:
            raise NotFound(f"no branch named {name!r}", self._creation(name), revision=name)
        return commit

    def _creation(self, name: str) -> str:
        """A hint how to create a branch, from a remote's if several have it; for a key, how to read it."""
        from shlex import quote

        if "." in name and is_key(self._store, name):
            return hint_for_key(self._store, name)

        refs, word = self._store.refs, quote(name)
        if theirs := self._remotes_of(name):
            return f"'memoir checkout -b {word} {quote(theirs[0])}' creates it from the remote's"
        return refs.suggest(name, f"'memoir checkout -b {word}' creates it")

    def _is_only_home(self, name: str) -> bool:
        """Whether no other ref reaches the newest commit of a branch."""
        from memoir.store import ancestry

        commit = self._store.resolve(BRANCHES + name)
        others = [tip for ref, tip in self._store.refs.list("refs/").items() if ref != f"heads/{name}"]
        return commit is not None and not any(ancestry.is_ancestor(self._store, commit.id, other) for other in others)
