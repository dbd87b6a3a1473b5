"""The reasons why a host does not run hooks that are installed."""

import os
import tomllib
from contextlib import suppress
from pathlib import Path

TRUST = "installed, but not yet trusted: open /hooks in Codex once"
"""A step that only the user can take."""


def trouble(host: str, file: Path) -> str | None:
    """Return what a user must do before a host runs the hooks of a file; None if nothing is known."""
    if host == "codex" and file.name == "hooks.json" and not _is_trusted(file):
        return TRUST
    return None


def _is_trusted(file: Path) -> bool:
    """Whether Codex has a record of trust for hooks of a file."""
    folder = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    with suppress(OSError, ValueError, AttributeError, RecursionError):
        state = tomllib.loads(Path(folder, "config.toml").read_text("utf-8")).get("hooks", {}).get("state", {})
        return any(name.startswith(f"{file}:") and entry.get("trusted_hash") for name, entry in state.items())
    return False
