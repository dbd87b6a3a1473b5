"""Words that are near in meaning: a question may have the one, and a memory the other.

The list was made from a model's vectors of single words (`scripts/distil.py`), so it has opposites and words for the
same sort of thing as well.
"""

import mmap
from bisect import bisect_left
from functools import cache
from pathlib import Path

from memoir.errors import MemoirError

FILE = Path(__file__).with_name("synonyms.txt")
"""Sorted lines: a word in small letters, and its synonyms, the nearest first. None is a form of another in its line."""


def synonyms(word: str) -> list[str]:
    """The synonyms of a word in small letters, the nearest first; most rare words have none.

    Raises:
        MemoirError: the list is missing or empty.
    """
    data, key = _data(), word.encode("utf-8", "replace") + b" "

    def beginning(place: int) -> bytes:
        start = data.rfind(b"\n", 0, place) + 1  # of the line that has the place
        return data[start : start + len(key)]

    at = bisect_left(range(len(data)), key, key=beginning)
    return data[at : data.find(b"\n", at)].decode().split()[1:] if data[at : at + len(key)] == key else []


@cache
def _data() -> mmap.mmap:
    try:
        with FILE.open("rb") as source:
            return mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as reason:  # an empty file cannot be mapped
        raise MemoirError(f"the list of synonyms cannot be read: {reason}", "install memoir again") from reason
