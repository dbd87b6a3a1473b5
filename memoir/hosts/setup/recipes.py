"""The hosts that `memoir setup` knows, as data: their files, and the pieces for each.

Sources: the hosts' own documentation, read in August to November 2026. Timeouts are in each host's own unit.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from memoir.hosts import dialects
from memoir.hosts.setup import host_texts
from memoir.hosts.setup.host_texts import SECTION
from memoir.hosts.setup.pieces import Hook, JsonFields, Manual, Piece, Server, TextBlock, TomlBlock, Whole
from memoir.program import NAME

Scope = Literal["global", "project"]
GLOBAL: Final = "global"
PROJECT: Final = "project"
MEMORY_MD = "--memory-md"
"""The option of the hooks that synchronize Claude Code's MEMORY.md with the store."""
GUARD = "2>/dev/null || true"
"""The end of a hook's command: no hook may disturb a session, not even if memoir is gone."""


TOOL_OPTIONS = {dialects.FILE: "--recall-on-file", dialects.FAILURE: "--recall-on-failure"}
"""The option of `memoir setup` for each kind of event of a tool."""


class Wish(NamedTuple):
    """The setup that a user wants for a host."""

    program: str
    """The absolute path of the `memoir` command."""
    scope: Scope
    """`global` or `project`."""
    start: bool = True
    """Whether the hook at the start of a session is wanted."""
    prompt: str | None = None
    """The option of the hook for prompts (`--recall`, `--nudge`); None: prompts are not answered."""
    tools: frozenset[str] = frozenset()
    """The kinds of events of tools that hooks answer (`file`, `failure`)."""
    capture: bool = False
    """Whether hooks keep the texts of sessions."""
    sync: bool = False
    """Whether a hook syncs when a session ends."""
    memory_md: bool = False
    """Whether hooks synchronize Claude Code's MEMORY.md with the store when a session begins and ends."""
    mcp: bool = False
    """Whether the MCP server is wanted."""
    allow: bool = False
    """Whether the agent may run memoir's commands without asking."""
    store: str | None = None
    """The folder of the store for the MCP server; None: the project's."""
    on_path: bool = False
    """Whether `memoir` on the PATH is this program."""

    def with_all_of(self, earlier: "Wish") -> "Wish":
        """The wish, completed by the options of an earlier one."""
        return self._replace(
            prompt=self.prompt or earlier.prompt, tools=self.tools | earlier.tools,
            memory_md=self.memory_md or earlier.memory_md, mcp=self.mcp or earlier.mcp,
            allow=self.allow or earlier.allow, store=self.store or earlier.store,
        )  # fmt: skip

    @property
    def server(self) -> list[str]:
        """The words that start the MCP server, after the program."""
        return ["mcp", *(["--store", self.store] if self.store else [])]

    @property
    def programs(self) -> list[str]:
        """The names of the program: `memoir` if that is on the PATH, and its path."""
        return [*[NAME] * self.on_path, self.program]

    @property
    def words(self) -> list[str]:
        """The names of the program, quoted for a shell."""
        import shlex

        return list(map(shlex.quote, self.programs))

    def events(self, host: str) -> list[tuple[str, list[str]]]:
        """The events of a host for which a hook is wanted, each with the hook's options."""
        wanted = {
            dialects.START: self.start or self.memory_md,
            dialects.PROMPT: bool(self.prompt or self.capture),
            dialects.TURN_END: self.capture,
            dialects.COMPACTION: self.capture,
            dialects.SESSION_END: self.sync or self.memory_md,
            **{kind: kind in self.tools for kind in (dialects.FILE, dialects.FAILURE)},
        }
        step = [MEMORY_MD] if self.memory_md else []
        options = {
            dialects.PROMPT: [self.prompt] if self.prompt else [],
            dialects.START: step,
            dialects.SESSION_END: step,
        }
        events = dialects.HOSTS[host].events.items()
        return [(event, options.get(kind, [])) for event, kind in events if wanted[kind]]


class FilePart(NamedTuple):
    """The pieces that go into one file; a file begins with `~/`, or is relative to the project."""

    file: str
    pieces: Sequence[Piece]


class Recipe(NamedTuple):
    """How one host is set up."""

    title: str
    """The host's name."""
    parts: Callable[[Wish], Sequence[FilePart]]
    """Makes the parts for a wish."""
    scopes: Sequence[Scope] = (GLOBAL, PROJECT)
    """The scopes that the host has."""
    has_hooks: bool = True
    """Whether it runs hooks; without them, there is only MCP or a file of rules."""
    allows: Sequence[Scope] = ()
    """The scopes in which memoir can permit its commands to run without asking."""
    note: str = ""
    """What the user must know or do afterwards."""
    unless_allowed: str = ""
    """A further note for the user if memoir's commands may not run without asking."""
    comments: bool = False
    """Whether the host reads JSON files with comments; some hosts, such as Claude Code, ignore such a file."""
    folders: Mapping[str, str] = {}
    """Variables that move the host's folder, by the beginning of a file's path that each replaces."""


def command(wish: Wish, host: str, event: str, *options: str, guard: str = GUARD) -> str:
    """The shell command of a hook. It contains no version, so that a host's trust in it survives updates."""
    import shlex

    word = shlex.quote(wish.program)
    program = word if word.startswith("'") else f"'{word}'"
    return " ".join([program, "hook", host, event, *options, guard])


def _hook_groups(wish: Wish, host: str) -> list[Piece]:
    """Hooks in the form of Claude Code: groups with a matcher, each with handlers."""
    matchers = {
        "SessionStart": {"matcher": "startup|resume|clear|compact|fork"},
        "PreToolUse": {"matcher": "Read|Edit|MultiEdit|Write|NotebookEdit"},
        "PostToolUseFailure": {"matcher": "Bash"},
    }
    seconds = {"SessionEnd": 3}  # Codex takes no more
    hooks: list[Piece] = []
    for event, options in wish.events(host):
        handler = {
            "type": "command",
            "command": command(wish, host, event, *options),
            "timeout": seconds.get(event, 10),
        }
        hooks.append(Hook(("hooks", event), {**matchers.get(event, {}), "hooks": [handler]}))
    return hooks


def _plain_hooks(wish: Wish, host: str, name: str, before: Mapping[str, str] = {}, **after: int) -> list[Hook]:
    """Hooks without groups; the field `name` of each has the command, between the fields `before` and `after`."""
    return [
        Hook(("hooks", event), {**before, name: command(wish, host, event, *options), **after})
        for event, options in wish.events(host)
    ]


def _server(wish: Wish, *path: str, **more: Any) -> Server:
    return Server((*path, "memoir"), {**more, "command": wish.program, "args": wish.server})


def _claude(wish: Wish) -> list[FilePart]:
    here = wish.scope == PROJECT
    pieces = _hook_groups(wish, "claude")
    pieces += [host_texts.claude(wish.words, mcp=wish.mcp)] * wish.allow
    server = FilePart(".mcp.json" if here else "~/.claude.json", [_server(wish, "mcpServers", type="stdio")])
    settings = FilePart(".claude/settings.local.json" if here else "~/.claude/settings.json", pieces)
    return [settings, *[server] * wish.mcp]


def _codex(wish: Wish) -> list[FilePart]:
    import json

    folder = ".codex" if wish.scope == PROJECT else "~/.codex"
    body = f"[mcp_servers.memoir]\ncommand = {json.dumps(wish.program)}\nargs = {json.dumps(wish.server)}"
    config = FilePart(f"{folder}/config.toml", [TomlBlock(("mcp_servers", "memoir"), body)])
    rules = FilePart(f"{folder}/rules/memoir.rules", [Whole(host_texts.codex(wish.programs), permissions=1)])
    hooks = FilePart(f"{folder}/hooks.json", _hook_groups(wish, "codex"))
    return [hooks, *[rules] * wish.allow, *[config] * wish.mcp]


def _cursor(wish: Wish) -> list[FilePart]:
    folder = ".cursor" if wish.scope == PROJECT else "~/.cursor"
    hooks = _plain_hooks(wish, "cursor", "command", timeout=5)
    servers = FilePart(f"{folder}/mcp.json", [_server(wish, "mcpServers")])
    return [FilePart(f"{folder}/hooks.json", [JsonFields({"version": 1}), *hooks]), *[servers] * wish.mcp]


def _gemini(wish: Wish) -> list[FilePart]:
    here, pieces = wish.scope == PROJECT, list[Piece]()
    for event, options in wish.events("gemini"):
        line = command(wish, "gemini", event, *options, guard="2>/dev/null; exit 0")
        handler = {"name": f"memoir:{event}", "type": "command", "command": line, "timeout": 5000}
        pieces.append(Hook(("hooks", event), {"hooks": [handler]}))
    pieces += [_server(wish, "mcpServers")] if wish.mcp else []
    settings = FilePart(".gemini/settings.json" if here else "~/.gemini/settings.json", pieces)
    policy = FilePart("~/.gemini/policies/memoir.toml", [Whole(host_texts.gemini(wish.words), permissions=2)])
    return [settings, *[policy] * (wish.allow and not here)]


def _copilot(wish: Wish) -> list[FilePart]:
    hooks = _plain_hooks(wish, "copilot", "bash", {"type": "command"}, timeoutSec=5)
    server = FilePart("~/.copilot/mcp-config.json", [_server(wish, "mcpServers", type="local", tools=["*"])])
    return [FilePart("~/.copilot/hooks/memoir.json", [JsonFields({"version": 1}), *hooks]), *[server] * wish.mcp]


def _opencode(wish: Wish) -> list[FilePart]:
    import json
    from pathlib import Path

    folder, here = "~/.config/opencode", wish.scope == PROJECT
    options = dict(wish.events("opencode")).get("UserPromptSubmit")
    plugin = Path(__file__).with_name("opencode_plugin.js").read_text("utf-8")
    plugin = plugin.replace("PROGRAM", json.dumps(wish.program)).replace("OPTIONS", json.dumps(options))
    file = f"{'.opencode' if here else folder}/plugins/memoir.js"
    parts = [FilePart(file, [Whole(plugin, command(wish, "opencode", "SessionStart"))])]
    value = {"type": "local", "command": [wish.program, *wish.server], "enabled": True}
    pieces: list[Piece] = [Server(("mcp", "memoir"), value)] * wish.mcp
    pieces += [host_texts.opencode(wish.words)] * wish.allow
    return parts + [FilePart("opencode.json" if here else f"{folder}/opencode.json", pieces)] * bool(pieces)


def _vscode(wish: Wish) -> list[FilePart]:
    hooks = _plain_hooks(wish._replace(prompt=None), "vscode", "command", {"type": "command"}, timeout=5)
    server = FilePart(".vscode/mcp.json", [_server(wish, "servers", type="stdio")])
    return [FilePart(".github/hooks/memoir.json", hooks), *[server] * wish.mcp]


def _mcp(user: str, project: str | None, *path: str, **more: Any) -> Callable[[Wish], Sequence[FilePart]]:
    """The recipe of a host that has MCP only."""

    def parts(wish: Wish) -> Sequence[FilePart]:
        file = project if wish.scope == PROJECT and project else user
        return [FilePart(file, [_server(wish, *path, **more)])]

    return parts


def _printed(file: str, body: str) -> Callable[[Wish], Sequence[FilePart]]:
    """The recipe of a host whose file memoir does not write."""
    return lambda wish: [FilePart(file, [Manual(body.format(wish.program, ", ".join(wish.server)))])]


_GOOSE = (
    "extensions:\n  memoir:\n    name: memoir\n    type: stdio\n    enabled: true\n    cmd: {}\n    args: [{}]\n"
    "    timeout: 30"
)
_CONTINUE = "mcpServers:\n  - name: memoir\n    command: {}\n    args: [{}]"


def _agents(wish: Wish) -> Sequence[FilePart]:
    body = SECTION.replace("PROGRAM", wish.words[0])
    return [FilePart("AGENTS.md", [TextBlock(body, "<!-- memoir: begin -->", "<!-- memoir: end -->")])]


_TRUST = "Codex skips a hook until you trust it: open /hooks in Codex once."
_WRITES = "Its sandbox may keep an agent's commands from writing to the store, except with --allow, or through --mcp."

RECIPES: Mapping[str, Recipe] = {
    "claude": Recipe("Claude Code", _claude, allows=(GLOBAL, PROJECT), folders={"~/.claude": "CLAUDE_CONFIG_DIR"}),
    "codex": Recipe(
        "Codex",
        _codex,
        allows=(GLOBAL, PROJECT),
        note=_TRUST,
        unless_allowed=_WRITES,
        folders={"~/.codex": "CODEX_HOME"},
    ),
    "cursor": Recipe("Cursor", _cursor, note="Cursor runs a project's hooks only in a trusted workspace."),
    "gemini": Recipe(
        "Gemini CLI", _gemini, allows=(GLOBAL,), note="Gemini CLI runs hooks only in trusted folders.", comments=True
    ),
    "copilot": Recipe("Copilot CLI", _copilot, scopes=(GLOBAL,), folders={"~/.copilot": "COPILOT_HOME"}),
    "opencode": Recipe(
        "OpenCode", _opencode, allows=(GLOBAL, PROJECT), comments=True, folders={"~/.config": "XDG_CONFIG_HOME"}
    ),
    "vscode": Recipe("VS Code", _vscode, scopes=(PROJECT,), note="Hooks are a preview in VS Code.", comments=True),
    "zed": Recipe(
        "Zed",
        _mcp("~/.config/zed/settings.json", ".zed/settings.json", "context_servers"),
        has_hooks=False,
        comments=True,
    ),
    "windsurf": Recipe(
        "Windsurf", _mcp("~/.codeium/windsurf/mcp_config.json", None, "mcpServers"), (GLOBAL,), has_hooks=False
    ),
    "kiro": Recipe("Kiro", _mcp("~/.kiro/settings/mcp.json", ".kiro/settings/mcp.json", "mcpServers"), has_hooks=False),
    "warp": Recipe("Warp", _mcp("~/.warp/.mcp.json", ".warp/.mcp.json", "mcpServers"), has_hooks=False),
    "droid": Recipe(
        "Droid", _mcp("~/.factory/mcp.json", ".factory/mcp.json", "mcpServers", type="stdio"), has_hooks=False
    ),
    "qwen": Recipe(
        "Qwen Code",
        _mcp("~/.qwen/settings.json", ".qwen/settings.json", "mcpServers"),
        has_hooks=False,
        comments=True,
    ),
    "crush": Recipe("Crush", _mcp("~/.config/crush/crush.json", "crush.json", "mcp", type="stdio"), has_hooks=False),
    "goose": Recipe("Goose", _printed("~/.config/goose/config.yaml", _GOOSE), (GLOBAL,), has_hooks=False),
    "continue": Recipe("Continue", _printed("~/.continue/config.yaml", _CONTINUE), (GLOBAL,), has_hooks=False),
    "agents": Recipe("AGENTS.md, for every other host", _agents, (PROJECT,), has_hooks=False),
}
"""In the order of `memoir setup --list`."""


def everything(wish: Wish) -> Wish:
    """A wish for everything that memoir could have added to a host."""
    prompt = wish.prompt or "--recall"
    tools = frozenset(TOOL_OPTIONS)
    return wish._replace(start=True, prompt=prompt, tools=tools, capture=True, sync=True, mcp=True, allow=True)


def options_of(host: str, wish: Wish) -> list[str]:
    """The options of `memoir setup` that express a wish."""
    import shlex

    prompt = {None: [], "--recall": ["--recall-on-prompt"]}.get(wish.prompt, [str(wish.prompt)])
    tools = [option for kind, option in TOOL_OPTIONS.items() if kind in wish.tools]
    servers = ["--mcp"] * (wish.mcp and RECIPES[host].has_hooks)
    stores = [f"--store {shlex.quote(wish.store)}"] if wish.mcp and wish.store else []
    return [*prompt, *[MEMORY_MD] * wish.memory_md, *tools, *servers, *stores, *["--allow"] * wish.allow]


def setup_command(host: str, scope: Scope, options: Sequence[str] = ()) -> str:
    """The command line that sets up a host, for all projects or for one."""
    project = ["--project"] * (scope == PROJECT and GLOBAL in RECIPES[host].scopes)
    return " ".join(["memoir setup", host, *project, *options])
