"""Options and arguments that several commands share, spelled once."""

from typing import Annotated, Any

import typer

from memoir.cli import complete
from memoir.errors import InvalidInput
from memoir.records.origins import ORIGINS
from memoir.taxonomy.paths import DEFAULT_NAMESPACE


def llm_calls(heading: str | None = None) -> Any:
    """The option that limits the calls of a model, under a heading of the help page."""
    about = "Ask the model at most N times, then go on without it."
    return typer.Option(metavar="N", min=0, help=about, rich_help_panel=heading)


def llm_tokens(heading: str | None = None) -> Any:
    """The option that limits the tokens of a model, under a heading of the help page."""
    about = "Let the model use at most N tokens, in and out."
    return typer.Option(metavar="N", min=0, help=about, rich_help_panel=heading)


At = Annotated[
    str | None,
    typer.Option(metavar="REV", help="Read at a revision or date instead of now.", autocompletion=complete.revisions),
]
Namespace = Annotated[
    str,
    typer.Option(
        "-n",
        "--namespace",
        metavar="NAME",
        help="The namespace of keys that name none.",
        autocompletion=complete.namespaces,
    ),
]
Namespaces = Annotated[
    list[str] | None,
    typer.Option(
        "-n",
        "--namespace",
        metavar="NAME",
        help="Only this namespace (repeatable; default: all).",
        autocompletion=complete.namespaces,
    ),
]
Wait = Annotated[bool, typer.Option("--wait", help="Complete the index first, however long it takes.")]
Globs = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help="Only paths that match this pattern; '*' also matches dots (repeatable)."),
]
Person = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only what this person says in sources, and memories about them.")
]
Origin = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHO",
        help=f"Only memories that this one vouches for: {', '.join(ORIGINS)} (repeatable).",
        autocompletion=complete.words(*ORIGINS),
    ),
]
LlmCalls = Annotated[int | None, llm_calls()]
LlmTokens = Annotated[int | None, llm_tokens()]
Message = Annotated[str | None, typer.Option("-m", "--message", metavar="TEXT", help="The commit's message.")]
Limit = Annotated[int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="At most N entries.")]
Key = Annotated[str, typer.Argument(metavar="KEY", help="A path, or namespace:path.", autocompletion=complete.keys)]
Keys = Annotated[
    list[str], typer.Argument(metavar="KEY...", help="Paths, or namespace:path.", autocompletion=complete.keys)
]
Signatures = Annotated[bool, typer.Option("--signatures", help="Show who signed each commit, checked with ssh-keygen.")]
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

DEFAULT = DEFAULT_NAMESPACE


def require_keys(keys: list[str] | None, *, unless: bool = False) -> list[str]:
    """Return the keys given on a command line.

    Raises:
        InvalidInput: there is none, although `unless` is false.
    """
    if not keys and not unless:
        raise InvalidInput("no key given", "name one or more paths, such as preferences.coding.testing")
    return keys or []


def chosen_strategy(strategy: str | None, *, ours: bool, theirs: bool) -> str | None:
    """Return the strategy that one of three options names.

    Raises:
        InvalidInput: several options are given.
    """
    names = [name for name in (strategy, "ours" * ours, "theirs" * theirs) if name]
    if len(names) > 1:
        raise InvalidInput("--strategy, --ours and --theirs exclude each other", "give one of them")
    return names[0] if names else None


def group() -> typer.Typer:
    """A command with sub-commands; alone, its callback answers. The callback's docstring is its help."""
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, invoke_without_command=True
    )
