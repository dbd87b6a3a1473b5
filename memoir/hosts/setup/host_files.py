"""The files of a host: their places, and their changes when memoir adds its pieces or removes them.

For each file, the user's state folder keeps the digest of what memoir wrote, and the original bytes. If the file is
unchanged since, removal restores the original; otherwise only memoir's pieces are cut out.
"""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from memoir import user_folders
from memoir.errors import InvalidInput, MemoirError
from memoir.git.fsync import make_folder, replace, sync
from memoir.hosts.setup.host_texts import Permissions
from memoir.hosts.setup.json_text import parse
from memoir.hosts.setup.pieces import Piece, Whole, add_all, remove_all, renew, snippet_of
from memoir.hosts.setup.recipes import FilePart, Recipe


class Before(NamedTuple):
    """A file before memoir changed it: its bytes (None: there was none), and the folders that memoir made for it."""

    data: bytes | None
    folders: tuple[str, ...] = ()


def recall(path: Path, now: bytes) -> Before | None:
    """The file before memoir wrote to it, if it is unchanged since."""
    record = _record(path)
    return before(path) if record is not None and record.get("written") == _digest(now) else None


def before(path: Path) -> Before | None:
    """The file before memoir wrote to it, even if it has changed since; None if memoir did not write to it."""
    record = _record(path)
    if record is None:
        return None
    with suppress(OSError, KeyError, TypeError):
        data = _original(path).read_bytes() if record["existed"] else None
        return Before(data, tuple(record["made"]))
    return None


def write_file(path: Path, after: bytes, earlier: Before) -> None:
    """Write a file atomically, through a link if it is one, and keep the original.

    Raises:
        MemoirError: the file is in the user's home folder, which is unknown.
    """
    if path.is_relative_to(os.path.abspath("~")):  # `expanduser` did not know the home folder
        raise MemoirError("your home folder is unknown", "set HOME")
    target = Path(os.path.realpath(path))
    folders = [str(parent) for parent in target.parents if not parent.exists()]
    record = {"path": str(path), "written": _digest(after), "existed": earlier.data is not None}
    user_folders.make(_kept(path))
    make_folder(target.parent)
    if earlier.data is not None:
        replace(_original(path), earlier.data, 0o600)
    replace(_kept(path) / "record.json", json.dumps({**record, "made": [*earlier.folders, *folders]}).encode(), 0o600)
    replace(target, after, target.stat().st_mode & 0o777 if target.exists() else 0o644)


def restore_file(path: Path, after: bytes | None) -> None:
    """Write a file's bytes without memoir, or delete the file if None, and delete the kept original."""
    target, folders = Path(os.path.realpath(path)), (_record(path) or {}).get("made", [])
    if after is not None:
        replace(target, after, target.stat().st_mode & 0o777)
    else:
        target.unlink(missing_ok=True)  # a link to it stays: it is the user's
        sync(target.parent)
        for parent in folders:
            with suppress(OSError):  # it has other files now
                os.rmdir(parent)
                sync(Path(parent).parent)
    folder = _kept(path)
    for each in (_original(path), folder / "record.json"):
        each.unlink(missing_ok=True)
    sync(folder)
    for parent in (folder, folder.parent, folder.parent.parent):
        with suppress(OSError):
            parent.rmdir()


def _record(path: Path) -> dict[str, Any] | None:
    if user_folders.state() is None:  # so no record was ever kept
        return None
    with suppress(OSError, ValueError):
        record = json.loads((_kept(path) / "record.json").read_bytes())
        return record if isinstance(record, dict) else None
    return None


def _kept(path: Path) -> Path:
    state = user_folders.state()
    if state is None:
        raise MemoirError("your state folder is unknown", "set XDG_STATE_HOME, or HOME")
    # A parent folder may be a link, as HOME is on clusters; all its names must lead to one record.
    file = os.path.join(os.path.realpath(path.parent), path.name)
    return state / "setup" / _digest(os.fsencode(file))[:16]


def _original(path: Path) -> Path:
    return _kept(path) / "original"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


Status = Literal["created", "changed", "unchanged", "deleted", "absent", "refused"]


class FileChange(NamedTuple):
    """One file: its bytes now and afterwards (None: no such file), or why it cannot be changed."""

    path: Path
    """The file."""
    before: bytes | None
    """Its bytes now."""
    after: bytes | None
    """Its bytes afterwards."""
    addition: str = ""
    """The text that memoir adds to it, for adding it by hand."""
    base: bytes | None = None
    """Its bytes without memoir's pieces."""
    problem: str | None = None
    """Why memoir leaves the file alone."""
    permissions: int = 0
    """How many of the host's permission entries in it are memoir's afterwards."""

    @property
    def status(self) -> Status:
        """The change of the file, in one word."""
        if self.problem:
            return "refused"
        if self.before == self.after:
            return "absent" if self.after is None else "unchanged"
        return "created" if self.before is None else "deleted" if self.after is None else "changed"


def addition(recipe: Recipe, part: FilePart, everything: Sequence[Piece]) -> FileChange:
    """Add the pieces of a part to its file, replacing `everything` that an earlier setup may have added."""
    path, snippet = _path_of(recipe, part), "\n".join(map(snippet_of, part.pieces))

    def change(before: bytes | None) -> FileChange:
        base = _without_memoir(path, _sparing(path, everything, before or b""), before)
        if not part.pieces:
            return FileChange(path, before, base, base=base)
        pieces = _sparing(path, part.pieces, before or b"")
        after = add_all(pieces, (base or b"").decode()).encode()
        after = after if base or after.endswith(b"\n") else after + b"\n"
        return FileChange(path, before, after, snippet, base, permissions=sum(map(_permissions, pieces)))

    return _try(recipe, part, change, snippet)


def renewal(recipe: Recipe, part: FilePart, everything: Sequence[Piece]) -> FileChange:
    """Update memoir's hooks in a file, if there are any; the rest stays unchanged."""
    path = _path_of(recipe, part)

    def change(before: bytes | None) -> FileChange:
        after = renew((before or b"").decode(), part.pieces).encode()
        base = before if after == before else _without_memoir(path, _sparing(path, everything), before)
        return FileChange(path, before, after if before else before, base=base)

    return _try(recipe, part, change)


def removal(recipe: Recipe, part: FilePart) -> FileChange:
    """Remove everything that memoir has added to a file."""
    path = _path_of(recipe, part)

    def change(before: bytes | None) -> FileChange:
        return FileChange(path, before, _without_memoir(path, _sparing(path, part.pieces), before))

    return _try(recipe, part, change)


def text_of(recipe: Recipe, part: FilePart) -> str:
    """The text of a file; empty if there is none that can be read."""
    path = _path_of(recipe, part)
    with suppress(InvalidInput, UnicodeDecodeError, OSError):
        return (_read(path) or b"").decode() if not _leads_out(part, path) else ""
    return ""


def own_pieces(recipe: Recipe, part: FilePart, text: str) -> list[Piece]:
    """The pieces of a part, without entries in the text that are the user's own and only look like memoir's."""
    try:
        return _sparing(_path_of(recipe, part), part.pieces, text.encode())
    except InvalidInput:
        return []


def write_with(change: FileChange) -> None:
    """Write a file with memoir's pieces."""
    if change.status in ("created", "changed") and change.after is not None:
        before = recall(change.path, change.before or b"")
        write_file(change.path, change.after, before or Before(change.base))
    elif change.status == "deleted":
        restore_file(change.path, None)


def write_without(change: FileChange) -> None:
    """Write a file without memoir's pieces."""
    if change.status in ("changed", "deleted"):
        restore_file(change.path, change.after)


def _try(recipe: Recipe, part: FilePart, change: Callable[[bytes | None], FileChange], snippet: str = "") -> FileChange:
    """Change a file; if that is impossible, return it unchanged with the reason."""
    path = _path_of(recipe, part)
    if outside := _leads_out(part, path):
        return FileChange(path, None, None, snippet, problem=outside)
    before = None
    try:
        before = _read(path)
        if before and before.strip() and path.suffix == ".json" and not recipe.comments:
            parse(before.decode(), strictly=True)
        return change(before)
    except (MemoirError, UnicodeDecodeError) as error:
        return FileChange(path, before, before, snippet, problem=str(error))


def _path_of(recipe: Recipe, part: FilePart) -> Path:
    for start, variable in recipe.folders.items():
        if part.file.startswith(start) and (folder := os.environ.get(variable)):
            rest = part.file.removeprefix(start)
            return (
                Path(folder, rest.lstrip("/")) if rest.startswith("/") else Path(folder, part.file.removeprefix("~/"))
            )
    return Path(os.path.abspath(os.path.expanduser(part.file)))


def _leads_out(part: FilePart, path: Path) -> str | None:
    """The problem if a link takes a project's file outside of the project: the project's author chose that place."""
    if part.file.startswith("~") or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(".")):
        return None
    return f"a link leads out of the project, to {os.path.realpath(path)}"


def _sparing(path: Path, pieces: Sequence[Piece], first: bytes = b"") -> list[Piece]:
    """The pieces, told which of their entries the file had before memoir wrote to it: these are the user's own.

    `first` is the file if memoir has not written to it.
    """
    if not any(isinstance(piece, Permissions) for piece in pieces):
        return list(pieces)
    earlier = before(path)
    text = ((earlier.data if earlier else first) or b"").decode()
    return [piece.sparing(text) if isinstance(piece, Permissions) else piece for piece in pieces]


def _permissions(piece: Piece) -> int:
    if isinstance(piece, Permissions):
        return len(piece.news)
    return piece.permissions if isinstance(piece, Whole) else 0


def _without_memoir(path: Path, pieces: Sequence[Piece], before: bytes | None) -> bytes | None:
    """A file without memoir: its original if unchanged since, else the present file without memoir's pieces."""
    if before is None:
        return None
    original = recall(path, before)
    return original.data if original else _cut_pieces(pieces, before)


def _cut_pieces(pieces: Sequence[Piece], data: bytes) -> bytes | None:
    """A file without memoir's pieces; None if nothing else is left."""
    rest = remove_all(pieces, data.decode()).encode()
    return rest if rest == data or rest.strip() not in (b"", b"{}") else None


def _read(path: Path) -> bytes | None:
    """The bytes of a file, or None if there is none."""
    if not os.path.exists(path):
        return None
    if not path.is_file():
        raise InvalidInput("it is not a plain file")
    return path.read_bytes()
