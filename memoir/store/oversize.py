"""Objects that are too large to be read: packed, one may have been a thousand times smaller."""

MAX_VALUE_BYTES = 256 << 20
"""A larger value is never written, refused when it comes from elsewhere, and never read."""


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
