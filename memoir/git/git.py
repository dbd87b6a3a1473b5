"""The one door to git: a sealed environment and one way to run it.

Nothing else in memoir starts git. Every call names the store with `--git-dir`, so neither the
current directory nor a hook's `GIT_DIR` decides which repository is meant.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import GitError, MemoirError, NotFound
from memoir.git.unreadable import read_failure

if TYPE_CHECKING:
    from memoir.git.sideband import Tell

MINIMUM_VERSION = (2, 38)

# git sets GIT_DIR, GIT_INDEX_FILE and their kin for its hooks; inherited, they would point
# memoir at the enclosing project. Only what describes the user's transport and set-up stays.
_KEPT_VARIABLES = (
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_PROXY_COMMAND",
    "GIT_SSL_NO_VERIFY", "GIT_SSL_CAINFO", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_HTTP_USER_AGENT",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
    "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER",
)  # fmt: skip

# A store may have come with a cloned project. `memoir.store.guard` refuses what is not harmless before git is
# started; these make sure that what the guard should miss still runs no program and finds no work tree. What
# belongs to the user (ssh, credentials, proxies) is not here: see `docs/security.md`, which explains each line.
_SAFE_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=true",
    "core.commitGraph=false",
    "core.warnAmbiguousRefs=false",
    "log.showSignature=false",
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
"""No protocol has that name: git reaches no remote, not even for objects that a partial clone lacks."""

SAFE_FOLDER = "/"
"""Where git is started: nothing in the user's current directory, which may be a stranger's project, is ever read."""

_PATIENCE = 30.0
"""Seconds."""

# What memoir relies on wherever the store came from: plain git's clone sets none of it.
_DURABLE = ("-c", "core.fsync=committed", "-c", "core.logAllRefUpdates=always")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment git runs in: no inherited repository, English messages, real objects only."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT_VARIABLES}
    env |= {"LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    env["GIT_IMPLICIT_WORK_TREE"] = "0"
    return {**env, **(extra or {})}


class Git:
    """Runs git on one repository."""

    def __init__(self, git_dir: Path) -> None:
        self.git_dir = Path(os.path.abspath(git_dir))
        self.identity: dict[str, str] = {}
        self.tell: Tell | None = None
        """Shows what git and a remote say while they talk; without it nobody is shown."""
        self.patience: float | None = None
        """The seconds that one talk with a remote may take; then nobody is asked for a password either. None: any."""

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
            DamagedStore: it failed; with well-formed arguments, that is for want of an object.
        """
        done = self.try_run(*args)
        if done.returncode not in ok:
            raise damage(_subcommand(args), done.stderr, self.git_dir)
        return done.stdout

    def check(self, process: "subprocess.Popen[bytes]", subcommand: str) -> None:
        """Wait for a process that reads the store and whose output has ended.

        Raises:
            DamagedStore: it failed.
        """
        assert process.stderr
        words = process.stderr.read()
        if process.wait():
            raise damage(subcommand, words, self.git_dir)

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

    def talk(self, *args: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
        """Run git to its end with a remote on the other side; what that says meanwhile goes to `tell`, never raw.

        It may ask its user for a password.
        It starts in the current directory, for the user's ssh command and keys may be given relative to it.
        """
        from tempfile import TemporaryFile

        from memoir.git.sideband import listen, within

        alone = self.patience is not None
        stdin = None if not alone and sys.stdin is not None and sys.stdin.isatty() else subprocess.DEVNULL
        command, env = self.command(*args), environment({**self.identity, **env})
        with (
            TemporaryFile() as output,
            subprocess.Popen(
                command, stdin=stdin, stdout=output, stderr=subprocess.PIPE, env=env, start_new_session=alone
            ) as process,
            within(self.patience, process) as too_late,
        ):
            assert process.stderr
            try:
                words = listen(process.stderr, self.tell)
            except BaseException:
                process.kill()
                raise
            status = process.wait()
            output.seek(0)
            return subprocess.CompletedProcess(args, status, output.read(), too_late() or words)

    def detach(self, *args: str, keep_open: int) -> None:
        """Start git and leave it to itself: nobody waits for it or its output, and it inherits one open file."""
        nowhere = subprocess.DEVNULL
        subprocess.Popen(
            self.command(*args), pass_fds=(keep_open,), start_new_session=True, cwd=SAFE_FOLDER,
            stdin=nowhere, stdout=nowhere, stderr=nowhere, env=environment(_OFFLINE),
        )  # fmt: skip

    def start_config(self) -> subprocess.Popen[bytes]:
        """Let git read the settings."""
        return self.start("config", "--list", "--show-scope", "-z", stdin=subprocess.DEVNULL)

    def config(self, process: "subprocess.Popen[bytes]") -> list[tuple[str, str, str]]:
        """All settings git sees for this repository, the strongest last: level, lower-cased key and value of each.

        Raises:
            GitError: git could not read them; that is no damage, for the store's own were in order.
        """
        assert process.stdout and process.stderr
        output, words = process.stdout.read(), process.stderr.read()
        if process.wait():
            raise GitError(failure("config", words).message, "try again; if it names a configuration file, fix that")
        fields = output.decode("utf-8", "replace").split("\0")
        pairs = zip(fields[::2], fields[1::2], strict=False)
        return [(scope, key, value) for scope, item in pairs for key, _, value in [item.partition("\n")]]


def plain(
    *args: str, env: Mapping[str, str] | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git to its end, or for some seconds at most, without a repository of memoir's.

    Raises:
        GitError: git is not installed, or has not come to an end.
    """
    try:
        return subprocess.run(["git", *_OPTIONS, *args], capture_output=True, env=environment(env), timeout=seconds)
    except FileNotFoundError as error:
        raise no_git() from error
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git gave no answer within {seconds:g} seconds", "see whether 'git status' answers") from error


def around(folder: Path, *args: str) -> subprocess.CompletedProcess[bytes]:
    """Ask git about the repository that a folder lies in, whose own config counts, but reaches nobody."""
    return plain("-C", str(folder), *args, env=_OFFLINE, seconds=_PATIENCE)


def output_lines(output: bytes) -> list[str]:
    """The lines of git's output. Only a line feed ends one: the name of a ref may hold U+2028 or U+0085."""
    return [line.decode("utf-8", "replace") for line in output.split(b"\n") if line]


def _subcommand(args: Sequence[str]) -> str:
    """The word that names what git was to do, behind any `-c` and its setting."""
    return next(word for word, before in zip(args, ("", *args), strict=False) if "-c" not in (word, before))


def last_words(process: "subprocess.CompletedProcess[bytes]") -> bytes:
    """The message of a git command that failed; one that a signal ended has none, so the signal is named."""
    return process.stderr or (b"it was ended by signal %d" % -process.returncode if process.returncode < 0 else b"")


def failure(subcommand: str, stderr: bytes) -> GitError:
    """The error for a git command that failed, with git's own last words."""
    words = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    reason = next(
        (line for line in words if line.startswith(("fatal:", "error:"))), words[-1] if words else "no message"
    )
    lock = re.search(r"'[^']*\.lock'", reason)
    return GitError(f"git {subcommand} failed: {reason}", _LOCK_HINT if lock else None)


_LOCK_HINT = (
    "another git process is at work here, or was killed: wait a minute, then run the same command again; "
    "it removes a lock file that is older than a minute"
)


def damage(subcommand: str, stderr: bytes, git_dir: Path) -> MemoirError:
    """The error for a git command that could not read the store, with git's own last words.

    The store is not to blame for a configuration file that git cannot read, nor for who may read what.
    """
    if re.search(rb"bad (\w+ )?config", stderr):
        return GitError(failure(subcommand, stderr).message, "fix the configuration file that it names")
    if match := re.search(_NO_REVISION, stderr):
        return NotFound(f"no such revision: {match[1].decode('utf-8', 'replace')}", "'memoir log' shows the commits")
    return read_failure(
        git_dir, f"the store cannot be read: {failure(subcommand, stderr).message}", "run 'memoir fsck'"
    )


_NO_REVISION = (
    rb"fatal: (log for .* (?:only has \d+ entries|is empty)|no upstream configured .*|no such branch: .*"
    rb"|relative path syntax .*)"
)
"""With these words git ends, instead of saying that a revision names nothing."""


def no_git() -> GitError:
    """The error for a machine without git."""
    minimum = ".".join(map(str, MINIMUM_VERSION))
    return GitError("git was not found", f"install git {minimum} or newer and put it on PATH")
