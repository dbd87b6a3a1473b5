"""Other stores, through git: remotes, fetch, push, clone.

git moves the objects; what a remote sent is checked before memoir builds on it.
"""

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import Conflict, DamagedStore, GitError, InvalidInput, MemoirError, NotFound
from memoir.store.commit import CommitId
from memoir.store.config import try_out
from memoir.store.git import failure, require_writable
from memoir.store.locate import DIRECTORY
from memoir.store.lock import try_past_stale_locks
from memoir.store.refs import BRANCHES, REMOTES
from memoir.store.shape import shape_problems
from memoir.store.store import Store

if TYPE_CHECKING:
    from subprocess import CompletedProcess

NO_GC = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")


class Fetched(NamedTuple):
    """A remote branch that moved; `foreign` says what is wrong if memoir did not write its tree."""

    name: str
    old: CommitId | None
    new: CommitId | None
    foreign: str | None


def remotes(store: Store) -> dict[str, str]:
    """The remotes' names and URLs, sorted by name."""
    found = {key: values[-1] for key, values in sorted(store.settings.items()) if key.endswith(".url")}
    return {
        key.removeprefix("remote.").removesuffix(".url"): url for key, url in found.items() if key.startswith("remote.")
    }


def add(store: Store, name: str, url: str) -> None:
    """Add a remote.

    Raises:
        Conflict: there is one of that name. InvalidInput: git refuses the name or memoir the URL.
    """
    if name in remotes(store):
        raise Conflict(f"a remote named {name!r} exists already", f"'memoir remote set-url {name} URL' changes it")
    try_out(store, f"remote.{name}.url", check_url(url))
    done = try_past_stale_locks(store.git_dir, lambda: store.git.try_run("remote", "add", "--", name, check_url(url)))
    if done.returncode:
        raise InvalidInput(failure("remote add", done.stderr).message)
    store.reload()


def set_url(store: Store, name: str, url: str) -> None:
    """Change where a remote points."""
    require(store, name)
    try_out(store, f"remote.{name}.url", check_url(url))
    _change(store, "set-url", "--", name, check_url(url))


def remove(store: Store, name: str) -> None:
    """Remove a remote and its tracking branches."""
    require(store, name)
    require_writable(store.git_dir)
    _change(store, "remove", "--", name)


def _change(store: Store, *args: str) -> None:
    done = try_past_stale_locks(store.git_dir, lambda: store.git.try_run("remote", *args))
    if done.returncode:
        raise failure("remote", done.stderr)
    store.reload()


def require(store: Store, name: str) -> str:
    """The URL of a remote.

    Raises:
        NotFound: there is no such remote.
    """
    known = remotes(store)
    if name not in known:
        hint = f"there is: {', '.join(known)}" if known else "add one with 'memoir remote add origin URL'"
        raise NotFound(f"no remote named {name!r}", hint)
    return known[name]


def check_url(url: str) -> str:
    """Refuse URLs that name a program; make a local path absolute, and that of a store's folder its `.memoir`.

    Raises:
        InvalidInput: an empty URL, an option, or a remote helper such as `ext::`.
    """
    if not url or url.startswith("-") or not url.isprintable() or "::" in url.split("/")[0]:
        raise InvalidInput(f"not a URL that memoir will use: {url!r}")
    if "://" in url or _is_remote_url(url):
        return url
    inner = os.path.join(os.path.abspath(url), DIRECTORY)
    return inner if os.path.exists(os.path.join(inner, "HEAD")) else os.path.abspath(url)


def _is_remote_url(url: str) -> bool:
    if url.startswith("file:"):
        return False
    return "://" in url or (":" in url.split("/")[0] and not os.path.exists(url))


def fetch(store: Store, name: str) -> list[Fetched]:
    """Fetch a remote's branches and tags; what moved, sorted by name.

    Raises:
        NotFound: no such remote. GitError: it could not be reached.
    """
    url = require(store, name)
    require_writable(store.git_dir)
    prefix = f"{REMOTES}{name}/"
    before = {ref.name: ref.commit for ref in store.refs.list(prefix)}
    refspec = f"+{BRANCHES}*:{prefix}*"
    # A configured refspec might move our own branches; '--refmap=' leaves it out of account.
    options = ["--prune", "--refmap=", "--no-recurse-submodules"]
    network(store, url, [*NO_GC, "fetch", *options, *progress(store), "--", name, refspec])
    after = {ref.name: ref.commit for ref in store.refs.list(prefix)}
    moved = sorted(branch for branch in before.keys() | after.keys() if before.get(branch) != after.get(branch))
    return [Fetched(b, before.get(b), after.get(b), foreign(store, after.get(b))) for b in moved]


def foreign(store: Store, commit_id: CommitId | None) -> str | None:
    """What is wrong with the tree of a commit from elsewhere, or None; checked along changed nodes."""
    if commit_id is None:
        return None
    tree = store.tree(store.commits([commit_id])[0].tree)
    try:
        return next(shape_problems(tree, store.head().tree), None)
    except DamagedStore as error:
        return error.message


def push(store: Store, name: str, refspecs: list[str], *, force: bool = False) -> list[tuple[str, str]]:
    """Push refs; each remote ref with what became of it (`new`, `updated`, `up to date`, `deleted`).

    Raises:
        Conflict: the remote has commits this store has not. NotFound, GitError: as for `fetch`.
    """
    url = require(store, name)
    options = ["--no-recurse-submodules", *(["--force-with-lease"] if force else [])]
    done = network(
        store, url, [*NO_GC, "push", "--porcelain", *options, *progress(store), "--", name, *refspecs], check=False
    )
    results = [
        line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines() if line.count("\t") >= 2
    ]
    if rejected := [(line[1], line[2]) for line in results if line[0] == "!"]:
        where, why = rejected[0][0], rejected[0][1].removeprefix("[rejected] ").strip("()")
        if why.startswith("[remote rejected] (failed to "):  # to lock, write or update: nothing that a pull mends
            branch = where.rpartition(":")[2].removeprefix(BRANCHES)
            raise GitError(
                f"{name} could not write {branch!r}: {why.removeprefix('[remote rejected] (')}",
                "if nobody writes there now, a killed program's lock file stands in the way: remove it at the remote",
            )
        raise Conflict(
            f"{name} rejected {where.rpartition(':')[2].removeprefix(BRANCHES)!r}: {why}",
            "'memoir pull' first, then push again",
        )
    if done.returncode:
        raise unreachable(name, url, done.stderr)
    said = {"*": "new", " ": "updated", "+": "updated", "=": "up to date", "-": "deleted"}
    return [(line[1].rpartition(":")[2], said.get(line[0], line[2])) for line in results]


def network(store: Store, url: str, args: list[str], *, check: bool = True) -> "CompletedProcess[bytes]":
    """Run a git command that talks to a remote.

    Raises:
        GitError: it failed, and `check` is set.
    """
    name = args[args.index("--") + 1]
    every = [address for kind in ("url", "pushurl") for address in store.settings.get(f"remote.{name}.{kind}", [url])]
    if not all(map(_is_remote_url, every)):
        # A path may lie inside a cloned project: what its repository would run on a push stays off.
        args = [*args[: args.index("--")], *_local_program(args), *args[args.index("--") :]]
    env = {**prompt(), "GIT_REFLOG_ACTION": f"fetch {name}"}  # else a branch's log holds the whole command line

    def talk() -> "CompletedProcess[bytes]":
        return store.git.talk(*args, env=env)

    done = talk() if "push" in args else try_past_stale_locks(store.git_dir, talk)
    if check and done.returncode:
        raise unreachable(args[-2] if "--" in args else "the remote", url, done.stderr)
    return done


def _local_program(args: list[str]) -> list[str]:
    """Run git on the other side with whatever its own config might execute switched off."""
    side = "receive-pack" if "push" in args else "upload-pack"
    off = [
        "core.hooksPath=/dev/null", "core.alternateRefsCommand=true", "core.fsmonitor=false", "receive.autogc=false",
        "protocol.allow=never",  # a partial clone would fetch what it lacks, from wherever its config says
    ]  # fmt: skip
    return [f"--{side}=git {' '.join('-c ' + setting for setting in off)} {side}"]


def progress(store: Store) -> list[str]:
    """The option that lets git say how far it has come, if somebody is shown it."""
    return ["--progress"] if store.git.tell else []


def prompt() -> dict[str, str]:
    """Let git ask for a password only where somebody can answer."""
    return {} if sys.stdin is not None and sys.stdin.isatty() else {"GIT_TERMINAL_PROMPT": "0"}


def unreachable(name: str, url: str, stderr: bytes) -> MemoirError:
    """The error for a remote that git could not talk to, with all that git and ssh said."""
    lines = (line.strip() for line in stderr.decode("utf-8", "replace").splitlines())
    said = "; ".join(line for line in lines if line)
    return GitError(f"{name} could not be reached at {url}: {said}", "check the address, and that you may use it")
