"""Commits: git's commit objects, and the change list that memoir writes into the last paragraph of the message.

The trailers let `log KEY` and `blame` read a history without opening its trees:

    Memoir-Base: <id of the first parent's tree; absent in a first commit> Memoir-Put: <namespace>:<path> Memoir-Forget:
    <namespace>:<path> Memoir-Move: <namespace>:<old path> <namespace>:<new path> Memoir-Changes: <number>
    instead of Put and Forget, above 1,000 changes

Invariant: memoir writes the trailers as a separate paragraph after the user's message, from the actual difference of
the trees, so a message that imitates them is never in the last paragraph. If a commit's base does not match its parent,
its list is not believed and its trees are compared.
"""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.errors import DamagedStore, InvalidInput
from memoir.git.objects import Oid

BULK = 1000
"""Above this many changes a commit carries their count instead of their list."""


class Signature(NamedTuple):
    """A name, an address, and a time in whole seconds since 1970 (UTC)."""

    name: str
    email: str
    time: int

    def encode(self) -> bytes:
        """The form of git's author and committer lines."""
        return f"{self.name} <{self.email}> {self.time} +0000".encode()


class ChangeList(NamedTuple):
    """The keys a commit says it changed against its first parent; if there are many, only their number, `bulk`."""

    base: Oid | None = None
    put: tuple[bytes, ...] = ()
    forget: tuple[bytes, ...] = ()
    moves: tuple[tuple[bytes, bytes], ...] = ()
    bulk: int | None = None


class Commit(NamedTuple):
    """A parsed commit. `message` is the user's part; `changes` is None if memoir did not write it."""

    id: Oid
    tree: Oid
    parents: tuple[Oid, ...]
    author: Signature
    committer: Signature
    message: str
    changes: ChangeList | None


def encode(
    tree: Oid, parents: Sequence[Oid], author: Signature, committer: Signature, message: str, changes: ChangeList
) -> bytes:
    """The bytes of a commit object.

    Raises:
        InvalidInput: the message holds a NUL, which git cannot store, or is not valid Unicode.
    """
    if "\0" in message:
        raise InvalidInput("a commit message cannot hold a NUL character")
    lines = [b"tree " + tree.hex().encode()]
    lines += [b"parent " + parent.hex().encode() for parent in parents]
    lines += [b"author " + author.encode(), b"committer " + committer.encode(), b""]
    lines += [_utf8(message.strip() or "(no message)"), b"", trailer_lines(changes)]
    return b"\n".join(lines)


def _utf8(message: str) -> bytes:
    try:
        return message.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("a commit message must be valid Unicode text") from error


def trailer_lines(changes: ChangeList) -> bytes:
    """The last paragraph of a commit's message."""
    return b"\n".join(_trailers(changes)) + b"\n"


def _trailers(changes: ChangeList) -> list[bytes]:
    lines = [] if changes.base is None else [_BASE + changes.base.hex().encode()]
    lines += [b"%s%s %s" % (_MOVE, _with_colon(old), _with_colon(new)) for old, new in changes.moves]
    if (total := changes.bulk or len(changes.put) + len(changes.forget)) > BULK:
        return [*lines, b"%s%d" % (_COUNT, total)]
    lines += [_PUT + _with_colon(key) for key in changes.put]
    lines += [_FORGET + _with_colon(key) for key in changes.forget]
    return lines or [_COUNT + b"0"]


def _with_colon(key: bytes) -> bytes:
    return key.replace(b"=", b":", 1)


def _key(text: bytes) -> bytes:
    namespace, _, path = text.rpartition(b":")
    return namespace + b"=" + path


def _keys(lines: list[bytes]) -> tuple[bytes, ...]:
    text = b"\n".join(lines)
    if lines and text.count(b":") == len(lines):  # the keys of an import, with one colon each: all at once
        return tuple(text.replace(b":", b"=").split(b"\n"))
    return tuple(map(_key, lines))


def parse(commit_id: Oid, data: bytes) -> Commit:
    """Read a commit object.

    Raises:
        DamagedStore: a required field is missing.
    """
    message, changes = _split_body(data.partition(b"\n\n")[2])
    return Commit(commit_id, *parse_header(commit_id, data), message, changes)


def parse_header(commit_id: Oid, data: bytes) -> tuple[Oid, tuple[Oid, ...], Signature, Signature]:
    """The tree, the parents, the author and the committer that a commit object names before its message.

    As in git, only lines directly after the tree name parents.

    Raises:
        DamagedStore: a required field is missing.
    """
    first, *lines = data.partition(b"\n\n")[0].split(b"\n")
    parents: list[Oid] = []
    fields: dict[bytes, bytes] = {}
    try:
        for line in lines:
            name, _, value = line.partition(b" ")
            if name == b"parent" and not fields:
                parents.append(Oid.fromhex(value.decode()))
            else:
                fields.setdefault(name, value)
        if not first.startswith(b"tree "):
            raise ValueError(first)
        author, committer = (_signature(fields[name]) for name in (b"author", b"committer"))
        return Oid.fromhex(first[5:].decode()), tuple(parents), author, committer
    except (KeyError, ValueError, IndexError) as error:
        raise DamagedStore(f"commit {commit_id} cannot be read", "run 'memoir fsck'") from error


def _signature(line: bytes) -> Signature:
    who, _, when = line.rpartition(b"> ")
    name, _, email = who.partition(b"<")
    return Signature(name.decode("utf-8", "replace").strip(), email.decode("utf-8", "replace"), int(when.split()[0]))


def _split_body(body: bytes) -> tuple[str, ChangeList | None]:
    message, _, last = body.rstrip(b"\n").rpartition(b"\n\n")
    lines = last.split(b"\n")
    trailers = {
        name: [line[len(name) :] for line in lines if line.startswith(name)] if name in last else []
        for name in (_BASE, _PUT, _FORGET, _MOVE, _COUNT)
    }
    try:
        if message and sum(map(len, trailers.values())) == len(lines):
            return message.decode("utf-8", "replace").strip(), _change_list(trailers)
    except ValueError:
        pass  # only looks like memoir's: a foreign commit
    return body.decode("utf-8", "replace").strip(), None


_BASE, _PUT, _FORGET = b"Memoir-Base: ", b"Memoir-Put: ", b"Memoir-Forget: "
_MOVE, _COUNT = b"Memoir-Move: ", b"Memoir-Changes: "


def _change_list(trailers: dict[bytes, list[bytes]]) -> ChangeList:
    moves = [value.split(b" ") for value in trailers[_MOVE]]
    return ChangeList(
        Oid.fromhex(trailers[_BASE][0].decode()) if trailers[_BASE] else None,
        _keys(trailers[_PUT]),
        _keys(trailers[_FORGET]),
        tuple((_key(old), _key(new)) for old, new in moves),
        (int(trailers[_COUNT][0]) or None) if trailers[_COUNT] else None,
    )
