"""Object ids, the size limit of objects, and digests.

An id is stored as bytes. Hexadecimal is used only outside: git's input and output, JSON, logs and revisions.
`Oid.fromhex` reads it; `hex`, `str` and f-strings write it.

Digests are computed without OpenSSL, because importing `hashlib` loads it, which takes longer than all hashing of a
write. Python's own modules are tried first, as in the standard library's `random`.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

MAX_VALUE_BYTES = 256 << 20
"""The most bytes of a value. A larger one is never written or read, and refused in foreign commits.

A small pack can contain a huge value, compressed to a thousandth of its size.
"""


class Unread(bytes):
    """A stand-in for the content of an object that is not returned: empty, so not a record; `reason` says why."""

    reason: str

    @classmethod
    def of(cls, reason: str) -> "Unread":
        """The stand-in for an object with a fault."""
        stand_in = cls()
        stand_in.reason = reason
        return stand_in

    @classmethod
    def of_size(cls, size: int) -> "Unread":
        """The stand-in for an object that is too large."""
        return cls.of(f"it takes {size:,} bytes, {MAX_VALUE_BYTES:,} are allowed")


class Oid(bytes):
    """The id of a git object: 20 bytes in a SHA-1 repository, 32 in a SHA-256 one."""

    __slots__ = ()

    @property
    def short(self) -> str:
        """The first eight hexadecimal digits, for people."""
        return self.hex()[:8]

    def __str__(self) -> str:
        return self.hex()

    def __repr__(self) -> str:
        return f"Oid({self.hex()!r})"

    def __format__(self, spec: str) -> str:
        return format(self.hex(), spec)


_MODULES = {"sha1": ("_sha1", "hashlib"), "sha256": ("_sha2", "_sha256", "hashlib"), "blake2b": ("_blake2", "hashlib")}


@cache
def algorithm(name: str) -> Callable[..., Any]:
    """`sha1`, `sha256` or `blake2b` as in `hashlib`, from the first module that has it."""
    for module in _MODULES[name]:
        try:
            found: Callable[..., Any] = getattr(import_module(module), name)
        except ImportError:
            continue
        return found
    raise ImportError(name)


def sha1(data: bytes | bytearray) -> bytes:
    """The SHA-1 digest, 20 bytes, used for ids as in git; no security relies on it."""
    return bytes(algorithm("sha1")(data).digest())


def sha256(data: bytes | bytearray) -> bytes:
    """The SHA-256 digest, 32 bytes."""
    return bytes(algorithm("sha256")(data).digest())


def blake2b(data: bytes, *, key: bytes = b"", size: int = 32) -> bytes:
    """The BLAKE2b digest, `size` bytes long; with a key, only its holder can compute it."""
    return bytes(algorithm("blake2b")(data, key=key, digest_size=size).digest())


def object_id(hasher: Callable[[bytes], bytes], kind: str, data: bytes) -> Oid:
    """The id that git gives an object: a digest of its kind, its size and its data."""
    return Oid(hasher(b"%s %d\0" % (kind.encode(), len(data)) + data))
