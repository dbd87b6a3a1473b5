"""Objects: one type for the ids of commits, trees and values, and how large an object may be.

An id is kept as its bytes. Hexadecimal is only for the outside: git's input and output, JSON, logs, and revisions.
`Oid.fromhex` reads it, and `hex`, `str` and f-strings write it.
"""

MAX_VALUE_BYTES = 256 << 20
"""A larger value is never written, refused when it comes from elsewhere, and never read.

A small pack may hold one: there, a value can take a thousandth of its size.
"""


class Oversize(bytes):
    """Stands for the content of an object that was left unread: empty, and so no record; `size` is what it takes."""

    size: int

    @classmethod
    def of(cls, size: int) -> "Oversize":
        """The stand-in for an object of some size."""
        stand_in = cls()
        stand_in.size = size
        return stand_in

    @property
    def reason(self) -> str:
        """The reason why the object is not read."""
        return f"it takes {self.size:,} bytes, {MAX_VALUE_BYTES:,} are allowed"


class Oid(bytes):
    """The id of a git object: 20 bytes in a SHA-1 repository, 32 in a SHA-256 one."""

    __slots__ = ()

    @property
    def short(self) -> str:
        """The first eight hexadecimal digits, as people are shown them."""
        return self.hex()[:8]

    def __str__(self) -> str:
        return self.hex()

    def __repr__(self) -> str:
        return f"Oid({self.hex()!r})"

    def __format__(self, spec: str) -> str:
        return format(self.hex(), spec)
