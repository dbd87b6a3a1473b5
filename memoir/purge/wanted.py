"""What is to be purged, what becomes of a memory that has some of it, and where else its words may be.

By a key, everything that was ever at it goes, and every memory that says the same, wherever it is. A text goes with the
memories that contain it, however they break its lines. A segment of a source keeps its other words: what is to go is
blotted out there, character by character, so that the offsets of its turns stay right. Of a memory with a credential
only the credential is struck. Captures, caches and texts that an editor had may have the words too; a search at the end
finds none left.
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
"""The characters from which the content of a purged key is also sought inside other texts: "yes" is in too many."""
BLOT = "…"
_IN_SOURCES = b":raw="
_NOWHERE = Address("default", "memory")


class Wanted:
    """What is to be purged.

    Attributes:
        keys: The keys of which everything goes.
        contents: The contents of memories that go wherever they are.
        texts: What must be found nowhere afterwards.
        by_scan: Whether credentials go, as today's rules find them; they join `texts` as they are found.
        cut: The parts of credentials in segments of sources, across which they lie; they join `texts`, but for the
            lines around a key, which any key has.
        whole: The namespaces that go; `texts` have their words.
        removed: The contents that went, or were changed; those of `whole` are behind the name of their namespace.
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
        """The contents that are too short to be sought in other texts, as a record has them."""
        return tuple(b'"content":' + as_json(each) for each in self.contents if len(each) < SHORTEST)

    def may_be_in(self, data: bytes) -> bool:
        """Whether a stored value may have something of it."""
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
        """Whether everything at a key goes."""
        return (
            key in self.keys
            or self.whole.has(key)
            or any(text in key.decode("utf-8", "replace").replace("=", ":") for text in self.texts)
        )

    def rest_of(self, data: bytes, key: bytes) -> bytes | None:
        """What is left of a record at a key; None if nothing is."""
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
        metadata = self._without(facet.metadata)
        return facet._replace(content=content, metadata=metadata)

    def _without(self, value: Any, name: str = "") -> Any:
        """Metadata without what is to go; a password is often known by its name alone."""
        if isinstance(value, Mapping):
            return {self.blotted(key): self._without(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._without(item, name) for item in value]
        if not isinstance(value, str):
            return value
        if self.by_scan and name and name not in OF_MEMOIR and credentials(f"{name}={value}"):
            self.texts[value] = None
            return BLOT
        return without_cut(self.blotted(value), self.texts, BLOT)

    def note_removal(self, key: bytes, data: bytes) -> None:
        """Note the contents of a record that goes."""
        contents = {facet.content for facet in read_or_empty(data)}
        if self.whole.has(key):
            self.removed |= {tombstones.in_namespace(key, content) for content in contents}
        else:
            self._note(contents)

    def _note(self, contents: set[str]) -> None:
        self._beginnings.update(map(beginning, contents - self.removed))
        self.removed |= contents

    def without_beginning(self, message: str) -> str:
        """A message without how a memory begins that has gone, which memoir had written behind what was done to it."""
        first, end, rest = message.partition("\n")
        deed, colon, words = first.partition(": ")
        names = {each.partition("#")[0] for each in re.split("[ ,]+", deed)}
        is_told = colon and (words in self._beginnings or not names.isdisjoint(self._paths))
        return f"{deed}: {BLOT}{end}{rest}" if is_told else message

    def blotted(self, text: str, *, keep_length: bool = False, scan: bool = True) -> str:
        """A text without what is to go; without a `scan`, what was found elsewhere only."""
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
"""Bytes from which a file of the cache is the weights of a model, which memoir did not write from memories."""
_LINES = (".jsonl", ".taken", ".log")
_DIGITS, _ID = 32, rb"\b[0-9a-f]{32,64}\b|> \d+ [+-]\d{4}\b"
"""The least digits of an id or a digest, and how these look, and the time behind a name."""


class Search(NamedTuple):
    """How many objects and files were searched, and those in which something was found."""

    objects: int
    files: int
    found: list[str]


def files_of_user(store: Store, texts: Iterable[str]) -> Iterator[Path]:
    """The files in the user's folders that have some texts."""
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
    return iter(sorted(path for path in plain if path.name != STORE))  # that has where a store is, and no memories


def clean_user_files(store: Store, texts: Iterable[str]) -> list[str]:
    """Blank the lines of captures and logs that have some texts, and drop whole files of other kinds; say which."""
    sought = Sought(texts)
    cleaned = []
    for path in files_of_user(store, texts):
        if path.name.endswith(_LINES):
            _blank(path, sought)
        else:
            path.unlink(missing_ok=True)
            sync(path.parent)
        cleaned.append(str(path))
    return cleaned


def _blank(path: Path, sought: Sought) -> None:
    """Write blanks over the lines that have it: what a host adds meanwhile stays, and what was read up to a place."""
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
    """Look for some texts in every object and every file of a store, and in the user's own files."""
    texts = [*texts]
    sought = Sought(texts)
    longer = Sought(text for text in texts if len(text) >= _DIGITS)
    shorter = Sought(text for text in texts if len(text) < _DIGITS)

    def is_said(data: bytes) -> bool:
        """Whether git's data have something of it, and not only an id or a time with such digits."""
        return sought.is_in(data) and (longer.is_in(data) or shorter.is_in(re.sub(_ID, b"", data)))

    objects, found = 0, []
    for name, data in _objects(store):
        objects += 1
        found += [name] if (sought.is_in if name.startswith("blob") else is_said)(data) else []
    files = [
        path for path in store.git_dir.rglob("*") if path.is_file() and path.suffix not in (".pack", ".idx", ".rev")
    ]
    for path in files:
        with suppress(FileNotFoundError):
            found += [str(path)] if is_said(path.read_bytes()) or sought.is_in(os.fsencode(path)) else []
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
