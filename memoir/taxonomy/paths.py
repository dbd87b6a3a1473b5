"""Addresses of memories: a namespace and a dotted path, and the store key of the two.

    user:alice  preferences.coding.testing  <->  b"user:alice=preferences.coding.testing"

A path has 1 to 8 segments. A segment is letters, digits, `_` and `-` of any script in Unicode's composed form (NFC),
and starts with a letter, digit or `_`. A namespace is one segment that may also contain `:` and `@`. Neither contains
`=`, so each namespace is one contiguous range of keys, nor `#`: in `KEY#id` the beginning of the id of one memory at
the path follows it (`memoir.memory.facets` makes the ids).

Globs over paths are `fnmatch`'s, case-sensitive, with `*` crossing dots.
"""

import fnmatch
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from memoir.errors import InvalidInput

DEFAULT_NAMESPACE = "default"
INBOX = "inbox.unsorted"
"""The path of memories that wait to be filed."""
TAXONOMY_NAMESPACE = "memoir:taxonomy"
"""The namespace of a store's own categories; they are not memories, and recall does not search them."""
LAYERS_NAMESPACE = "memoir:layers"
"""The namespace that marks which other namespaces are layers; see `memoir.memory.layer_namespaces`."""
LEXICON_NAMESPACE = "memoir:lexicon"
"""The namespace of a store's own words; see `memoir.memory.store_lexicon`."""
MEMOIR_NAMESPACES = (TAXONOMY_NAMESPACE, LAYERS_NAMESPACE, LEXICON_NAMESPACE)
"""The namespaces reserved for memoir: they hold no memories, and nothing counts or searches them."""
INSIGHTS_SUFFIX = ":insights"
"""The suffix of a layer of insights."""
RAW_SUFFIX = ":raw"
"""The suffix of a layer of segments."""
SOURCES = "sources"
"""The first segment of all paths in that layer."""
MAX_SEGMENTS = 8
MAX_KEY_BYTES = 240
MARK = "#"
"""The mark before the id of a memory or a passage in an address."""
ID_DIGITS = 8
"""The hexadecimal digits of an id, as many as git shows of a commit's."""
PASSAGE_ID = r"p[1-9]\d{0,5}(?:-[1-9]\d{0,5})?"
"""The id of a passage of a segment, or of several: `p2`, `p2-4` (see `memoir.memory.passages`)."""
SHORTENED = "~"
"""In the key of a passage, the placeholder for a beginning that recall has shown before."""


class Address(NamedTuple):
    """A validated namespace and path."""

    namespace: str
    path: str

    @property
    def key(self) -> bytes:
        """The store key."""
        return f"{self.namespace}={self.path}".encode()

    @property
    def full_key(self) -> str:
        """`namespace:path`, which `address` reads back."""
        return f"{self.namespace}:{self.path}"

    @property
    def short_key(self) -> str:
        """The shortest form that `address` reads back: only the path in the default namespace."""
        return self.path if self.namespace == DEFAULT_NAMESPACE else self.full_key

    def is_under(self, prefix: "Address") -> bool:
        """Whether this is a prefix, or a path below it."""
        return self.namespace == prefix.namespace and f"{self.path}.".startswith(f"{prefix.path}.")

    @property
    def may_be_insight(self) -> bool:
        """Whether an insight may be here; only the memory shows whether it is one."""
        return self.namespace.endswith(INSIGHTS_SUFFIX)


def address(text: str, namespace: str = DEFAULT_NAMESPACE) -> Address:
    """Read `path`, or `namespace:path` (the namespace may itself hold colons).

    Raises:
        InvalidInput: the text is malformed; the error gives the reason and, if obvious, the corrected path.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"a key has to be a text, not {text!r:.60}", 'give each key by itself: "a.b", "c.d"')
    name, colon, path = text.rpartition(":")
    place = Address(check_namespace(name if colon else namespace), check_path(path))
    if len(place.key) > MAX_KEY_BYTES:
        raise InvalidInput(
            f"too long: namespace and path have {len(place.key)} bytes, {MAX_KEY_BYTES} are allowed",
            "shorten a segment",
        )
    return place


def only(namespaces: Sequence[str]) -> str:
    """The default namespace for keys without one: the only one given, else `default`."""
    return namespaces[0] if len(namespaces) == 1 else DEFAULT_NAMESPACE


def address_among(key: str, namespaces: Sequence[str]) -> Address:
    """The address of a key: a full key, or a path in the only namespace given, else in the default one."""
    return address(key, only(namespaces))


class LookAlike(InvalidInput):
    """A new address that could be mistaken for another."""


def check_new(address: Address) -> Address:
    """Return an address if it could not be mistaken for another. Only new addresses are checked.

    Raises:
        LookAlike: it could be mistaken for another; the error names the characters.
    """
    if problem := confusion(address):
        raise LookAlike(f"{address.short_key!r} could be taken for another path: {problem[0]}", problem[1])
    return address


def confusion(address: Address) -> tuple[str, str] | None:
    """Why an address could be mistaken for another, and a hint; None if it could not."""
    if problem := look_alike(address.path):
        return problem
    return None if address.namespace.isascii() else look_alike(f"{address.namespace}:{address.path}")


def look_alike(path: str) -> tuple[str, str] | None:
    """Why a path could be mistaken for another, and a hint; None if it could not."""
    if path.isascii():
        return None
    from memoir.taxonomy.lookalikes import problem

    return problem(path)


def from_key(key: bytes) -> Address:
    """The address of a store key."""
    namespace, _, path = key.decode("utf-8", "replace").partition("=")
    return Address(namespace, path)


_AS_OF = r"[\w.-]+@(?:\{.*\}|HEAD.*|.*[~^]\d*|yesterday|today|\d{4}-\d\d-\d\d.*)"
"""A path at a revision or a date, as git's users write it."""
_OLDER = "for an older version: memoir get KEY --at REVISION, or --at DATE; 'memoir blame KEY' lists them"
_FORM = "a path is words with dots between them, such as preferences.coding"


def check_path(path: str) -> str:
    """Return the path if it is well-formed.

    Raises:
        InvalidInput: it is not; the error has the reason and, if it is obvious, the corrected path.
    """
    segments = path.split(".")
    if len(segments) <= MAX_SEGMENTS and all(map(_is_plain_ascii, segments)):
        return path
    if "#" in path:
        raise InvalidInput(f"not a path: {path!r} names one memory", "leave out '#' and what follows")
    if reason := _path_problem(path):
        correction = _correct(path)
        hint = f"did you mean {correction!r}?" if correction else _FORM
        raise InvalidInput(f"not a path: {path!r}: {reason}", _OLDER if re.fullmatch(_AS_OF, path) else hint)
    return path


def check_namespace(namespace: str) -> str:
    """Return the namespace if it is well-formed.

    Raises:
        InvalidInput: it is not; the error has the reason.
    """
    if _is_plain_ascii(namespace):
        return namespace
    if reason := _segment_problem(namespace, ":@"):
        hint = _OLDER if re.search("[~^]", namespace) else "letters, digits, '_', '-', ':' and '@' are allowed"
        raise InvalidInput(f"not a namespace: {namespace!r}: {reason}", hint)
    return namespace


@lru_cache(maxsize=1024)
def _is_plain_ascii(segment: str) -> bool:
    """Whether a segment is valid ASCII, as most are; others need a slower check."""
    letters = segment.replace("-", "").replace("_", "")
    return segment.isascii() and segment[:1] != "-" and (letters.isalnum() or (not letters and "_" in segment))


def _path_problem(path: str) -> str | None:
    if not path:
        return "it is empty"
    segments = path.split(".")
    if len(segments) > MAX_SEGMENTS:
        return f"it has {len(segments)} segments, {MAX_SEGMENTS} are allowed"
    return next((problem for segment in segments if (problem := _segment_problem(segment))), None)


def _segment_problem(segment: str, also: str = "") -> str | None:
    import unicodedata

    if not segment:
        return "a segment is empty"
    try:
        segment.encode()
    except UnicodeEncodeError:
        return "it is not valid Unicode"
    for position, char in enumerate(segment):
        if not _is_allowed(unicodedata.category(char), char, first=position == 0, also=also):
            return f"{char!r} cannot {'begin' if position == 0 and char in '-' + also else 'be in'} a segment"
    if not unicodedata.is_normalized("NFC", segment):
        return "it is not in Unicode's composed form (NFC)"
    return None


def _is_allowed(category: str, char: str, *, first: bool, also: str) -> bool:
    """Whether a character may be in a segment: letters and digits of any script; after the first, vowel marks."""
    if category[0] == "L" or category == "Nd" or char == "_":
        return True
    return not first and (category[0] == "M" or char == "-" or char in also)


def _correct(path: str) -> str | None:
    """The probably intended path: slashes become dots, blanks underscores, other characters are removed.

    Segments beyond the maximum are joined to the last one.
    """
    import unicodedata

    text = unicodedata.normalize("NFC", path.encode("utf-8", "ignore").decode())
    text = re.sub(r"[\s]+", "_", re.sub(r"[/\\:.]+", ".", text.strip()))
    text = "".join(c for c in text if c == "." or _is_allowed(unicodedata.category(c), c, first=False, also=""))
    segments = [name for segment in text.split(".") if (name := segment.lstrip("-"))]
    if len(segments) > MAX_SEGMENTS:
        segments[MAX_SEGMENTS - 1 :] = ["_".join(segments[MAX_SEGMENTS - 1 :])]
    correction = ".".join(segments)
    return correction if correction and not _path_problem(correction) else None


_DIGITS = 20


def sequence_of(address: Address) -> str:
    """The name of a path's sequence: paths that follow each other, such as the turns of a conversation.

    Siblings are in one sequence if their last segments differ only in numbers: `turn_1`, `turn_2`, or days. Siblings
    with different names, such as `testing` and `style`, are not; then only memories of the same path are neighbours.
    """
    parent, _, last = address.path.rpartition(".")
    pattern = re.sub(r"\d+", "#", last)
    return f"{address.namespace}={parent}.{pattern}" if pattern != last else f"{address.namespace}={address.path}"


def sort_key(path: str) -> str:
    """The sort key of a path in a sequence, with numbers compared as numbers: `turn_2` before `turn_10`."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(_DIGITS), path)


_WILD = "*?["


def literal_prefix(glob: str) -> str:
    """The string that every match begins with: the part before the first wildcard."""
    return glob[: next((at for at, character in enumerate(glob) if character in _WILD), len(glob))]


def is_glob(text: str) -> bool:
    """Whether a string contains a wildcard."""
    return literal_prefix(text) != text


def is_prefix_glob(glob: str) -> bool:
    """Whether the glob is a literal and a final `*`, so that it matches exactly one key range."""
    return glob == literal_prefix(glob) + "*"


def common_prefix(globs: Sequence[str]) -> str:
    """The longest string that every match of any of the globs begins with."""
    prefixes = [literal_prefix(glob) for glob in globs]
    shortest, longest = min(prefixes, default=""), max(prefixes, default="")
    length = next((i for i, (a, b) in enumerate(zip(shortest, longest, strict=False)) if a != b), len(shortest))
    return shortest[:length]


def matcher(globs: Sequence[str]) -> Callable[[str], bool]:
    """A test whether any glob matches a path; without globs, every path matches.

    Raises:
        InvalidInput: a glob addresses one memory or names a namespace, so that no path can match.
    """
    if not globs:
        return lambda path: True
    pattern = re.compile("|".join(fnmatch.translate(_check_glob(glob)) for glob in globs))
    return lambda path: pattern.match(path) is not None


def _check_glob(glob: str) -> str:
    if "#" in glob or glob.startswith("~"):
        raise InvalidInput(f"not a pattern of paths: {glob!r} names one memory", f"'memoir get {glob}' reads it")
    _, colon, path = glob.rpartition(":")
    if colon:
        hint = f"write the path alone: {path!r}; -n chooses a namespace"
        raise InvalidInput(f"not a pattern of paths: {glob!r} names a namespace", hint)
    return glob


class MemoryAddress(NamedTuple):
    """A path and the beginning of a memory's id there; without an id, all memories at the path."""

    place: Address
    id: str = ""

    @property
    def namespace(self) -> str:
        """The namespace of the path."""
        return self.place.namespace

    @property
    def path(self) -> str:
        """The path, without the id."""
        return self.place.path

    @property
    def full_key(self) -> str:
        """`namespace:path`, or `namespace:path#id`; `memory_address` reads it back."""
        return self.place.full_key + self._suffix

    @property
    def short_key(self) -> str:
        """The shortest form that `memory_address` reads back; that of a passage omits the default layer."""
        if self.names_passage and self.namespace == DEFAULT_NAMESPACE + RAW_SUFFIX:
            return self.label
        return self.place.short_key + self._suffix

    @property
    def label(self) -> str:
        """The path, with the id if there is one, as in messages of commits."""
        return self.path + self._suffix

    @property
    def names_passage(self) -> bool:
        """Whether the id is that of a passage."""
        return self.id.startswith("p")

    @property
    def names_memory(self) -> bool:
        """Whether the id is that of one memory among several at its path."""
        return bool(self.id) and not self.names_passage

    @property
    def _suffix(self) -> str:
        return MARK + self.id if self.id else ""


def memory_address(text: str, namespace: str = DEFAULT_NAMESPACE) -> MemoryAddress:
    """Read `path`, `namespace:path`, or one of them with `#id`.

    Raises:
        InvalidInput: the address or the id is malformed.
    """
    key, mark, identity = text.partition(MARK)
    if mark and not re.fullmatch(f"[0-9a-fA-F]{{1,{ID_DIGITS}}}|{PASSAGE_ID}", identity):
        raise InvalidInput(
            f"not the id of a memory: {identity!r}: an id is 1 to {ID_DIGITS} digits, 0 to 9 and a to f",
            f"'memoir get {key}' shows the ids of the memories there" if key else None,
        )
    if identity.startswith("p") and ":" not in key and not namespace.endswith(RAW_SUFFIX):
        namespace += RAW_SUFFIX
    return MemoryAddress(address(key, namespace), identity.lower())
