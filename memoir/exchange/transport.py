"""Contacts remotes through git: the program on the other side, password prompts, and errors.

git contacts other machines with the user's own ssh, passwords, proxies and protocols, never with those of a store's
config. The guard refuses a store that sets any of these. In case it misses one, git also gets the user's own settings
in its environment, which takes precedence over every configuration file.
"""

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import DamagedStore, GitError, MemoirError
from memoir.exchange.remotes import addresses, is_local, require, without_credentials
from memoir.git.fsync import sync
from memoir.git.git import talk_alone
from memoir.git.lock import removing_half_packs, try_past_stale_locks
from memoir.git.messages import NO_ANSWER, failure, read_failure
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, REMOTES
from memoir.store.store import Store
from memoir.tree.chunking import level
from memoir.tree.node import MARKERS
from memoir.tree.tree import diff

if TYPE_CHECKING:
    from subprocess import CompletedProcess


class Unreachable(GitError):
    """A remote did not answer, or git did not understand it."""


def not_talked(store: Store, remote: str, stderr: bytes) -> MemoirError:
    """The error for a failed exchange with a remote.

    Raises:
        DamagedStore: it failed because a ref of this store names a missing object.
    """
    for name, commit in store.refs.list("refs/").items():
        if not store.reader.has(commit):
            message = f"{name!r} names object {commit}, which is missing"
            raise store.git.loss(read_failure(store.git_dir, message, "run 'memoir fsck'"))
    own = b"".join(line for line in stderr.splitlines(keepends=True) if not line.startswith(b"remote:"))
    error = failure("fetch", own)
    return error if error.hint else unreachable(remote, require(store, remote), stderr)


_LONGEST_WORDS = 2000
_ADVICE = ("Please make sure you have the correct access rights", "and the repository exists.")
"""Advice that git adds to every failure; left out, because the hint says it."""
_UNREACHABLE_HINTS = (
    (
        "mismatched algorithms|hash algorithm",
        "one has ids of SHA-1, the other of SHA-256: 'git init --bare --object-format=sha1' (or sha256) makes a hub",
    ),
    ("from promisor remote", "it is a partial clone, which lacks objects: use the repository that it was cloned from"),
    (
        r"could not read (?:Username|Password)|Authentication failed|Permission denied \(publickey",
        "memoir asks for no password: store it with a credential helper of git, or load the key of ssh",
    ),
    (
        "does not support --signed push",
        "your push.gpgSign wants pushes signed: 'git config --global push.gpgSign if-asked' leaves it to the remote",
    ),
    (
        r"returned error: 413",
        "the web server limits the size of a push: ask whoever keeps it to raise that (nginx: client_max_body_size)",
    ),
    ("dumb http", "the web server there gives out files only: it has to run git's http-backend; or use ssh"),
    (r"returned error: 403", "it may be a mirror, or let you only read: see whether you may write at this address"),
    (rf"{NO_ANSWER.decode()}|returned error: (?:429|5\d\d)", "see whether it runs; 'memoir {}' tries again"),
    (r"unexpected disconnect", "its git was ended, or the connection: 'memoir {}' tries again"),
)


def unreachable(name: str, url: str, stderr: bytes) -> MemoirError:
    """The error for an unreachable remote, with the messages of git and ssh without credentials."""
    lines = (line.strip() for line in stderr.decode("utf-8", "replace").splitlines())
    words = without_credentials("; ".join(line for line in lines if line and line not in _ADVICE))[:_LONGEST_WORDS]
    hints = (hint for pattern, hint in _UNREACHABLE_HINTS if re.search(pattern, words))
    shown, is_named = without_credentials(url), " " not in name
    change = f" ('memoir remote set-url {name} URL' changes it)" if is_named else ""
    hint = next(hints, f"check the address{change}, and that you may use it")
    again = f"sync {name}" if is_named else f"clone {shown}"
    return Unreachable(f"{name} could not be reached at {shown}: {words}", hint.replace("{}", again))


Settings = Sequence[tuple[str, str]]
"""The user's settings as (key, value), the strongest last."""

_PROTOCOLS = ("https", "http", "ssh", "git", "file", "ftp", "ftps")
_FROM_USER = frozenset({"file"})
"""The protocols that git by default allows only if the user names the address."""

_NEVER = frozenset({"ext", "fd"})
"""The protocols whose addresses are command lines."""


def transport(settings: Settings, more: Settings = ()) -> dict[str, str]:
    """The environment for git with the user's own settings for remotes, and `more` settings for this run."""
    last = dict(settings)
    ssh = os.environ.get("GIT_SSH_COMMAND") or last.get("core.sshcommand")
    asks = [os.environ.get("GIT_ASKPASS"), last.get("core.askpass"), os.environ.get("SSH_ASKPASS"), ""]
    env = {
        "GIT_SSH_COMMAND": ssh or shlex.quote(os.environ.get("GIT_SSH") or "ssh"),
        "GIT_ASKPASS": next(program for program in asks if program is not None),
        "GIT_ALLOW_PROTOCOL": os.environ.get("GIT_ALLOW_PROTOCOL", ":".join(_protocols_to_allow(last))),
    }
    if "core.gitproxy" not in last:
        env["GIT_PROXY_COMMAND"] = os.environ.get("GIT_PROXY_COMMAND", "")
    return env | _config([*_helpers(settings), *more])


def program_of(settings: Settings, remote: str, name: str) -> str:
    """The program that git runs on the remote side: `git-upload-pack`, or the one that the user has set."""
    return dict(settings).get(f"remote.{remote}.{name.replace('-', '')}", f"git-{name}")


def _protocols_to_allow(last: dict[str, str]) -> Iterable[str]:
    by_user = os.environ.get("GIT_PROTOCOL_FROM_USER", "1") not in ("0", "false", "no", "off")
    others = [key.split(".")[1] for key in last if key.startswith("protocol.") and key.count(".") == 2]
    for protocol in dict.fromkeys((*_PROTOCOLS, *others)):
        usual = last.get("protocol.allow", "user" if protocol in _FROM_USER else "always")
        allow = last.get(f"protocol.{protocol}.allow", usual)
        if protocol not in _NEVER and (allow == "always" or (allow == "user" and by_user)):
            yield protocol


def _helpers(settings: Settings) -> list[tuple[str, str]]:
    """The user's credential helpers, after an empty one, which clears all earlier ones."""
    mine = [(key, value) for key, value in settings if key.startswith("credential.") and key.endswith(".helper")]
    return [("credential.helper", ""), *mine]


def _config(settings: Settings) -> dict[str, str]:
    """Settings for one run of git as environment variables, in which a key may have any character."""
    env = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env


_PROTOCOL = "protocol.version"


def _list_unasked(store: Store) -> tuple[str, ...]:
    """The options that make a remote list its refs unasked, which saves a round trip if all of them are memoir's.

    This is git's protocol 0; the current one asks only for the wanted refs among a code host's thousands.
    """
    return () if _PROTOCOL in dict(store.git_settings.of_user) else ("-c", f"{_PROTOCOL}=0")


NO_GC = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
"""The options that keep git from automatic garbage collection and its check."""
_NEWEST = MARKERS[-1].decode()


def fetch_from(
    store: Store, remote: str, refspecs: list[str], *options: str, is_memoirs: bool = False
) -> "CompletedProcess[bytes]":
    """Fetch refs from a remote; configured refspecs, which might move our branches, are ignored.

    Raises:
        GitError: git failed. DamagedStore: the remote's history is cut off, or this store is damaged.
    """
    args = (*(_list_unasked(store) if is_memoirs else ()), "fetch", "--refmap=", "--no-recurse-submodules", *options)
    with _counting(store), removing_half_packs(store.git_dir):
        done = try_past_stale_locks(store.git_dir, lambda: _contact(store, remote, "upload-pack", args, refspecs))
        _require_whole(remote, done.stderr)
        if done.returncode:
            _drop_logs(store, remote)
            raise not_talked(store, remote, done.stderr)
    sync(store.git_dir / "objects" / "pack")  # git flushes packs, but not their folder
    _settle(store, remote)
    return done


_RECEIVED = re.compile(r"(?:Receiving|Unpacking) objects: 100% \((\d+)/")


@contextmanager
def _counting(store: Store) -> Iterator[None]:
    """Read the number of received objects from git's progress."""
    tell = store.git.tell

    def read(line: str) -> None:
        if received := _RECEIVED.match(line):
            store.git.received = int(received[1])
        if tell:
            tell(line)

    store.git.received, store.git.tell = 0, read
    try:
        yield
    finally:
        store.git.tell = tell


def _require_whole(name: str, output: bytes) -> None:
    """Refuse a remote from which git fetched nothing because the remote's history is cut off.

    Raises:
        DamagedStore: git's output says so.
    """
    if b"shallow" in output:
        raise DamagedStore(
            f"{name} is a shallow clone: a part of its history is missing, so nothing was fetched",
            "run 'git fetch --unshallow' there, or use the store that it was cloned from",
        )


def push_to(
    store: Store, remote: str, specs: list[str], *options: str, refspecs: Sequence[str]
) -> "CompletedProcess[bytes]":
    """Push refs to a remote; the caller reads the result.

    `refspecs` tell git how to note the new positions of the remote's refs.
    """
    args = ("push", "--porcelain", "--no-recurse-submodules", *options)
    name, settings = _name_for_push(store, remote)
    settings += [
        *((f"remote.{name}.fetch", refspec) for refspec in refspecs),
        (f"remote.{name}.mirror", "false"),  # a mirror takes no refspecs
    ]
    done = _contact(store, remote, "receive-pack", args, specs, settings, name)
    _settle(store, remote)
    return done


def _name_for_push(store: Store, remote: str) -> tuple[str, list[tuple[str, str]]]:
    """The name for git to push to a remote, and settings for that name.

    git notes the new positions of the remote's refs by the first matching refspec. A mirror's refspec names this
    store's own branches, and git would move them over concurrent writes. So a mirror gets a random name without the
    refspec; random, because a foreign store might have an address for a known name.
    """
    prefix, name = f"remote.{remote}.", f"memoir-{os.urandom(8).hex()}"
    theirs = ((key.removeprefix(prefix), value) for key, value in store.git_settings.of_user if key.startswith(prefix))
    words = ("url", "pushurl", "fetch")
    mine = [*theirs, *((word, value) for word in words for value in store.settings.get(prefix + word, ()))]
    targets = [value.partition(":")[2] for word, value in mine if word == "fetch"]
    if all(not target or target.startswith(REMOTES) for target in targets):
        return remote, []
    return name, [(f"remote.{name}.{word}", value) for word, value in mine if word not in ("fetch", "mirror")]


def _settle(store: Store, remote: str) -> None:
    """Flush the folders of a remote's refs; git flushes only the files."""
    _drop_logs(store, remote)
    tops = (store.git_dir, store.git_dir / "logs")  # a log restored by a power cut would look like a lost ref
    folders = [top / kind / remote for top in tops for kind in (REMOTES, FETCHED)]
    inner = [Path(parent) for folder in folders for parent, _, _ in os.walk(folder)]
    sync(*inner, *(above for folder in folders for above in (folder.parent, folder.parent.parent)))


def _drop_logs(store: Store, remote: str) -> None:
    """Drop logs of a remote's refs that git failed to create, or deleted without the logs."""
    for kind in (REMOTES, FETCHED):
        store.refs.drop_orphaned_logs(f"{kind}{remote}/")


def _contact(
    store: Store,
    remote: str,
    program: str,
    args: tuple[str, ...],
    refspecs: list[str],
    settings: Settings = (),
    name: str | None = None,
) -> "CompletedProcess[bytes]":
    theirs = program_option(store, remote, addresses(store, remote), program)
    shows = ["--progress"] if store.git.tell else []
    reason = {"GIT_REFLOG_ACTION": f"fetch {remote}"}  # otherwise the log has the whole command line
    env = {**prompt(), **transport(store.git_settings.of_user, settings), **reason}
    walk = _walk_option(store, remote, sends=program == "receive-pack")
    return store.git.talk(*NO_GC, "-c", walk, *args, theirs, *shows, "--", name or remote, *refspecs, env=env)


def _walk_option(store: Store, remote: str, *, sends: bool = False) -> str:
    """How git finds common objects: along equal paths, or among all objects, if paths may differ."""
    branch = store.selection.branch or store.refs.current
    last = store.reader.resolve(f"{REMOTES}{remote}/{branch}") if branch else None
    same = last is not None and store.reader.has(last.oid, _NEWEST) and not (sends and _lost_node(store, last.oid))
    return f"pack.useSparse={'true' if same else 'false'}"


def _lost_node(store: Store, old: Oid) -> bool:
    """Whether the branch lacks a key that begins a node in an older tree, so that paths have changed."""
    with suppress(DamagedStore):  # fetched trees may be damaged
        deltas = diff(store.of(old).tree, store.head().tree)
        return any(delta.new is None and level(delta.key) > 0 for delta in deltas)
    return False


def program_option(store: Store, remote: str, urls: list[str], program: str) -> str:
    """The option with the program that git runs on the remote side."""
    # A path may be inside a cloned project, so programs of its repository are switched off.
    if any(map(is_local, urls)):
        return local_program(program, _walk_option(store, remote))
    return f"--{program}={program_of(store.git_settings.of_user, remote, program)}"


Listing = tuple[str | None, dict[str, Oid]]
"""The branch of a repository's HEAD, and its refs by full name."""


def list_refs(store: Store, remote: str, url: str, *patterns: str, is_memoirs: bool = False) -> Listing:
    """List the matching refs at an address of a remote."""
    theirs, how = program_option(store, remote, [url], "upload-pack"), _list_unasked(store) if is_memoirs else ()
    command = (*how, "ls-remote", "--symref", theirs, "--", url, *patterns)
    return _refs(remote, url, _first_talk(store, command))


_ANSWER_SECONDS = 30.0
"""How long a remote may take for the first answer without a prompt."""


def _first_talk(store: Store, command: Sequence[str]) -> "CompletedProcess[bytes]":
    """Contact a remote for the first time, with a time limit; if it needs a password, again without a limit."""
    env = transport(store.git_settings.of_user)

    def talk(more: Mapping[str, str], patience: float | None) -> "CompletedProcess[bytes]":
        return store.git.talk(*command, env={**more, **env}, patience=patience)

    return _in_time(talk, may_ask=store.git.patience is None)


def _in_time(
    talk: "Callable[[Mapping[str, str], float | None], CompletedProcess[bytes]]", *, may_ask: bool = True
) -> "CompletedProcess[bytes]":
    done = talk(_NO_PROMPT, _ANSWER_SECONDS)
    is_late = done.stderr.startswith(NO_ANSWER)
    return talk({}, None) if done.returncode and not is_late and may_ask and not prompt() else done


def list_unnamed(url: str, *patterns: str) -> Listing:
    """List the matching refs of a repository that is not yet a remote of any store."""
    local = [local_program("upload-pack")] if is_local(url) else []
    command = ("ls-remote", "--symref", *local, "--", url, *patterns)
    return _refs("the remote", url, _in_time(lambda env, patience: talk_alone(*command, env=env, patience=patience)))


def _refs(remote: str, url: str, process: "CompletedProcess[bytes]") -> Listing:
    if process.returncode:
        raise unreachable(remote, url, process.stderr)
    head, refs = None, {}
    for line in process.stdout.splitlines():
        value, _, name = line.decode("utf-8", "replace").partition("\t")
        if value.startswith("ref: "):
            head = value.removeprefix("ref: refs/heads/") if name == "HEAD" else head
        else:
            refs[name] = Oid.fromhex(value)
    return head, refs


def local_program(program: str, *more: str) -> str:
    """The option to run git on the other side with all programs of its own config switched off, and `more` settings."""
    settings = [
        *more,
        "core.hooksPath=/dev/null", "core.alternateRefsCommand=true", "core.fsmonitor=false", "receive.autogc=false",
        "protocol.allow=never",  # a partial clone could fetch missing objects from an address in its config
        "uploadpack.allowFilter=true",
    ]  # fmt: skip
    return f"--{program}=git {' '.join('-c ' + setting for setting in settings)} {program}"


_NO_PROMPT = {"GIT_TERMINAL_PROMPT": "0"}


def prompt() -> dict[str, str]:
    """The environment that forbids git to ask for a password, unless there is a terminal."""
    return {} if sys.stdin is not None and sys.stdin.isatty() else _NO_PROMPT
