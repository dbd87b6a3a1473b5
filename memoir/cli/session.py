"""The state of one command line: the form of its output, and its store, which is opened when it is needed.

It also unpacks the weights of minilm before a command needs them, and says so.
"""

import os
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from memoir.cli.deferral import load_orjson
from memoir.cli.signals import held
from memoir.errors import EmbedderUnavailable, InvalidInput
from memoir.progress import tell_nobody
from memoir.store.branch_choice import HEAD, Selection
from memoir.store.locate import locate, nearest, require_user_store
from memoir.store.store import Store

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from memoir.git.messages import Tell
    from memoir.git.objects import Oid
    from memoir.progress import OpenProgress
    from memoir.repository.past import History
    from memoir.repository.reads import Reads
    from memoir.repository.repository import Repository
    from memoir.repository.searches import Searches


D = TypeVar("D", "Reads", "Searches", "History")


def text_or_stdin(value: str, most: int) -> str:
    """Return the argument, or standard input if it is '-', without the last line break, as by `$(...)`.

    Little more than `most` bytes, the most that the caller accepts, is read.

    Raises:
        InvalidInput: standard input is not UTF-8.
    """
    if value != "-":
        return value
    text = decoded(sys.stdin.buffer.read(most + 3))
    return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")


def decoded(data: bytes) -> str:
    """Decode standard input.

    Raises:
        InvalidInput: it is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(
            "standard input is not valid UTF-8 text", "convert it first, with 'iconv -t UTF-8'"
        ) from error


def require_keys(keys: list[str] | None, *, unless: bool = False) -> list[str]:
    """Return the keys given on a command line.

    Raises:
        InvalidInput: there is none, although `unless` is false.
    """
    if not keys and not unless:
        raise InvalidInput("no key given", "name one or more paths, such as preferences.coding.testing")
    return keys or []


class Session:
    """The state that every command finds in its context."""

    def __init__(self, *, json: bool = False) -> None:
        self.json = json
        self.lean = False
        """Whether to print lean JSON."""
        self.quiet = False
        self.shows_causes = False
        """Whether a failure is printed with its traceback."""
        self.command = "memoir"
        self.folder: str | None = None
        self.branch: str | None = None
        self.user = False
        """Whether the user's own store is meant (`--global`)."""
        self.stores: OpenStores | None = None
        """The stores that stay open, if this is one command line of several in a process."""
        self._store: Store | None = None
        self._repository: Repository | None = None

    def for_line(self, stores: "OpenStores") -> "Session":
        """Return the session for one command line of several, with this one's store and branch as defaults.

        Its answer is JSON.
        """
        session = Session(json=True)
        session.folder, session.branch, session.user, session.stores = self.folder, self.branch, self.user, stores
        return session

    @property
    def is_alone(self) -> bool:
        """Whether this is the only command line of its process."""
        return self.stores is None

    @property
    def chatty(self) -> bool:
        """Whether progress may be shown: neither `--json` nor `--quiet` is given."""
        return not (self.json or self.quiet)

    @property
    def word(self) -> str:
        """`memoir` with the options that make a next command use the same store and branch."""
        if not (self.user or self.folder or self.branch):
            return "memoir"
        import shlex

        options = ["--global"] * self.user + ["-s", self.folder or ""] * bool(self.folder)
        return shlex.join(["memoir", *options, *["--branch", self.branch or ""] * bool(self.branch)])

    @property
    def origin(self) -> str:
        """Who vouches for what the command stores: the user who typed it, else an agent."""
        from memoir.records.origins import AGENT, USER

        return USER if self.is_alone and is_typed() else AGENT

    def git_progress(self) -> "Tell | None":
        """Return a function that shows git's progress on a terminal; None if no progress is shown."""
        if not self._is_watched:
            return None
        from memoir.answers.terminal import relay

        return relay

    def progress(self, what: str) -> "AbstractContextManager[OpenProgress]":
        """Return a progress bar for some work; it does nothing if no progress is shown."""
        if not self._is_watched:
            return nullcontext(tell_nobody)
        from memoir.answers.terminal import ProgressBar

        return ProgressBar(what)

    @property
    def _is_watched(self) -> bool:
        """Whether progress may be shown, and standard error is a terminal."""
        return self.chatty and sys.stderr.isatty()

    @property
    def store(self) -> Store:
        """The store named by `--store` or `MEMOIR_STORE`, else the nearest one above the current directory."""
        if self._store is None:
            git_dir, is_instead = self._git_dir()
            find_or_open = self.stores.find if self.stores else self._open
            self._store = find_or_open(git_dir, is_instead, self.selection())
        return self._store

    def _open(self, git_dir: Path, is_instead: bool, selection: Selection) -> Store:
        store = Store(git_dir, selection, is_instead=is_instead)
        store.git.tell = self.git_progress()
        store.reader.start()
        with held():  # orjson crashes if its import is interrupted
            load_orjson()  # every answer needs it; git starts meanwhile
        return store

    @property
    def repository(self) -> "Repository":
        """The store's repository, the library's interface that commands use."""
        if self._repository is None:
            from memoir.repository.repository import Repository

            store = self.store
            self._repository = self.stores.repository(store) if self.stores else Repository(store, origin=self.origin)
        return self._repository

    def door(self, kind: type[D]) -> D:
        """The repository as one of its read-only classes, so that a command does not import the writing code."""
        whole = self.repository if self.stores else None
        return whole if isinstance(whole, kind) else kind(self.store)

    @property
    def wrote(self) -> bool:
        """Whether the command has written to the branch that it works on."""
        return self._store is not None and self._store.wrote

    @property
    def reads_instead(self) -> bool:
        """Whether the store is the user's own because there is no project store."""
        return self.store.is_instead

    @property
    def begun(self) -> "Oid | None":
        """The commit at which the command's write created the selected branch; None if it did not."""
        return self._store.begun if self._store else None

    @property
    def damage(self) -> dict[str, str]:
        """The records that the answer leaves out because they are damaged, and what is wrong with them."""
        return self._store.damage if self._store else {}

    def adopt(self, repository: "Repository") -> "Repository":
        """Use a store that a command has just opened or created."""
        self._repository, self._store = repository, repository.store
        return repository

    def git_dir(self) -> Path:
        """Return the git directory of the store."""
        return self._git_dir()[0]

    def _git_dir(self) -> tuple[Path, bool]:
        """Return the git directory of the store, and whether it is the user's own because there is no project store."""
        if self.user:
            return require_user_store(), False
        folder = self.explicit_folder()
        return (locate(folder), False) if folder else nearest()

    def explicit_folder(self) -> str | None:
        """Return the folder given by `--store` or `MEMOIR_STORE`; an empty value counts as none."""
        return self.folder or os.environ.get("MEMOIR_STORE") or None

    def selection(self) -> Selection:
        """Return the branch to use: `--branch`, else `MEMOIR_BRANCH`, else HEAD; an empty value counts as none."""
        if self.branch:
            return Selection(self.branch, "--branch")
        branch = os.environ.get("MEMOIR_BRANCH")
        return Selection(branch, "MEMOIR_BRANCH", begins=True) if branch else HEAD

    def close(self) -> None:
        """End the git processes that read the store, unless it stays open."""
        if self._store and self.is_alone:
            self._store.close()


class OpenStores:
    """The stores that stay open from one command line to the next, each until its folder is replaced."""

    def __init__(self) -> None:
        self._open: dict[tuple[object, ...], Repository] = {}

    def find(self, git_dir: Path, is_instead: bool, selection: Selection) -> Store:
        """Return a store as if just opened; `is_instead`: it is the user's own because there is no project store."""
        from memoir.records.origins import AGENT
        from memoir.repository.repository import Repository

        key = (git_dir, git_dir.stat().st_ino, is_instead, *vars(selection).values())
        if key not in self._open:
            self._open[key] = Repository(Store(git_dir, selection, is_instead=is_instead), origin=AGENT)
        store = self._open[key].store
        store.wrote, store.begun = False, None
        store.damage.clear()
        return store

    def repository(self, store: Store) -> "Repository":
        """Return the repository of an open store, which keeps recall's loaded data."""
        return next(each for each in self._open.values() if each.store is store)

    def close(self) -> None:
        """End the git processes that read the stores."""
        for repository in self._open.values():
            repository.close()


def session(context: typer.Context) -> Session:
    """Return the session of a command's context."""
    state = context.obj
    assert isinstance(state, Session)
    return state


def prepare_embedder(here: Session, text: str = "", *, stored: bool = False) -> None:
    """Start embedding the command's text in the background; unpack the weights first, if needed.

    Weights are unpacked once per machine: one process does it and says so, others wait. The command reports a failure.
    """
    from memoir.repository.searches import Searches

    searches = here.door(Searches)
    if searches.awaits_weights():
        _unpack_weights(here)
    if text and here.is_alone:
        searches.embed_ahead(text, stored=stored)


def _unpack_weights(here: Session) -> None:
    from memoir.repository.repository import Repository

    with here.progress("unpacking") as progress, suppress(EmbedderUnavailable):

        def say(done: int, total: int) -> None:
            if not done and not here.quiet:
                sys.stderr.write("unpacking the weights of minilm (135 MB, once on this machine)\n")
            progress(done, total)

        Repository.install_minilm(say)


_OF_AGENTS = (
    "CLAUDECODE", "CODEX_SANDBOX", "CODEX_CI", "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE",
    "COPILOT_CLI", "CLINE_ACTIVE", "AUGMENT_AGENT", "AI_AGENT",
)  # fmt: skip
"""The variables that agents' hosts set in the shells of their agents."""


def is_typed() -> bool:
    """Whether a person typed the command at a terminal, rather than an agent.

    An agent's host reads what a command prints, so that neither output is a terminal, or it sets a variable of its own.
    """
    streams = (sys.stdout, sys.stderr)
    is_seen = any(stream is not None and stream.isatty() for stream in streams)
    return is_seen and not any(os.environ.get(name) for name in _OF_AGENTS)
