"""The hosts that `memoir setup` knows, as data: which files, and what goes into them.

Sources: the hosts' own documentation, read in August to November 2026. Timeouts are in each host's own unit.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from memoir.hosts.setup.pieces import Hook, JsonFields, Manual, Piece, Server, TextBlock, TomlBlock, Whole
from memoir.hosts.setup.texts import OPENCODE_PLUGIN, SECTION
from memoir.named_tuple import NamedTuple

Scope = Literal["global", "project"]
GLOBAL: Final = "global"
PROJECT: Final = "project"
GUARD = "2>/dev/null || true"
"""The end of a hook's command: no hook may disturb a session, not even if memoir is gone."""


_Events = list[tuple[str, list[str]]]
"""Events, each with the options of its hook."""


class Wish(NamedTuple):
    """The setup that a user wants for a host.

    Attributes:
        program: The absolute path of the `memoir` command.
        scope: `global` or `project`.
        hooks: Whether the host's hooks are wanted.
        mcp: Whether the MCP server is wanted.
        prompt: The option of the hook that answers prompts (`--recall`, `--nudge`); None: it answers nothing.
        store: The folder of the store that the MCP server is to serve; None: the project's.
    """

    program: str
    scope: Scope
    hooks: bool = True
    mcp: bool = False
    prompt: str | None = None
    store: str | None = None

    @property
    def server(self) -> list[str]:
        """The words that start the MCP server, after the program."""
        return ["mcp", *(["--store", self.store] if self.store else [])]


class FilePart(NamedTuple):
    """The pieces that go into one file; a file begins with `~/`, or is relative to the project."""

    file: str
    pieces: Sequence[Piece]


class Recipe(NamedTuple):
    """How one host is set up.

    Attributes:
        title: The host's name.
        parts: Makes the parts for a wish.
        scopes: The scopes that the host has.
        has_hooks: Whether it runs hooks; without them, there is only MCP or a file of rules.
        note: What the user must know or do afterwards.
        folders: Variables that move the host's folder, by the beginning of a file's path that each replaces.
    """

    title: str
    parts: Callable[[Wish], Sequence[FilePart]]
    scopes: Sequence[Scope] = (GLOBAL, PROJECT)
    has_hooks: bool = True
    note: str = ""
    folders: Mapping[str, str] = {}


def command(wish: Wish, host: str, event: str, *options: str, guard: str = GUARD) -> str:
    """The shell command of a hook. It has no version, so that what was trusted once stays trusted."""
    import shlex

    word = shlex.quote(wish.program)
    program = word if word.startswith("'") else f"'{word}'"
    return " ".join([program, "hook", host, event, *options, guard])


def _events(wish: Wish, start: str, prompt: str, *ends: str) -> _Events:
    """The events, by the host's names for them. Without an option a prompt is only kept, where capture is on."""
    return [(start, []), (prompt, [wish.prompt] if wish.prompt else []), *((end, []) for end in ends)]


def _hook_groups(wish: Wish, host: str, seconds: int) -> list[Piece]:
    """Hooks in the form of Claude Code: groups with a matcher, each with handlers."""
    matchers = {"SessionStart": {"matcher": "startup|resume|clear|compact"}}
    most = {"SessionEnd": 3}  # Codex takes no more
    hooks: list[Piece] = []
    for event, options in _events(wish, "SessionStart", "UserPromptSubmit", "Stop", "PostCompact", "SessionEnd"):
        limit = min(seconds, most.get(event, seconds))
        handler = {"type": "command", "command": command(wish, host, event, *options), "timeout": limit}
        hooks.append(Hook(("hooks", event), {**matchers.get(event, {}), "hooks": [handler]}))
    return hooks


def _server(wish: Wish, *path: str, **more: Any) -> Server:
    return Server((*path, "memoir"), {**more, "command": wish.program, "args": wish.server})


def _claude(wish: Wish) -> list[FilePart]:
    here = wish.scope == PROJECT
    settings = ".claude/settings.local.json" if here else "~/.claude/settings.json"
    hooks = FilePart(settings, _hook_groups(wish, "claude", 10))
    server = FilePart(".mcp.json" if here else "~/.claude.json", [_server(wish, "mcpServers", type="stdio")])
    return [hooks] * wish.hooks + [server] * wish.mcp


def _codex(wish: Wish) -> list[FilePart]:
    import json

    folder = ".codex" if wish.scope == PROJECT else "~/.codex"
    body = f"[mcp_servers.memoir]\ncommand = {json.dumps(wish.program)}\nargs = {json.dumps(wish.server)}"
    hooks = FilePart(f"{folder}/hooks.json", _hook_groups(wish, "codex", 10))
    return [hooks] * wish.hooks + [
        FilePart(f"{folder}/config.toml", [TomlBlock(("mcp_servers", "memoir"), body)])
    ] * wish.mcp


def _cursor(wish: Wish) -> list[FilePart]:
    folder = ".cursor" if wish.scope == PROJECT else "~/.cursor"
    events = _events(wish, "sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "sessionEnd")
    pieces: list[Piece] = [JsonFields({"version": 1})]
    pieces += [
        Hook(("hooks", event), {"command": command(wish, "cursor", event, *more), "timeout": 5})
        for event, more in events
    ]
    servers = FilePart(f"{folder}/mcp.json", [_server(wish, "mcpServers")])
    return [FilePart(f"{folder}/hooks.json", pieces)] * wish.hooks + [servers] * wish.mcp


def _gemini(wish: Wish) -> list[FilePart]:
    pieces: list[Piece] = []
    for event, options in _events(wish, "SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd") * wish.hooks:
        line = command(wish, "gemini", event, *options, guard="2>/dev/null; exit 0")
        handler = {"name": f"memoir:{event}", "type": "command", "command": line, "timeout": 5000}
        pieces.append(Hook(("hooks", event), {"hooks": [handler]}))
    pieces += [_server(wish, "mcpServers")] if wish.mcp else []
    return [FilePart(".gemini/settings.json" if wish.scope == PROJECT else "~/.gemini/settings.json", pieces)]


def _copilot(wish: Wish) -> list[FilePart]:
    events = _events(wish, "sessionStart", "userPromptSubmitted", "agentStop", "sessionEnd")
    pieces: list[Piece] = [JsonFields({"version": 1})]
    pieces += [
        Hook(
            ("hooks", event),
            {"type": "command", "bash": command(wish, "copilot", event, *more), "timeoutSec": 5},
        )
        for event, more in events
    ]
    server = _server(wish, "mcpServers", type="local", tools=["*"])
    return [FilePart("~/.copilot/hooks/memoir.json", pieces)] * wish.hooks + [
        FilePart("~/.copilot/mcp-config.json", [server])
    ] * wish.mcp


def _opencode(wish: Wish) -> list[FilePart]:
    import json

    here = wish.scope == PROJECT
    options = dict(_events(wish, "SessionStart", "UserPromptSubmit")).get("UserPromptSubmit")
    plugin = OPENCODE_PLUGIN.replace("PROGRAM", json.dumps(wish.program)).replace("OPTIONS", json.dumps(options))
    folder = ".opencode" if here else "~/.config/opencode"
    value = {"type": "local", "command": [wish.program, *wish.server], "enabled": True}
    config = "opencode.json" if here else f"{folder}/opencode.json"
    return [FilePart(f"{folder}/plugins/memoir.js", [Whole(plugin)])] * wish.hooks + [
        FilePart(config, [Server(("mcp", "memoir"), value)])
    ] * wish.mcp


def _vscode(wish: Wish) -> list[FilePart]:
    hooks: list[Piece] = [
        Hook(("hooks", event), {"type": "command", "command": command(wish, "vscode", event), "timeout": 5})
        for event, _ in _events(wish._replace(prompt=None), "SessionStart", "UserPromptSubmit", "Stop")
    ]
    server = FilePart(".vscode/mcp.json", [_server(wish, "servers", type="stdio")])
    return [FilePart(".github/hooks/memoir.json", hooks)] * wish.hooks + [server] * wish.mcp


def _mcp(user: str, project: str | None, *path: str, **more: Any) -> Callable[[Wish], Sequence[FilePart]]:
    """The recipe of a host that has MCP only."""

    def parts(wish: Wish) -> Sequence[FilePart]:
        file = project if wish.scope == PROJECT and project else user
        return [FilePart(file, [_server(wish, *path, **more)])]

    return parts


def _goose(wish: Wish) -> Sequence[FilePart]:
    words = ", ".join(wish.server)
    body = (
        f"extensions:\n  memoir:\n    name: memoir\n    type: stdio\n    enabled: true\n    cmd: {wish.program}\n"
        f"    args: [{words}]\n    timeout: 30"
    )
    return [FilePart("~/.config/goose/config.yaml", [Manual(body)])]


def _continue(wish: Wish) -> Sequence[FilePart]:
    words = ", ".join(wish.server)
    body = f"mcpServers:\n  - name: memoir\n    command: {wish.program}\n    args: [{words}]"
    return [FilePart("~/.continue/config.yaml", [Manual(body)])]


def _agents(wish: Wish) -> Sequence[FilePart]:
    return [FilePart("AGENTS.md", [TextBlock(SECTION, "<!-- memoir: begin -->", "<!-- memoir: end -->")])]


_TRUST = "Codex skips a hook until you trust it: open /hooks in Codex once."
_WRITES = "Codex's sandbox may keep its shell from writing the store; with --mcp, memoir writes outside the sandbox."

RECIPES: Mapping[str, Recipe] = {
    "claude": Recipe("Claude Code", _claude, folders={"~/.claude": "CLAUDE_CONFIG_DIR"}),
    "codex": Recipe("Codex", _codex, note=f"{_TRUST} {_WRITES}", folders={"~/.codex": "CODEX_HOME"}),
    "cursor": Recipe("Cursor", _cursor, note="Cursor runs a project's hooks only in a trusted workspace."),
    "gemini": Recipe("Gemini CLI", _gemini, note="Gemini CLI runs hooks only in trusted folders."),
    "copilot": Recipe("Copilot CLI", _copilot, scopes=(GLOBAL,), folders={"~/.copilot": "COPILOT_HOME"}),
    "opencode": Recipe("OpenCode", _opencode, folders={"~/.config": "XDG_CONFIG_HOME"}),
    "vscode": Recipe("VS Code", _vscode, scopes=(PROJECT,), note="Hooks are a preview in VS Code."),
    "zed": Recipe("Zed", _mcp("~/.config/zed/settings.json", ".zed/settings.json", "context_servers"), has_hooks=False),
    "windsurf": Recipe(
        "Windsurf", _mcp("~/.codeium/windsurf/mcp_config.json", None, "mcpServers"), (GLOBAL,), has_hooks=False
    ),
    "kiro": Recipe("Kiro", _mcp("~/.kiro/settings/mcp.json", ".kiro/settings/mcp.json", "mcpServers"), has_hooks=False),
    "warp": Recipe("Warp", _mcp("~/.warp/.mcp.json", ".warp/.mcp.json", "mcpServers"), has_hooks=False),
    "droid": Recipe(
        "Droid", _mcp("~/.factory/mcp.json", ".factory/mcp.json", "mcpServers", type="stdio"), has_hooks=False
    ),
    "qwen": Recipe("Qwen Code", _mcp("~/.qwen/settings.json", ".qwen/settings.json", "mcpServers"), has_hooks=False),
    "crush": Recipe("Crush", _mcp("~/.config/crush/crush.json", "crush.json", "mcp", type="stdio"), has_hooks=False),
    "goose": Recipe("Goose", _goose, (GLOBAL,), has_hooks=False),
    "continue": Recipe("Continue", _continue, (GLOBAL,), has_hooks=False),
    "agents": Recipe("AGENTS.md, for every other host", _agents, (PROJECT,), has_hooks=False),
}
"""In the order of `memoir setup --list`."""
