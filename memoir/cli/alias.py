"""Commands of the user's own: after `memoir config alias.r 'recall -l 3'`, `memoir r` is that.

Only the user's configuration counts. One that came with a store could make a mistyped word do anything.
"""

import re
import shlex
from collections.abc import Collection
from contextlib import suppress

from memoir.errors import GitError, InvalidInput
from memoir.git.git import plain
from memoir.settings import ALIAS


def expansion(name: str) -> list[str] | None:
    """Return the words that an alias stands for; None if there is no such alias."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name):
        return None
    with suppress(GitError, ValueError):
        result = plain("config", "--global", "--get", ALIAS.key_of(name))
        return shlex.split(result.stdout.decode("utf-8", "replace")) or None
    return None


def check(name: str, value: str, commands: Collection[str]) -> None:
    """Refuse an alias that has the name of a command, or does not begin with one.

    Raises:
        InvalidInput: it is such an alias.
    """
    if name in commands:
        raise InvalidInput(f"{name!r} is a command, so no alias can have this name", "choose another name")
    try:
        first = shlex.split(value)[:1]
    except ValueError as error:
        raise InvalidInput(f"not a command line: {value!r}: {error}") from error
    if not first or first[0] not in commands:
        raise InvalidInput(f"an alias must begin with a command, not {value!r}", "memoir config alias.r 'recall -l 3'")
