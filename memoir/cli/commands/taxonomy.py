"""`memoir taxonomy`."""

from pathlib import Path
from typing import Annotated

import typer

from memoir.answers import filing
from memoir.answers.answer import Answer
from memoir.cli.options import AllowSecret, At
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions

taxonomy = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=False,
    invoke_without_command=True, help="Show and change the categories that memories are filed under.",
)  # fmt: skip


@taxonomy.callback()
def show(ctx: typer.Context, at: At = None) -> Answer | None:
    """Show and change the categories that memories are filed under.

    A store's own categories extend the default ones, or replace them, and are versioned with its memories.
    """
    return None if ctx.invoked_subcommand else filing.taxonomy(session(ctx).repository.taxonomy.list(at=at))


@taxonomy.command("add")
def add(
    ctx: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="One or two segments.", show_default=False)],
    about: Annotated[str, typer.Option("--about", metavar="TEXT", help="What belongs there.", show_default=False)],
    example: Annotated[
        list[str] | None, typer.Option("--example", metavar="TEXT", help="A memory that belongs there (repeatable).")
    ] = None,
    cue: Annotated[
        list[str] | None, typer.Option("--cue", metavar="WORDS", help="Words that suggest the category (repeatable).")
    ] = None,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Add a category, or change one."""
    options = WriteOptions(allow_secrets=allow_secret)
    commit = session(ctx).repository.taxonomy.add(path, about, examples=example or (), cues=cue or (), options=options)
    return filing.taxonomy_change("add", 1, commit)


@taxonomy.command("load")
def load(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A TOML file of categories.", show_default=False)],
    extend: Annotated[bool, typer.Option("--extend", help="Keep the default categories beside these.")] = False,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Replace the categories by those of a file."""
    toml, options = Path(file).read_bytes(), WriteOptions(allow_secrets=allow_secret)
    return filing.taxonomy_change("load", *session(ctx).repository.taxonomy.load(toml, extend=extend, options=options))


@taxonomy.command("reset")
def reset(ctx: typer.Context) -> Answer:
    """Go back to the default categories."""
    return filing.taxonomy_change("reset", 0, session(ctx).repository.taxonomy.reset())
