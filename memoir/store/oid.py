"""Object ids: one type for the ids of commits, trees and values.

An id is kept as its bytes. Hexadecimal is only for the outside: git's input and output, JSON, logs, and revisions.
`Oid.fromhex` reads it, and `hex`, `str` and f-strings write it.
"""


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
