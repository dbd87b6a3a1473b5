"""The part of a project in which something was said: what "here" means, once it is read elsewhere."""

import re
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
    if not part:
        return content
    from memoir.english.session_phrases import HERE  # for a review: the hook at each prompt compiles no patterns

    return f"{content.rstrip('.')} (in {part})" if HERE.search(content) else content
