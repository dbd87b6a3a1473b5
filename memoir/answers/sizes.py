"""Sizes for people."""

_UNITS = ("kB", "MB", "GB", "TB")


def size(count: int) -> str:
    """`640 B`, `19.7 MB`: a number of bytes in the unit that leaves up to three digits before the point."""
    if count < 1000:
        return f"{count} B"
    number, unit = float(count), ""
    for unit in _UNITS:  # noqa: B007
        number /= 1000
        if number < 999.95:
            break
    return f"{number:.1f} {unit}"
