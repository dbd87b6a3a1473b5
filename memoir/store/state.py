"""The user's folder for what memoir keeps between calls and cannot make again: captures and the log of hooks."""

import os
from pathlib import Path


def folder() -> Path | None:
    """The folder for memoir in the user's state directory, or None if there is no saying where that is."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base, "memoir") if os.path.isabs(base) else None
