"""The reasons why a host does not run hooks that are installed."""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

TRUST = "installed, but not yet trusted: open /hooks in Codex once"
"""A step that only the user can take."""


def trouble(host: str, file: Path) -> str | None:
    """Return what a user must do before a host runs the hooks of a file; None if nothing is known."""
    if host == "codex" and file.name == "hooks.json" and not _is_trusted(file):
        return TRUST
    return None


def _is_trusted(file: Path) -> bool:
    """Whether Codex has a record of trust for each hook of memoir in a file."""
    folder = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        state = tomllib.loads(Path(folder, "config.toml").read_text("utf-8"))["hooks"]["state"]
        names = _names(json.loads(file.read_text("utf-8"))["hooks"])
        return all(state.get(f"{file}:{name}", {}).get("trusted_hash") for name in names)
    return False


def _names(hooks: dict[str, Any]) -> Iterator[str]:
    """Codex' names for the hooks of memoir: the event, and the numbers of the group and of the handler in it."""
    for event, groups in hooks.items():
        for number, group in enumerate(groups):
            for place, handler in enumerate(group["hooks"]):
                if "memoir' hook codex " in handler.get("command", ""):
                    yield f"{re.sub('(?<!^)(?=[A-Z])', '_', event).lower()}:{number}:{place}"
