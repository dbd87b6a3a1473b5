"""The command tree as data: the source of `help --json`, the man pages and their drift check."""

from typing import TYPE_CHECKING, Any

from memoir.cli.families import COMMANDS
from memoir.cli.tree import ALIASES, build, load
from memoir.errors import ExitCode
from memoir.setting import Setting
from memoir.settings import TABLE

if TYPE_CHECKING:
    from memoir.output.contract import shapes
    from memoir.output.contract import store as types

EXIT_STATUSES = {
    ExitCode.OK: "success",
    ExitCode.FAILURE: "failure; also 'diff --exit-code' with differences, and 'grep' without a match",
    ExitCode.USAGE: "usage: a malformed path, date, option or input",
    ExitCode.NO_STORE: "no store here",
    ExitCode.NOT_FOUND: "not found: a revision, branch, remote or path",
    ExitCode.CONFLICT: "conflict: a merge, a rejected write, a non-fast-forward push; nothing was changed",
    ExitCode.LLM_UNAVAILABLE: "no usable language model",
    ExitCode.DAMAGED: "the store is damaged",
    ExitCode.INTERRUPTED: "interrupted",
    ExitCode.BROKEN_PIPE: "the reader of the output went away",
}

_VARIABLES = {
    "MEMOIR_STORE": "the folder that holds .memoir/, as --store; empty means unset",
    "MEMOIR_BRANCH": "the branch of every command, as --branch; the first write begins it where HEAD's branch is",
    "MEMOIR_JSON": "1 makes every command print JSON, as --json",
    "MEMOIR_NOW": "the clock: an RFC 3339 instant that stands for now",
    "ANTHROPIC_API_KEY": "the key of the Messages API, for what asks a model; by itself it changes nothing",
    "ANTHROPIC_AUTH_TOKEN": "a token instead of a key",
    "ANTHROPIC_BASE_URL": "the address of a gateway that speaks the Messages API; it may need no key",
    "PROLLYTREE_EMBEDDER_CACHE": "where minilm's weights lie, instead of the user's cache folder",
    "VISUAL": "the editor of 'memoir edit', before EDITOR",
    "EDITOR": "the editor of 'memoir edit' (vi)",
    "NO_COLOR": "any value switches colours off",
}
"""The variables that give no setting: they stand for an option, or belong to other programs too."""


def environment() -> dict[str, str]:
    """Every environment variable that memoir reads, and what it means."""
    given = {variable: each for each in TABLE for variable in each.variables}
    return _VARIABLES | {variable: _meaning(variable, setting) for variable, setting in given.items()}


def _meaning(variable: str, setting: Setting[Any]) -> str:
    weaker = [name for name in (setting.key, *setting.variables) if name != variable]
    before = [] if variable == setting.variables[-1] and setting.only_environment else weaker[:1]
    return "; before ".join([setting.help, *before])


_TYPES = {"int": "integer", "int range": "integer", "integer": "integer", "integer range": "integer", "float": "number"}
"""JSON's names for the types of parameters; everything else is a string."""


def tree(names: list[str]) -> "types.Help":
    """The commands named, with what they share."""
    return {
        "options": root()["options"],
        "commands": [command(name) for name in names],
        "exit_statuses": [{"status": int(code), "meaning": meaning} for code, meaning in EXIT_STATUSES.items()],
        "environment": [{"name": name, "meaning": meaning} for name, meaning in environment().items()],
    }


def root() -> "types.Described":
    """`memoir` itself: its description and the options that may stand before a command."""
    return _described(build())


def command(name: str) -> "types.Command":
    """One command: its summary, aliases, arguments, options and sub-commands."""
    return {
        "name": name,
        "summary": COMMANDS[name],
        "aliases": sorted(alias for alias, full in ALIASES.items() if full == name),
        **_described(load(name)),
    }


def _described(found: Any) -> "types.Described":
    params = [_parameter(param) for param in found.params]
    return {
        "description": found.help or "",
        "arguments": [param for param in params if not param["options"]],
        "options": [param for param in params if param["options"]],
        "subcommands": [{"name": name, **_described(sub)} for name, sub in getattr(found, "commands", {}).items()],
    }


def _parameter(param: Any) -> "shapes.Parameter":
    is_option = param.param_type_name == "option"
    flag = bool(getattr(param, "is_flag", False))
    return {
        "name": param.name,
        "options": sorted([*param.opts, *param.secondary_opts], key=len) if is_option else [],
        "metavar": None if flag else param.metavar or param.name.upper(),
        "type": "boolean" if flag else _TYPES.get(param.type.name, "string"),
        "required": param.required,
        "repeatable": bool(param.nargs == -1 or getattr(param, "multiple", False)),
        "default": None if callable(param.default) else param.default,
        "help": param.help or "",
    }
