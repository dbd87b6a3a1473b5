"""`memoir help`."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memoir.answers.answer import Answer, Line, line
from memoir.answers.terminal import pager
from memoir.cli import complete
from memoir.cli.command_tree import ALIASES, EXPLAIN_ALL, build, load, unknown
from memoir.cli.families import COMMANDS, FIRST
from memoir.cli.options import argument, option
from memoir.cli.session import session
from memoir.errors import ExitCode, InvalidInput
from memoir.setting import Setting
from memoir.settings import TABLE

if TYPE_CHECKING:
    from memoir.answers.contract import shapes
    from memoir.answers.contract import store as types


def command(
    ctx: typer.Context,
    name: Annotated[str | None, argument("[COMMAND]", "The command.", completion=complete.words(*COMMANDS))] = None,
    brief: Annotated[bool, option("With --json: only names, one line each, and arguments.", "--brief")] = False,
    every: Annotated[bool, option("List every command, not only the common ones.", "--all")] = False,
) -> Answer:
    """Describe a command, or the whole command tree: options, types, defaults, exit statuses, environment.

    On a terminal with a pager it opens the installed manual page, which has examples; with --all it lists the
    commands.
    """
    if name and every:
        raise InvalidInput("--all lists every command", "leave out COMMAND")
    full = ALIASES.get(name, name) if name else None
    if full is not None and full not in COMMANDS:
        raise unknown(full)
    if not (every or session(ctx).json) and sys.stdout.isatty() and (page := _manual(full)):
        environment = {**os.environ, "PAGER": shlex.join(pager())}
        return Answer({}, exit_code=ExitCode(bool(subprocess.call(["man", page], env=environment))))
    if brief:
        return brief_usages([full] if full else list(COMMANDS))
    return Answer(tree([full] if full else list(COMMANDS)), lambda: _page(ctx, full, every=every), paged=True)


def _manual(name: str | None) -> str | None:
    """The file of a manual page, if it was installed beside memoir and `man` can show it in the pager."""
    page = Path(sys.prefix, "share", "man", "man1", f"memoir-{name}.1" if name else "memoir.1")
    programs = ["man", *pager()[:1]]
    return str(page) if page.exists() and len(programs) > 1 and all(map(shutil.which, programs)) else None


def _page(ctx: typer.Context, name: str | None, *, every: bool) -> list[Line]:
    parent = ctx.find_root()
    if name is None:
        text = build(show_all=every).get_help(parent)
    else:
        child = load(name)
        context = child.make_context(name, [], parent=parent, resilient_parsing=True)
        context.meta[EXPLAIN_ALL] = True
        text = context.get_help()
    return [line(text_line) for text_line in text.splitlines()]


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
    "PROLLYTREE_EMBEDDER_CACHE": "the folder for minilm's weights, instead of the user's cache folder",
    "VISUAL": "the editor of 'memoir edit'; overrides EDITOR",
    "EDITOR": "the editor of 'memoir edit' (vi)",
    "NO_COLOR": "any value switches colours off",
}
"""Variables that are not settings of memoir: they are shared with other programs, or hold a secret."""


def environment() -> dict[str, str]:
    """Every environment variable that memoir reads, with its meaning; those without a key in the config come first."""
    rows = sorted(TABLE, key=lambda setting: not setting.only_environment)
    own = {name: _meaning(position, setting) for setting in rows for position, name in enumerate(setting.variables)}
    return own | _VARIABLES


def _meaning(position: int, setting: Setting[Any]) -> str:
    """The setting's help, and the next source that this variable overrides."""
    weaker = [*setting.variables[position + 1 :], *([] if setting.only_environment else [setting.key])]
    return "; overrides ".join([setting.help, *weaker[:1]])


_TYPES = {"int": "integer", "int range": "integer", "integer": "integer", "integer range": "integer", "float": "number"}
"""JSON's names for the types of parameters; everything else is a string."""


def tree(names: list[str]) -> "types.Help":
    """Describe some commands, with the options, exit statuses and variables that they share."""
    return {
        "options": root()["options"],
        "commands": [describe_command(name) for name in names],
        "exit_statuses": [{"status": int(code), "meaning": meaning} for code, meaning in EXIT_STATUSES.items()],
        "environment": [{"name": name, "meaning": meaning} for name, meaning in environment().items()],
    }


def brief_usages(names: list[str]) -> Answer:
    """The usage line and the summary of commands, an overview for agents."""
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


def describe_command(name: str) -> "types.Command":
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
