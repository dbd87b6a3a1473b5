"""The part of a project in which something was said: what "here" means, once it is read elsewhere."""

import re
from functools import cache
from pathlib import Path

from memoir.store.locate import DIRECTORY

_PLAIN = re.compile(r"[\w@.][\w@.+/-]{0,79}")
"""A path in which nobody can hide a sentence."""


def part_of_project(folder: str) -> str:
    """The path of a folder below the root of its project, as in `packages/web`; empty if it is the root, or has none.

    The root is that of the git checkout, or the folder that holds the store.
    """
    place = Path(folder).resolve()
    roots = (each for each in (place, *place.parents) if (each / ".git").exists() or (each / DIRECTORY).exists())
    root = next(roots, place)
    part = place.relative_to(root).as_posix()
    return part if root != place and _PLAIN.fullmatch(part) else ""


def with_part(content: str, part: str) -> str:
    """What was said, with the part of the project where it says "here" or "this package"."""
    return f"{content.rstrip('.')} (in {part})" if part and _here().search(content) else content


@cache
def _here() -> "re.Pattern[str]":
    """What points at a place; it is compiled for a review, and not by the hook at each prompt."""
    from memoir.english.patterns import anywhere

    return anywhere(
        r"""
        (?<!from )here(?! (?:is|are|you|we|and|goes|comes|to)\b|['’]s|\()
        this (?:app|component|crate|folder|directory|library|lib|module|package|service|subproject|workspace)
        """
    )
