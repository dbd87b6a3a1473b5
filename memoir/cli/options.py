"""Options and arguments that several commands share; those of writes alone are in `writing`."""

from typing import Annotated, Any

import typer

from memoir.cli import complete
from memoir.records.origins import ORIGINS
from memoir.taxonomy.paths import DEFAULT_NAMESPACE


def option(about: str, *names: Any, heading: str | None = None, completion: Any = None, **rest: Any) -> Any:
    """An option with its help; without names it gets its parameter's name.

    Outside of `Annotated` it is the default of its parameter; then the default value comes before the names.
    """
    return typer.Option(*names, help=about, rich_help_panel=heading, autocompletion=completion, **rest)


def argument(metavar: str, about: str, *, completion: Any = None, **rest: Any) -> Any:
    """An argument, with its placeholder and its help."""
    return typer.Argument(metavar=metavar, help=about, autocompletion=completion, **rest)


LLM_CALLS = "Ask the model at most N times, then go on without it."
LLM_TOKENS = "Let the model use at most N tokens, in and out."
"""The help of the options that limit a model's cost."""
At = Annotated[
    str | None, option("Read at a revision or date instead of now.", metavar="REV", completion=complete.revisions)
]
Namespace = Annotated[
    str,
    option(
        "Default namespace for keys without one.", "-n", "--namespace", metavar="NAME", completion=complete.namespaces
    ),
]
Namespaces = Annotated[
    list[str] | None,
    option(
        "Only this namespace (repeatable; default: all).",
        "-n",
        "--namespace",
        metavar="NAME",
        completion=complete.namespaces,
    ),
]
Globs = Annotated[
    list[str] | None, option("Only paths that match this pattern; '*' also matches dots (repeatable).", metavar="GLOB")
]
Person = Annotated[
    str | None, option("Only passages of sources said by this person, and memories about them.", metavar="NAME")
]
Origin = Annotated[
    list[str] | None,
    option(
        f"Only memories of this origin: {', '.join(ORIGINS)} (repeatable).",
        metavar="WHO",
        completion=complete.words(*ORIGINS),
    ),
]
Message = Annotated[str | None, option("The commit's message.", "-m", "--message", metavar="TEXT")]
Limit = Annotated[int | None, option("At most N entries.", "-l", "--limit", metavar="N", min=1)]
Key = Annotated[str, argument("KEY", "A path, or namespace:path; KEY#id: one memory there.", completion=complete.keys)]
DEFAULT = DEFAULT_NAMESPACE


def group() -> typer.Typer:
    """A command with sub-commands; alone, its callback answers. The callback's docstring is its help."""
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, invoke_without_command=True
    )
