"""Whether the tips of a remote's branches are memoir's: a commit is, whose tree holds the format's marker."""

import os
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from memoir.exchange import transport_env
from memoir.exchange.transport import other_side, prompt, unreachable
from memoir.git.git import Git, output_lines
from memoir.git.objects import Oid
from memoir.git.odb import ObjectReader
from memoir.git.ref_names import BRANCHES
from memoir.store.store import Store
from memoir.tree.node import FORMAT_MARKER

_MARKER = os.fsdecode(FORMAT_MARKER)
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
    """Whether a commit that the store has is memoir's."""
    return store.reader.has(oid, _MARKER)


_REMOTE = "there"
_MOST_NAMED_REFS = 500
"""Refs that are named one by one on a command line; of more than that, every branch is fetched."""


def _fetch(store: Store, remote: str, url: str, refs: list[str]) -> set[str]:
    """Those of some branches at an address whose commits are memoir's, by looking at them in a folder apart."""
    if not refs:
        return set()
    with TemporaryDirectory(prefix="memoir-") as folder:
        git = Git(Path(folder))
        git.run("init", "--quiet", "--template=", f"--object-format={store.object_format}")
        git.run("remote", "add", "--", _REMOTE, url)  # git leaves files out only for a remote that has a name
        env = {**prompt(), **transport_env.transport(store.git_settings.of_user)}
        theirs = other_side(store, remote, [url], "upload-pack")
        options = ("--quiet", "--depth=1", "--no-tags", "--filter=tree:1", "--refmap=", "--no-recurse-submodules")
        exact = len(refs) <= _MOST_NAMED_REFS and not any("\ufffd" in ref for ref in refs)  # a name that is not UTF-8
        names = refs if exact else [f"{BRANCHES}*"]
        specs = [f"+{name}:{_TIPS}{name.removeprefix(BRANCHES)}" for name in names]
        done = git.talk("-c", "gc.auto=0", "fetch", *options, theirs, "--", _REMOTE, *specs, env=env)
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
    return b"100644 " + FORMAT_MARKER + b"\0" in reader.read([tree], "tree")[0]
