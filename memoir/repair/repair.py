"""Repairs a damaged store: at once if nothing is lost by it, otherwise only if the caller accepts the loss.

indexes of packs  ->  objects of broken packs  ->  branches and other refs  ->  logs  ->  one sound pack
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import NamedTuple

from memoir.errors import MemoirError
from memoir.git import reflog
from memoir.git.fsync import replace, sync
from memoir.git.git import REPACK
from memoir.git.lock import writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, file_of, is_ref_name
from memoir.repair import ref_logs
from memoir.repair.ref_logs import is_foreign, names
from memoir.store import safeguards
from memoir.store.identity import identity
from memoir.store.store import Store


def rebuild_indexes(store: Store) -> list[str]:
    """Rebuild each missing or damaged index of a pack that is intact."""
    done = []
    for pack in _packs(store):
        if _has_index(store, pack):
            continue
        index = pack.with_suffix(".idx")
        aside = index.with_suffix(".idx-damaged")
        if index.exists():
            index.rename(aside)
        if store.git.try_run("index-pack", "--threads=1", str(pack)).returncode == 0:
            done.append(f"rebuilt the index of {pack.name}")
            sync(pack.parent)
            aside.unlink(missing_ok=True)
        elif aside.exists():
            aside.rename(index)
    store.reader.close()
    return done


def salvage(store: Store) -> list[str]:
    """Recover the objects before the damage in each pack that git cannot open."""
    done = []
    for pack in _packs(store):
        if _has_index(store, pack):
            continue
        before = _loose(store)
        store.git.try_run("unpack-objects", "-r", "-q", stdin=pack.read_bytes())
        if count := _loose(store) - before:
            objects = "1 object" if count == 1 else f"{count} objects"
            done.append(f"recovered {objects} from {pack.name}, which is damaged")
    store.reader.close()
    return done


def replace_broken(store: Store) -> list[str]:
    """Repack everything reachable from refs and logs, and rename damaged packs so that git ignores them."""
    bad_packs = [pack for pack in _packs(store) if not _is_whole(store, pack)]
    orphans = [index for index in _folder(store).glob("*.idx") if not index.with_suffix(".pack").exists()]
    for index in orphans:
        index.rename(index.with_suffix(".idx-damaged"))
    if not bad_packs:
        return []
    copies = [pack.with_suffix(".pack-damaged") for pack in bad_packs]
    for pack, copy in zip(bad_packs, copies, strict=True):
        copy.unlink(missing_ok=True)
        copy.hardlink_to(pack)
    done = store.git.try_run(*REPACK, "-a", "-d", "-f", "-q")
    store.reader.close()
    if done.returncode:  # an object that a ref reaches is still missing; nothing was removed
        for copy in copies:
            copy.unlink()
        return []
    return [f"renamed the damaged {pack.name} to {copy.name}" for pack, copy in zip(bad_packs, copies, strict=True)]


def _folder(store: Store) -> Path:
    return store.git_dir / "objects" / "pack"


def _packs(store: Store) -> list[Path]:
    return sorted(_folder(store).glob("pack-*.pack"))


def _loose(store: Store) -> int:
    return sum(1 for _ in (store.git_dir / "objects").glob("[0-9a-f][0-9a-f]/*"))


def _has_index(store: Store, pack: Path) -> bool:
    """Whether a pack's index is intact and belongs to it: it ends with the pack's digest and its own."""
    size = store.id_size
    try:
        index, data = pack.with_suffix(".idx").read_bytes(), pack.read_bytes()
    except OSError:
        return False
    return index[-size:] == store.hash(index[:-size]) and index[-2 * size : -size] == data[-size:]


def _is_whole(store: Store, pack: Path) -> bool:
    data = pack.read_bytes()
    return _has_index(store, pack) and data[-store.id_size :] == store.hash(data[: -store.id_size])


_HEADER = rb"# pack-refs with:[ a-z-]*"
_REF = rb"[0-9a-f]{40,64} (refs/[^\0]+)"
_SHOWN_BYTES = 80
"""The bytes of a broken file that are shown."""
_PEELED_ID = rb"\^[0-9a-f]{40,64}"


class Loss(NamedTuple):
    """The loss if a ref is set back: the old and the new commit (None: the ref is removed), and all lost changes."""

    ref: str
    old: Oid | None
    new: Oid | None
    changes: list[str]


class Repair(NamedTuple):
    """Descriptions of the repairs, and the losses of further ones (made only if the caller accepts them)."""

    done: list[str]
    losses: list[Loss]


def repair(store: Store, *, accept_loss: bool = False) -> Repair:
    """Repair a store; without `accept_loss`, only where no memory is lost."""
    store.git.identity = identity(store)
    with writer_lock(store.git_dir):
        return _Repairer(store, accept_loss).run()


class _Repairer:
    """One repair under the writer lock; remembers which commits are sound."""

    def __init__(self, store: Store, accept_loss: bool) -> None:
        self.store = store
        self.accept_loss = accept_loss
        self.done: list[str] = []
        self.losses: list[Loss] = []
        self.sound: dict[Oid, bool] = {}

    def run(self) -> Repair:
        store = self.store
        if safeguards.lacks_gitfile(store.git_dir):
            self.done.append("wrote the file '.git', by which a project around leaves the store alone")
        safeguards.renew(store.git_dir)
        self.done += rebuild_indexes(store)
        self.done += salvage(store)
        self.done += _drop_garbage(store.git_dir / "packed-refs")
        for ref in names(store.git_dir):
            self._repair_ref(ref)
        if self.accept_loss or not self.losses:
            self._complete_logs()
        if self.accept_loss:
            self.done += replace_broken(store)
        return Repair(self.done, self.losses)

    def _complete_logs(self) -> None:
        bad_commits = {commit for commit, sound in self.sound.items() if not sound}
        for ref in names(self.store.git_dir):
            tip = self.store.refs.read(ref)
            if tip:
                self.done += ref_logs.complete(self.store, ref, tip, bad_commits)
        self.done += ref_logs.complete(self.store, "HEAD", None, bad_commits)

    def _repair_ref(self, ref: str) -> None:
        """Restore a lost ref, or set a damaged one back to a sound commit."""
        tip = self.store.refs.read(ref)
        if self._is_sound(ref, tip) if tip else not _was_there(self.store.git_dir, ref):
            return
        moves = list(filter(None, map(reflog.parse, reversed(reflog.lines(self.store.git_dir, ref)))))
        last = tip or (moves[0].new if moves else None)
        target = self._newest_sound(ref, chain([last], (move.new for move in moves), _first_parents(self.store, last)))
        if target and target == last:
            _write_ref(self.store.git_dir, ref, target)
            self.done.append(f"brought {ref.removeprefix(BRANCHES)!r} back at {target:.12}")
            return
        self.losses.append(Loss(ref, last, target, _costs(self.store, ref, target, last, moves)))
        if self.accept_loss:
            _write_ref(self.store.git_dir, ref, target)

    def _newest_sound(self, ref: str, candidates: Iterable[Oid | None]) -> Oid | None:
        """The first sound candidate; for a tag or a remote's branch, only the first candidate counts."""
        commits = candidates if ref.startswith(BRANCHES) else islice(candidates, 1)
        return next((commit for commit in commits if commit and self._is_sound(ref, commit)), None)

    def _is_sound(self, ref: str, commit: Oid) -> bool:
        if commit not in self.sound:
            check = _is_readable if ref.startswith(BRANCHES) else _exists
            self.sound[commit] = check(self.store, commit)
        return self.sound[commit]


def _is_readable(store: Store, commit: Oid) -> bool:
    """Whether every memory of a commit can be read; True for a commit that is not memoir's, which is left alone."""
    if is_foreign(store, commit):
        return True
    try:
        for _ in store.of(commit).scan():
            pass
    except MemoirError:
        return False
    return True


def _exists(store: Store, oid: Oid) -> bool:
    """Whether git can read all objects of the target of a tag or a remote's branch."""
    return store.git.try_run("rev-list", "--objects", "--no-walk", str(oid), "--").returncode == 0


def _was_there(git_dir: Path, ref: str) -> bool:
    """Whether an unreadable ref existed: it has a file or a log."""
    return (git_dir / ref).is_file() or reflog.find_loss(git_dir, ref) is not None


def _first_parents(store: Store, commit: Oid | None) -> Iterator[Oid]:
    """A commit's first parent, its first parent and so on, as far as they can be read."""
    try:
        while commit and (parents := store.commits([commit])[0].parents):
            commit = parents[0]
            yield commit
    except MemoirError:
        return


def _costs(store: Store, ref: str, target: Oid | None, tip: Oid | None, moves: list[reflog.BranchMove]) -> list[str]:
    """The changes lost if a ref is set back to `target`, newest first: those in its log, then other commits."""
    steps = list(takewhile(lambda move: move.new != target, moves))
    ids = {move.new for move in steps}
    line = takewhile(lambda commit: commit != target, chain([tip], _first_parents(store, tip)))
    rest = [_describe_commit(store, commit) for commit in line if commit and commit not in ids]
    return [move.reason for move in steps] + rest or [f"its file, which names no commit: {_read_file(store, ref)!r}"]


def _describe_commit(store: Store, commit: Oid) -> str:
    try:
        subject = store.commits([commit])[0].message.partition("\n")[0]
    except MemoirError:
        return f"commit {commit}, which cannot be read"
    return f"{commit:.12} {subject}"


def _read_file(store: Store, ref: str) -> bytes:
    with suppress(OSError), file_of(store.git_dir, ref).open("rb") as file:
        return file.read(_SHOWN_BYTES)
    return b""


def _write_ref(git_dir: Path, ref: str, commit: Oid | None) -> None:
    """Write a ref's own file, which takes precedence over `packed-refs`; git refuses to touch a broken one."""
    path = file_of(git_dir, ref)
    if commit:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, f"{commit}\n".encode())
        return
    for each in (path, file_of(git_dir, ref, log=True)):
        each.unlink(missing_ok=True)
    file = git_dir / "packed-refs"
    if file.is_file():
        rows = file.read_bytes().splitlines(keepends=True)
        replace(file, b"".join(row for row in rows if row.rstrip().partition(b" ")[2] != os.fsencode(ref)))


def _drop_garbage(file: Path) -> list[str]:
    """Drop lines from `packed-refs` that git does not understand; the logs have the lost commits.

    Return descriptions of the commits dropped with invalid ref names.
    """
    if not file.is_file():
        return []
    good, others = _sort_out(file.read_bytes().split(b"\n"))
    if (after := b"".join(row + b"\n" for row in good)) != file.read_bytes():
        replace(file, after)
    pairs = [row.decode("utf-8", "replace").split(" ", 1) for row in others if re.fullmatch(_REF, row)]
    return [f"removed {name!r} from packed-refs, not a ref name; it was at {commit}" for commit, name in pairs]


def _sort_out(rows: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The lines that git understands, and the others; the peeled id of an annotated tag stays with the tag."""
    good: list[bytes] = []
    others: list[bytes] = []
    to = good
    for row in rows:
        if not re.fullmatch(_PEELED_ID, row):
            ref = re.fullmatch(_REF, row)
            sound = is_ref_name(ref[1].decode("utf-8", "replace")) if ref else re.fullmatch(_HEADER, row)
            to = good if sound else others
        to.append(row)
    return good, others
