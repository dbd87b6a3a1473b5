"""Disk use as `du` counts it: allocated blocks, directories included."""

import os
from pathlib import Path


def bytes_on_disk(folder: Path) -> int:
    """The bytes allocated to a folder and all below it; a file with several links counts once."""
    sizes: dict[tuple[int, int], int] = {}
    for parent, _, files in os.walk(folder):
        for name in (".", *files):
            about = os.lstat(os.path.join(parent, name))
            sizes[about.st_dev, about.st_ino] = about.st_blocks * 512
    return sum(sizes.values())


def megabytes(size: float) -> str:
    """`1.35 MB`, a megabyte being a million bytes."""
    return f"{size / 1e6:,.2f} MB" if size < 1e7 else f"{size / 1e6:,.0f} MB"
