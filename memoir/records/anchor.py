"""Anchors: the files of the project, or lines of them, that a memory is about.

Anchors are a list in the metadata of a memory. The file's path is relative to the root of the project; nothing in an
anchor depends on the machine:

    {"about": [{"file": "src/auth.py", "blob": "5f0c...", "commit": "9daa...",
                "lines": [42, 50], "digest": "77ab...", "words": "def check(token):"}]}

`blob` is the git id of the file's text with line feeds as line ends, so that a checkout with other line ends agrees.
`commit` was checked out at the time; it is missing outside git. `digest` is that of the lines, and `words` is how they
begin, so that they are found again after they have moved.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.git.objects import object_id, sha1, sha256
from memoir.records.record import ABOUT

_SPEC = re.compile(r"(?P<file>.+?):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DIGEST_DIGITS = 16
_MOST_WORDS = 60
"""The most characters of `words`."""
_MOST = 20
"""The most anchors that are read of one memory."""


class CitedLines(NamedTuple):
    """Lines of a file, counted from 1, including the last; `digest` and `words` as in the metadata."""

    first: int
    last: int
    digest: str
    words: str


class Anchor(NamedTuple):
    """A file as it was, or lines of it, that a memory is about. `commit` is None outside git."""

    file: str
    blob: str
    commit: str | None = None
    lines: CitedLines | None = None

    @property
    def spec(self) -> str:
        """The anchor as people write it: `src/auth.py:42-50`."""
        return write_spec(self.file, self.lines)

    def as_dict(self) -> dict[str, Any]:
        """The anchor as it is stored in the metadata."""
        fields: dict[str, Any] = {"file": self.file, "blob": self.blob}
        if self.commit:
            fields["commit"] = self.commit
        if self.lines:
            first, last, digest, words = self.lines
            fields |= {"lines": [first, last], "digest": digest, "words": words}
        return fields


def write_spec(file: str, lines: CitedLines | None) -> str:
    """A file and lines of it, as people write them: `src/auth.py`, `src/auth.py:42`, `src/auth.py:42-50`."""
    if lines is None:
        return file
    return f"{file}:{lines.first}" + (f"-{lines.last}" if lines.last > lines.first else "")


def read_spec(spec: str) -> tuple[str, tuple[int, int] | None]:
    """The file of `FILE[:L1[-L2]]`, and the first and last line.

    Raises:
        InvalidInput: the lines are not a range.
    """
    match = _SPEC.fullmatch(spec)
    if not match:
        return spec, None
    first = int(match["first"])
    last = int(match["last"] or first)
    if not 0 < first <= last:
        raise InvalidInput(f"{spec!r} names no lines", "lines are counted from 1: src/auth.py:42-50")
    return match["file"], (first, last)


def anchors_of(metadata: Mapping[str, Any]) -> list[Anchor]:
    """The anchors in the metadata; anything malformed, which an import may bring, is left out."""
    value = metadata.get(ABOUT)
    found = (_read_anchor(each) for each in value[:_MOST]) if isinstance(value, list) else ()
    return [anchor for anchor in found if anchor]


def _read_anchor(fields: object) -> Anchor | None:
    if not isinstance(fields, Mapping):
        return None
    file, blob, commit = (fields.get(name) for name in ("file", "blob", "commit"))
    if not is_inside(file) or not _is_id(blob) or not (commit is None or _is_id(commit)):
        return None
    lines = _read_lines(fields)
    if lines is None and "lines" in fields:
        return None
    return Anchor(str(file), str(blob), commit, lines)


def _read_lines(fields: Mapping[str, Any]) -> CitedLines | None:
    span, digest, words = (fields.get(name) for name in ("lines", "digest", "words"))
    if not isinstance(span, list) or len(span) != 2 or not all(type(number) is int for number in span):
        return None
    first, last = span
    if not 0 < first <= last or not isinstance(digest, str):
        return None
    return CitedLines(first, last, digest, words if isinstance(words, str) else "")


def is_inside(file: object) -> bool:
    """Whether a name is a path below the root of a project: relative, without `..`, on one line."""
    if not isinstance(file, str) or not file.isprintable():
        return False
    return bool(file) and all(part not in ("", ".", "..") for part in file.split("/"))


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def with_anchors(metadata: Mapping[str, Any], anchors: Sequence[Anchor]) -> dict[str, Any]:
    """Metadata with added anchors, which replace older ones of the same file and lines."""
    if not anchors:
        return dict(metadata)
    kept = without_targets(metadata, anchors).get(ABOUT, ())
    return {**metadata, ABOUT: [*kept, *(anchor.as_dict() for anchor in anchors)]}


def without_targets(metadata: Mapping[str, Any], anchors: Sequence[Anchor]) -> dict[str, Any]:
    """Metadata without the anchors that have the files and lines of the given ones."""
    entries = metadata.get(ABOUT)
    targets = {anchor.spec for anchor in anchors}
    if not isinstance(entries, list):
        return dict(metadata)
    return {**metadata, ABOUT: [each for each in entries if not _is_at(each, targets)]}


def join_anchors(base: Mapping[str, Any], early: Mapping[str, Any], late: Mapping[str, Any]) -> Any:
    """The anchors of a merge, as stored: those of `late`, which renewed them last, and the other side's new files."""
    old, first, last = (metadata.get(ABOUT, []) for metadata in (base, early, late))
    if not all(isinstance(each, list) for each in (old, first, last)):
        return last
    files = {anchor.file for anchor in anchors_of(late)}
    added = [each for each in first if each not in (*old, *last)]
    return [*last, *(each for each in added if (anchor := _read_anchor(each)) and anchor.file not in files)]


def _is_at(fields: object, targets: Collection[str]) -> bool:
    anchor = _read_anchor(fields)
    return anchor is not None and anchor.spec in targets


def normalise(data: bytes) -> bytes:
    """The text of a file with line feeds as line ends; binary data are unchanged."""
    return data if b"\0" in data else data.replace(b"\r\n", b"\n")


def blob_id(text: bytes, digits: int = 40) -> str:
    """The git id of a blob, in 40 or 64 digits."""
    return object_id(sha1 if digits == 40 else sha256, "blob", text).hex()


def split_lines(text: bytes) -> list[bytes]:
    """The lines of a file's text without the white space at their ends."""
    return [line.rstrip() for line in text.removesuffix(b"\n").split(b"\n")]


def digest_of_lines(lines: Sequence[bytes]) -> str:
    """The digest of lines of a file."""
    return sha1(b"\n".join(lines)).hex()[:_DIGEST_DIGITS]


def lines_at(lines: Sequence[bytes], first: int, last: int) -> CitedLines:
    """Lines of a file by their numbers."""
    cited = lines[first - 1 : last]
    words = next((text for line in cited if (text := line.decode("utf-8", "replace").strip())), "")
    words = "".join(char for char in words if char.isprintable())[:_MOST_WORDS]
    return CitedLines(first, last, digest_of_lines(cited), words)
