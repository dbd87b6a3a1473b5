"""Fetches from other stores through git, and clones them.

git transfers the objects; everything from a remote is checked before memoir builds on it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from memoir.errors import Conflict, DamagedStore
from memoir.exchange.layout import PLAIN, RemotePlace, is_memoirs, look, place, stray_ref
from memoir.exchange.remote_health import read_contact, write_contact
from memoir.exchange.remotes import add, check_url, require
from memoir.exchange.transport import fetch_from
from memoir.exchange.writers import writer_refs
from memoir.exchange.writers.fold import fold
from memoir.git import reflog
from memoir.git.lock import writer_lock
from memoir.git.messages import Tell, purged_meanwhile, require_writable
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, FETCHED, REMOTES, TAGS, find_clash
from memoir.memory import tombstones
from memoir.repair import checks
from memoir.repair.checks import CheckValue, FewValues
from memoir.repair.foreign_commit import HINT, check_past, check_tips
from memoir.store.commit import Commit
from memoir.store.create import drafted, vacant
from memoir.store.identity import identity
from memoir.store.safeguards import protect
from memoir.store.store import Store
from memoir.store.switchover import drop_unreached
from memoir.store.transaction import normalise
from memoir.taxonomy.paths import from_key
from memoir.tree.node import NotMemoirs


class FetchedBranch(NamedTuple):
    """A remote branch that moved; `foreign` is the fault of its tree, `refused` says that it cannot be adopted."""

    name: str
    old: Oid | None
    new: Oid | None
    foreign: str | None
    refused: bool


class FetchResult(NamedTuple):
    """The result of a fetch."""

    place: RemotePlace
    """The place of memory in the remote."""
    moves: list[FetchedBranch]
    """Its branches that moved, sorted by name."""


def fetch(store: Store, name: str, *, at: RemotePlace | None = None, is_fresh: bool = True) -> FetchResult:
    """Fetch a remote's branches, tags and writers' refs, and check each branch that moved.

    Without news, the remote is contacted only once.

    Args:
        store: The store to fetch into.
        name: The remote.
        at: The result of `place`, if the caller has it.
        is_fresh: Whether `at` is current; if not, there may be further news.
    """
    require(store, name)
    require_writable(store.git_dir)
    prefix = f"{REMOTES}{name}/"
    there = at or place(store, name, about_to_fetch=True)
    with _refusing_purged(store, name) as here:
        before = here.under(prefix)
        heads = writer_refs.specs_to_fetch(name, there.refs, here.refs) if is_fresh else []
        _prune(store, there, here)
        if not is_fresh or heads or _has_news(there, here):
            get_refs(store, there, heads, here)
            _note_surplus(store, name, before.values())
    if code := [branch for branch in there.unseen if not is_memoirs(store, there.refs[BRANCHES + branch])]:
        for branch in code:  # keep the memory fetched before, as for any branch that had memory once
            now = store.refs.read(prefix + branch)
            store.refs.update(prefix + branch, before[branch], now, "fetch: it holds code now")
        there = place(store, name)
        _prune(store, there, Here.of(store))
        get_refs(store, there)
    after = store.refs.list(prefix)
    branches = sorted(branch for branch in before.keys() | after.keys() if before.get(branch) != after.get(branch))
    looks = _check_branches(store, {branch: after.get(branch) for branch in branches}) if branches else {}
    moves = [FetchedBranch(branch, before.get(branch), after.get(branch), *looks[branch]) for branch in branches]
    return FetchResult(there._replace(unseen=()), moves)


_MANY = 500
"""The number of objects from which counting the new ones is worth it."""


def _note_surplus(store: Store, remote: str, before: Collection[Oid]) -> None:
    """Store the number of objects of a fetch, and of new ones among them, for `memoir doctor`."""
    received = store.git.received if before else 0
    needed = 0
    if received >= _MANY:
        now = store.refs.list(f"{REMOTES}{remote}/").values()
        tips = (*map(str, now), *(f"^{oid}" for oid in before))
        needed = int(store.git.read("rev-list", "--objects", "--count", *tips, "--"))
    last = read_contact(store, remote)
    if received >= _MANY or last.received:
        write_contact(store, remote, last._replace(received=received if needed else 0, needed=needed))


class Here(NamedTuple):
    """The refs of a store by full name, at one moment."""

    refs: dict[str, Oid]

    @classmethod
    def of(cls, store: Store) -> "Here":
        """The current refs of a store."""
        return cls({f"refs/{name}": commit for name, commit in store.refs.list("refs/").items()})

    def under(self, prefix: str) -> dict[str, Oid]:
        """The refs under a prefix, by the rest of their names."""
        return {name.removeprefix(prefix): oid for name, oid in self.refs.items() if name.startswith(prefix)}


def _has_news(place: RemotePlace, here: Here) -> bool:
    """Whether a remote has a ref that this store lacks."""
    known = here.under(f"{REMOTES}{place.remote}/")
    heads = place.layout.heads
    there = {ref.removeprefix(heads): oid for ref, oid in place.refs.items() if ref.startswith(heads)}
    there |= {BRANCHES + name: place.refs[BRANCHES + name] for name in place.strays}
    return any(known.get(name) != oid for name, oid in there.items()) or not here.under(TAGS).keys() >= {*place.tags()}


_TAGS_AT_ONCE = 500


def get_refs(store: Store, place: RemotePlace, more: Sequence[str] = (), here: Here | None = None) -> None:
    """Fetch a remote's branches as REMOTE/BRANCH, the refspecs in `more`, and the tags that this store lacks."""
    if store.git.folds_case:
        _require_own_files(place)
    prefix = f"{REMOTES}{place.remote}/"
    strays = (f"+{BRANCHES}{name}:{stray_ref(place.remote, name)}" for name in place.strays)
    specs = [f"+{place.layout.heads}*:{prefix}*", *strays, *more]
    fetch_from(store, place.remote, specs, "--no-tags", is_memoirs=place.layout == PLAIN)
    known = (here or Here.of(store)).under(TAGS)
    tags = [f"{place.layout.tags}{name}:{TAGS}{name}" for name in place.tags() if name not in known]
    for start in range(0, len(tags), _TAGS_AT_ONCE):
        fetch_from(store, place.remote, tags[start : start + _TAGS_AT_ONCE], "--no-tags")


def _require_own_files(place: RemotePlace) -> None:
    """Refuse a remote with two branches that would share one file here, because they would be mixed up.

    Raises:
        Conflict: it has such branches, or tags.
    """
    branches = [ref.removeprefix(place.layout.heads) for ref in place.refs if ref.startswith(place.layout.heads)]
    if clash := find_clash(branches) or find_clash(place.tags()):
        raise Conflict(
            f"{place.remote} has both {clash[0]!r} and {clash[1]!r}, which this file system cannot tell apart",
            "rename one of them there; nothing was fetched",
        )


@contextmanager
def _refusing_purged(store: Store, remote: str) -> Iterator["Here"]:
    """After the block, undo a fetch that brought memories purged here, and drop its objects.

    A purge may happen meanwhile, and so may writes, whose refs are left alone.

    Raises:
        Conflict: the fetch brought purged memories.
    """
    with writer_lock(store.git_dir):  # no purge is running
        purged, here = store.git.last_purge(), Here.of(store)
    yield here
    with writer_lock(store.git_dir):
        now_purged = store.git.last_purge()
    if not now_purged:
        return
    of_remote = (f"{REMOTES}{remote}/", f"{FETCHED}{remote}/")
    now = Here.of(store).refs
    fetched = {ref: oid for ref, oid in now.items() if ref.startswith((*of_remote, TAGS))}
    before = here.refs
    if now_purged != purged:  # the purge removed earlier fetches, and git has fetched them again
        before = {ref: oid for ref, oid in now.items() if ref not in fetched}
    store.reader.close()  # it could still read objects that a purge or a refused fetch has dropped
    own_tags = here.under(TAGS)
    brought = {ref: tip for ref, tip in fetched.items() if ref.removeprefix(TAGS) not in own_tags}
    lost = {ref for ref, tip in brought.items() if not store.reader.has(tip)}
    found = dict(tombstones.purged_in(store, before, fetched))
    if not (found or lost):
        return
    for ref, tip in fetched.items():
        if ref in found or ref in lost or (ref.startswith(of_remote) and before.get(ref) != tip):
            old = before.get(ref)
            back = old if old and old != tip and store.reader.has(old) else None
            store.refs.update(ref, back, tip, "fetch: taken back")
            reflog.forget(store.git_dir, ref, tip)
    store.reader.close()  # it could still read dropped objects
    drop_unreached(store.git)
    if not found:
        raise purged_meanwhile()
    keys = sorted({from_key(key).full_key for key in found.values()})
    raise Conflict(
        f"{remote} still has what was purged here, such as {keys[0]}; nothing was taken from it",
        f"clone it anew; 'memoir purge KEY', or --whole as here, in that clone says what to run at {remote}; "
        "then sync here",
        keys=keys,
    )


def _prune(store: Store, place: RemotePlace, here: Here) -> None:
    """Drop the fetched refs of branches that are gone; unlike git, keep those of plain branches of a code remote."""
    writer_refs.prune(store, place.remote, place.refs, here.refs)
    prefix = f"{REMOTES}{place.remote}/"
    for name, oid in here.under(prefix).items():
        stays = name.startswith(BRANCHES) or place.layout.heads + name in place.refs
        if not stays and "\ufffd" not in name:
            store.refs.update(prefix + name, None, oid, "fetch: gone")


_ALONE = 20
"""The most branches that are checked one by one; each may have a long history of its own."""
_Check = tuple[str | None, bool]
"""The fault of a foreign commit, and whether it prevents adopting it."""


def _check_branches(store: Store, tips: Mapping[str, Oid | None]) -> dict[str, _Check]:
    """Check each branch; if their common history has a fault and they are few, also the history of each."""
    looks = {name: _inspect(store, tip, past_is_sound=True) for name, tip in tips.items()}
    sound = {name: tip for name, tip in tips.items() if tip and not looks[name][1]}
    try:
        check_past(store, store.commits([*sound.values()]))
    except DamagedStore as error:
        few = len(sound) <= _ALONE
        looks |= {
            name: _inspect(store, tip, past_is_sound=False) if few else (error.message, True)
            for name, tip in sound.items()
        }
    return looks


def _inspect(store: Store, tip: Oid | None, *, past_is_sound: bool) -> _Check:
    if tip is None:
        return None, False
    try:
        commit = store.commits([tip])[0]
        return check_tips(store, commit, store.head().tree, past_is_sound=past_is_sound), False
    except DamagedStore as error:
        return error.message, True


def refuse(branches: list[FetchedBranch]) -> None:
    """Raise an error if a fetched branch cannot be adopted.

    Raises:
        DamagedStore: there is such a branch; the error names the first.
    """
    bad = [each for each in branches if each.refused]
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise DamagedStore(f"branch {bad[0].name!r} was fetched{more}, and {bad[0].foreign}", HINT)


def clone(url: str, folder: str, *, tell: Tell | None = None) -> Store:
    """Clone a store with all branches and tags into a folder, and open it; git's messages go to `tell`.

    Most values of a large store are checked later (`memoir.repair.checks`).
    """
    url = check_url(url)
    git_dir, seen = vacant(folder), look(url)
    hash_name = "sha256" if any(len(oid) == 32 for oid in seen[1].values()) else "sha1"
    with drafted(git_dir, hash_name) as draft, Store(draft) as store:
        store.git.identity, store.git.tell = identity(store), tell
        add(store, "origin", url)
        origin = place(store, "origin", seen=seen)
        get_refs(store, origin, [writer_refs.refspec("origin")])
        check = FewValues()
        tips = _adopt_branches(store, origin, check)
        if check.has_left:
            checks.mark_unchecked(draft, tips)
    protect(git_dir)
    return Store(git_dir)


def _adopt_branches(store: Store, place: RemotePlace, check_value: CheckValue) -> list[Oid]:
    """Create a local branch for every fetched branch with memory; return their first commits."""
    tips = _sound_tips(store, check_value)
    heads = writer_refs.fetched_by_branch(store, place.remote)
    if not tips and not heads and any(ref.startswith(BRANCHES) for ref in place.refs):
        raise NotMemoirs(
            "this repository holds code, and no memories yet",
            "in a project: 'memoir init', 'memoir remote add origin URL', 'memoir push'",
        )
    for name, tip in tips.items():
        store.refs.update(BRANCHES + name, tip.id, None, "clone")
        normalise(store, name)
    names = [*tips, *(name for name in heads if name not in tips and not _has_rival(name, tips))]
    for name in filter(heads.__contains__, names):
        before = store.refs.read(BRANCHES + name)
        if (tip_of_all := fold(store, [*heads[name].values()], first=before).tip) and tip_of_all != before:
            store.refs.update(BRANCHES + name, tip_of_all, before, "clone: what writers have")
    if names:
        usual = place.head if place.layout == PLAIN else None  # otherwise HEAD names a branch of the code
        store.refs.switch(next(name for name in (usual, "main", *names) if name in names))
    return [tip.id for tip in tips.values()]


def _sound_tips(store: Store, check_value: CheckValue) -> dict[str, Commit]:
    """The fetched branches with memory, checked.

    Raises:
        DamagedStore: there are branches, but none has memory; or one with memory is not sound.
    """
    tips: dict[str, Commit] = {}
    base = store.tree(None)
    refs = store.refs.list(f"{REMOTES}origin/")
    for ref in sorted(refs, key=lambda ref: ref.startswith(BRANCHES)):
        name = ref.removeprefix(BRANCHES)
        if name in tips or (name != ref and _has_rival(name, tips)):
            continue  # the branch with a stray's name comes first; 'memoir pull' merges the two
        try:
            check_tips(store, tip := store.commits([refs[ref]])[0], base, check_value, past_is_sound=True)
        except NotMemoirs as error:
            problem = error
            continue
        tips[name], base = tip, store.of(tip.id).tree
    if refs and not tips:
        raise problem
    check_past(store, [*tips.values()], check_value)
    return tips


def _has_rival(name: str, others: Collection[str]) -> bool:
    """Whether a name conflicts with another branch's as file and folder, like `a` and `a/b`."""
    return any(f"{name}/".startswith(f"{other}/") or other.startswith(f"{name}/") for other in others)
