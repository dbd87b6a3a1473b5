"""Cloning a store: a new one, the remote's branches and tags, and a look at what came."""

from collections.abc import Collection

from memoir.exchange.fetch import get_refs
from memoir.exchange.layout import PLAIN, RemotePlace, place
from memoir.exchange.remotes import add, check_url
from memoir.exchange.transport import object_format
from memoir.git.ref_names import BRANCHES, REMOTES
from memoir.git.sideband import Tell
from memoir.repair.foreign_commit import check_past, check_tips
from memoir.store.commit import Commit
from memoir.store.create import drafted, protect, vacant
from memoir.store.store import Store
from memoir.store.transaction import identity, normalise
from memoir.store.value_check import CheckValue
from memoir.tree.node import NotMemoirs


def clone(url: str, folder: str, check_value: CheckValue, *, tell: Tell | None = None) -> Store:
    """Clone a store into a folder, all its branches and tags included, and open it; what git says goes to `tell`."""
    url = check_url(url)
    git_dir = vacant(folder)
    with drafted(git_dir, object_format(url)) as draft, Store(draft) as store:
        store.git.identity, store.git.tell = identity(store), tell
        add(store, "origin", url)
        origin = place(store, "origin")
        get_refs(store, origin)
        _adopt_branches(store, origin, check_value)
    protect(git_dir)
    return Store(git_dir)


def _adopt_branches(store: Store, place: RemotePlace, check_value: CheckValue) -> None:
    """Give every fetched branch of memoir's a local one."""
    tips = _sound_tips(store, check_value)
    if not tips and any(ref.startswith(BRANCHES) for ref in place.refs):
        raise NotMemoirs(
            "this repository holds code, and no memories yet",
            "in a project: 'memoir init', 'memoir remote add origin URL', 'memoir push'",
        )
    for name, tip in tips.items():
        store.refs.update(BRANCHES + name, tip.id, None, "clone")
        normalise(store, name)
    if tips:
        usual = place.head if place.layout == PLAIN else None  # else it names a branch of the code
        store.refs.switch(next(name for name in (usual, "main", *tips) if name in tips))


def _sound_tips(store: Store, check_value: CheckValue) -> dict[str, Commit]:
    """The fetched branches of memoir's, each looked at.

    Raises:
        DamagedStore: there are branches, and none is memoir's; or one of memoir's is not sound.
    """
    tips: dict[str, Commit] = {}
    base = store.tree(None)
    refs = sorted(store.refs.list(f"{REMOTES}origin/"), key=lambda ref: ref.name.startswith(BRANCHES))
    for ref in refs:
        name = ref.name.removeprefix(BRANCHES)
        if name in tips or (name != ref.name and _has_rival(name, tips)):
            continue  # a stray's namesake comes first; 'memoir pull' merges the two
        try:
            check_tips(store, tip := store.commits([ref.commit])[0], base, check_value, past_is_sound=True)
        except NotMemoirs as error:
            problem = error
            continue
        tips[name], base = tip, store.of(tip.id).tree
    if refs and not tips:
        raise problem
    check_past(store, [*tips.values()], check_value)
    return tips


def _has_rival(name: str, others: Collection[str]) -> bool:
    """Whether one of some branches leaves no room for another: one name continues the other as a path."""
    return any(f"{name}/".startswith(f"{other}/") or other.startswith(f"{name}/") for other in others)
