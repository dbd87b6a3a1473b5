"""`Store`: opened by its git directory, read at any revision."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property, lru_cache
from os import PathLike
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING

from memoir.errors import DamagedStore, MemoirError, NotFound
from memoir.git.git import Git, check_version
from memoir.git.messages import read_failure
from memoir.git.object_reader import FoundObject, ObjectReader
from memoir.git.objects import Oid, sha1, sha256
from memoir.git.ref_names import BRANCHES, head_branch, is_ref_name, refs_meant
from memoir.store import guard
from memoir.store.branch_choice import FOLLOW, HEAD, Selection, on_branch
from memoir.store.locate import STAGED, insist_whole, require_whole_store
from memoir.store.snapshot import FIRST_COMMIT, Snapshot, add_distrusted, read_distrusted, sound_tree, tree_of
from memoir.tree.tree import Tree

if TYPE_CHECKING:
    from typing import Protocol

    from memoir.git.git_settings import GitSettings
    from memoir.git.refs import Refs
    from memoir.store.change_table import MakeTable
    from memoir.store.commit import Commit

    class _Door(Protocol):
        """What gives its store, or refuses to once it is closed."""

        @property
        def store(self) -> "Store": ...


UNCHECKED = "memoir-unchecked"
"""A file with commits, a line each, whose histories may contain values that have not been checked."""
_TREES = 4
"""The trees that are cached with their nodes: a command often reads the same one again."""
_NOT_IN_NAMES = frozenset("~^: ?*[\\\n")
_ID_SIZES = {"sha1": 20, "sha256": 32}


class Store:
    """A versioned key-value store: keys and values are bytes, and every write is a commit.

    Use it as a context manager, or call `close`, to end its git processes. Threads may share it.
    """

    def __init__(
        self,
        git_dir: Path,
        selection: Selection = HEAD,
        folder: str | PathLike[str] | None = None,
        *,
        is_instead: bool = False,
    ) -> None:
        """Open the store in a git directory, to work on HEAD's branch or a selected one.

        In a store that follows the code, the branch is that of the code in `folder`, by default the current directory.
        With `is_instead`, the user's own store stands in where there is none, and is only read.
        """
        insist_whole(git_dir)
        self.settings = guard.inspect(git_dir)
        require_whole_store(git_dir)
        check_version()
        self.git_dir = git_dir
        self.is_instead = is_instead
        self.folder = folder
        """The folder of the work, such as a linked worktree of the code; None for the current directory."""
        self.selection = selection
        if selection is HEAD and self.settings.get(FOLLOW, [""])[-1] == "code":
            from memoir.store import branch_choice

            self.selection = branch_choice.selection(git_dir, folder)
        self.git = Git(git_dir)
        if os.path.isdir(git_dir / STAGED):
            from memoir.store.switchover import finish_staged

            finish_staged(self.git)
        self.object_format = self.settings.get("extensions.objectformat", ["sha1"])[-1]
        self.id_size = _ID_SIZES[self.object_format]
        self.reader = ObjectReader(self.git)
        self.is_unchecked = os.path.exists(git_dir / UNCHECKED)
        """Whether the store is a clone whose values have not been checked yet; they are checked when read."""
        self.tree = lru_cache(_TREES)(self._tree)
        self.wrote = False
        """Whether the current branch has a new commit since the store was opened or last synced."""
        self.begun: Oid | None = None
        """The first commit of the selected branch, if a write has created it since the store was opened."""
        self._left_out = local()
        self.checked: dict[Oid, str | None] = {}
        """The foreign commits whose trees have been checked since then, with the fault of their shape or None."""
        self.checked_past: set[Oid] = set()
        """The commits whose whole history has been checked."""
        self.common: dict[tuple[Oid, ...], str] = {}
        """A cache: a best common ancestor by a sorted pair of commits; empty if there is none."""
        self.times_and_parents: dict[Oid, tuple[int, Sequence[Oid]]] = {}
        """A cache: time and parents of the commits that `memoir.store.recent` has read."""
        self.held: ExitStack | None = None
        """Protects new packs that no ref needs yet, while a sync sends them (`memoir.store.chain`)."""
        self.make_table: MakeTable | None = None
        """Makes the table for searches of a long history; None: every commit is read. The opener of the store sets
        it."""

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def damage(self) -> dict[str, str]:
        """The damaged records that readers in this thread have left out, by key, with the reasons.

        A process that answers several questions clears it before each.
        """
        found: dict[str, str] = self._left_out.__dict__
        return found

    def reload(self) -> None:
        """Read all settings again after a change."""
        self._leave_settings()
        self.settings = guard.read_settings(self.git_dir)

    def reload_own(self) -> None:
        """Read the store's own settings again after a change; the user's are unchanged."""
        self.settings = guard.read_settings(self.git_dir)
        self.__dict__["git_settings"] = self.git_settings.with_own(self.settings)

    def close(self) -> None:
        """End its git processes."""
        self.reader.close()
        self._leave_settings()

    def _leave_settings(self) -> None:
        if settings := self.__dict__.pop("git_settings", None):
            settings.stop()

    @cached_property
    def refs(self) -> "Refs":
        """The branches and tags; loaded on demand, because most reads need only the name in HEAD."""
        from memoir.git.refs import Refs

        return Refs(self.git, self.id_size)

    @cached_property
    def git_settings(self) -> "GitSettings":
        """The settings that git sees for the store, read on demand."""
        from memoir.git.git_settings import GitSettings

        settings: GitSettings = self.__dict__.setdefault("git_settings", GitSettings(self.git))  # for any thread
        return settings

    def expect_config(self) -> None:
        """Start reading the settings in the background."""
        self.git_settings.start()

    @property
    def has_remotes(self) -> bool:
        """Whether the store has a remote, from which memories may have come."""
        return any(key.startswith("remote.") and key.endswith(".url") for key in self.settings)

    @property
    def config(self) -> dict[str, list[str]]:
        """Every active setting; see `GitSettings.active`."""
        return self.git_settings.active

    @cached_property
    def distrusted(self) -> frozenset[Oid]:
        """The ids of commits whose trailers are not believed."""
        return read_distrusted(self.git_dir)

    def distrust(self, commit: Oid) -> None:
        """Stop believing a commit's trailers, now and later."""
        add_distrusted(self.git_dir, commit)
        self.__dict__.pop("distrusted", None)

    def trust(self, commit: Oid) -> None:
        """Mark a commit and its history as checked: this store has made it, or its branch contains it."""
        self.checked.setdefault(commit, None)
        self.checked_past.add(commit)

    def hash(self, data: bytes | bytearray) -> bytes:
        """Hash bytes as the repository does."""
        return sha256(data) if self.object_format == "sha256" else sha1(data)

    def branch(self, name: str | None = None) -> str:
        """The given branch, or the current one: the selected branch, else HEAD's.

        Raises:
            InvalidInput: the name is empty.
        """
        return (self.selection if name is None else Selection(name)).branch or self._head_branch()

    def _in_head(self) -> str | None:
        return head_branch(self.git_dir, self.id_size)

    def _head_branch(self) -> str:
        if (current := self._in_head()) is None:
            raise MemoirError("no branch is checked out in this store", "run 'memoir checkout main'")
        return current

    def head(self, branch: str | None = None) -> Snapshot:
        """The newest snapshot of a branch (by default the current one); empty if it has no commit.

        Raises:
            NotFound: no such branch. HEAD's branch may be without commits, and a selected one may not exist yet.
        """
        name = self.branch(branch)
        tip = self._tip(name)
        if tip or name == self._in_head():
            return self.snapshot(tip)
        self.refs.check_name("branch", name)
        if branch is None and self.selection.begins:
            start = self.selection.start
            return self.snapshot((start and self._tip(start)) or self._tip(self._head_branch()))
        from shlex import quote

        hint = self.refs.suggest(name, f"'memoir branch {quote(name)}' creates it")
        raise NotFound(f"no branch named {name!r}", hint, revision=name)

    def _tip(self, branch: str) -> FoundObject | None:
        if _NOT_IN_NAMES.intersection(branch) or ".." in branch:
            return None
        if self.git.folds_case:
            self.refs.require_own_file("branch", branch)
        tip = self.reader.resolve(BRANCHES + branch)
        if tip is None:
            self._insist_absent(BRANCHES + branch)
        return tip

    def at(self, revision: str | None) -> Snapshot:
        """The snapshot of a revision: anything git understands, or a date (the last commit at that time).

        None and `HEAD` mean the current branch, which may be empty.
        """
        if revision in (None, "HEAD", "@") and (self.selection.branch or self._in_head()) is not None:
            return self.head()
        return self.snapshot(self._resolve_or_raise("HEAD" if revision is None else revision))

    def of(self, commit: Oid | None) -> Snapshot:
        """The snapshot of a commit given by its full id; the empty one for None."""
        if commit is None:
            return self.snapshot(None)
        return self.snapshot(self._read(commit))

    def before(self, commit: "Commit") -> Snapshot:
        """The snapshot of a commit's first parent; the empty one if it has none."""
        return self.of(next(iter(commit.parents), None))

    def _read(self, commit: Oid) -> FoundObject:
        return FoundObject(commit, "commit", self.reader.read([commit], "commit")[0])

    def _tree(self, root: Oid | None) -> Tree:
        """The tree with a given root (None: the empty one)."""
        return Tree(self.reader, self.id_size, root)

    def resolve(self, revision: str) -> "Commit | None":
        """The commit a revision names in git's syntax, or None; its tree is not read."""
        answer = self.reader.resolve(self._on_selection(revision))
        return _parse(answer) if answer else None

    def commit(self, revision: str) -> "Commit":
        """The commit a revision or date names."""
        return _parse(self._resolve_or_raise(revision))

    def _on_selection(self, revision: str) -> str:
        """A revision with a leading `HEAD` replaced by the selected branch, if that exists."""
        name = self.selection.branch and on_branch(revision, self.selection.branch)
        if not name or name == revision:
            return revision
        self.head()  # raises if the selected branch must exist and does not
        return name if self._tip(self.branch()) else revision

    def _resolve_or_raise(self, revision: str) -> FoundObject:
        name = self._on_selection(revision)
        if name and (answer := self.reader.resolve(name)):
            return answer
        self._insist_absent(name)
        from memoir.times import looks_like_date

        if looks_like_date(revision):
            return self._commit_before(revision)
        if name == "HEAD":
            raise NotFound("there is no commit yet", FIRST_COMMIT)
        raise NotFound(f"no revision named {revision!r}", self.refs.suggest(revision), revision=revision)

    def commits(self, ids: Sequence[Oid]) -> "list[Commit]":
        """The commits with the given full ids."""
        from memoir.store.commit import parse

        return list(map(parse, ids, self.reader.read(ids, "commit")))

    def _insist_absent(self, revision: str) -> None:
        """Raise an error if a revision that was not found names a lost object, rather than nothing."""
        for name in (revision, "HEAD"):
            oid = self.refs.read(name)
            if oid and any(oid) and str(oid) != name and not self.reader.has(oid):  # git takes a log for a ref of zeros
                message = f"{name!r} names object {oid}, which is missing"
                raise self.git.loss(read_failure(self.git_dir, message, "run 'memoir fsck'"))
        of_branch = revision.startswith(BRANCHES) and is_ref_name(revision)
        if of_branch and os.path.isfile(self.git_dir / revision) and not self.refs.read(revision):
            raise DamagedStore(f"the file of {revision!r} is broken", "run 'memoir fsck'")
        for ref in refs_meant(revision):
            self.refs.insist_absent(ref)

    def _commit_before(self, date: str) -> FoundObject:
        """The last commit at a date along the first parents of the current branch."""
        from memoir.times import end_of

        until = int(end_of(date).timestamp())
        tip = self.at(None).commit
        options = ("-1", "--first-parent", f"--min-age={until}")
        hex_id = self.git.read("rev-list", *options, str(tip.id), "--").decode().strip() if tip and until >= 0 else ""
        if not hex_id:
            raise NotFound(f"no commit before {date!r}", "'memoir log' shows the dates", revision=date)
        return self._read(Oid.fromhex(hex_id))

    def snapshot(self, answer: FoundObject | None) -> Snapshot:
        """The snapshot of a commit object (None: the empty one)."""
        tree = sound_tree(self.tree(tree_of(answer.data)), answer, self.distrusted) if answer else self.tree(None)
        return Snapshot(self.reader, tree, answer, self.damage)


class Part:
    """A group of a repository's methods, such as `repository.branches`; valid until the store is closed."""

    def __init__(self, repository: "_Door") -> None:
        self._repository = repository

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._repository!r}>"

    @property
    def _store(self) -> Store:
        return self._repository.store


def _parse(answer: FoundObject) -> "Commit":
    from memoir.store.commit import parse

    return parse(answer.oid, answer.data)
