"""Writes objects as whole packs: their ids, headers and compressed data, and protects packs until a ref needs them."""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import GitError
from memoir.git.fsync import sync
from memoir.git.git import Git
from memoir.git.lock import KEEP_REASON, open_lock, try_lock
from memoir.git.messages import failure, last_words
from memoir.git.objects import Oid, object_id

if TYPE_CHECKING:
    from typing import IO

LARGE, _QUICK = 1 << 20, 1
"""The size from which an object is compressed quickly, without holding the writer lock, and the level for that."""
_SMALL = 4096
"""The bytes up to which the compression window of an object is as small as the object."""
_LEAST_WINDOW = 9
"""The logarithm of the smallest window that zlib has."""
_MEMORY_BELOW = 6
"""How much zlib's memory level is below that logarithm: an object is one block with one table of codes."""
_PACK_TYPES = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_HEADER_BYTES = 12
_NO_SUCH_FILE = b"No such file or directory"


class PackWriter:
    """Collects new objects and stores them as packs that `git gc` may not touch until released.

    At the end of its block they are released if a ref may need them (`is_needed`), even after an error; otherwise they
    are removed.

    Invariant: an object is written before anything that refers to it is acknowledged. Packs have a `.keep` file from
    their creation until `release`, so a concurrent `git gc --prune=now` prunes nothing of a writer. Loose objects have
    no such protection, and are never written.
    """

    MAX_OBJECTS = 100_000
    MAX_BYTES = 32 << 20
    """The limit of a pack is high, because git looks for each new object in every pack."""
    TRIES, TRIES_BESIDE_PRUNE = 4, 40

    def __init__(
        self, git: Git, hasher: Callable[[bytes | bytearray], bytes], ready: "PreparedBlobs | None" = None
    ) -> None:
        """Start without objects; `ready` has prepared blobs that may be added."""
        self._git = git
        self._hash = hasher
        self._ready = ready
        self._body = bytearray(_HEADER_BYTES)
        self._oids: set[Oid] = set()
        self.new_trees: dict[Oid, bytes] = {}
        """The trees added since the last flush, which the store does not have yet."""
        self.new_commits: dict[Oid, bytes] = {}
        """The commits added since the last flush."""
        self.is_needed = False
        self._count = 0
        self._folder = git.git_dir / "objects" / "pack"
        self._packs: list[Path] = []
        self._fresh: list[Path] = []

    def add(self, kind: str, data: bytes) -> Oid:
        """Add a `blob`, `tree`, `commit` or `tag` and return its id."""
        oid = object_id(self._hash, kind, data)
        if oid not in self._oids:
            self._oids.add(oid)
            ready = self._ready.entry(oid) if self._ready and len(data) > LARGE else None
            self._body += ready or pack_entry(kind, data)
            self._count += 1
            if kind == "tree":
                self.new_trees[oid] = data
            elif kind == "commit":
                self.new_commits[oid] = data
            if self._count >= self.MAX_OBJECTS or len(self._body) >= self.MAX_BYTES:
                self.flush()
        return oid

    def waits(self, oid: Oid) -> bool:
        """Whether an object was added since the last flush, and is not stored yet."""
        return oid in self._oids

    def flush(self) -> None:
        """Store the objects added so far as one pack.

        Raises:
            GitError: git could not store them; nothing refers to them, so the store is unchanged.
        """
        if not self._count:
            return
        pack, self._body = self._body, bytearray(_HEADER_BYTES)  # not copied, because it may be large
        pack[:_HEADER_BYTES] = b"PACK" + (2).to_bytes(4, "big") + self._count.to_bytes(4, "big")
        digest = self._hash(pack)
        pack += digest
        path = self._folder / f"pack-{digest.hex()}"  # as git names it
        if not path.with_suffix(".pack").exists():
            self._fresh.append(path)
        if self._store(pack).decode().strip().rpartition("\t")[2] != digest.hex():
            raise GitError("git index-pack gave an unknown answer")
        self._packs.append(path)
        sync(self._folder)
        self._oids.clear()
        self.new_trees.clear()
        self.new_commits.clear()
        self._count = 0

    def _store(self, pack: bytearray) -> bytes:
        """Run `git index-pack`; repeat it if it failed, because a concurrent `git prune` may remove its temporary file.

        Consecutive prunes may do so many times; the growing pauses let a try succeed between two of them.
        """
        command = ("index-pack", "--stdin", "--threads=1", f"--keep={KEEP_REASON}")
        for number in range(self.TRIES_BESIDE_PRUNE):
            before = self._temporary()
            output = None
            try:
                done = self._git.try_run(*command, stdin=pack)
                output = done.stdout if done.returncode == 0 else None
            finally:
                if output is None:
                    self._remove_leftovers(pack, before)
            if output is not None:
                return output
            if number + 1 >= self.TRIES and _NO_SUCH_FILE not in done.stderr:
                break
            time.sleep(0.003 * number)
        raise failure("index-pack", last_words(done))

    def _temporary(self) -> set[Path]:
        with suppress(FileNotFoundError):
            return {Path(entry.path) for entry in os.scandir(self._folder) if entry.name.startswith("tmp_")}
        return set()

    def _remove_leftovers(self, pack: bytearray, before: set[Path]) -> None:
        """Remove the temporary files of a failed git, which would take room on a full disk.

        A temporary pack with the same beginning is this writer's, not that of a concurrent fetch.
        """
        for path in self._temporary() - before:
            with suppress(OSError):
                if not path.name.startswith("tmp_pack_") or pack.startswith(path.read_bytes()):
                    path.unlink()

    def __enter__(self) -> "PackWriter":
        return self

    def __exit__(self, *exc: object) -> None:
        self.release() if self.is_needed else self.discard()

    def release(self) -> None:
        """Remove the protection, once a ref refers to the packs or none will."""
        for pack in self._packs:
            with suppress(OSError):  # the next writer tries again
                pack.with_suffix(".keep").unlink(missing_ok=True)
        self._packs.clear()
        self._fresh.clear()

    def hold(self, until: ExitStack) -> None:
        """Protect the packs with locks until a stack is closed, even while other writers remove leftovers."""
        for pack in self._packs:
            keep = open_lock(pack.with_suffix(".keep"))
            until.callback(os.close, keep)
            try_lock(keep)
        self._packs.clear()
        self._fresh.clear()

    def discard(self) -> None:
        """Remove the packs, while no ref can need them. A pack that existed before is kept."""
        for pack in self._fresh:
            for suffix in (".idx", ".rev", ".pack", ".keep"):  # git finds a pack by its index
                with suppress(OSError):  # 'memoir gc' removes it later
                    pack.with_suffix(suffix).unlink(missing_ok=True)
        self.release()


class PreparedBlobs:
    """Large blobs, compressed before a `PackWriter` adds them, and kept in a temporary file to save memory."""

    def __init__(self, hasher: Callable[[bytes], bytes]) -> None:
        self._hash = hasher
        self._files = ExitStack()
        self._places: dict[Oid, tuple[int, int]] = {}

    def __enter__(self) -> "PreparedBlobs":
        return self

    def __exit__(self, *exc: object) -> None:
        self._files.close()

    def __bool__(self) -> bool:
        return bool(self._places)

    def add(self, blobs: Iterable[bytes]) -> None:
        """Compress and add blobs."""
        for data in blobs:
            entry = pack_entry("blob", data)
            self._places[object_id(self._hash, "blob", data)] = self._file.tell(), len(entry)
            self._file.write(entry)
            self._file.flush()

    def entry(self, oid: Oid) -> bytes | None:
        """The pack entry of a blob; None if it was not added."""
        if oid not in self._places:
            return None
        offset, length = self._places[oid]
        return os.pread(self._file.fileno(), length, offset)

    @cached_property
    def _file(self) -> "IO[bytes]":
        from tempfile import TemporaryFile

        return self._files.enter_context(TemporaryFile())


def pack_entry(kind: str, data: bytes) -> bytes:
    """The entry of an object in a pack."""
    return _pack_header(kind, len(data)) + _deflate(data)


def _pack_header(kind: str, size: int) -> bytes:
    """The type and size of a pack entry, as in gitformat-pack(5): 4 bits of size, then 7 at a time."""
    byte = _PACK_TYPES[kind] << 4 | size & 15
    size >>= 4
    header = bytearray()
    while size:
        header.append(byte | 0x80)
        byte = size & 0x7F
        size >>= 7
    header.append(byte)
    return bytes(header)


def _deflate(data: bytes) -> bytes:
    """Compress an object; a small one in a window of its own size, because allocating a full window takes longest."""
    import zlib

    if len(data) > _SMALL:
        return zlib.compress(data, _QUICK if len(data) > LARGE else zlib.Z_DEFAULT_COMPRESSION)
    window = max(len(data).bit_length(), _LEAST_WINDOW)
    deflater = zlib.compressobj(wbits=window, memLevel=window - _MEMORY_BELOW)
    return deflater.compress(data) + deflater.flush()
