"""`memoir help`."""

from typing import Annotated

import typer

from memoir.cli import complete, describe
from memoir.cli.tree import ALIASES, COMMANDS, load
from memoir.errors import InvalidInput
from memoir.output.answer import Answer, Line, line


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[COMMAND]", help="The command.", show_default=False, autocompletion=complete.words(*COMMANDS)
        ),
    ] = None,
) -> Answer:
    """Describe a command, or the whole command tree: options, types, defaults, exit statuses, environment."""
    full = ALIASES.get(name, name) if name else None
    if full is not None and full not in COMMANDS:
        raise InvalidInput(f"no command named {name!r}", "'memoir --help' lists the commands")
    return Answer(describe.tree([full] if full else list(COMMANDS)), lambda: _page(ctx, full), paged=True)


def _page(ctx: typer.Context, name: str | None) -> list[Line]:
    parent = ctx.find_root()
    if name is None:
        text = parent.get_help()
    else:
        found = load(name)
        text = found.make_context(name, [], parent=parent, resilient_parsing=True).get_help()
    return [line(text_line) for text_line in text.splitlines()]
