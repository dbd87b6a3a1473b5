"""The user's folder for what memoir keeps between calls and cannot make again: captures and the log of hooks."""

import os
from pathlib import Path


def folder() -> Path | None:
    """The folder for memoir in the user's state directory, or None if there is no saying where that is."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base, "memoir") if os.path.isabs(base) else None


def make(place: Path) -> None:
    """Make a folder in there. Whatever the umask, only its user may write to it and to what leads to it.

    Whoever may write to a folder above could put another one in its place.
    """
    own = folder()
    for each in reversed((place, *place.parents)):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
        elif own and each.is_relative_to(own) and each.stat().st_mode & 0o022:
            each.chmod(0o700)
