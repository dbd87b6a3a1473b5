"""What a power cut can leave of a folder: the file operations of a command, traced, and replayed up to any of them.

`trace` runs a command under strace and reads its operations on the files of a folder. `Disk` plays the first of them on
what was there before, and drops at random what nobody had brought to disk:

* of a file's content, the writes since its last fsync: what is left is the old content, a part of the new, zeros, or
  nothing;
* of the names, as a *journal* does, everything after some moment since the last fsync of anything (ext4, xfs); or, as
  POSIX allows, any single change of a folder that was not synced since.
"""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from support import Memoir

_CALLS = (
    "openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,rename,renameat,renameat2,link,linkat,unlink,unlinkat,"
    "mkdir,mkdirat,rmdir,fsync,fdatasync,ftruncate,truncate,lseek,read,sendfile,copy_file_range,symlink,symlinkat,"
    "chdir,fchdir,clone,clone3,fork,vfork"
)
_OTHERS = ("writev", "pwritev", "pwritev2", "truncate", "sendfile", "copy_file_range", "symlink", "symlinkat")
_BEGINS = ("vfork", "fork", "clone")
_LONGEST_STRING = 1 << 22


class Operation(NamedTuple):
    """One change of a file or folder, or an fsync.

    Attributes:
        kind: `create`, `mkdir`, `rename`, `link`, `remove`, `write`, `cut` or `sync`; or `answer`, to standard output.
        path: The file or folder, within the traced one.
        target: The new name, of a rename or link.
        place: The offset of a write, or the length of what a cut leaves.
        data: What is written.
    """

    kind: str
    path: str
    target: str = ""
    place: int = 0
    data: bytes = b""


def trace(memoir: Memoir, words: Sequence[str], folder: Path, stdin: bytes, log: Path) -> list[Operation]:
    """Run a command, which must succeed, and return what it did in a folder and below, in order."""
    strace = ["strace", "-f", "--seccomp-bpf", "-y", "-xx", f"-s{_LONGEST_STRING}", "-o", str(log), f"-etrace={_CALLS}"]
    reader = _Reader(folder, memoir.folder)
    done = subprocess.run(
        [*strace, *memoir.argv(*words)],
        cwd=memoir.folder, env={**os.environ, **memoir.env}, input=stdin, capture_output=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    return list(reader.operations(log.read_text("ascii")))


class _Reader:
    """Reads strace's log: calls on files of a folder, with the offset of each open file."""

    def __init__(self, folder: Path, start: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._start = start
        self._offsets: dict[tuple[str, str], int] = {}
        self._current: dict[str, str] = {}
        self._first = ""
        self._names: set[str] = {os.path.relpath(path, self._folder) for path in folder.rglob("*")}

    def operations(self, log: str) -> Iterator[Operation]:
        for process, name, arguments, result in _calls(log):
            self._first = self._first or process
            if name == "begin":  # the arguments are its parent
                self._current[process] = self._current.get(arguments, str(self._start))
            elif name in ("chdir", "fchdir"):
                path = os.fsdecode(_bytes(arguments)) if name == "chdir" else _described(arguments) or ""
                self._current[process] = os.path.join(self._current[process], path)
            elif result[0].isdigit():  # else it failed, or never came back
                yield from self._read(process, name, _split(arguments), result)

    def _read(self, process: str, name: str, args: list[str], result: str) -> Iterator[Operation]:
        if name in ("open", "openat", "creat"):
            yield from self._open(process, args if name == "openat" else ["", *args], result)
        elif name in ("write", "pwrite64", "read", "lseek", "ftruncate", "fsync", "fdatasync"):
            yield from self._on_descriptor(process, name, args, int(result.split()[0]))
        elif name in ("rename", "link", "renameat", "renameat2", "linkat"):
            pairs = ["", args[0], "", args[1]] if name in ("rename", "link") else args
            old, new = self._path(process, *pairs[:2]), self._path(process, *pairs[2:4])
            if old and new:
                self._names.add(new)
                self._names -= {old} if "rename" in name else set()
                yield Operation(name[:6].removesuffix("at"), old, new)
        elif name in ("unlink", "rmdir", "unlinkat", "mkdir", "mkdirat"):
            path = self._path(process, *(["", args[0]] if name in ("unlink", "rmdir", "mkdir") else args[:2]))
            if path:
                self._names.add(path) if "mkdir" in name else self._names.discard(path)
                yield Operation("mkdir" if "mkdir" in name else "remove", path)
        elif name in _OTHERS and any(self._inside(_described(arg)) for arg in args):
            raise NotImplementedError(f"{name} on a file of the folder")

    def _open(self, process: str, args: list[str], result: str) -> Iterator[Operation]:
        path, flags = self._inside(_described(result)), args[2] if len(args) > 2 else "O_CREAT|O_TRUNC"
        if path is None or not re.search("O_CREAT|O_TRUNC|O_WRONLY|O_RDWR", flags):
            return
        number = result.partition("<")[0]
        self._offsets[process, number] = -1 if "O_APPEND" in flags else 0
        self._offsets["", f"{number} {path}"] = self._offsets[process, number]
        if "O_CREAT" in flags and path not in self._names:
            self._names.add(path)
            yield Operation("create", path)
        elif "O_TRUNC" in flags:
            yield Operation("cut", path)

    def _on_descriptor(self, process: str, name: str, args: list[str], result: int) -> Iterator[Operation]:
        path = self._inside(_described(args[0]))
        number = args[0].partition("<")[0]
        if path is None:
            if name == "write" and number == "1" and process == self._first:
                yield Operation("answer", "")
            return
        if name in ("fsync", "fdatasync"):
            yield Operation("sync", path)
        elif name == "ftruncate":
            yield Operation("cut", path, place=int(args[1]))
        elif name in ("lseek", "read"):
            if (offset := self._offsets.get((process, number), -1)) >= 0:
                self._offsets[process, number] = result + offset * (name == "read")
        elif name == "pwrite64":
            yield Operation("write", path, place=int(args[3]), data=_bytes(args[1])[:result])
        else:
            key = (process, number)
            if key not in self._offsets:  # another thread has opened it
                key = ("", f"{number} {path}")
            place = self._offsets[key]
            self._offsets[key] += result if place >= 0 else 0
            yield Operation("write", path, place=place, data=_bytes(args[1])[:result])

    def _path(self, process: str, folder: str, name: str) -> str | None:
        return self._inside(os.path.join(_described(folder) or self._current[process], os.fsdecode(_bytes(name))))

    def _inside(self, path: str | None) -> str | None:
        inner = path and os.path.relpath(os.path.normpath(path), self._folder)
        return None if not inner or inner.startswith("..") else inner


def _calls(log: str) -> Iterator[tuple[str, str, str, str]]:
    """Process, name, arguments and result of each call, those that were interrupted put together.

    A process that is new has a call `begin` of its own first; its arguments are the process that has begun it.
    """
    begun: dict[str, str] = {}
    parents: dict[str, str] = {}
    for row in log.splitlines():
        process, _, text = row.partition(" ")
        text = text.strip()
        if process not in parents:
            waiting = [each for each, call in begun.items() if call.startswith(_BEGINS)]
            parents[process] = waiting[0] if waiting else ""
            yield process, "begin", parents[process], ""
        if text.endswith("<unfinished ...>"):
            begun[process] = text.removesuffix("<unfinished ...>")
            continue
        if match := re.match(r"<\.\.\. \w+ resumed>", text):
            text = begun.pop(process) + text[match.end() :]
        if match := re.fullmatch(r"(\w+)\((.*)\)\s+= (.*)", text):
            name, arguments, result = match.groups()
            if name.startswith(_BEGINS) and result.isdigit() and result not in parents:
                parents[result] = process
                yield result, "begin", process, ""
            yield process, name, arguments, result


def _split(arguments: str) -> list[str]:
    return re.findall(r'(?:"[^"]*"(?:\.\.\.)?|<[^>]*>|[^,<"]+)+', arguments) if arguments else []


def _bytes(quoted: str) -> bytes:
    text = quoted.strip()
    assert text.startswith('"') and not text.endswith("..."), quoted[:80]
    return bytes.fromhex(text.strip('"').replace("\\x", ""))


def _described(argument: str) -> str | None:
    """The path that strace adds to a descriptor: `3</a/b>`."""
    match = re.search(r"<([^>]*)>", argument)
    return os.fsdecode(bytes.fromhex(match[1].replace("\\x", ""))) if match and "\\x" in match[1] else None


class _File:
    """The content of a file, what of it is on disk, and how many of its first bytes nobody has touched since."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = self.safe = data
        self._untouched = len(data)

    def apply(self, operation: Operation) -> None:
        if operation.kind == "sync":
            self.safe, self._untouched = self.data, len(self.data)
        elif operation.kind == "cut":
            self._untouched = min(self._untouched, operation.place)
            self.data = self.data[: operation.place].ljust(operation.place, b"\0")
        else:
            place = operation.place if operation.place >= 0 else len(self.data)
            self._untouched = min(self._untouched, place)
            head = self.data[:place].ljust(place, b"\0")
            self.data = head + operation.data + self.data[place + len(operation.data) :]

    def survivor(self, random: Random) -> bytes:
        """What a power cut leaves of it."""
        if self.data == self.safe:
            return self.data
        head, tail = self.data[: self._untouched], self.data[self._untouched :]
        part = tail[: random.randrange(len(tail) + 1)]
        return random.choice([self.safe, self.data, head + part, head + bytes(len(tail)), head])


Tree = dict[str, _File | None]
"""Files by their paths; None is a folder."""


class Disk:
    """A folder as it was, and the operations that follow."""

    def __init__(self, folder: Path, operations: Sequence[Operation]) -> None:
        self._before = read_tree(folder)
        self._operations = operations

    def end(self) -> dict[str, bytes | None]:
        """What there is when the last operation is done: if that is not what there is, the trace lacks something."""
        tree = self._replay(len(self._operations), lambda number: True)[0]
        return {path: file.data if file else None for path, file in sorted(tree.items())}

    def cut(self, count: int, random: Random, *, is_journal: bool) -> dict[str, bytes | None]:
        """What is left, by path (None: a folder), if the power fails after so many operations."""
        done = self._operations[:count]
        keeps = self._kept_by_journal(done, random) if is_journal else self._kept_by_posix(done, random)
        left = self._replay(count, keeps)[1]
        whole = [path for path in left if all(str(each) in left for each in list(Path(path).parents)[:-1])]
        return {path: file.survivor(random) if (file := left[path]) else None for path in sorted(whole)}

    def _replay(self, count: int, keeps: Callable[[int], bool]) -> tuple[Tree, Tree]:
        """The tree after so many operations, and what is left of it if only some changes of names are kept."""
        now: Tree = {path: None if data is None else _File(data) for path, data in self._before.items()}
        left: Tree = dict(now)
        for number, operation in enumerate(self._operations[:count]):
            if operation.kind in ("write", "cut", "sync", "answer"):
                if file := now.get(operation.path):
                    file.apply(operation)
                continue
            file = _File() if operation.kind == "create" else now.get(operation.path)
            for tree in [now, *([left] if keeps(number) else [])]:
                _change(tree, operation, file)
        return now, left

    def _kept_by_journal(self, done: Sequence[Operation], random: Random) -> Callable[[int], bool]:
        synced = max((number for number, each in enumerate(done) if each.kind == "sync"), default=0)
        end = random.randint(synced, len(done))
        return lambda number: number < end

    def _kept_by_posix(self, done: Sequence[Operation], random: Random) -> Callable[[int], bool]:
        last = {each.path: number for number, each in enumerate(done) if each.kind == "sync"}
        names = [each.target or each.path for each in done]
        folders = [os.path.dirname(name) or "." for name in names]
        kept = [last.get(folder, -1) > number or random.random() < 0.5 for number, folder in enumerate(folders)]
        return kept.__getitem__


def _change(tree: Tree, operation: Operation, file: _File | None) -> None:
    """Change the names of a tree; a folder that is renamed takes along what the tree has in it."""
    inner = f"{operation.path}/"
    below = {path.removeprefix(inner): tree[path] for path in tree if path.startswith(inner)}
    if operation.kind in ("rename", "remove"):
        for path in (operation.path, *(inner + each for each in below)):
            tree.pop(path, None)
    if operation.kind != "remove":
        tree[operation.target or operation.path] = file
    if operation.kind == "rename":
        tree |= {f"{operation.target}/{each}": file for each, file in below.items()}


def read_tree(folder: Path) -> dict[str, bytes | None]:
    """The files and folders in a folder; None is a folder."""
    paths = sorted(folder.rglob("*"))
    return {os.path.relpath(path, folder): path.read_bytes() if path.is_file() else None for path in paths}


def write_tree(folder: Path, tree: Mapping[str, bytes | None], age: float = 120.0) -> None:
    """Write files and folders into an empty folder, as if that had been some seconds ago."""
    folder.mkdir(exist_ok=True)
    for path, data in tree.items():
        place = folder / path
        if data is None:
            place.mkdir()
        else:
            place.write_bytes(data)
            os.utime(place, (time.time() - age,) * 2)
