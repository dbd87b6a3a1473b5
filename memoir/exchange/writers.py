"""Refs of single writers: where a store sends what it has if many send at the same time.

A remote keeps them as `refs/memoir/writers/WRITER/BRANCH`, which no page of branches shows, whether it keeps memory in
plain branches or beside code. Only one store pushes to each, so no push comes too late. What was fetched of them is
here as `refs/writers/REMOTE/WRITER/BRANCH`. Whoever reads folds them into the branch (`memoir.exchange.fold`).
"""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping

from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, is_ref_name
from memoir.settings import REMOTE_WRITERS, USER_NAME, WRITER
from memoir.store import config
from memoir.store.ancestry import independent
from memoir.store.store import Store

WRITERS = "refs/memoir/writers/"


def mode(store: Store, remote: str) -> str:
    """How a store writes to a remote: `auto`, `shared` or `own`."""
    key = REMOTE_WRITERS.key_of(remote)
    return REMOTE_WRITERS.parse(store.config.get(key, [REMOTE_WRITERS.default_text])[-1], key)


def own_name(store: Store) -> str:
    """The name of this store as a writer; chosen when it is first needed, and kept in the store's config."""
    text = WRITER.read_if_set(store.config)
    if text is None:
        person = re.sub(r"[^a-z0-9]+", "-", USER_NAME.read(store.config).lower()).strip("-")
        text = _choose_name(store, person or "memoir")
    return text


def rename(store: Store) -> None:
    """Give this store a name of its own: a copy of it, such as one made from the same image, has the one it had."""
    _choose_name(store, re.sub(r"-[0-9a-f]{8}$", "", own_name(store)))


def _choose_name(store: Store, begin: str) -> str:
    text = f"{begin[:40].strip('-')}-{secrets.token_hex(4)}"
    config.put(store, WRITER.key, text)
    return text


def ref_of(writer: str, branch: str) -> str:
    """A writer's ref of a branch at a remote."""
    return f"{WRITERS}{writer}/{branch}"


def refspec(remote: str) -> str:
    """By which git notes where the writers' refs of a remote are."""
    return f"+{WRITERS}*:{FETCHED}{remote}/*"


def listed(refs: Mapping[str, Oid], branch: str) -> dict[str, Oid]:
    """The writers' refs of a branch among a remote's refs: their heads by the writers' names."""
    rows = ((ref.removeprefix(WRITERS).partition("/"), oid) for ref, oid in refs.items() if ref.startswith(WRITERS))
    return {writer: oid for (writer, _, name), oid in rows if name == branch and WRITER.kind.can_parse(writer)}


def fetched(store: Store, remote: str, branch: str) -> dict[str, Oid]:
    """What was fetched of the writers' refs of a branch: their heads by the writers' names."""
    return {writer: oid for writer, name, oid in _fetched(store, remote) if name == branch and is_commit(store, oid)}


def fetched_by_branch(store: Store, remote: str) -> dict[str, dict[str, Oid]]:
    """What was fetched of all writers' refs: the heads by branch and writer; what is no commit is left out."""
    heads: dict[str, dict[str, Oid]] = {}
    for writer, branch, oid in _fetched(store, remote):
        if is_commit(store, oid):
            heads.setdefault(branch, {})[writer] = oid
    return heads


def _fetched(store: Store, remote: str) -> Iterator[tuple[str, str, Oid]]:
    """The writers, branches and heads of what was fetched, not looked at: there may be many of other branches."""
    for name, oid in store.refs.list(f"{FETCHED}{remote}/").items():
        writer, _, branch = name.partition("/")
        if WRITER.kind.can_parse(writer):
            yield writer, branch, oid


def is_commit(store: Store, oid: Oid) -> bool:
    """Whether what a ref names is a commit; anybody may have put anything there."""
    commit = store.reader.resolve(str(oid))
    return commit is not None and commit.oid == oid


def specs_to_fetch(remote: str, there: Mapping[str, Oid], here: Mapping[str, Oid]) -> list[str]:
    """The refspec that brings all of them, of every branch, if one is not here as the remote has it.

    What is here of a remote is what a purge can name there. Both sides' refs are by their full names.
    """
    refs = {
        f"{FETCHED}{remote}/{ref.removeprefix(WRITERS)}": oid for ref, oid in there.items() if ref.startswith(WRITERS)
    }
    return [refspec(remote)] if any(here.get(ref) != oid for ref, oid in refs.items() if is_ref_name(ref)) else []


def prune(store: Store, remote: str, there: Mapping[str, Oid], here: Mapping[str, Oid]) -> None:
    """Drop what was fetched of writers' refs that the remote has no longer: they are folded."""
    prefix = f"{FETCHED}{remote}/"
    for ref, oid in here.items():
        if ref.startswith(prefix) and WRITERS + ref.removeprefix(prefix) not in there and is_ref_name(ref):
            store.refs.update(ref, None, oid, "fetch: gone")


def maximal(store: Store, commits: Iterable[Oid | None]) -> list[Oid]:
    """Those of some commits that no other of them contains, sorted by id."""
    return sorted(independent(store, {commit for commit in commits if commit}))
