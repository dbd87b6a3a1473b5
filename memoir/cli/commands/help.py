"""`memoir help`."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from memoir.answers.answer import Answer, Line, line
from memoir.cli import complete, describe
from memoir.cli.command_tree import ALIASES, EXPLAIN_ALL, build, load
from memoir.cli.families import COMMANDS
from memoir.cli.options import argument, option
from memoir.cli.session import session
from memoir.errors import ExitCode, InvalidInput


def command(
    ctx: typer.Context,
    name: Annotated[str | None, argument("[COMMAND]", "The command.", completion=complete.words(*COMMANDS))] = None,
    brief: Annotated[bool, option("With --json: only names, one line each, and arguments.", "--brief")] = False,
    every: Annotated[bool, option("List every command, not only those that a week needs.", "--all")] = False,
) -> Answer:
    """Describe a command, or the whole command tree: options, types, defaults, exit statuses, environment.

    On a terminal it opens the manual page, which has examples, if that is installed; with --all it lists the commands.
    """
    if name and every:
        raise InvalidInput("--all lists every command", "leave out COMMAND")
    full = ALIASES.get(name, name) if name else None
    if full is not None and full not in COMMANDS:
        raise InvalidInput(f"no command named {name!r}", "'memoir help --all' lists the commands")
    if not (every or session(ctx).json) and sys.stdout.isatty() and (page := _manual(full)):
        return Answer({}, exit_code=ExitCode(bool(subprocess.call(["man", page]))))
    if brief:
        return describe.brief([full] if full else list(COMMANDS))
    return Answer(describe.tree([full] if full else list(COMMANDS)), lambda: _page(ctx, full, every=every), paged=True)


def _manual(name: str | None) -> str | None:
    """The file of a manual page, if it was installed beside memoir and `man` can show it."""
    page = Path(sys.prefix, "share", "man", "man1", f"memoir-{name}.1" if name else "memoir.1")
    return str(page) if page.exists() and shutil.which("man") else None


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
