"""Commands of the user's own: after `memoir config alias.r 'recall -l 3'`, `memoir r` is that.

Only the user's configuration counts. One that came with a store could make a mistyped word do anything.
"""

import re
import shlex
from collections.abc import Collection
from contextlib import suppress

from memoir.errors import GitError, InvalidInput
from memoir.settings import ALIAS
from memoir.store.git import plain


def expansion(name: str) -> list[str] | None:
    """The words that an alias stands for; None if it is none."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name):
        return None
    with suppress(GitError, ValueError):
        found = plain("config", "--global", "--get", ALIAS.named(name))
        return shlex.split(found.stdout.decode("utf-8", "replace")) or None
    return None


def check(name: str, value: str, commands: Collection[str]) -> None:
    """Refuse an alias that would never be asked for, or that begins with no command.

    Raises:
        InvalidInput: it is such a one.
    """
    if name in commands:
        raise InvalidInput(f"{name!r} is a command, and an alias cannot stand for it", "choose another name")
    try:
        first = shlex.split(value)[:1]
    except ValueError as error:
        raise InvalidInput(f"not a command line: {value!r}: {error}") from None
    if not first or first[0] not in commands:
        raise InvalidInput(f"an alias begins with a command, not {value!r}", "memoir config alias.r 'recall -l 3'")
