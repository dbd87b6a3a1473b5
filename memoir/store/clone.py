"""Cloning a store: a new one, the remote's branches and tags, and a look at what came."""

from memoir.store import past
from memoir.store.adopt import CheckValue, check
from memoir.store.create import drafted, protect, vacant
from memoir.store.layout import PLAIN, Place, place
from memoir.store.node import NotMemoirs
from memoir.store.ref_names import BRANCHES, REMOTES
from memoir.store.remote import get_refs
from memoir.store.remotes import add, check_url
from memoir.store.sideband import Tell
from memoir.store.store import Store
from memoir.store.transaction import identity, normalise
from memoir.store.transport import object_format


def clone(url: str, folder: str, check_value: CheckValue, *, tell: Tell | None = None) -> Store:
    """Clone a store into a folder, all its branches and tags included, and open it; what git says goes to `tell`.

    Raises:
        GitError: the URL cannot be reached.
        DamagedStore: what is there is no memoir store, is cut off, or holds what memoir would never have written.
    """
    url = check_url(url)
    git_dir = vacant(folder)
    with drafted(git_dir, object_format(url)) as draft, Store(draft) as store:
        store.git.identity, store.git.tell = identity(store), tell
        add(store, "origin", url)
        found = place(store, "origin")
        get_refs(store, found)
        _adopt_branches(store, found, check_value)
    protect(git_dir)
    return Store(git_dir)


def _adopt_branches(store: Store, found: Place, check_value: CheckValue) -> None:
    """Give every fetched branch of memoir's a local one.

    Raises:
        DamagedStore: there are branches, and none is memoir's; or one of memoir's is not sound.
    """
    names = []
    trusted = store.tree(None)
    fetched = sorted(store.refs.list(f"{REMOTES}origin/"), key=lambda ref: ref.name.startswith(BRANCHES))
    sound = past.is_sound(store, [ref.commit for ref in fetched])
    for ref in fetched:
        name = ref.name.removeprefix(BRANCHES)
        if name in names or (name != ref.name and store.refs.rival(BRANCHES + name)):
            continue  # a stray's namesake comes first; 'memoir pull' merges the two
        try:
            check(store, store.commits([ref.commit])[0], trusted, check_value, past_is_sound=sound)
        except NotMemoirs as error:
            problem = error
            continue
        store.refs.update(BRANCHES + name, ref.commit, None, "clone")
        normalise(store, name)
        trusted = store.head(name).tree
        names.append(name)
    if not names and fetched:
        raise problem
    if not names and any(ref.startswith(BRANCHES) for ref in found.refs):
        raise NotMemoirs(
            "this repository holds code, and no memories yet",
            "in a project: 'memoir init', 'memoir remote add origin URL', 'memoir push'",
        )
    if names:
        usual = found.head if found.layout == PLAIN else None  # else it names a branch of the code
        store.refs.switch(next(name for name in (usual, "main", *names) if name in names))
