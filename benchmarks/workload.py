"""The memories that the benchmarks store: the same on every run, about 100 characters of words each."""

import json
import random
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

_AREAS = ("preferences", "project", "knowledge", "workflow", "people", "profile", "decisions", "environment")
_TOPICS = ("coding", "testing", "review", "release", "design", "team", "tools", "style", "data", "security", "docs")
_TEXT = (
    "the team prefers short functions over long ones and reviews every change before it is merged because tests "
    "found most mistakes early last spring when releases went out on fridays without a second look at the logs or "
    "at what users had reported about slow queries broken links missing translations and confusing error messages"
)


class Memory(NamedTuple):
    """A path and what is known there."""

    path: str
    content: str

    def as_json(self) -> str:
        """One line, as `memoir import` reads it."""
        return json.dumps(self._asdict())


def memories(many: int, branch: str = "") -> list[Memory]:
    """Distinct memories in eight areas; `branch` is put in front of the last segment, to make further ones."""
    return list(islice(_endless(branch), many))


def _endless(branch: str) -> Iterator[Memory]:
    dice = random.Random(20261121)
    words = _TEXT.split()
    for number in count():
        path = f"{dice.choice(_AREAS)}.{dice.choice(_TOPICS)}.{branch}note_{number}"
        yield Memory(path, " ".join(dice.choices(words, k=17)))


def changes(many: int) -> list[Memory]:
    """Changes to the first memories: every other one rewrites one of them, the rest are new."""
    old, new = memories(many), memories(many, "late_")
    return [Memory(a.path, b.content) if i % 2 == 0 else b for i, (a, b) in enumerate(zip(old, new, strict=True))]


def save(lines: Iterable[Memory], file: Path) -> Path:
    """Write memories as JSON lines."""
    file.write_text("".join(memory.as_json() + "\n" for memory in lines))
    return file
