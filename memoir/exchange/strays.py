"""Memory in the plain branches of a remote that keeps it beside code, where it was put before the code came, say.

It stays where it is, and is fetched under its full name, as REMOTE/refs/heads/BRANCH: beside it, a branch of the same
name may hold other memory. What was fetched once stays here, whatever becomes of the branch over there.
"""

from collections.abc import Mapping, Set

from memoir import user_cache
from memoir.errors import Conflict
from memoir.exchange.tips import is_memoirs, memoirs
from memoir.git.digest import sha256
from memoir.git.git import output_lines
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES
from memoir.store import history
from memoir.store.store import Store


def stray_ref(remote: str, branch: str = "") -> str:
    """The ref that keeps what a remote's plain branch held (of no branch: the prefix of all)."""
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
    stray_names = {ref.name for ref in store.refs.list(stray_ref(remote))}
    names = stray_names | {ref.name for ref in store.refs.list(BRANCHES)}
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
        user_cache.write(_name(url), "\n".join(sorted(before | names)).encode())


def _code(url: str) -> set[str]:
    return set(output_lines(user_cache.read(_name(url)) or b""))


def _name(url: str) -> str:
    return f"code-{sha256(url.encode('utf-8', 'surrogateescape')).hex()[:16]}"


def move_aside(store: Store, remote: str) -> None:
    """Keep under its full name what was fetched of a remote's branches while they were memoir's."""
    refs = [ref for ref in store.refs.list(f"{REMOTES}{remote}/") if not ref.name.startswith(BRANCHES)]
    for ref in refs:
        if is_memoirs(store, ref.commit) and store.refs.read(stray_ref(remote, ref.name)) is None:
            store.refs.update(stray_ref(remote, ref.name), ref.commit, None, "fetched before code came")
        store.refs.update(f"{REMOTES}{remote}/{ref.name}", None, ref.commit, "moved aside")


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
        if ours and not (store.reader.has(theirs) and history.is_ancestor(store, theirs, ours)):
            raise Conflict(
                f"{remote} has memory in its plain branch {branch!r} that your branch lacks",
                "run 'memoir pull', then push again",
            )
