"""SHA-1, SHA-256 and BLAKE2b without OpenSSL.

`hashlib` loads OpenSSL when it is imported, which takes longer than all the hashing of a write. Python's
own implementations come first, as they do in the standard library's `random`.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def _first_of(name: str, *modules: str) -> Callable[..., Any]:
    """The algorithm of a name, from the first of some modules that there is; most commands need one of them."""
    for module in modules:
        try:
            algorithm: Callable[..., Any] = getattr(import_module(module), name)
        except ImportError:
            continue
        return algorithm
    raise ImportError(name)


def sha1(data: bytes) -> bytes:
    """The SHA-1 digest, 20 bytes. It names objects as git does; nothing relies on it to resist forgery."""
    return bytes(_first_of("sha1", "_sha1", "hashlib")(data).digest())


def sha256(data: bytes) -> bytes:
    """The SHA-256 digest, 32 bytes."""
    return bytes(_first_of("sha256", "_sha2", "_sha256", "hashlib")(data).digest())


def blake2b(data: bytes, *, key: bytes = b"", size: int = 32) -> bytes:
    """The BLAKE2b digest, `size` bytes long; with a key, only its holder can compute it."""
    return bytes(_first_of("blake2b", "_blake2", "hashlib")(data, key=key, digest_size=size).digest())
