"""Runs git: finds it, checks its version, and gives it a sealed environment.

Nothing else in memoir starts git. Every call names the store with `--git-dir`, so neither the current directory nor a
hook's `GIT_DIR` can select another repository.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from memoir import user_folders
from memoir.errors import DamagedStore, GitError, MemoirError
from memoir.git.messages import Overtaken, damage, failure, last_words, purged_meanwhile

if TYPE_CHECKING:
    from memoir.git.messages import Tell

MINIMUM_VERSION = (2, 38)
_MINIMUM_TEXT = ".".join(map(str, MINIMUM_VERSION))

# git sets GIT_DIR, GIT_INDEX_FILE and others for its hooks; inherited, they would point
# memoir at the enclosing project. Only variables of the user's transport and set-up are kept.
_KEPT_VARIABLES = (
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_PROXY_COMMAND",
    "GIT_SSL_NO_VERIFY", "GIT_SSL_CAINFO", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_HTTP_USER_AGENT",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
    "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER",
)  # fmt: skip

# A store may have come with a cloned project. `memoir.store.guard` refuses dangerous settings before git is started;
# these make sure that a setting the guard missed runs no program and finds no work tree. Settings of the user (ssh,
# credentials, proxies) are not here; `docs/security.md` explains each line.
_SAFE_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=true",
    "core.commitGraph=false",
    "core.warnAmbiguousRefs=false",
    "log.showSignature=false",
    "i18n.logOutputEncoding=UTF-8",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "protocol.ext.allow=never",
    "protocol.fd.allow=never",
    "safe.bareRepository=explicit",
    "transfer.bundleURI=false",
)
_OPTIONS = ("--no-pager", *(word for setting in _SAFE_SETTINGS for word in ("-c", setting)))

_OFFLINE = {"GIT_ALLOW_PROTOCOL": "none"}
"""No protocol has that name, so git contacts no remote, not even for missing objects of a partial clone."""

REPACK = ("-c", "repack.writeBitmaps=false", "repack", "--pack-kept-objects")
"""The start of each repack command; git refuses bitmaps when only small packs are repacked.

By default git leaves objects of kept packs out of the new pack, and removes other packs with them. But a writer may
discard its kept pack, or rewrite and keep a pack that is just being removed: refs would lose objects.
"""

SAFE_FOLDER = "/"
"""The folder in which git is started, so that nothing in the current directory, maybe a stranger's project, is read."""

_PATIENCE = 30.0
"""Seconds."""

_VERSION_CACHE = "git-version"
_known = set[bytes]()
"""The git binaries that this process has found to be new enough."""
_LONGEST_VERSION = 100

PURGED = "memoir-purged"
"""The file of a store that each purge rewrites (`memoir.memory.tombstones`), before it drops anything."""

# Settings that memoir relies on in any store; a clone by plain git lacks them.
_DURABLE = ("-c", "core.fsync=committed", "-c", "core.logAllRefUpdates=always")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment git runs in: no inherited repository, English messages, real objects only, refs in files."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT_VARIABLES}
    env |= {"LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    env |= {"GIT_IMPLICIT_WORK_TREE": "0", "GIT_DEFAULT_REF_FORMAT": "files"}  # the second is new in git 2.45
    return {**env, **(extra or {})}


class Git:
    """Runs git on one repository."""

    def __init__(self, git_dir: Path) -> None:
        self.git_dir = Path(os.path.abspath(git_dir))
        self.identity: dict[str, str] = {}
        self.tell: Tell | None = None
        """Shows messages of git and of a remote during a transfer; None to hide them."""
        self.patience: float | None = None
        """The most seconds of one exchange with a remote, which then never asks for a password; None: no limit."""
        self.received = 0
        """The number of objects of the last fetch."""
        self._purged = self.last_purge()

    @property
    def folds_case(self) -> bool:
        """Whether the repository's file system ignores case, as on most Macs."""
        return os.path.exists(self.git_dir / "head")

    def last_purge(self) -> int:
        """The time of the last purge of this repository, or drop of objects after it, in nanoseconds; 0: never."""
        try:
            return os.stat(self.git_dir / PURGED).st_mtime_ns
        except (FileNotFoundError, NotADirectoryError):
            return 0

    def note_drop(self) -> None:
        """Note that objects were dropped, so that readers replace a running git, which has old packs open."""
        with suppress(FileNotFoundError):
            os.utime(self.git_dir / PURGED, follow_symlinks=False)

    def is_overtaken(self) -> bool:
        """Whether there was a purge since this object was made, so that commits found before may be gone."""
        return self.last_purge() != self._purged

    def loss(self, error: MemoirError) -> MemoirError:
        """The error to raise for a failed read: the given one, or after a purge one that says so."""
        return purged_meanwhile(Overtaken) if isinstance(error, DamagedStore) and self.is_overtaken() else error

    def command(self, *args: str) -> list[str]:
        """The full argument vector for a git subcommand on this repository."""
        return ["git", f"--git-dir={self.git_dir}", "--bare", *_OPTIONS, *_DURABLE, *args]

    def start(
        self, *args: str, stdin: int = subprocess.PIPE, stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE
    ) -> subprocess.Popen[bytes]:
        """Start git, by default with all its pipes open.

        Raises:
            GitError: git is not installed.
        """
        try:
            return subprocess.Popen(
                self.command(*args),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=SAFE_FOLDER,
                env=environment(self.identity | _OFFLINE),
            )
        except FileNotFoundError as error:
            raise no_git() from error

    def read(self, *args: str, ok: Iterable[int] = (0,)) -> bytes:
        """Run a git command that only reads the store and return its standard output.

        Raises:
            DamagedStore: git failed; with well-formed arguments, an object is missing.
        """
        done = self.try_run(*args)
        if done.returncode not in ok:
            raise self.loss(damage(_subcommand(args), done.stderr, self.git_dir))
        return done.stdout

    @contextmanager
    def stream(self, *args: str) -> Iterator[IO[bytes]]:
        """The output of a git command that only reads the store, as it arrives; git ends with the block.

        Raises:
            DamagedStore: git failed; this is noticed at the end of its output.
        """
        process = self.start(*args)
        assert process.stdout and process.stderr
        try:
            yield process.stdout
            words = process.stderr.read()
            if process.wait():
                raise self.loss(damage(_subcommand(args), words, self.git_dir))
        finally:
            self.reap(process)

    def reap(self, process: "subprocess.Popen[bytes]") -> None:
        """Close a process's pipes, which ends it if it still writes, and wait for it."""
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):  # it did not read everything
                if pipe:
                    pipe.close()
        process.wait()

    def try_run(
        self, *args: str, stdin: bytes | bytearray = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git to its end and return the result, whatever its status."""
        try:
            return subprocess.run(
                self.command(*args),
                input=stdin,
                capture_output=True,
                cwd=SAFE_FOLDER,
                env=environment({**self.identity, **_OFFLINE, **(env or {})}),
            )
        except FileNotFoundError as error:
            raise no_git() from error

    def run(self, *args: str, stdin: bytes = b"", ok: Iterable[int] = (0,)) -> bytes:
        """Run git and return its standard output.

        Raises:
            GitError: git is missing, or its exit status is not in `ok`.
        """
        done = self.try_run(*args, stdin=stdin)
        if done.returncode not in ok:
            raise failure(_subcommand(args), last_words(done))
        return done.stdout

    def talk(
        self, *args: str, env: Mapping[str, str], patience: float | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a git command that contacts a remote; the remote's messages go to `tell`, never raw.

        git may ask the user for a password, unless there is a `patience`, given here or for this repository. It starts
        in the current directory, because paths of the user's ssh command and keys may be relative to it.
        """
        seconds = self.patience if patience is None else patience
        return _talk(self.command(*args), environment({**self.identity, **env}), seconds, self.tell)

    def detach(self, *args: str, keep_open: int) -> None:
        """Start git in the background without waiting for it or its output; it inherits one open file."""
        nowhere = subprocess.DEVNULL
        subprocess.Popen(
            self.command(*args), pass_fds=(keep_open,), start_new_session=True, cwd=SAFE_FOLDER,
            stdin=nowhere, stdout=nowhere, stderr=nowhere, env=environment(_OFFLINE),
        )  # fmt: skip


def talk_alone(*args: str, env: Mapping[str, str], patience: float | None) -> subprocess.CompletedProcess[bytes]:
    """`Git.talk` without a store.

    Raises:
        GitError: git is not installed.
    """
    try:
        return _talk(["git", *_OPTIONS, *args], environment(env), patience)
    except FileNotFoundError as error:
        raise no_git() from error


def _talk(
    command: Sequence[str], env: Mapping[str, str], seconds: float | None, tell: "Tell | None" = None
) -> subprocess.CompletedProcess[bytes]:
    from tempfile import TemporaryFile

    from memoir.git.messages import end, listen, outlast, within

    alone = seconds is not None
    stdin = None if not alone and sys.stdin is not None and sys.stdin.isatty() else subprocess.DEVNULL
    with (
        TemporaryFile() as output,
        subprocess.Popen(
            command, stdin=stdin, stdout=output, stderr=subprocess.PIPE, env=env, start_new_session=alone
        ) as process,
        within(seconds, process) as too_late,
    ):
        assert process.stderr
        try:
            words = listen(process.stderr, tell)
            status = process.wait()
        except BaseException:
            end(process, alone=alone)
            outlast(process.stderr)
            raise
        output.seek(0)
        return subprocess.CompletedProcess(command, status, output.read(), too_late() or words)


def plain(
    *args: str, env: Mapping[str, str] | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git without a store, at most for `seconds`.

    Raises:
        GitError: git is not installed, or took too long.
    """
    try:
        return subprocess.run(["git", *_OPTIONS, *args], capture_output=True, env=environment(env), timeout=seconds)
    except FileNotFoundError as error:
        raise no_git() from error
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git gave no answer within {seconds:g} seconds", "see whether 'git status' answers") from error


def around(folder: Path, *args: str) -> subprocess.CompletedProcess[bytes]:
    """Ask git about the repository around a folder, with the repository's own config, but offline."""
    return plain("-C", str(folder), *args, env=_OFFLINE, seconds=_PATIENCE)


def output_lines(output: bytes) -> list[str]:
    """The lines of git's output. Only a line feed ends a line: the name of a ref may contain U+2028 or U+0085."""
    return [line.decode("utf-8", "replace") for line in output.split(b"\n") if line]


def _subcommand(args: Sequence[str]) -> str:
    """The name of the git subcommand, after any `-c` and its setting."""
    return next(word for word, before in zip(args, ("", *args), strict=False) if "-c" not in (word, before))


def check_version() -> None:
    """Refuse a git that is missing or older than memoir's minimum.

    The answer is remembered in the user's cache beside the identity of the git binary, so that a
    command pays one `stat` for this check instead of one process.

    Raises:
        GitError: naming the version found.
    """
    binary = _find_git()
    if binary is None:
        raise no_git()
    about = os.stat(binary)
    stamp = os.fsencode(f"{binary}\n{about.st_ino} {about.st_size} {about.st_mtime_ns} {about.st_ctime_ns}\n")
    if stamp not in _known and user_folders.read_cached(_VERSION_CACHE) != stamp:
        _require_version(read_version())
        user_folders.write_cached(_VERSION_CACHE, stamp)
    _known.add(stamp)


def _find_git() -> str | None:
    """Find the git that a process would run, without the module `shutil`, which is slow to load."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    binaries = (os.path.join(folder, "git") for folder in folders)
    return next((binary for binary in binaries if os.path.isfile(binary) and os.access(binary, os.X_OK)), None)


def read_version() -> str:
    """The version of the installed git, such as `2.39.5`, or the beginning of whatever else it prints.

    Raises:
        GitError: git is not installed.
    """
    try:
        process = subprocess.Popen(
            ["git", "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=SAFE_FOLDER,
            env=environment(),
        )
    except FileNotFoundError as error:
        raise no_git() from error
    assert process.stdout
    with process:
        words = process.stdout.read(4 * _LONGEST_VERSION)
        process.kill()
    first = words.decode("utf-8", "replace").removeprefix("git version ").strip().partition("\n")[0]
    return "".join(char for char in first[:_LONGEST_VERSION] if char.isprintable())


def _require_version(version: str) -> None:
    numbers = tuple(int(part) for part in version.split(" ")[0].split(".")[:2] if part.isdecimal())
    if numbers < MINIMUM_VERSION:
        words = f"git {version or 'of an unknown version'} is too old"
        raise GitError(words, f"git {_MINIMUM_TEXT} or newer is needed")


def no_git() -> GitError:
    """The error for a machine without git."""
    return GitError("git was not found", f"install git {_MINIMUM_TEXT} or newer and put it on PATH")
