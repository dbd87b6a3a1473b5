"""Where else the words of memories may be: captures and caches of this user; and the search that finds none left."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memoir import user_folders
from memoir.capture.spool import TurnSpool
from memoir.errors import DamagedStore
from memoir.purge.wanted import forms
from memoir.store.store import Store

_LARGEST = 32 << 20
"""Bytes from which a file of the cache is the weights of a model, which memoir did not write from memories."""
_LINES = (".jsonl", ".taken", ".log")


class Search(NamedTuple):
    """How many objects and files were searched, and those in which something was found."""

    objects: int
    files: int
    found: list[str]


def files_of_user(store: Store, texts: Iterable[str]) -> Iterator[Path]:
    """The files in the user's folders that have some texts."""
    sought = forms(texts)
    for path in _user_files(store):
        with suppress(OSError):
            if path.stat().st_size < _LARGEST and any(form in path.read_bytes() for form in sought):
                yield path


def _user_files(store: Store) -> Iterator[Path]:
    spool = TurnSpool(store.git_dir).folder
    folders = [user_folders.cache(), user_folders.state(), spool]
    paths = {path for folder in folders if folder for path in folder.rglob("*") if path.is_file()}
    return iter(sorted(path for path in paths if not path.is_symlink()))


def clean_user_files(store: Store, texts: Iterable[str]) -> list[str]:
    """Drop the lines of captures and logs that have some texts, and whole files of other kinds; say which."""
    sought = forms(texts)
    cleaned = []
    for path in files_of_user(store, texts):
        if path.name.endswith(_LINES):
            kept = [line for line in path.read_bytes().splitlines(keepends=True) if not _has(line, sought)]
            draft = path.with_name(f"{path.name}.{os.getpid()}")
            draft.touch(0o600)
            draft.write_bytes(b"".join(kept))
            draft.replace(path)
        else:
            path.unlink(missing_ok=True)
        cleaned.append(str(path))
    return cleaned


def _has(data: bytes, sought: Iterable[bytes]) -> bool:
    return any(form in data for form in sought)


def search(store: Store, texts: Iterable[str]) -> Search:
    """Look for some texts in every object and every file of a store, and in the user's own files.

    Raises:
        DamagedStore: git cannot read an object.
    """
    sought = forms(texts)
    objects, found = 0, []
    for name, data in _objects(store):
        objects += 1
        found += [name] if _has(data, sought) else []
    files = [
        path for path in store.git_dir.rglob("*") if path.is_file() and path.suffix not in (".pack", ".idx", ".rev")
    ]
    for path in files:
        with suppress(FileNotFoundError):
            found += [str(path)] if _has(path.read_bytes(), sought) or _has(os.fsencode(path), sought) else []
    found += [str(path) for path in files_of_user(store, texts)]
    return Search(objects, len(files), found)


def _objects(store: Store) -> Iterator[tuple[str, bytes]]:
    """Every object of a store: what it is, and its bytes."""
    with store.git.stream("cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer") as output:
        for header in output:
            fields = header.split()
            if len(fields) != 3:
                raise DamagedStore("git cannot read an object of the store", "run 'memoir fsck'")
            oid, kind, size = fields
            yield f"{kind.decode()} {oid.decode()}", output.read(int(size))
            output.read(1)
