"""The folder of a project in which something was said, so that "here" can be understood elsewhere."""

import re
from pathlib import Path

from memoir.store.locate import DIRECTORY

_PLAIN = re.compile(r"[\w@.][\w@.+/-]{0,79}")
"""A short plain path, in which no sentence can be hidden."""


def part_of_project(folder: str) -> str:
    """The path of a folder below its project's root, such as `packages/web`; empty for the root or without a project.

    The root is that of the git checkout, or the folder that holds the store.
    """
    here = Path(folder).resolve()
    roots = (each for each in (here, *here.parents) if (each / ".git").exists() or (each / DIRECTORY).exists())
    root = next(roots, here)
    part = here.relative_to(root).as_posix()
    return part if root != here and _PLAIN.fullmatch(part) else ""


def with_part(content: str, part: str) -> str:
    """Add the folder to a text that says "here" or "this package"."""
    if not part:
        return content
    from memoir.english.lasting.session_phrases import (
        HERE,  # imported only in reviews, so that hooks compile no patterns
    )

    return f"{content.rstrip('.')} (in {part})" if HERE.search(content) else content
