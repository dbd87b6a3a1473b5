"""Whether memoir's plugin is installed in a host, which then has its hooks already."""

import json
import os
from contextlib import suppress
from pathlib import Path

_FILES = {"claude": ("CLAUDE_CONFIG_DIR", "~/.claude", "plugins/installed_plugins.json")}


def plugin_of(host: str) -> str | None:
    """Return the name of memoir's plugin if a host has it."""
    if host not in _FILES:
        return None
    variable, usual, file = _FILES[host]
    with suppress(OSError, ValueError, AttributeError, RecursionError):
        text = Path(os.path.expanduser(os.environ.get(variable) or usual), file).read_text("utf-8")
        plugins = json.loads(text).get("plugins", {})
        return next((name for name in plugins if name.partition("@")[0] == "memoir" and plugins[name]), None)
    return None
