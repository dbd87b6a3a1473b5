"""The command tree: every command of `memoir.cli.families`, its module imported only when it is used.

A module in `memoir.cli.commands` has the commands of a family, each under its name: a function with Typer's
annotations that returns an `Answer`, or a Typer of sub-commands. A command that imports much, or must start fast, has a
module of its own, named after it, where the function is `command`. Options of every command (`--json`, `--quiet`,
`--store`, `--branch`) are added here, so that no command repeats them.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any, cast

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from memoir.cli import complete
from memoir.cli.families import COMMANDS, FAMILIES, FIRST, HEADINGS
from memoir.cli.session import Session
from memoir.cli.signals import held
from memoir.errors import GitError, InvalidInput

Command = TyperCommand | TyperGroup
Context = Any
"""The context that Typer passes to methods of its classes: a base class of `typer.Context`, which commands get."""
Parameter = TyperArgument | TyperOption

_OTHER_WORDS = {
    "add": "remember", "commit": "remember", "save": "remember", "cat": "get", "delete": "forget", "rm":
    "forget", "find": "recall", "search": "recall", "ask": "recall", "query": "recall", "list": "ls", "rename":
    "mv", "reset": "undo", "st": "status", "set": "remember", "put": "remember", "store": "remember", "update":
    "edit", "history": "log", "read": "get", "stash": "", "tree": "ls", "count": "summarize", "stats": "summarize",
    "remove": "forget", "inbox": "classify", "file": "classify", "rebase": "merge", "cherry-pick": "restore", "cp": "",
    "copy": "", "annotate": "blame", "versions": "blame", "clean": "", "describe": "status", "ls-files": "ls",
    "ls-tree": "ls", "rev-parse": "show", "shortlog": "log", "show-ref": "branch", "whatchanged": "log", "worktree": "",
}  # fmt: skip
"""Commands of other tools, each with the command that the error suggests instead; empty for no suggestion."""

_WITHOUT_BRANCH = frozenset((
    "init", "clone", "remote", "fetch", "fsck", "gc", "embed", "config", "version", "help", "hook", "doctor", "verify",
    "purge",
))  # fmt: skip
"""Commands without `--branch`: they use no branch, or all of them."""

_WITHOUT_USER = frozenset(("init", "clone", "config", "setup", "version", "help", "verify"))
"""Commands without the common `--global`: they use no store, or give the option another meaning."""

_EMPTY_ARGUMENTS = frozenset(("config", "recall"))
"""Commands that read an empty argument themselves: a setting may be empty, and a question is refused as blank."""

_ALONE = frozenset(("edit", "get", "diff", "setup", "help"))
"""Commands with a module of their own."""

ALIASES = {"new": "init", "switch": "checkout"}


@cache
def load(name: str) -> Command:
    """Import and build one command, once in a process."""
    with held():  # some modules written in C crash if they are interrupted while they load
        found = _find(name)
    app = found
    if isinstance(found, typer.Typer):
        for command in found.registered_commands:
            command.cls = _Command
    else:
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        found.__signature__ = signature(found)  # computed once: Typer asks for it twice, and for the annotations
        found.__annotations__ = {}
        app.command(name, cls=_Command, add_help_option=False)(found)
    return _with_common_options(cast(Command, get_command(app)), name, branch=name not in _WITHOUT_BRANCH)


def _find(name: str) -> Any:
    """The function of a command, or the Typer of its sub-commands."""
    family = next(key for key in FAMILIES if name in FAMILIES[key])
    module = import_module(f"memoir.cli.commands.{name if name in _ALONE else family}")
    return module.command if name in _ALONE else getattr(module, name, None) or getattr(module, f"{name}_")


EXPLAIN_ALL = "memoir.explain_all"
"""The key of `Context.meta` that makes a help page explain every option."""
_BRIEF = ("Arguments", "Options")


class _Command(TyperCommand):
    """A command whose usage names required arguments without braces, which would read as a choice."""

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """Return the words of the usage line after the command's name."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the arguments; refuse an empty one, which would count as missing, and a number that is too large."""
        rest = super().parse_args(ctx, args)
        given = {param: value for param in self.params if (value := ctx.params.get(param.name or "")) != param.default}
        _refuse_too_large({param.opts[-1]: value for param, value in given.items()})
        for param, value in given.items():
            is_option = param.param_type_name == "option"
            may_be_empty = param.required or self.name in _EMPTY_ARGUMENTS
            if (is_option or not may_be_empty) and "" in (value if isinstance(value, list | tuple) else [value]):
                name = param.opts[-1] if is_option else param.make_metavar(ctx)
                name = name[1:-1] if name.startswith("[") else name
                raise InvalidInput(f"{name} is empty", "name one, or leave it out")
        return rest

    def format_options(self, ctx: Context, formatter: Any) -> None:
        """List the parameters; those with a heading of their own, which Typer shows only with Rich, come last.

        `--help` lists these by name alone, to save agents tokens in each session; `memoir help COMMAND` explains them.
        """
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            if row := param.get_help_record(ctx):
                heading = getattr(param, "rich_help_panel", None) or f"{param.param_type_name}s".capitalize()
                rows.setdefault(heading, []).append(row)
        for heading in filter(rows.get, rows):
            with formatter.section(heading):
                if heading in _BRIEF or ctx.meta.get(EXPLAIN_ALL):
                    formatter.write_dl(rows[heading])
                else:
                    names = ", ".join(name.partition(" ")[0] for name, _ in rows[heading])
                    formatter.write_text(f"{names} ('memoir help {ctx.info_name}' explains them)")


def _refuse_too_large(values: Mapping[str, object]) -> None:
    """Refuse numbers that are too large; the check is imported only if there is a number."""
    for name, value in values.items():
        if type(value) is int:
            from memoir.setting import check_size

            check_size(value, name)


def _with_common_options(command: Command, name: str, *, branch: bool) -> Command:
    command.name = name
    command.add_help_option = False
    own = {option for param in command.params for option in param.opts}
    taken = tuple(option for option in ("-s", "-C") if option in own)
    command.params += common_options(branch=branch, user=name not in _WITHOUT_USER, without=taken)
    if isinstance(command, TyperGroup):
        for subname, sub in command.commands.items():
            _with_common_options(cast(Command, sub), subname, branch=branch)
    return command


@cache
def common_options(*, branch: bool = True, user: bool = True, without: tuple[str, ...] = ()) -> tuple[TyperOption, ...]:
    """The options that may come before or after any command; `--branch` only if the command uses a branch.

    `without` has the names that the command uses for something else, such as `-C` of `grep`.
    """
    return (
        _common("--json", callback=_set("json"), help="Print one JSON object and nothing else (MEMOIR_JSON=1)."),
        _common(
            "--lean", callback=_set("json", "lean"),
            help="JSON without null, default and repeated values: for an agent that pays for tokens.",
        ),
        _common("-q", "--quiet", callback=_set("quiet"), help="Print only results and errors."),
        _common(
            *(name for name in ("-s", "-C", "--store") if name not in without), callback=_set("folder"), metavar="DIR",
            help="The folder that holds .memoir/ (default: the nearest one above; MEMOIR_STORE).",
        ),
        *([_common(
            "user_store", "--global", callback=_set("user"), help="Use your own store (memoir.store.global, ~/.memoir)."
        )] if user else []),
        *([_common(  # not named 'branch': 'push' and 'pull' have an argument of that name
            "selected_branch", "--branch", callback=_set("branch"), metavar="NAME",
            autocompletion=_complete_branches if complete.IS_COMPLETION else None,
            help="Read and write this branch (default: MEMOIR_BRANCH, else the one checked out).",
        )] if branch else []),
        _common("-h", "--help", is_eager=True, callback=_show_help, help="Show this message and exit."),
    )  # fmt: skip


def _common(*names: str, **rest: Any) -> TyperOption:
    """An option that is not passed to the command's function; without a placeholder it is a flag."""
    kind: dict[str, Any] = {} if "metavar" in rest else {"is_flag": True, "default": False}
    return TyperOption(param_decls=[*names], expose_value=False, **kind, **rest)


def _set(*fields: str) -> Callable[[Context, Parameter, Any], Any]:
    """A callback of an option that sets fields of the session."""

    def callback(ctx: Context, param: Parameter, value: Any) -> Any:
        if value == "":  # it would count as missing, and so use the wrong store or branch
            raise InvalidInput(f"{param.opts[-1]} is empty", "name one, or leave the option out")
        if value and isinstance(ctx.obj, Session):
            vars(ctx.obj).update(dict.fromkeys(fields, value))
        return value

    return callback


def _complete_branches(ctx: typer.Context, args: list[str], incomplete: str) -> list[str]:
    return complete.branches(ctx, incomplete) if complete.branches else []


class LazyGroup(TyperGroup):
    """The `memoir` command itself: it knows all names and imports a command only when it is called."""

    shown: Collection[str] = FIRST
    """The commands that its help page lists."""

    def list_commands(self, ctx: Context) -> list[str]:
        """The commands, in the order of the help page; aliases are not listed."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Import the command that has a name or alias."""
        name = ALIASES.get(cmd_name, cmd_name)
        return load(name) if name in COMMANDS else None

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options before the command's name.

        Raises:
            NoCommand: there is neither an option nor a name.
        """
        if not args and not ctx.resilient_parsing:
            raise NoCommand(ctx.get_help())
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """Find the command named by the first argument, aliases resolved."""
        if args[0][:1] != "-" and args[0] not in COMMANDS and args[0] not in ALIASES:
            args = [*_alias(args[0]), *args[1:]]
        name, found, rest = super().resolve_command(ctx, args)
        command = cast(Command | None, found)
        if command and any(param.name == "limit" for param in command.params):
            rest = _with_limit(rest, command)
        if command and isinstance(ctx.obj, Session):
            ctx.obj.command = command.name or name or ctx.obj.command
        return command.name if command else name, command, rest

    def format_commands(self, ctx: Context, formatter: Any) -> None:
        """List the shown commands by families, without importing them."""
        for family, commands in FAMILIES.items():
            if rows := [(name, summary) for name, summary in commands.items() if name in self.shown]:
                with formatter.section(HEADINGS[family]):
                    formatter.write_dl(rows)
        formatter.write_paragraph()
        formatter.write(_EXAMPLES)


def _alias(name: str) -> list[str]:
    """The words of a user's alias: after `memoir config alias.r 'recall -l 3'`, those of `r`.

    Only the user's configuration counts: an alias from a store could make a mistyped word do anything.
    """
    import shlex
    from contextlib import suppress

    from memoir.git.git import plain
    from memoir.settings import ALIAS

    with suppress(GitError, ValueError):
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name):
            words = shlex.split(
                plain("config", "--global", "--get", ALIAS.key_of(name)).stdout.decode("utf-8", "replace")
            )
            if words and words[0] in {*COMMANDS, *ALIASES}:
                return words
    raise unknown(name)


def _with_limit(args: list[str], command: Command) -> list[str]:
    """Replace `-3` by `--limit=3`, as in git, unless it is the value of the option before it."""
    valued = {opt for each in command.params if not getattr(each, "is_flag", True) for opt in each.opts}
    end = args.index("--") if "--" in args else len(args)
    pairs = zip(args[:end], ["", *args], strict=False)
    return [f"--limit={arg[1:]}" if _is_limit(arg) and last not in valued else arg for arg, last in pairs] + args[end:]


def _is_limit(arg: str) -> bool:
    return arg.startswith("-") and arg[1:].isascii() and arg[1:].isdigit()


def unknown(name: str) -> InvalidInput:
    """The error for a word that is no command, with the one that was probably meant."""
    from difflib import get_close_matches

    close = [_OTHER_WORDS[name] or None] if name in _OTHER_WORDS else get_close_matches(name, [*COMMANDS, *ALIASES], 1)
    return InvalidInput(
        f"no command named {name!r}",
        f"did you mean {close[0]!r}?" if any(close) else "'memoir help --all' lists the commands",
    )


_EXAMPLES = """\
Examples:
  memoir init
  memoir remember "Use pytest, not unittest." -p preferences.coding.testing
  memoir recall "how do we test?"
  memoir blame preferences.coding.testing
"""


_NEXT_PAGES = "'memoir help COMMAND' says more; 'memoir help --all' lists every command."
_JSON_PAGE = "'memoir help COMMAND' says more; 'memoir help --json' lists exit statuses and environment variables."


def build(*, show_all: bool = False) -> LazyGroup:
    """Build the `memoir` command; its help page lists the common commands, or all of them."""
    version = _common("--version", is_eager=True, callback=_print_version, help="Show the version and exit.")
    group = LazyGroup(
        name="memoir",
        help="memoir: git for agent memory.\n\nStart with 'memoir init', then 'memoir remember' and 'memoir recall'.",
        epilog=_JSON_PAGE if show_all else _NEXT_PAGES,
        params=[*common_options(), version],
        add_help_option=False,
        rich_markup_mode=None,
    )
    group.shown = COMMANDS if show_all else FIRST
    return group


class NoCommand(Exception):
    """Raised if the command line is empty: the page of help to print instead."""

    def __init__(self, help_page: str) -> None:
        super().__init__(help_page)
        self.help = help_page


class Redirect(Exception):
    """Raised by `--help` and `--version` with JSON output: the command line to run instead."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(*arguments)
        self.arguments = list(arguments)


def _show_help(ctx: Context, param: Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        if isinstance(ctx.obj, Session) and ctx.obj.json:
            raise Redirect("help", *([ctx.obj.command] if ctx.obj.command in COMMANDS else []))
        typer.echo(ctx.get_help())
        raise typer.Exit


def _print_version(ctx: Context, param: Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from memoir.version import __version__

        if isinstance(ctx.obj, Session) and ctx.obj.json:
            raise Redirect("version")
        typer.echo(f"memoir {__version__}")
        raise typer.Exit
