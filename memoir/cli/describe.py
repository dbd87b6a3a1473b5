"""The command tree as data: the source of `help --json`, the man pages and their drift check."""

from typing import TYPE_CHECKING, Any

from memoir.answers.answer import Answer, line
from memoir.cli.command_tree import ALIASES, build, load
from memoir.cli.families import COMMANDS, FIRST
from memoir.errors import ExitCode
from memoir.setting import Setting
from memoir.settings import TABLE

if TYPE_CHECKING:
    from memoir.answers.contract import shapes
    from memoir.answers.contract import store as types

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
    ExitCode.BROKEN_PIPE: "the program that reads the output has ended",
}

_VARIABLES = {
    "ANTHROPIC_API_KEY": "the key of the Messages API; a key alone makes no command use a model",
    "ANTHROPIC_AUTH_TOKEN": "a token for the Messages API, instead of a key",
    "ANTHROPIC_BASE_URL": "the address of a gateway that offers the Messages API; it may need no key",
    "PROLLYTREE_EMBEDDER_CACHE": "where minilm's weights are laid out, instead of the user's cache folder",
    "VISUAL": "the editor of 'memoir edit'; overrides EDITOR",
    "EDITOR": "the editor of 'memoir edit' (vi)",
    "NO_COLOR": "any value switches colours off",
}
"""The variables that are not settings of memoir: other programs read them too, or they hold a secret."""


def environment() -> dict[str, str]:
    """Every environment variable that memoir reads, and what it means: first those that are settings by themselves."""
    rows = sorted(TABLE, key=lambda setting: not setting.only_environment)
    own = {name: _meaning(position, setting) for setting in rows for position, name in enumerate(setting.variables)}
    return own | _VARIABLES


def _meaning(position: int, setting: Setting[Any]) -> str:
    """The setting's help, and the next source that this variable of it overrides."""
    weaker = [*setting.variables[position + 1 :], *([] if setting.only_environment else [setting.key])]
    return "; overrides ".join([setting.help, *weaker[:1]])


_TYPES = {"int": "integer", "int range": "integer", "integer": "integer", "integer range": "integer", "float": "number"}
"""JSON's names for the types of parameters; everything else is a string."""


def tree(names: list[str]) -> "types.Help":
    """Describe some commands, with the options, exit statuses and variables that they share."""
    return {
        "options": root()["options"],
        "commands": [command(name) for name in names],
        "exit_statuses": [{"status": int(code), "meaning": meaning} for code, meaning in EXIT_STATUSES.items()],
        "environment": [{"name": name, "meaning": meaning} for name, meaning in environment().items()],
    }


def brief(names: list[str]) -> Answer:
    """Some commands, each by its usage line and what it does, as an agent reads them before it asks for more."""
    rows: list[types.BriefCommand] = [{"usage": _usage(name), "summary": COMMANDS[name]} for name in names]
    data: types.HelpBrief = {"commands": rows, "count": len(rows)}
    return Answer(data, lambda: [line((f"{row['usage']}  ", "bold"), row["summary"]) for row in rows], paged=True)


def _usage(name: str) -> str:
    """A command with its arguments, and its own required options or sub-commands."""
    found: Any = load(name)
    subs = getattr(found, "commands", {})
    own = [param for param in found.params if param.param_type_name == "argument"]
    words = [(param.metavar or param.name.upper()) for param in own]
    return " ".join([name, *words, *(["|".join(subs)] if subs else [])])


def root() -> "types.CommandDescription":
    """Describe `memoir` itself, with the options that may come before a command."""
    return _describe(build())


def command(name: str) -> "types.Command":
    """Describe one command: its summary, aliases, arguments, options and sub-commands."""
    return {
        "name": name,
        "summary": COMMANDS[name],
        "aliases": sorted(alias for alias, full in ALIASES.items() if full == name),
        "first": name in FIRST,
        **_describe(load(name)),
    }


def _describe(command: Any) -> "types.CommandDescription":
    params = [_parameter(param) for param in command.params]
    return {
        "description": command.help or "",
        "arguments": [param for param in params if not param["options"]],
        "options": [param for param in params if param["options"]],
        "subcommands": [{"name": name, **_describe(sub)} for name, sub in getattr(command, "commands", {}).items()],
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
        "heading": getattr(param, "rich_help_panel", None),
    }
