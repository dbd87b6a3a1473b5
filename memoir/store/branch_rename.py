"""Renaming a branch in steps of which none can lose it.

    the new ref  ->  its log  ->  HEAD  ->  away with the old ref

git's own rename takes the old ref away first. Here both names hold the branch until the last step; after a kill the
same command goes on where it stopped.
"""

from pathlib import Path

from memoir.errors import Conflict, NotFound
from memoir.git.fsync import replace
from memoir.git.lock import try_past_stale_locks, writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, file_of
from memoir.store.store import Store


def rename(store: Store, old: str, new: str) -> Oid:
    """Rename a branch, its log included; HEAD follows. Returns where it is.

    Raises:
        NotFound, Conflict, InvalidInput: no such branch, the new name is taken, or malformed.
    """
    refs = store.refs
    source, target = refs.check_name("branch", old), refs.check_name("branch", new)
    reason = f"branch: renamed {old} to {new}"
    with writer_lock(store.git_dir):
        tip = refs.read(source)
        if tip is None:
            raise NotFound(f"no branch named {old!r}", store.refs.suggest(old), revision=old)
        _create(store, target, tip, reason)
        _copy_log(store.git_dir, source, target, reason)
        if refs.current == old:
            refs.switch(new)
        if not refs.update(source, None, tip, reason):
            raise Conflict(f"branch {old!r} moved while it was being renamed", f"{new!r} has its earlier state")
        _move_settings(store, old, new)
    return tip


def _create(store: Store, target: str, tip: Oid, reason: str) -> None:
    """Create the new ref, unless a killed rename has."""
    refs, name = store.refs, target.removeprefix(BRANCHES)
    if rival := refs.rival(target):
        raise Conflict(f"branch {name!r} conflicts with {rival!r}", "rename it to another name first, then to this one")
    if not refs.update(target, tip, None, reason) and not (
        refs.read(target) == tip and _has_begun(store, target, reason)
    ):
        raise Conflict(f"a branch named {name!r} already exists", f"choose another name, or 'memoir branch -d {name}'")


def _has_begun(store: Store, target: str, reason: str) -> bool:
    return any(line.endswith(f"\t{reason}".encode()) for line in _lines(store.git_dir, target)[-1:])


def _copy_log(git_dir: Path, source: str, target: str, reason: str) -> None:
    """Put the old log before the new one's line, which from then on notes the renaming and no move."""
    before, (*_, line) = _lines(git_dir, source), _lines(git_dir, target)
    if before:
        tip = line.split(b" ", 2)[1]
        after = b" ".join([tip, *line.split(b" ", 2)[1:]])
        replace(file_of(git_dir, target, log=True), b"".join(text + b"\n" for text in [*before, after]))


def _lines(git_dir: Path, ref: str) -> list[bytes]:
    try:
        data = (git_dir / "logs" / ref).read_bytes()
    except FileNotFoundError:
        return []
    return [line for line in data.split(b"\n") if line]


def _move_settings(store: Store, old: str, new: str) -> None:
    """Give the settings of a branch in git's config, such as its upstream, to its new name."""
    if any(key.startswith(f"branch.{old}.") for key in store.settings):
        command = ("config", "--rename-section", f"branch.{old}", f"branch.{new}")
        try_past_stale_locks(store.git_dir, lambda: store.git.try_run(*command))
        store.reload()
