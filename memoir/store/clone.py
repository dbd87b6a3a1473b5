"""Cloning a store: a new one, the remote's branches and tags, and a look at what came."""

import os
import shutil
from pathlib import Path

from memoir.store.adopt import CheckValue, check
from memoir.store.create import create
from memoir.store.node import NotMemoirs
from memoir.store.refs import BRANCHES, REMOTES, TAGS
from memoir.store.remotes import add, check_url
from memoir.store.sideband import Tell
from memoir.store.store import Store
from memoir.store.transaction import identity, normalise
from memoir.store.transport import fetch_from, list_refs


def clone(url: str, folder: str, check_value: CheckValue, *, tell: Tell | None = None) -> Store:
    """Clone a store into a folder, all its branches and tags included, and open it; what git says goes to `tell`.

    Raises:
        GitError: the URL cannot be reached.
        DamagedStore: what is there is no memoir store, is cut off, or holds what memoir would never have written.
    """
    url = check_url(url)
    head, refs = list_refs(url)
    object_format = "sha256" if any(len(oid) == 64 for oid in refs.values()) else "sha1"
    existed = Path(folder).exists()
    store = create(folder, object_format)
    try:
        store.git.identity, store.git.tell = identity(store), tell
        add(store, "origin", url)
        fetch_from(store, "origin", [f"{BRANCHES}*:{REMOTES}origin/*", f"{TAGS}*:{TAGS}*"])
        _adopt_branches(store, head, check_value)
    except BaseException:
        store.close()
        shutil.rmtree(store.git_dir, ignore_errors=True)
        if not existed:
            os.rmdir(folder)
        raise
    return store


def _adopt_branches(store: Store, head: str | None, check_value: CheckValue) -> None:
    """Give every fetched branch of memoir's a local one.

    Raises:
        DamagedStore: there are branches, and none is memoir's; or one of memoir's is not sound.
    """
    names = []
    trusted = store.tree(None)
    for ref in store.refs.list(f"{REMOTES}origin/"):
        try:
            check(store, store.commits([ref.commit])[0], trusted, check_value)
        except NotMemoirs as error:
            problem = error
            continue
        store.refs.update(BRANCHES + ref.name, ref.commit, None, "clone")
        normalise(store, ref.name)
        trusted = store.head(ref.name).tree
        names.append(ref.name)
    if not names and store.refs.list(f"{REMOTES}origin/"):
        raise problem
    if names:
        store.refs.switch(head if head in names else "main" if "main" in names else names[0])
