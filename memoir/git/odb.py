"""The object database: reading through one `git cat-file`, writing as whole packs."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import DamagedStore, GitError, InvalidInput
from memoir.git.cat_file import FoundObject, GitConversation
from memoir.git.fsync import sync
from memoir.git.git import Git, failure, last_words
from memoir.git.objects import Oid
from memoir.git.unreadable import read_failure

if TYPE_CHECKING:
    from memoir.git.pack_entries import PreparedBlobs

# At most this many ids are sent before the answers are read: 1,000 lines of hex fit the pipe,
# so neither side can block on a full one while the other waits.
_IN_FLIGHT = 1000
_ID_LENGTHS = (20, 32)


class ObjectReader:
    """Reads objects through one persistent `git cat-file --batch`; threads may share it.

    It resolves revisions too, so that a read command needs no other process.
    """

    def __init__(self, git: Git) -> None:
        self._conversation = GitConversation(git)

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """The contents of the given objects, in order, all of the given kind."""
        contents: list[bytes] = []
        for start in range(0, len(ids), _IN_FLIGHT):
            chunk = ids[start : start + _IN_FLIGHT]
            answers = self._conversation.ask([oid.hex().encode() for oid in chunk])
            contents += [self._expect(oid, kind, answer) for oid, answer in zip(chunk, answers, strict=True)]
        return contents

    def read_some(self, ids: Sequence[Oid], kind: str, most_bytes: int) -> list[bytes]:
        """The contents of the first of the given objects (at least one), until they take `most_bytes`."""
        chunk = ids[:_IN_FLIGHT]
        answers = self._conversation.ask_some([oid.hex().encode() for oid in chunk], most_bytes)
        return [self._expect(oid, kind, answer) for oid, answer in zip(chunk, answers, strict=False)]

    def resolve(self, revision: str) -> FoundObject | None:
        """The commit a revision names (any syntax git knows), or None if it names none.

        Raises:
            InvalidInput: the revision holds control characters, which could pose as a second query.
            DamagedStore: git answers with something else.
        """
        if not revision.isprintable():
            raise InvalidInput("a revision cannot hold control characters")
        (answer,) = self._conversation.ask([revision.encode("utf-8", "surrogateescape") + b"^{commit}"])
        if answer is not None and (answer.kind != "commit" or len(answer.oid) not in _ID_LENGTHS):
            raise _wrong_answer(revision, answer)
        return answer

    def has(self, oid: Oid, name: str = "") -> bool:
        """Whether an object is there; with a name, the one that it lists under that name."""
        return self._conversation.ask([f"{oid}:{name}".encode() if name else oid.hex().encode()]) != [None]

    def close(self) -> None:
        """Let the process end and reap it."""
        self._conversation.close()

    def start(self) -> None:
        """Start the process; it gets ready while its caller does something else. Reading starts it too."""
        self._conversation.start()

    def _expect(self, oid: Oid, kind: str, answer: FoundObject | None) -> bytes:
        if answer is None:
            hint = "run 'memoir fsck'; a clone or backup may still have it"
            raise read_failure(self._conversation.git.git_dir, f"object {oid} is missing", hint)
        if answer.oid != oid:
            raise _wrong_answer(str(oid), answer)
        if answer.kind != kind:
            raise DamagedStore(f"object {oid} is a {answer.kind}, not a {kind}", "run 'memoir fsck'")
        return answer.data


def _wrong_answer(name: str, answer: FoundObject) -> DamagedStore:
    return DamagedStore(f"git answers {name!r} with the {answer.kind} {answer.oid}", "run 'memoir fsck'")


class PackWriter:
    """Collects new objects and stores them as packs that `git gc` may not touch until released.

    Invariant: an object is written before anything that refers to it is acknowledged. Packs carry a
    `.keep` file from their birth until `release`, so a `git gc --prune=now` that runs beside
    a writer finds nothing of it to prune. Loose objects have no such protection, and are never written.
    """

    MAX_OBJECTS = 50_000
    MAX_BYTES = 16 << 20
    TRIES, TRIES_BESIDE_PRUNE = 4, 40
    KEEP_REASON = "memoir: being written"

    def __init__(self, git: Git, hasher: Callable[[bytes], bytes], ready: "PreparedBlobs | None" = None) -> None:
        """Begin without objects; `ready` has some of the blobs that may be added."""
        from memoir.git import pack_entries  # no read needs it

        self._format = pack_entries
        self._git = git
        self._hash = hasher
        self._ready = ready
        self._body = bytearray()
        self._oids: set[Oid] = set()
        self.new_trees: dict[Oid, bytes] = {}
        """The trees that were added since the last flush: the store does not know them yet."""
        self._count = 0
        self._folder = git.git_dir / "objects" / "pack"
        self._packs: list[Path] = []
        self._fresh: list[Path] = []

    def add(self, kind: str, data: bytes) -> Oid:
        """Add a `blob`, `tree` or `commit` and return its id."""
        oid = self._format.object_id(self._hash, kind, data)
        if oid not in self._oids:
            self._oids.add(oid)
            ready = self._ready.entry(oid) if self._ready and len(data) > self._format.LARGE else None
            self._body += ready or self._format.pack_entry(kind, data)
            self._count += 1
            if kind == "tree":
                self.new_trees[oid] = data
            if self._count >= self.MAX_OBJECTS or len(self._body) >= self.MAX_BYTES:
                self.flush()
        return oid

    def flush(self) -> None:
        """Store what was added so far as one pack.

        Raises:
            GitError: git could not store it; nothing refers to it, so the store is unchanged.
        """
        if not self._count:
            return
        body = b"PACK" + (2).to_bytes(4, "big") + self._count.to_bytes(4, "big") + self._body
        digest = self._hash(body)
        path = self._folder / f"pack-{digest.hex()}"  # as git names it
        if not path.with_suffix(".pack").exists():
            self._fresh.append(path)
        outcome, _, name = self._store(bytes(body + digest)).decode().strip().partition("\t")
        if outcome not in ("keep", "pack") or name != digest.hex():
            raise GitError("git index-pack gave an unknown answer")
        self._packs.append(path)
        sync(self._folder)
        self._body.clear()
        self._oids.clear()
        self.new_trees.clear()
        self._count = 0

    def _store(self, pack: bytes) -> bytes:
        """Run `git index-pack`; again if it failed, for a `git prune` beside it takes its temporary file away.

        One prune after another may do so many times; the pauses let a try fall between two of them.
        """
        command = ("index-pack", "--stdin", "--threads=1", f"--keep={self.KEEP_REASON}")
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

    def _remove_leftovers(self, pack: bytes, before: set[Path]) -> None:
        """Remove the temporary files of a git that failed or was ended: on a full disk they are in the way.

        A temporary pack that begins as ours does is ours, and no fetch's that runs beside.
        """
        for path in self._temporary() - before:
            with suppress(OSError):
                if not path.name.startswith("tmp_pack_") or pack.startswith(path.read_bytes()):
                    path.unlink()

    def release(self) -> None:
        """Drop the protection, once a ref (or nobody) needs the packs."""
        for pack in self._packs:
            pack.with_suffix(".keep").unlink(missing_ok=True)
        self._packs.clear()
        self._fresh.clear()

    def discard(self) -> None:
        """Remove the packs; only while no ref can need them. One that was there before this writer's stays."""
        for pack in self._fresh:
            for suffix in (".idx", ".rev", ".pack", ".keep"):  # git finds a pack by its index
                pack.with_suffix(suffix).unlink(missing_ok=True)
        self.release()


_NO_SUCH_FILE = b"No such file or directory"
