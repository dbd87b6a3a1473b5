"""The one door to git: a sealed environment, one way to run it, one version check.

Nothing else in memoir starts git. Every call names the store with `--git-dir`, so neither the
current directory nor a hook's `GIT_DIR` decides which repository is meant.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import DamagedStore, GitError, MemoirError, ReadOnlyStore

if TYPE_CHECKING:
    from memoir.store.sideband import Tell

MINIMUM_VERSION = (2, 38)

# git sets GIT_DIR, GIT_INDEX_FILE and their kin for its hooks; inherited, they would point
# memoir at the enclosing project. Only what describes the user's transport and set-up stays.
_KEPT = (
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_PROXY_COMMAND",
    "GIT_SSL_NO_VERIFY", "GIT_SSL_CAINFO", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_HTTP_USER_AGENT",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
)  # fmt: skip

# A store may have come with a cloned project: whatever its config says, no hook runs and no
# signature program is called. `memoir.store.guard` refuses the rest before git is started.
_HARMLESS = ("-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment git runs in: no inherited repository, English messages, real objects only."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT}
    env |= {"LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    return {**env, **(extra or {})}


class Git:
    """Runs git on one repository."""

    def __init__(self, git_dir: Path) -> None:
        self.git_dir = git_dir
        self.identity: dict[str, str] = {}
        self.tell: Tell | None = None
        """Shows what git and a remote say while they talk; without it nobody is shown."""

    def command(self, *args: str) -> list[str]:
        """The full argument vector for a git subcommand on this repository."""
        return ["git", f"--git-dir={self.git_dir}", *_HARMLESS, *args]

    def start(self, *args: str, stdin: int = subprocess.PIPE, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start git with its output piped.

        Raises:
            GitError: git is not installed.
        """
        try:
            return subprocess.Popen(
                self.command(*args), stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=environment(self.identity)
            )
        except FileNotFoundError:
            raise _missing() from None

    def read(self, *args: str, ok: Iterable[int] = (0,)) -> bytes:
        """Run a git command that only reads the store and return its standard output.

        Raises:
            DamagedStore: it failed; with well-formed arguments, that is for want of an object.
        """
        done = self.try_run(*args)
        if done.returncode not in ok:
            raise damage(args[0], done.stderr)
        return done.stdout

    def check(self, process: "subprocess.Popen[bytes]", subcommand: str) -> None:
        """Wait for a process that reads the store and whose output has ended.

        Raises:
            DamagedStore: it failed.
        """
        assert process.stderr
        words = process.stderr.read()
        if process.wait():
            raise damage(subcommand, words)

    def reap(self, process: "subprocess.Popen[bytes]") -> None:
        """Close a process's pipes, which ends it if it still writes, and wait for it."""
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):  # what it was still to read
                if pipe:
                    pipe.close()
        process.wait()

    def try_run(
        self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git to its end and return how it went, whatever its status."""
        try:
            return subprocess.run(
                self.command(*args), input=stdin, capture_output=True, env=environment({**self.identity, **(env or {})})
            )
        except FileNotFoundError:
            raise _missing() from None

    def run(self, *args: str, stdin: bytes = b"", ok: Iterable[int] = (0,)) -> bytes:
        """Run git and return its standard output.

        Raises:
            GitError: git is missing, or its exit status is not in `ok`.
        """
        done = self.try_run(*args, stdin=stdin)
        if done.returncode not in ok:
            killed = b"it was ended by signal %d" % -done.returncode if done.returncode < 0 else b""
            raise failure(args[0], done.stderr or killed)
        return done.stdout

    def talk(self, *args: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
        """Run git to its end with a remote on the other side; what that says meanwhile goes to `tell`, never raw.

        It may ask its user for a password.
        """
        from tempfile import TemporaryFile

        from memoir.store.sideband import listen

        stdin = None if sys.stdin is not None and sys.stdin.isatty() else subprocess.DEVNULL
        command, env = self.command(*args), environment({**self.identity, **env})
        with (
            TemporaryFile() as output,
            subprocess.Popen(command, stdin=stdin, stdout=output, stderr=subprocess.PIPE, env=env) as process,
        ):
            assert process.stderr
            try:
                words = listen(process.stderr, self.tell)
            except BaseException:
                process.kill()
                raise
            status = process.wait()
            output.seek(0)
            return subprocess.CompletedProcess(args, status, output.read(), words)

    def detach(self, *args: str, keep_open: int) -> None:
        """Start git and leave it to itself: nobody waits for it or its output, and it inherits one open file."""
        nowhere = subprocess.DEVNULL
        subprocess.Popen(
            self.command(*args), pass_fds=(keep_open,), start_new_session=True,
            stdin=nowhere, stdout=nowhere, stderr=nowhere, env=environment(),
        )  # fmt: skip

    def start_config(self) -> subprocess.Popen[bytes]:
        """Let git read the settings."""
        return self.start("config", "--list", "-z", stdin=subprocess.DEVNULL)

    def config(self, process: "subprocess.Popen[bytes]") -> dict[str, list[str]]:
        """All settings git sees for this repository, lower-cased key to values, last one strongest.

        Raises:
            GitError: a configuration file is malformed.
        """
        assert process.stdout and process.stderr
        output, words = process.stdout.read(), process.stderr.read()
        if process.wait():
            raise damage("config", words)
        settings: dict[str, list[str]] = {}
        for item in output.split(b"\0"):
            key, _, value = item.decode("utf-8", "replace").partition("\n")
            if key:
                settings.setdefault(key, []).append(value)
        return settings


def plain(*args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run git to its end without a repository of memoir's.

    Raises:
        GitError: git is not installed.
    """
    try:
        return subprocess.run(["git", *args], capture_output=True, env=environment(env))
    except FileNotFoundError:
        raise _missing() from None


def version() -> str:
    """The version of the git that is found, such as `2.39.5`."""
    return plain("--version").stdout.decode("utf-8", "replace").removeprefix("git version ").strip()


def failure(subcommand: str, stderr: bytes) -> GitError:
    """The error for a git command that failed, with git's own last words."""
    words = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    reason = next(
        (line for line in words if line.startswith(("fatal:", "error:"))), words[-1] if words else "no message"
    )
    return GitError(f"git {subcommand} failed: {reason}")


def require_writable(git_dir: Path) -> None:
    """Refuse to begin what would fail half-way.

    Raises:
        ReadOnlyStore: the store's directory cannot be written to.
    """
    if not os.access(git_dir, os.W_OK):
        raise ReadOnlyStore(f"{git_dir} is read-only", "reading still works")


def damage(subcommand: str, stderr: bytes) -> MemoirError:
    """The error for a git command that could not read the store, with git's own last words.

    The store is not to blame for a configuration file that git cannot read.
    """
    if re.search(rb"bad (\w+ )?config", stderr):
        return GitError(failure(subcommand, stderr).message, "mend the configuration file it names")
    return DamagedStore(f"the store cannot be read: {failure(subcommand, stderr).message}", "run 'memoir fsck'")


def _missing() -> GitError:
    wanted = ".".join(map(str, MINIMUM_VERSION))
    return GitError("git was not found", f"install git {wanted} or newer and put it on PATH")


def check_version(cache: Path | None = None) -> None:
    """Refuse a git that is missing or older than memoir's minimum.

    The answer is remembered in `cache` beside the identity of the git binary, so that a
    command pays one `stat` for this check instead of one process.

    Raises:
        GitError: naming the version found.
    """
    from shutil import which

    binary = which("git")
    if binary is None:
        raise _missing()
    about = os.stat(binary)
    stamp = f"{binary}\n{about.st_size} {about.st_mtime_ns}\n".encode()
    if cache and _read(cache) == stamp:
        return
    _require(version())
    if cache:
        _try_write(cache, stamp)


def _require(found: str) -> None:
    numbers = tuple(int(part) for part in found.split(" ")[0].split(".")[:2] if part.isdigit())
    if numbers < MINIMUM_VERSION:
        wanted = ".".join(map(str, MINIMUM_VERSION))
        raise GitError(f"git {found or 'of unknown version'} is too old", f"memoir needs git {wanted} or newer")


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _try_write(path: Path, data: bytes) -> None:
    with suppress(OSError):  # a read-only store: the check is simply made again next time
        path.write_bytes(data)
