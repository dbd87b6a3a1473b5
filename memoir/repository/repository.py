"""`Repository`: memoir as a library, the only interface to a store. The command line is one client of it."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from memoir.progress import Progress, tell_nobody
from memoir.records.origins import AGENT
from memoir.repository.past import History
from memoir.repository.searches import Searches
from memoir.repository.writes import Writes
from memoir.store.branch_choice import HEAD, IN_USERS_STORE, Selection
from memoir.store.locate import discover, find, locate, require_user_store
from memoir.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from memoir.embedders.installed import InstalledModel
    from memoir.filing.store_taxonomy import Categories
    from memoir.git.messages import Tell
    from memoir.layers.code_memories import Code
    from memoir.memory.store_lexicon import Lexicon
    from memoir.repository.agents import Agents
    from memoir.repository.branches import Branches, Tags
    from memoir.repository.captures import Captures
    from memoir.repository.exchange import Remotes
    from memoir.repository.layers import Layers, Sources
    from memoir.repository.upkeep import Installation, Upkeep, Versions
    from memoir.store.config import Configuration
    from memoir.store.signing import Verification

Folder = str | os.PathLike[str]


class Repository(Searches, Writes, History):
    """A store of memories. Keys are paths (`preferences.coding.testing`) or `namespace:path`.

    Reads take `at`, a revision or date; writes take `options`, a `WriteOptions`. Every write is one commit. Use it as a
    context manager, or call `close`. All errors are subclasses of `memoir.MemoirError`.

    Threads may share a repository, an event loop may use it beside `MemoryService`, and a forked process may use its
    parent's. If a read is interrupted, only that read fails.
    """

    def __init__(self, store: Store, is_new: bool = False, *, origin: str = AGENT) -> None:
        super().__init__(store, origin)
        self.is_new = is_new
        """Whether this object created the store."""

    @classmethod
    def open(
        cls, folder: Folder | None = None, *, branch: str | None = None, work: Folder | None = None, origin: str = AGENT
    ) -> "Repository":
        """Open the store in a folder; by default, the nearest store in or above the current directory.

        With `branch`, reads and writes use that branch instead of the checked-out one. If it does not exist, the first
        write creates it from the checked-out branch, which reads see until then. `work` is the folder of the work, such
        as a linked worktree: a store that follows the code uses the branch of the code there. `origin` is the origin of
        memories remembered and edited: `agent`, unless the program knows that it is the `user`.

        Raises:
            NoStore: there is no store. UnsafeStore, DamagedStore: the store is unsafe or damaged.
            GitError: git is missing or too old. InvalidInput: there is no such origin, or the branch has no name.
        """
        selection = Selection(branch, "Repository.open", begins=True) if branch is not None else HEAD
        return cls(Store(_git_dir(folder), selection, work or folder), origin=origin)

    @classmethod
    def open_user(cls, *, origin: str = AGENT) -> "Repository":
        """Open the user's own store, at the branch of its HEAD.

        Raises:
            NoStore: there is none. UnsafeStore, DamagedStore: the store is unsafe or damaged.
        """
        return cls(Store(require_user_store(), IN_USERS_STORE), origin=origin)

    @classmethod
    def init(cls, folder: Folder = ".", *, sha256: bool = False, origin: str = AGENT) -> "Repository":
        """Create a store in a folder, or open an existing one; `is_new` tells which.

        If the folder is part of a git project, git ignores the store from then on. With `sha256` a new store uses ids
        by SHA-256 instead of SHA-1.

        Raises:
            ReadOnlyStore: the folder cannot be written. GitError: git is missing, too old or failed.
            DamagedStore: the existing store is damaged.
        """
        from memoir.store.create import create_or_open

        return cls(*create_or_open(folder, "sha256" if sha256 else "sha1"), origin=origin)

    @classmethod
    def clone(cls, url: str, folder: Folder, *, tell: "Tell | None" = None, origin: str = AGENT) -> "Repository":
        """Clone a store from a URL into a folder; `tell` is called with git's messages.

        Raises:
            GitError: the URL cannot be reached. Conflict: the folder holds a store.
            DamagedStore: there is no memoir store at the URL, or it has content that memoir never writes.
        """
        from memoir.exchange import remotes
        from memoir.exchange.fetch import clone

        store = clone(url, os.fspath(folder), tell=tell)
        remotes.note(store, "origin")
        return cls(store, is_new=True, origin=origin)

    def by(self, origin: str) -> "Repository":
        """Return a repository with the same open store that remembers and edits with another `origin`.

        Raises:
            InvalidInput: there is no such origin.
        """
        return Repository(self.store, origin=origin)

    @staticmethod
    def find(folder: Folder = ".") -> "Path | None":
        """Return the git directory of the store used in a folder: its own, the nearest above it, or None."""
        return find(folder)

    @staticmethod
    def restore_files(folder: Folder | None = None) -> list[str]:
        """Rewrite the HEAD and config of a store if they are lost; without them it cannot be opened.

        The store is found as by `open`. Return descriptions of the repairs.

        Raises:
            NoStore: there is no store. UnsafeStore, DamagedStore: its other files are unsafe or damaged.
        """
        from memoir.repair.ref_logs import restore_files

        return restore_files(_git_dir(folder))

    @staticmethod
    def install_minilm(progress: Progress = tell_nobody) -> "Installation":
        """Unpack the weights of the embedder minilm on this machine now, instead of at the first recall.

        Raises:
            EmbedderUnavailable: the cache cannot be written, or the installed memoir is damaged.
        """
        from memoir.embedders import minilm, weights
        from memoir.repository.upkeep import Installation

        weights.lay_out(minilm.folder(), progress)
        return Installation(minilm.MiniLm.name, minilm.folder(), weights.SIZE)

    @staticmethod
    def install_model(file: Folder) -> "InstalledModel":
        """Copy a sentence-transformer from a folder or a zip archive into the user's cache, replacing an earlier one.

        The value `installed` of the setting `memoir.embed.provider` means that model. It is tested by a run first.

        Raises:
            NotFound: there is no such folder or file. InvalidInput: it is not a model that runs here.
            EmbedderUnavailable: the packages that run it are missing, or the cache cannot be written.
        """
        from memoir.embedders.install_model import install

        return install(os.fspath(file))

    @staticmethod
    def verify(proof: bytes, *, commit: str | None = None, signers: Folder | None = None) -> "Verification":
        """Check a proof made by `prove`. No store is needed.

        With `commit`, a whole id, the proof must be of that commit; with `signers`, a file of allowed signers, one of
        them must have signed the commit. With neither, the caller must decide whether to trust the commit.

        Raises:
            NotProven: the proof is invalid, or of another commit. InvalidInput: `commit` is not a whole id.
            NotFound: there is no such file of signers. MemoirError: ssh-keygen is not installed.
        """
        from memoir.store.signing import verify_proof

        return verify_proof(proof, commit, signers)

    @staticmethod
    def versions() -> "Versions":
        """Return the versions of memoir, Python and git, and the name of the store format.

        Raises:
            GitError: git is not installed.
        """
        import platform

        from memoir.git.git import read_version
        from memoir.repository.upkeep import Versions
        from memoir.tree.node import MARKERS
        from memoir.version import __version__

        return Versions(__version__, platform.python_version(), read_version(), MARKERS[-1].decode())

    def __repr__(self) -> str:
        return f"<Repository {str(self._behind.git_dir)!r}, {'closed' if self._is_closed else self._branch_or_fault()}>"

    def _branch_or_fault(self) -> str:
        from memoir.errors import MemoirError

        try:
            return f"branch {self.branch!r}"
        except MemoirError as error:
            return error.message

    def __enter__(self) -> "Repository":
        _ = self.store  # refuses a repository that is closed
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the git processes that read the store and the user's own store; close the index.

        After that, every method raises a `MemoirError`; only `close` may be called again.
        """
        self._is_closed = True
        if engines := self.__dict__.get("_engines"):
            engines.close()
        self._behind.close()
        if own := self.__dict__.get("user"):
            own.close()

    @cached_property
    def branches(self) -> "Branches":
        """The store's branches."""
        from memoir.repository.branches import Branches

        return Branches(self)

    @cached_property
    def tags(self) -> "Tags":
        """The store's tags."""
        from memoir.repository.branches import Tags

        return Tags(self)

    @cached_property
    def remotes(self) -> "Remotes":
        """The store's remotes."""
        from memoir.repository.exchange import Remotes

        return Remotes(self)

    @cached_property
    def config(self) -> "Configuration":
        """The settings of the store."""
        from memoir.store.config import Configuration

        return Configuration(self)

    @cached_property
    def taxonomy(self) -> "Categories":
        """The categories under which the store files memories."""
        from memoir.filing.store_taxonomy import Categories

        return Categories(self)

    @cached_property
    def lexicon(self) -> "Lexicon":
        """The store's own words: the project's names for things."""
        from memoir.memory.store_lexicon import Lexicon

        return Lexicon(self)

    @cached_property
    def sources(self) -> "Sources":
        """The conversations and documents that memories came from."""
        from memoir.repository.layers import Sources

        return Sources(self)

    @cached_property
    def layers(self) -> "Layers":
        """Entities, relations, threads and insights of the store."""
        from memoir.repository.layers import Layers

        return Layers(self)

    @cached_property
    def upkeep(self) -> "Upkeep":
        """The methods that check, repair and pack the store, and complete its index."""
        from memoir.repository.upkeep import Upkeep

        return Upkeep(self)

    @cached_property
    def agents(self) -> "Agents":
        """The services for agents: the primer of sessions, relevant memories, and pins."""
        from memoir.repository.agents import Agents

        return Agents(self)

    @cached_property
    def captures(self) -> "Captures":
        """The texts of sessions from hosts, until they are reviewed."""
        from memoir.repository.captures import Captures

        return Captures(self)

    @cached_property
    def code(self) -> "Code":
        """Memories about files of the project, and whether they still hold."""
        from memoir.layers.code_memories import Code

        return Code(self)

    @property
    def path(self) -> "Path":
        """The store's git directory."""
        return self.store.git_dir

    @property
    def branch(self) -> str:
        """The branch for reads and writes.

        Raises:
            MemoirError: no branch is checked out; memoir itself never leaves a store like this.
        """
        return self.store.branch()


def _git_dir(folder: Folder | None) -> "Path":
    return locate(folder) if folder is not None else discover()
