"""Options and arguments that several commands share, spelled once; `writing` has those that only writes take."""

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
DEFAULT = DEFAULT_NAMESPACE


def require_keys(keys: list[str] | None, *, unless: bool = False) -> list[str]:
    """Return the keys given on a command line.

    Raises:
        InvalidInput: there is none, although `unless` is false.
    """
    if not keys and not unless:
        raise InvalidInput("no key given", "name one or more paths, such as preferences.coding.testing")
    return keys or []


def group() -> typer.Typer:
    """A command with sub-commands; alone, its callback answers. The callback's docstring is its help."""
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, invoke_without_command=True
    )
