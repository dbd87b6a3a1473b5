"""Memory in the plain branches of a remote that keeps it beside code, for instance from before the code came.

It stays where it is, and is fetched under its full name, as REMOTE/refs/heads/BRANCH: beside it, a branch of the same
name may hold other memory. What was fetched once stays here, whatever becomes of the branch over there.
"""

import os
from collections.abc import Mapping, Set
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from memoir import user_folders
from memoir.errors import Conflict
from memoir.exchange import transport
from memoir.exchange.transport import other_side, prompt, unreachable
from memoir.git.git import Git, output_lines
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import BRANCHES, REMOTES, Oid, sha256
from memoir.store import ancestry
from memoir.store.store import Store
from memoir.tree.node import MARKERS

_MARKER = os.fsdecode(MARKERS[0])
_TIPS = "refs/tips/"


def memoirs(store: Store, remote: str, url: str, tips: dict[str, Oid]) -> set[str]:
    """Those branches at an address (full names, with their ids) whose commits are memoir's.

    What the store has is looked at there. The rest is fetched, without history and files where the remote can do that,
    into a folder that is then removed.
    """
    memory_refs = {ref for ref, oid in tips.items() if is_memoirs(store, oid)}
    unknown = [ref for ref, oid in tips.items() if ref not in memory_refs and not store.reader.has(oid)]
    return memory_refs | _fetch(store, remote, url, unknown)


def is_memoirs(store: Store, oid: Oid) -> bool:
    """Whether the store has a commit and it is memoir's: its tree holds the marker of the first format, as all do."""
    return store.reader.has(oid, _MARKER)


_REMOTE = "there"
_MOST_NAMED_REFS = 500
"""How many refs are named one by one on a command line; if there are more, every branch is fetched."""


def _fetch(store: Store, remote: str, url: str, refs: list[str]) -> set[str]:
    """Those of some branches at an address whose commits are memoir's, by looking at them in a folder apart."""
    if not refs:
        return set()
    with TemporaryDirectory(prefix="memoir-") as folder:
        git = Git(Path(folder))
        git.run("init", "--quiet", "--template=", f"--object-format={store.object_format}")
        git.run("remote", "add", "--", _REMOTE, url)  # git leaves files out only for a remote that has a name
        env = {**prompt(), **transport.transport(store.git_settings.of_user)}
        theirs = other_side(store, remote, [url], "upload-pack")
        options = ("--quiet", "--depth=1", "--no-tags", "--filter=tree:1", "--refmap=", "--no-recurse-submodules")
        exact = len(refs) <= _MOST_NAMED_REFS and not any("\ufffd" in ref for ref in refs)  # a name that is not UTF-8
        names = refs if exact else [f"{BRANCHES}*"]
        specs = [f"+{name}:{_TIPS}{name.removeprefix(BRANCHES)}" for name in names]
        done = git.talk(*transport.NO_GC, "fetch", *options, theirs, "--", _REMOTE, *specs, env=env)
        if done.returncode:
            raise unreachable(remote, url, done.stderr)
        with closing(ObjectReader(git)) as reader:
            return {BRANCHES + name for name, tree in _trees(git) if _holds_marker(reader, tree)} & set(refs)


def _trees(git: Git) -> list[tuple[str, Oid]]:
    """The names and trees of the branches that were fetched."""
    lines = output_lines(git.run("for-each-ref", "--format=%(tree) %(refname)", _TIPS))
    rows = [line.partition(f" {_TIPS}") for line in lines]
    return [(name, Oid.fromhex(tree)) for tree, _, name in rows if tree]


def _holds_marker(reader: ObjectReader, tree: Oid) -> bool:
    """Whether a tree lists the marker; the marker itself need not be there."""
    return b"100644 " + MARKERS[0] + b"\0" in reader.read([tree], "tree")[0]


def stray_ref(remote: str, branch: str = "") -> str:
    """The ref that keeps what a remote's plain branch held; without a branch, the prefix of all such refs."""
    return f"{REMOTES}{remote}/{BRANCHES}{branch}"


def refs_of(store: Store, remote: str, branch: str) -> list[str]:
    """The refs that hold what was fetched of a branch: of the one that memoir pushes to, and of its stray namesake."""
    refs = (f"{REMOTES}{remote}/{branch}", stray_ref(remote, branch))
    return [ref for ref in refs if store.resolve(ref) is not None]


def look(store: Store, remote: str, url: str, refs: Mapping[str, Oid], heads: str) -> list[str]:
    """The plain branches of a code remote that hold memory, among those that can be expected to.

    Code moves all the time, and to look at a branch can be dear. So a branch that was code once is not fetched again.
    """
    tips = {ref: oid for ref, oid in refs.items() if ref.startswith(BRANCHES)}
    stray_names = set(store.refs.list(stray_ref(remote)))
    names = stray_names.union(store.refs.list(BRANCHES))
    names |= {ref.removeprefix(heads) for ref in refs if ref.startswith(heads)}
    code = _code(url) - stray_names
    unknown = {
        ref: oid
        for ref, oid in tips.items()
        if (name := ref.removeprefix(BRANCHES)) in names and (name not in code or store.reader.has(oid))
    }
    memory_refs = memoirs(store, remote, url, unknown)
    note_code(url, unknown.keys() - memory_refs)
    return [ref.removeprefix(BRANCHES) for ref in sorted(memory_refs)]


def note_code(url: str, refs: Set[str]) -> None:
    """Remember that branches at an address were seen to hold code."""
    names = {ref.removeprefix(BRANCHES) for ref in refs}
    if names - (before := _code(url)):
        user_folders.write_cached(_name(url), "\n".join(sorted(before | names)).encode())


def _code(url: str) -> set[str]:
    return set(output_lines(user_folders.read_cached(_name(url)) or b""))


def _name(url: str) -> str:
    return f"code-{sha256(url.encode('utf-8', 'surrogateescape')).hex()[:16]}"


def move_aside(store: Store, remote: str) -> None:
    """Keep under its full name what was fetched of a remote's branches while they were memoir's."""
    refs = store.refs.list(f"{REMOTES}{remote}/")
    for name, commit in refs.items():
        if name.startswith(BRANCHES):
            continue
        if is_memoirs(store, commit) and store.refs.read(stray_ref(remote, name)) is None:
            store.refs.update(stray_ref(remote, name), commit, None, "fetched before code came")
        store.refs.update(f"{REMOTES}{remote}/{name}", None, commit, "moved aside")


def require_merged(store: Store, remote: str, branch: str, there: Oid | None) -> None:
    """Insist that a branch holds the memory that the remote's plain branch of its name holds or held.

    Args:
        store: The store that has the branch.
        remote: The remote.
        branch: The branch.
        there: The commit that the plain branch is at, if that holds memory.

    Raises:
        Conflict: it does not.
    """
    ours = store.refs.read(BRANCHES + branch)
    for theirs in filter(None, (there, store.refs.read(stray_ref(remote, branch)))):
        if ours and not (store.reader.has(theirs) and ancestry.is_ancestor(store, theirs, ours)):
            raise Conflict(
                f"{remote} has memory in its plain branch {branch!r} that your branch lacks",
                "run 'memoir pull', then push again",
            )
