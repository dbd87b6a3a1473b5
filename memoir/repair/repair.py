"""Repairing a damaged store: what costs nothing is repaired at once, what costs memories only if its caller agrees.

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
from memoir.store.store import Store
from memoir.store.transaction import identity


def rebuild_indexes(store: Store) -> list[str]:
    """Rebuild each index that is missing or damaged, if its pack is whole."""
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
    """Recover the objects before the damage from each pack that git cannot open."""
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
    """Repack everything that refs and logs reach, and set damaged packs aside under names that git ignores."""
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
    if done.returncode:  # something that a ref reaches is still missing; nothing was removed
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
    """Whether a pack's index is whole and this pack's: it ends with the pack's digest and with its own."""
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
"""Bytes of a broken file that are shown."""
_PEELED_ID = rb"\^[0-9a-f]{40,64}"


class Loss(NamedTuple):
    """The loss when a ref is set back: from where to where (None: the ref goes), and all changes that are lost."""

    ref: str
    old: Oid | None
    new: Oid | None
    changes: list[str]


class Repair(NamedTuple):
    """The repairs, in words, and the losses of further repairs (made only if the caller accepts them)."""

    done: list[str]
    losses: list[Loss]


def repair(store: Store, *, accept_loss: bool = False) -> Repair:
    """Repair what can be; without `accept_loss` nothing that costs a memory."""
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
        """Bring a lost ref back where it was, or a damaged one to what is sound."""
        tip = self.store.refs.read(ref)
        if self._is_sound(ref, tip) if tip else not _was_there(self.store.git_dir, ref):
            return
        moves = list(filter(None, map(reflog.parse, reversed(reflog.lines(self.store.git_dir, ref)))))
        last = tip or (moves[0].new if moves else None)
        target = self._newest_sound(ref, chain([last], (move.new for move in moves), _before(self.store, last)))
        if target and target == last:
            _set(self.store.git_dir, ref, target)
            self.done.append(f"brought {ref.removeprefix(BRANCHES)!r} back at {target:.12}")
            return
        self.losses.append(Loss(ref, last, target, _cost(self.store, ref, target, last, moves)))
        if self.accept_loss:
            _set(self.store.git_dir, ref, target)

    def _newest_sound(self, ref: str, candidates: Iterable[Oid | None]) -> Oid | None:
        """The first candidate that is sound; a tag or a remote's branch is never set to anything but the first."""
        commits = candidates if ref.startswith(BRANCHES) else islice(candidates, 1)
        return next((commit for commit in commits if commit and self._is_sound(ref, commit)), None)

    def _is_sound(self, ref: str, commit: Oid) -> bool:
        if commit not in self.sound:
            check = _is_readable if ref.startswith(BRANCHES) else _exists
            self.sound[commit] = check(self.store, commit)
        return self.sound[commit]


def _is_readable(store: Store, commit: Oid) -> bool:
    """Whether every memory of a commit can be read; one that is not memoir's holds none, and is left as it is."""
    if is_foreign(store, commit):
        return True
    try:
        for _ in store.of(commit).scan():
            pass
    except MemoirError:
        return False
    return True


def _exists(store: Store, oid: Oid) -> bool:
    """Whether git finds everything in what a tag or a remote's branch points at, whoever wrote it."""
    return store.git.try_run("rev-list", "--objects", "--no-walk", str(oid), "--").returncode == 0


def _was_there(git_dir: Path, ref: str) -> bool:
    """Whether a ref that cannot be read did exist: it has a file of its own, or a log that tells of it."""
    return (git_dir / ref).is_file() or reflog.find_loss(git_dir, ref) is not None


def _before(store: Store, commit: Oid | None) -> Iterator[Oid]:
    """A commit's ancestors, each the first parent of the one after it, as far as they can be read."""
    try:
        while commit and (parents := store.commits([commit])[0].parents):
            commit = parents[0]
            yield commit
    except MemoirError:
        return


def _cost(store: Store, ref: str, target: Oid | None, tip: Oid | None, moves: list[reflog.BranchMove]) -> list[str]:
    """The changes that are lost if a ref goes back to `target`, newest first: those in its log, then other commits."""
    steps = list(takewhile(lambda move: move.new != target, moves))
    ids = {move.new for move in steps}
    line = takewhile(lambda commit: commit != target, chain([tip], _before(store, tip)))
    rest = [_words(store, commit) for commit in line if commit and commit not in ids]
    return [move.reason for move in steps] + rest or [f"its file, which names no commit: {_content(store, ref)!r}"]


def _words(store: Store, commit: Oid) -> str:
    try:
        subject = store.commits([commit])[0].message.partition("\n")[0]
    except MemoirError:
        return f"commit {commit}, which cannot be read"
    return f"{commit:.12} {subject}"


def _content(store: Store, ref: str) -> bytes:
    with suppress(OSError), file_of(store.git_dir, ref).open("rb") as file:
        return file.read(_SHOWN_BYTES)
    return b""


def _set(git_dir: Path, ref: str, commit: Oid | None) -> None:
    """Write a ref's own file, which stands before `packed-refs`; git itself refuses to touch a broken one."""
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
    """Leave in `packed-refs` only lines that git understands; the logs know what the others held.

    Returns, in words, which commits were dropped under names that no ref can have.
    """
    if not file.is_file():
        return []
    good, others = _sort_out(file.read_bytes().split(b"\n"))
    if (after := b"".join(row + b"\n" for row in good)) != file.read_bytes():
        replace(file, after)
    pairs = [row.decode("utf-8", "replace").split(" ", 1) for row in others if re.fullmatch(_REF, row)]
    return [f"removed {name!r} from packed-refs, not a ref name; it was at {commit}" for commit, name in pairs]


def _sort_out(rows: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The lines that git understands, and the others; what an annotated tag points at goes with the tag."""
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
