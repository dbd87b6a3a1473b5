"""Refs of single writers, to which stores send if many send at the same time.

A remote keeps them as `refs/memoir/writers/WRITER/BRANCH`, which no page of branches shows, in both layouts. Only one
store pushes to each, so no push comes too late. Fetched ones are `refs/writers/REMOTE/WRITER/BRANCH` here. Every reader
folds them into the branch (`memoir.exchange.writers.fold`).
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
    """The name of this store as a writer, chosen at first use and stored in its config."""
    text = WRITER.read_if_set(store.config)
    if text is None:
        person = re.sub(r"[^a-z0-9]+", "-", USER_NAME.read(store.config).lower()).strip("-")
        text = _choose_name(store, person or "memoir")
    return text


def rename(store: Store) -> None:
    """Choose a new writer name for this store, because a copy of it, as from the same image, has the old one."""
    _choose_name(store, re.sub(r"-[0-9a-f]{8}$", "", own_name(store)))


def _choose_name(store: Store, begin: str) -> str:
    text = f"{begin[:40].strip('-')}-{secrets.token_hex(4)}"
    config.put(store, WRITER.key, text)
    return text


def ref_of(writer: str, branch: str) -> str:
    """A writer's ref of a branch at a remote."""
    return f"{WRITERS}{writer}/{branch}"


def refspec(remote: str) -> str:
    """The refspec for the writers' refs of a remote."""
    return f"+{WRITERS}*:{FETCHED}{remote}/*"


def listed(refs: Mapping[str, Oid], branch: str) -> dict[str, Oid]:
    """The writers' refs of a branch among a remote's refs: their heads by the writers' names."""
    rows = ((ref.removeprefix(WRITERS).partition("/"), oid) for ref, oid in refs.items() if ref.startswith(WRITERS))
    return {writer: oid for (writer, _, name), oid in rows if name == branch and WRITER.kind.can_parse(writer)}


def fetched(store: Store, remote: str, branch: str) -> dict[str, Oid]:
    """The fetched heads of the writers' refs of a branch, by writer."""
    return {writer: oid for writer, name, oid in _fetched(store, remote) if name == branch and is_commit(store, oid)}


def fetched_by_branch(store: Store, remote: str) -> dict[str, dict[str, Oid]]:
    """The fetched heads of all writers' refs, by branch and writer, without refs that are no commits."""
    heads: dict[str, dict[str, Oid]] = {}
    for writer, branch, oid in _fetched(store, remote):
        if is_commit(store, oid):
            heads.setdefault(branch, {})[writer] = oid
    return heads


def _fetched(store: Store, remote: str) -> Iterator[tuple[str, str, Oid]]:
    """The writers, branches and heads of fetched refs, unchecked, because there may be many of other branches."""
    for name, oid in store.refs.list(f"{FETCHED}{remote}/").items():
        writer, _, branch = name.partition("/")
        if WRITER.kind.can_parse(writer):
            yield writer, branch, oid


def is_commit(store: Store, oid: Oid) -> bool:
    """Whether the object of a ref is a commit; anyone may have stored anything there."""
    commit = store.reader.resolve(str(oid))
    return commit is not None and commit.oid == oid


def specs_to_fetch(remote: str, there: Mapping[str, Oid], here: Mapping[str, Oid]) -> list[str]:
    """The refspec for all writers' refs, of every branch, if any differs from the remote's; else none.

    All are fetched so that a purge can name them. `there` and `here` are by full name.
    """
    refs = {
        f"{FETCHED}{remote}/{ref.removeprefix(WRITERS)}": oid for ref, oid in there.items() if ref.startswith(WRITERS)
    }
    return [refspec(remote)] if any(here.get(ref) != oid for ref, oid in refs.items() if is_ref_name(ref)) else []


def prune(store: Store, remote: str, there: Mapping[str, Oid], here: Mapping[str, Oid]) -> None:
    """Drop fetched writers' refs that the remote no longer has, because they were folded."""
    prefix = f"{FETCHED}{remote}/"
    for ref, oid in here.items():
        if ref.startswith(prefix) and WRITERS + ref.removeprefix(prefix) not in there and is_ref_name(ref):
            store.refs.update(ref, None, oid, "fetch: gone")


def maximal(store: Store, commits: Iterable[Oid | None]) -> list[Oid]:
    """The commits that none of the others contains, sorted by id."""
    return sorted(independent(store, {commit for commit in commits if commit}))
