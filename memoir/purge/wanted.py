"""What to purge, the rest of memories that contain some of it, and other places that may contain its words.

Purging a key removes everything that was ever at it, and every memory with the same content anywhere. Purging a text
removes the memories that contain it, however they break its lines. A segment of a source keeps its other words: purged
text is blotted out there, character by character, so that the offsets of turns stay right. In a memory with a
credential, only the credential is removed. Captures, caches and an editor's drafts may also contain the words; a final
search must find none.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from memoir import user_folders
from memoir.capture.spool import TurnSpool
from memoir.capture.spool_place import STORE
from memoir.errors import DamagedStore
from memoir.git.fsync import flush, sync
from memoir.memory import tombstones
from memoir.memory.write_options import beginning
from memoir.purge.cut_credentials import Span
from memoir.purge.sought import Sought, as_json, places, without_cut
from memoir.purge.whole import Whole
from memoir.records.damage import read_or_empty
from memoir.records.metadata import OF_MEMOIR, strings_of
from memoir.records.record import Memory, Record, decode, encode
from memoir.secrets.scan import credentials
from memoir.secrets.secrets import refusals, whole_credentials
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, from_key

SHORTEST = 12
"""The fewest characters of a purged key's content that is also searched for inside other texts: "yes" is in too
many."""
BLOT = "…"
_IN_SOURCES = b":raw="
_NOWHERE = Address("default", "memory")


class Wanted:
    """What to purge.

    Attributes:
        keys: The keys that are purged completely.
        contents: The contents of memories that are removed wherever they are.
        texts: The texts that must be found nowhere afterwards.
        by_scan: Whether credentials found by today's rules are removed; they are added to `texts` when found.
        cut: The parts of credentials that span segments of sources; they are added to `texts`, except the lines around
            a key, which any key has.
        whole: The namespaces that are removed; `texts` includes their words.
        removed: The contents that were removed or changed; those of `whole` after the name of their namespace.
    """

    def __init__(
        self,
        keys: Iterable[bytes],
        contents: Iterable[str],
        texts: Iterable[str],
        *,
        by_scan: bool,
        cut: Mapping[str, Set[Span]] = MappingProxyType({}),
        whole: Whole = Whole(),  # noqa: B008 - a tuple
    ) -> None:
        self.keys = frozenset(keys)
        self.contents = frozenset(contents)
        self.texts = dict.fromkeys([*texts, *(each.strip() for each in self.contents if len(each) >= SHORTEST)])
        parts = (text[start:end].strip() for text, spans in cut.items() for start, end in spans)
        self.texts |= dict.fromkeys(part for part in parts if len(part) >= SHORTEST and not part.startswith("-----"))
        self.by_scan = by_scan
        self.cut = cut
        self.whole = whole
        self.removed: set[str] = set()
        self._beginnings: set[str] = set()
        self._paths = {from_key(key).path for key in self.keys}

    @cached_property
    def _short(self) -> tuple[bytes, ...]:
        """The contents that are too short to be searched for in other texts, as JSON fields of a record."""
        return tuple(b'"content":' + as_json(each) for each in self.contents if len(each) < SHORTEST)

    def may_be_in(self, data: bytes) -> bool:
        """Whether a stored value may contain something to purge."""
        if self.by_scan:
            return self._has_credential(data)
        return self._sought.is_in(data) or any(form in data for form in self._short)

    @cached_property
    def _sought(self) -> Sought:
        return Sought(self.texts)

    def _has_credential(self, data: bytes) -> bool:
        record = read_or_empty(data)
        return any(each.content in self.cut or next(refusals([(each, _NOWHERE)]), None) for each in record)

    def takes_key(self, key: bytes) -> bool:
        """Whether a key is purged completely."""
        return (
            key in self.keys
            or self.whole.has(key)
            or any(text in key.decode("utf-8", "replace").replace("=", ":") for text in self.texts)
        )

    def rest_of(self, data: bytes, key: bytes) -> bytes | None:
        """The rest of a record at a key; None if nothing is left."""
        try:
            record: Record = decode(data)
        except DamagedStore:
            return None if Sought(self.texts).is_in(data) else data
        kept = [self._rest(facet, in_source=_IN_SOURCES in key) for facet in record]
        if kept == list(record):
            return data
        pairs = zip(record, kept, strict=True)
        self._note({facet.content for facet, rest in pairs if rest is None or rest.content != facet.content})
        return encode(facet for facet in kept if facet is not None) if any(kept) else None

    def _rest(self, facet: Memory, *, in_source: bool) -> Memory | None:
        if facet.content in self.contents:
            return None
        strings = [facet.content, *strings_of(facet.metadata)]
        is_hit = any(True for text in self.texts for string in strings for _ in places(text, string))
        if is_hit and not in_source and not self.by_scan:
            return None
        if not is_hit and not self.by_scan:
            return facet
        content = self.blotted(facet.content, keep_length=in_source)
        metadata = self._purge_metadata(facet.metadata)
        return facet._replace(content=content, metadata=metadata)

    def _purge_metadata(self, value: Any, name: str = "") -> Any:
        """Metadata without purged text; a password is often recognised only by its name."""
        if isinstance(value, Mapping):
            return {self.blotted(key): self._purge_metadata(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._purge_metadata(item, name) for item in value]
        if not isinstance(value, str):
            return value
        if self.by_scan and name and name not in OF_MEMOIR and credentials(f"{name}={value}"):
            self.texts[value] = None
            return BLOT
        return without_cut(self.blotted(value), self.texts, BLOT)

    def note_removal(self, key: bytes, data: bytes) -> None:
        """Note the contents of a removed record."""
        contents = {facet.content for facet in read_or_empty(data)}
        if self.whole.has(key):
            self.removed |= {tombstones.in_namespace(key, content) for content in contents}
        else:
            self._note(contents)

    def _note(self, contents: set[str]) -> None:
        self._beginnings.update(map(beginning, contents - self.removed))
        self.removed |= contents

    def without_beginning(self, message: str) -> str:
        """A commit message without the beginning of a purged memory, which memoir had written after the deed."""
        first, end, rest = message.partition("\n")
        deed, colon, words = first.partition(": ")
        names = {each.partition("#")[0] for each in re.split("[ ,]+", deed)}
        is_told = colon and (words in self._beginnings or not names.isdisjoint(self._paths))
        return f"{deed}: {BLOT}{end}{rest}" if is_told else message

    def blotted(self, text: str, *, keep_length: bool = False, scan: bool = True) -> str:
        """A text without purged text; with `scan` False, only text that was found elsewhere is removed."""
        spans = [(start, end) for start, end, _ in whole_credentials(text)] if self.by_scan and scan else []
        self.texts |= dict.fromkeys(text[start:end] for start, end in spans)
        spans += [*self.cut.get(text, ()), *(span for sought in self.texts for span in places(sought, text))]
        at, parts = 0, list[str]()
        for start, end in sorted(spans):
            if end > at:
                blots = re.sub(".", BLOT, text[max(start, at) : end]) if keep_length else BLOT * (start >= at)
                parts += [text[at:start], blots]
                at = end
        return "".join([*parts, text[at:]])


_LARGEST = 32 << 20
"""The bytes from which a cached file is assumed to be a model's weights, which contain no memories."""
_LINES = (".jsonl", ".taken", ".log")
_DIGITS, _ID = 32, rb"\b[0-9a-f]{32,64}\b|> \d+ [+-]\d{4}\b"
"""The fewest digits of an id or a digest, and a pattern for these and for the time after a name."""


class Search(NamedTuple):
    """The numbers of searched objects and files, and the names of those with findings."""

    objects: int
    files: int
    found: list[str]


def files_of_user(store: Store, texts: Iterable[str]) -> Iterator[Path]:
    """The files in the user's folders that contain any of the texts."""
    sought = Sought(texts)
    for path in _user_files(store):
        with suppress(OSError):
            if path.stat().st_size < _LARGEST and sought.is_in(path.read_bytes()):
                yield path


def _user_files(store: Store) -> Iterator[Path]:
    spool = TurnSpool(store.git_dir).folder
    folders = [user_folders.cache(), user_folders.state(), spool]
    paths = {*user_folders.drafts(), *(path for folder in folders if folder for path in folder.rglob("*"))}
    plain = (path for path in paths if path.is_file() and not path.is_symlink())
    return iter(sorted(path for path in plain if path.name != STORE))  # it has the path of a store, and no memories


def clean_user_files(store: Store, texts: Iterable[str]) -> list[str]:
    """Blank lines with the texts in captures and logs, and delete other files with them; return their paths."""
    sought = Sought(texts)
    cleaned = []
    for path in files_of_user(store, texts):
        if path.name.endswith(_LINES):
            _blank_lines(path, sought)
        else:
            path.unlink(missing_ok=True)
            sync(path.parent)
        cleaned.append(str(path))
    return cleaned


def _blank_lines(path: Path, sought: Sought) -> None:
    """Overwrite lines with blanks, so that offsets into the file and lines that a host adds meanwhile stay valid."""
    at = 0
    with path.open("r+b") as file:
        for line in file.readlines():
            if sought.is_in(line):
                file.seek(at)
                file.write(b" " * len(line.rstrip(b"\n")))
            at += len(line)
        file.flush()
        flush(file.fileno())


def search(store: Store, texts: Iterable[str]) -> Search:
    """Search every object and file of a store, and the user's files, for the texts."""
    texts = [*texts]
    sought = Sought(texts)
    longer = Sought(text for text in texts if len(text) >= _DIGITS)
    shorter = Sought(text for text in texts if len(text) < _DIGITS)

    def contains(data: bytes) -> bool:
        """Whether git's data contain a text, not only an id or a time with the same digits."""
        return sought.is_in(data) and (longer.is_in(data) or shorter.is_in(re.sub(_ID, b"", data)))

    objects, found = 0, []
    for name, data in _objects(store):
        objects += 1
        found += [name] if (sought.is_in if name.startswith("blob") else contains)(data) else []
    files = [
        path for path in store.git_dir.rglob("*") if path.is_file() and path.suffix not in (".pack", ".idx", ".rev")
    ]
    for path in files:
        with suppress(FileNotFoundError):
            found += [str(path)] if contains(path.read_bytes()) or sought.is_in(os.fsencode(path)) else []
    found += [str(path) for path in files_of_user(store, texts)]
    return Search(objects, len(files), found)


def _objects(store: Store) -> Iterator[tuple[str, bytes]]:
    """Every object of a store: its kind and id, and its bytes."""
    with store.git.stream("cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer") as output:
        for header in output:
            fields = header.split()
            if len(fields) != 3:
                raise DamagedStore("git cannot read an object of the store", "run 'memoir fsck'")
            oid, kind, size = fields
            yield f"{kind.decode()} {oid.decode()}", output.read(int(size))
            output.read(1)
