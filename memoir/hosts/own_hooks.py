"""Whether a host's own configuration has memoir's hooks: then a plugin's stay silent, and nothing comes twice."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LARGEST = 4 << 20


def are_set_up(host: str, event: str, folder: str) -> bool:
    """Whether `memoir setup` has written a hook for an event where the host reads it in a folder.

    The file is only searched for the command: a hook has no time to parse what it does not own.
    """
    command = f" hook {host} {event} ".encode()
    for path in _files(host, folder):
        if not path.is_file():  # a FIFO would keep the hook waiting
            continue
        with suppress(OSError), path.open("rb") as file:
            if any(b"/memoir" in line and command in line for line in file.read(_LARGEST).splitlines()):
                return True
    return False


def _files(host: str, folder: str) -> Iterator[Path]:
    home = os.path.expanduser("~")
    if host == "claude":
        yield Path(os.environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude", "settings.json")
        project = os.environ.get("CLAUDE_PROJECT_DIR") or folder
        for name in ("settings.json", "settings.local.json") if project else ():
            yield Path(project, ".claude", name)
    elif host == "codex":
        yield Path(os.environ.get("CODEX_HOME") or f"{home}/.codex", "hooks.json")
        if folder:
            yield Path(folder, ".codex", "hooks.json")
