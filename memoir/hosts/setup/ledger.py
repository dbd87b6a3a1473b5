"""The bytes of files before memoir changed them, so that removal gives them back exactly.

For each file, the user's state folder keeps what memoir wrote, by its digest, and what stood there before. If the file
is as memoir wrote it, the old bytes come back; otherwise only memoir's pieces are cut out.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from memoir.errors import MemoirError
from memoir.user_state import folder, make


class Before(NamedTuple):
    """A file before memoir changed it: its bytes (None: there was none), and the folders that memoir made for it."""

    data: bytes | None
    folders: tuple[str, ...] = ()


def recall(path: Path, now: bytes) -> Before | None:
    """The file as it was before, if its bytes now are those that memoir wrote."""
    record = _record(path)
    return before(path) if record is not None and record.get("written") == _digest(now) else None


def before(path: Path) -> Before | None:
    """The file as it was before memoir wrote to it, whatever it is now; None if memoir did not."""
    record = _record(path)
    if record is None:
        return None
    with suppress(OSError, KeyError, TypeError):
        data = _original(path).read_bytes() if record["existed"] else None
        return Before(data, tuple(record["made"]))
    return None


def write_file(path: Path, after: bytes, earlier: Before) -> None:
    """Write a file whole or not at all, through a link if it is one, and remember what it was.

    Raises:
        OSError: it cannot be written; it is as it was.
    """
    target = Path(os.path.realpath(path))
    folders = [str(parent) for parent in target.parents if not parent.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    record = {"path": str(path), "written": _digest(after), "existed": earlier.data is not None}
    make(_place(path))
    if earlier.data is not None:
        _replace(_original(path), earlier.data, 0o600)
    _replace(_place(path) / "record.json", json.dumps({**record, "made": [*earlier.folders, *folders]}).encode(), 0o600)
    _replace(target, after, target.stat().st_mode & 0o777 if target.exists() else 0o644)


def restore_file(path: Path, after: bytes | None) -> None:
    """Write what a file is without memoir (None: nothing), and forget what it was.

    Raises:
        OSError: it cannot be written; it is as it was.
    """
    target, folders = Path(os.path.realpath(path)), (_record(path) or {}).get("made", [])
    if after is not None:
        _replace(target, after, target.stat().st_mode & 0o777)
    else:
        target.unlink(missing_ok=True)  # a link to it is the user's
        for parent in folders:
            with suppress(OSError):  # it holds something else now
                os.rmdir(parent)
    place = _place(path)
    for each in (_original(path), place / "record.json"):
        each.unlink(missing_ok=True)
    for parent in (place, place.parent, place.parent.parent):
        with suppress(OSError):
            parent.rmdir()


def _record(path: Path) -> dict[str, Any] | None:
    with suppress(OSError, ValueError):
        record = json.loads((_place(path) / "record.json").read_bytes())
        return record if isinstance(record, dict) else None
    return None


def _place(path: Path) -> Path:
    state = folder()
    if state is None:
        raise MemoirError("your state folder is unknown", "set XDG_STATE_HOME, or HOME")
    # A folder above may be a link, as HOME is on clusters: by whichever name it is reached, the file is one.
    file = os.path.join(os.path.realpath(path.parent), path.name)
    return state / "setup" / _digest(os.fsencode(file))[:16]


def _original(path: Path) -> Path:
    return _place(path) / "original"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _replace(path: Path, data: bytes, mode: int) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}.memoir")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
