"""Cloning a store: a new one, the remote's branches and tags, and a look at what came."""

import os
import shutil
from pathlib import Path

from memoir.errors import DamagedStore
from memoir.store.create import create
from memoir.store.git import plain
from memoir.store.refs import BRANCHES, REMOTES
from memoir.store.remote import NO_GC, add, check_url, network, progress, prompt, unreachable
from memoir.store.sideband import Tell
from memoir.store.store import Store
from memoir.store.transaction import identity, normalise


def clone(url: str, folder: str, *, tell: Tell | None = None) -> Store:
    """Clone a store into a folder, all its branches and tags included, and open it; what git says goes to `tell`.

    Raises:
        GitError: the URL cannot be reached. DamagedStore: what is there is no memoir store.
    """
    url = check_url(url)
    head, refs = _list_remote(url)
    object_format = "sha256" if any(len(oid) == 64 for oid in refs.values()) else "sha1"
    existed = Path(folder).exists()
    store = create(folder, object_format)
    try:
        store.git.identity, store.git.tell = identity(store), tell
        add(store, "origin", url)
        network(
            store,
            url,
            [
                *NO_GC,
                "fetch",
                "--refmap=",
                "--no-recurse-submodules",
                *progress(store),
                "--",
                "origin",
                f"{BRANCHES}*:{REMOTES}origin/*",
                "refs/tags/*:refs/tags/*",
            ],
        )
        _adopt_branches(store, head)
    except BaseException:
        store.close()
        shutil.rmtree(store.git_dir, ignore_errors=True)
        if not existed:
            os.rmdir(folder)
        raise
    return store


def _adopt_branches(store: Store, head: str | None) -> None:
    """Give every fetched branch of memoir's a local one.

    Raises:
        DamagedStore: there are branches, and none is memoir's.
    """
    names = []
    for ref in store.refs.list(f"{REMOTES}origin/"):
        try:
            _ = store.of(ref.commit).tree.top
        except DamagedStore as error:
            problem = error
            continue
        store.refs.update(BRANCHES + ref.name, ref.commit, None, "clone")
        normalise(store, ref.name)
        names.append(ref.name)
    if not names and store.refs.list(f"{REMOTES}origin/"):
        raise problem
    if names:
        store.refs.switch(head if head in names else "main" if "main" in names else names[0])


def _list_remote(url: str) -> tuple[str | None, dict[str, str]]:
    """The branch a remote's HEAD names, and its refs."""
    done = plain("ls-remote", "--symref", "--", url, env=prompt())
    if done.returncode:
        raise unreachable("the remote", url, done.stderr)
    head, refs = None, {}
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        value, _, name = line.partition("\t")
        if value.startswith("ref: "):
            head = value.removeprefix("ref: " + BRANCHES) if name == "HEAD" else head
        else:
            refs[name] = value
    return head, refs
