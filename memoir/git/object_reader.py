"""Reads objects and resolves revisions through one persistent `git cat-file`, which threads may share.

Only their order matches answers to questions, so each exchange is made under a lock, and a process is not used again
after an exchange that broke off.
"""

import os
import subprocess
import sys
import threading
from binascii import unhexlify
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar
from weakref import WeakSet

from memoir.errors import DamagedStore, GitError, InvalidInput
from memoir.git.git import Git
from memoir.git.messages import damage, read_failure
from memoir.git.objects import MAX_VALUE_BYTES, Oid, Unread

_COMMAND = ("cat-file", "--batch-command")
_ABSENT = (b" missing\n", b" ambiguous\n")
# The most ids that are sent before answers are read: so many lines with the hex of SHA-256 fit into the pipe, so
# neither side can block on a full pipe while the other waits.
_IN_FLIGHT = 800
_ID_LENGTHS = (20, 32)
_HEX_LENGTHS, _HEX = (40, 64), frozenset("0123456789abcdef")
_T = TypeVar("_T")
Fault = Callable[[bytes], str | None]
"""A function that returns the fault of a blob's content, or None."""
_MOST_KEPT = 64 << 20
"""The most bytes of commits and trees that are kept."""


class FoundObject:
    """An object from `git cat-file`; one that is too large has a stand-in for its content."""

    __slots__ = ("data", "kind", "oid")

    def __init__(self, oid: Oid, kind: str, data: bytes) -> None:
        self.oid = oid
        self.kind = kind
        self.data = data


class ObjectReader:
    """Reads objects and resolves revisions with a single git process; threads may share it."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self._conversation = GitConversation(git)
        self._kept: dict[tuple[Oid, str], bytes] | None = None
        self._room = 0

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Cache commits and trees within the block, because comparing many trees opens the same ones often."""
        if self._kept is not None:
            yield
            return
        self._kept, self._room = {}, _MOST_KEPT
        try:
            yield
        finally:
            self._kept = None

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """The contents of the given objects, in order, all of the given kind."""
        if (kept := self._kept) is None or kind == "blob":
            return self._read(ids, kind)
        new = [oid for oid in dict.fromkeys(ids) if (oid, kind) not in kept]
        fresh = dict(zip(new, self._read(new, kind), strict=True))
        for oid, data in fresh.items():
            if self._room >= len(data):
                self._room -= len(data)
                kept[oid, kind] = data
        return [fresh[oid] if oid in fresh else kept[oid, kind] for oid in ids]

    def _read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        contents: list[bytes] = []
        for start in range(0, len(ids), _IN_FLIGHT):
            chunk = ids[start : start + _IN_FLIGHT]
            answers = self._conversation.ask([oid.hex().encode() for oid in chunk])
            contents += [self._require_kind(oid, kind, answer) for oid, answer in zip(chunk, answers, strict=True)]
        return contents

    def read_some(self, ids: Sequence[Oid], kind: str, most_bytes: int) -> list[bytes]:
        """The contents of the first objects (at least one), until they take `most_bytes`."""
        chunk = ids[:_IN_FLIGHT]
        answers = self._conversation.ask_some([oid.hex().encode() for oid in chunk], most_bytes)
        return [self._require_kind(oid, kind, answer) for oid, answer in zip(chunk, answers, strict=False)]

    def resolve(self, revision: str) -> FoundObject | None:
        """The commit that a revision in git's syntax names, or None.

        Raises:
            InvalidInput: the revision has control characters, which could act as a second query.
            DamagedStore: git's answer is not a commit.
        """
        if not revision.isprintable():
            raise InvalidInput("a revision cannot hold control characters")
        if self._kept and (oid := _full_id(revision)) and (data := self._kept.get((oid, "commit"))) is not None:
            return FoundObject(oid, "commit", data)
        (answer,) = self._conversation.ask([revision.encode("utf-8", "surrogateescape") + b"^{commit}"])
        if answer is not None and (answer.kind != "commit" or len(answer.oid) not in _ID_LENGTHS):
            raise _wrong_answer(revision, answer)
        return answer

    def has(self, oid: Oid, name: str = "") -> bool:
        """Whether an object exists; with a name, the object that it lists under that name."""
        return self._conversation.ask([f"{oid}:{name}".encode() if name else oid.hex().encode()]) != [None]

    def check_blobs(self, fault: Fault | None) -> None:
        """Replace blobs that have a fault by stand-ins from now on; None: return all blobs."""
        self._conversation.fault = fault

    def close(self) -> None:
        """End the process."""
        self._conversation.close()

    def start(self) -> None:
        """Start the process in advance; reading starts it otherwise."""
        self._conversation.start()

    def _require_kind(self, oid: Oid, kind: str, answer: FoundObject | None) -> bytes:
        if answer is None:
            hint = "run 'memoir fsck'; a clone or backup may still have it"
            raise self.git.loss(read_failure(self.git.git_dir, f"object {oid} is missing", hint))
        if answer.oid != oid:
            raise _wrong_answer(str(oid), answer)
        if answer.kind != kind:
            raise DamagedStore(f"object {oid} is a {answer.kind}, not a {kind}", "run 'memoir fsck'")
        return answer.data


def _full_id(revision: str) -> Oid | None:
    return Oid.fromhex(revision) if len(revision) in _HEX_LENGTHS and _HEX.issuperset(revision) else None


def _wrong_answer(name: str, answer: FoundObject) -> DamagedStore:
    return DamagedStore(f"git answers {name!r} with the {answer.kind} {answer.oid}", "run 'memoir fsck'")


class _BrokeOffError(Exception):
    """The answer ended too early, or did not match the question."""


class GitConversation:
    """One git process, started on demand, and again after an exchange that broke off."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._purged = 0
        self.fault: Fault | None = None
        _ALL.add(self)

    def ask(self, questions: Sequence[bytes]) -> list[FoundObject | None]:
        """The objects named by the questions, in order; None for each that does not exist."""
        return self._retry(questions, lambda: self._exchange(questions))

    def _retry(self, questions: Sequence[bytes], exchange: Callable[[], list[_T]]) -> list[_T]:
        with self._lock:
            try:
                return exchange()
            except _BrokeOffError:
                self._give_reason(questions)
            try:  # the process was ended from outside
                return exchange()
            except _BrokeOffError as error:
                raise GitError("git cat-file ended in the middle of its answer", "try again") from error

    def ask_some(self, questions: Sequence[bytes], most_bytes: int) -> list[FoundObject | None]:
        """Answers to the first questions (at least one), until they take `most_bytes`."""
        return self._retry(questions, lambda: self._begin(questions, most_bytes))

    def start(self) -> None:
        """Start the process in advance; a question starts it otherwise."""
        with self._lock:
            self._require_process()

    def close(self) -> None:
        """End the process; a question starts another."""
        with self._lock:
            process, self._process = self._process, None
            if process:
                self.git.reap(process)

    def _require_process(self) -> "subprocess.Popen[bytes]":
        """The process; a new one after a purge, because a running git still reads old packs that it has open."""
        if (purged := self.git.last_purge()) != self._purged:
            self.close()
        if self._process is None:
            self._purged = purged
            # Its errors are dropped, because they could fill a pipe; `_give_reason` asks for them if it dies.
            self._process = self.git.start(*_COMMAND, stderr=subprocess.DEVNULL)
        return self._process

    def _exchange(self, questions: Sequence[bytes]) -> list[FoundObject | None]:
        answers: list[FoundObject | None] = []
        while len(answers) < len(questions):
            answers += self._begin(questions[len(answers) :])
        return answers

    def _begin(self, questions: Sequence[bytes], most_bytes: int = sys.maxsize) -> list[FoundObject | None]:
        """Answers to the first questions (at least one).

        At an object that is too large, or after `most_bytes`, git is ended, because it would still send the rest.
        """
        answers: list[FoundObject | None] = []
        size = 0
        with self._sending(questions) as process:
            for question in questions:
                answer = _read_answer(process, question)
                is_too_large = answer is not None and isinstance(answer.data, Unread)
                if self.fault and answer and answer.kind == "blob" and (reason := self.fault(answer.data)):
                    answer.data = Unread.of(reason)
                answers.append(answer)
                size += len(answer.data) if answer else 0
                if is_too_large or (size >= most_bytes and len(answers) < len(questions)):
                    self._end()
                    break
        return answers

    @contextmanager
    def _sending(self, questions: Sequence[bytes]) -> "Iterator[subprocess.Popen[bytes]]":
        """Send questions to git; the block reads the answers."""
        process = self._require_process()
        try:
            assert process.stdin
            process.stdin.write(_lines(questions))
            process.stdin.flush()
            yield process
        except (BrokenPipeError, ValueError) as error:
            # The process has ended, or a signal handler's own question has closed it.
            self._end()
            raise _BrokeOffError from error
        except BaseException:  # the remaining answers must not be read as answers to later questions
            self._end()
            raise

    def _end(self) -> None:
        if self._process:
            self._process.kill()
        self.close()

    def _give_reason(self, questions: Sequence[bytes]) -> None:
        """Repeat the questions in a new process to raise git's error."""
        process = self.git.start(*_COMMAND, stdout=subprocess.DEVNULL)
        _, words = process.communicate(_lines(questions))
        if process.returncode:
            raise self.git.loss(damage("cat-file", words, self.git.git_dir))

    def forget(self) -> None:
        """After a fork, leave the process to the parent, a thread of which may be using it.

        The pipes are redirected, not closed: closing would send what is left in their buffers.
        """
        self._lock = threading.RLock()
        process, self._process = self._process, None
        if process:
            nowhere = os.open(os.devnull, os.O_RDWR)
            for pipe in (process.stdin, process.stdout):
                if pipe and not pipe.closed:
                    os.dup2(nowhere, pipe.fileno())
            os.close(nowhere)
            _PARENTS.append(process)


_ALL: "WeakSet[GitConversation]" = WeakSet()
_PARENTS: "list[subprocess.Popen[bytes]]" = []
"""Kept forever: a forked process must not end or drop its parent's processes."""


def _forget_all() -> None:
    for conversation in list(_ALL):
        conversation.forget()


os.register_at_fork(after_in_child=_forget_all)


def _lines(questions: Sequence[bytes]) -> bytes:
    return b"".join(b"contents " + question + b"\n" for question in questions)


def _read_answer(process: "subprocess.Popen[bytes]", question: bytes) -> FoundObject | None:
    assert process.stdout
    header = process.stdout.readline()
    if header.endswith(_ABSENT):
        if header.rpartition(b" ")[0] != question:
            raise _BrokeOffError
        return None
    try:
        name, kind, digits = header.split()
        oid, size = Oid(unhexlify(name)), int(digits)
    except ValueError as error:
        raise _BrokeOffError from error
    if size > MAX_VALUE_BYTES:
        return FoundObject(oid, kind.decode(), Unread.of_size(size))
    data = process.stdout.read(size + 1)
    if len(data) != size + 1:
        raise _BrokeOffError
    return FoundObject(oid, kind.decode(), data[:-1])
