"""Options that several of the commands share that write, apart because making them takes time at every start."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.errors import InvalidInput

About = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE[:L1[-L2]]",
        help="A file of the project that it is about, and lines of it; auto: the files that it names (repeatable).",
    ),
]
Expires = Annotated[
    str | None,
    typer.Option(
        metavar="DATE|SPAN", help="From when it no longer holds: 2026-12-31, or 12h, 30d, 2w, 6m, 1y from now; never."
    ),
]
AllowSecret = Annotated[bool, typer.Option("--allow-secret", help="Store it even if it looks like a credential.")]
Classifier = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What finds a path: rules, model, or auto, which is a model if one is configured (default: rules).",
        autocompletion=complete.words("rules", "model", "auto"),
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen, and change nothing.")]
Strategy = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What to keep where both sides changed a memory: ours, theirs, append (both) or newest.",
        autocompletion=complete.words("ours", "theirs", "append", "newest"),
    ),
]
Ours = Annotated[bool, typer.Option("--ours", help="Short for --strategy ours.")]
Theirs = Annotated[bool, typer.Option("--theirs", help="Short for --strategy theirs.")]


def chosen_strategy(strategy: str | None, *, ours: bool, theirs: bool) -> str | None:
    """Return the strategy that one of three options names.

    Raises:
        InvalidInput: several options are given.
    """
    names = [name for name in (strategy, "ours" * ours, "theirs" * theirs) if name]
    if len(names) > 1:
        raise InvalidInput("--strategy, --ours and --theirs exclude each other", "give one of them")
    return names[0] if names else None
