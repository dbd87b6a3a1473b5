"""Find in a host's own files what an earlier setup added.

The files also tell whether the host runs these hooks, and whether it has memoir's plugin, which has hooks as well.
"""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from memoir.errors import InvalidInput
from memoir.hosts.dialects import HOSTS
from memoir.hosts.setup import host_files
from memoir.hosts.setup.host_texts import Permissions
from memoir.hosts.setup.pieces import Hook, Piece, Server, TextBlock, TomlBlock, Whole, remove_all
from memoir.hosts.setup.recipes import MEMORY_MD, RECIPES, TOOL_OPTIONS, Scope, Wish, everything

TRUST = "installed, but not yet trusted: open /hooks in Codex once"
"""Why Codex does not run hooks that are installed: a step that only the user can take."""


def trouble(host: str, file: Path) -> str | None:
    """Return what the user must do before a host runs the hooks of a file; None if nothing."""
    if host == "codex" and file.name == "hooks.json" and not _is_trusted(file):
        return TRUST
    return None


def _is_trusted(file: Path) -> bool:
    """Whether Codex has recorded its user's trust in each of memoir's hooks in a file."""
    folder = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        state = tomllib.loads(Path(folder, "config.toml").read_text("utf-8"))["hooks"]["state"]
        names = _hook_names(json.loads(file.read_text("utf-8"))["hooks"])
        return all(state.get(f"{file}:{name}", {}).get("trusted_hash") for name in names)
    return False


def _hook_names(hooks: dict[str, Any]) -> Iterator[str]:
    """Codex' names for memoir's hooks: the event, the number of the group, and that of the handler in it."""
    for event, groups in hooks.items():
        for number, group in enumerate(groups):
            for position, handler in enumerate(group["hooks"]):
                if "memoir' hook codex " in handler.get("command", ""):
                    yield f"{re.sub('(?<!^)(?=[A-Z])', '_', event).lower()}:{number}:{position}"


def plugin_of(host: str) -> str | None:
    """Return the name of memoir's plugin if a host has installed it, with its hooks; only Claude Code tells."""
    if host != "claude":
        return None
    folder = os.environ.get("CLAUDE_CONFIG_DIR") or "~/.claude"
    with suppress(OSError, ValueError, AttributeError, RecursionError):
        text = Path(os.path.expanduser(folder), "plugins/installed_plugins.json").read_text("utf-8")
        plugins = json.loads(text).get("plugins", {})
        return next((name for name in plugins if name.partition("@")[0] == "memoir" and plugins[name]), None)
    return None


_PROMPT = re.compile(r" hook \w+ \w+ (--recall|--nudge) |^const options = \[\"(--recall|--nudge)\"\]", re.MULTILINE)


_STEP = re.compile(rf" hook \w+ \w+ {MEMORY_MD} ")


_STORE = re.compile(r'"mcp",\s*"--store",\s*("(?:[^"\\]|\\.)*")')


def find(host: str, scope: Scope) -> Wish:
    """The setup that the host's files show; a file that cannot be read counts as one without memoir."""
    kinds, prompt, memory_md, tools, store = set[str](), None, False, set[str](), None
    for part in RECIPES[host].parts(everything(Wish("/memoir", scope))):
        text = host_files.text_of(RECIPES[host], part)
        pieces = host_files.own_pieces(RECIPES[host], part, text)
        there = {kind for piece in pieces if (kind := _kind(piece)) and _is_in(text, piece)}
        if "hooks" in there and (match := _PROMPT.search(text)):
            prompt = match[1] or match[2]
        memory_md |= "hooks" in there and bool(_STEP.search(text))
        if "hooks" in there and host in HOSTS:
            tools |= {kind for event, kind in HOSTS[host].events.items() if f" hook {host} {event} " in text}
        if "mcp" in there and (match := _STORE.search(text)):
            store = json.loads(match[1])
        kinds |= there
    options = frozenset(tools.intersection(TOOL_OPTIONS))
    return Wish(
        "/memoir", scope, start="hooks" in kinds, prompt=prompt, tools=options, memory_md=memory_md, mcp="mcp" in kinds,
        allow="allow" in kinds, store=store,
    )  # fmt: skip


def find_scopes(host: str) -> list[Scope]:
    """The scopes in which a host is set up."""
    return [scope for scope in RECIPES[host].scopes if (found := find(host, scope)).start or found.mcp]


def _kind(piece: Piece) -> str | None:
    if isinstance(piece, Permissions) or (isinstance(piece, Whole) and not piece.command):
        return "allow"
    if isinstance(piece, Server | TomlBlock):
        return "mcp"
    return "hooks" if isinstance(piece, Hook | TextBlock | Whole) else None


def _is_in(text: str, piece: Piece) -> bool:
    try:
        return bool(text) and remove_all([piece], text) != text
    except InvalidInput:
        return False
