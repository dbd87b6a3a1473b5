"""The faults of refs and their logs: lost refs, logs that break off, moves that no log has."""

import os
from collections.abc import Iterator
from pathlib import Path

from memoir.errors import DamagedStore, MemoirError
from memoir.git import reflog
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, is_ref_name
from memoir.store.store import Store
from memoir.tree.node import NotMemoirs, OtherFormat


def problems(store: Store) -> Iterator[str]:
    """The faults of the refs and logs of a store; a branch that has no log at all is sound."""
    for name in sorted(_all_names(store.git_dir)):
        if not is_ref_name(name):
            yield f"{name!r} is not a ref name, so neither git nor memoir uses it"
    for ref in names(store.git_dir):
        short = ref.removeprefix(BRANCHES) if ref.startswith(BRANCHES) else ref
        tip = store.refs.read(ref)
        if tip is None:
            if move := reflog.find_loss(store.git_dir, ref):
                yield f"{short!r} is lost; it was last at commit {move.new}"
        elif ref.startswith(BRANCHES):
            if is_foreign(store, tip):
                yield f"branch {short!r} is not memoir's: it holds no memories, or those of another format"
            yield from _log_problems(store.git_dir, short, tip)


def is_foreign(store: Store, commit: Oid) -> bool:
    """Whether a commit is readable and not of this memoir's format: nothing of it is damaged."""
    try:
        _ = store.tree(store.commits([commit])[0].tree).top
    except (NotMemoirs, OtherFormat):
        return True
    except MemoirError:
        pass
    return False


def _log_problems(git_dir: Path, branch: str, tip: Oid) -> Iterator[str]:
    if not is_ended(git_dir, BRANCHES + branch):
        yield f"the log of branch {branch!r} ends in the middle of a line"
    try:
        for _ in reflog.walk_back(reflog.read(git_dir, branch), tip, branch):
            pass
    except DamagedStore as error:
        yield error.message


def is_ended(git_dir: Path, ref: str) -> bool:
    """Whether the last line of a ref's log is whole, if it has one."""
    path = git_dir / "logs" / ref
    data = path.read_bytes() if path.is_file() else b""
    return not data or data.endswith(b"\n")


def names(git_dir: Path) -> list[str]:
    """Every ref that has a file, a line in `packed-refs` or a log, sound or not; sorted.

    Names that git does not accept are left out: they may have come with the store, and paths are made of these.
    """
    return sorted(filter(is_ref_name, _all_names(git_dir)))


def _all_names(git_dir: Path) -> set[str]:
    all_names = {name for top in (git_dir, git_dir / "logs") for name in _files(top)}
    file = git_dir / "packed-refs"
    rows = file.read_bytes().split(b"\n") if file.is_file() else []
    all_names |= {row.partition(b" ")[2].decode("utf-8", "replace") for row in rows if b" refs/" in row[:70]}
    return all_names


def _files(top: Path) -> Iterator[str]:
    for parent, _, files in os.walk(top / "refs"):
        for name in files:
            if not name.endswith(".lock"):
                yield os.path.relpath(os.path.join(parent, name), top)
