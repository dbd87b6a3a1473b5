"""Options and arguments that several commands share, spelled once."""

from typing import Annotated, Any

import typer

from memoir.cli import complete
from memoir.errors import InvalidInput
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

TUNING = "Tune and trace the ranking"
"""The heading, in the help of `recall` and `explain`, of the options that few questions need."""


def _llm_calls(heading: str | None = None) -> Any:
    about = "Ask the model at most N times, then go on without it."
    return typer.Option("--llm-calls", metavar="N", min=0, help=about, rich_help_panel=heading)


def _llm_tokens(heading: str | None = None) -> Any:
    about = "Let the model use at most N tokens, in and out."
    return typer.Option("--llm-tokens", metavar="N", min=0, help=about, rich_help_panel=heading)


At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="REV", help="Read at a revision or date instead of now.", autocompletion=complete.revisions
    ),
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
    typer.Option(
        "--keys", metavar="GLOB", help="Only paths that match this pattern; '*' also matches dots (repeatable)."
    ),
]
Person = Annotated[str | None, typer.Option("--person", metavar="NAME", help="Only memories about this person.")]
Where = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="KEY=VALUE", help="Only memories with this field of metadata (repeatable)."),
]
Weight = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="NAME=X",
        help="How much a part of the ranking counts, such as words, vectors or person; 0: nothing (repeatable).",
        rich_help_panel=TUNING,
    ),
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="Only memories of what happened from this date on.")
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="Only memories of what happened up to this date.")
]
Now = Annotated[
    str | None,
    typer.Option(
        "--now",
        metavar="DATE",
        help="What 'yesterday' and ages count from (default: now, or MEMOIR_NOW).",
        rich_help_panel=TUNING,
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold", metavar="X", help="Only memories of at least this relevance, 0 to 1.", rich_help_panel=TUNING
    ),
]
Tau = Annotated[
    str | None,
    typer.Option(
        "--tau",
        metavar="DAYS",
        help="Rank old memories lower, by e^(-age/DAYS); 'off': do not.",
        rich_help_panel=TUNING,
    ),
]
Boost = Annotated[
    list[str] | None,
    typer.Option(
        "--boost",
        metavar="GLOB=FACTOR",
        help="Multiply the scores of paths that match (repeatable).",
        rich_help_panel=TUNING,
    ),
]
LlmCalls = Annotated[int | None, _llm_calls()]
LlmTokens = Annotated[int | None, _llm_tokens()]
RankingCalls = Annotated[int | None, _llm_calls(TUNING)]
RankingTokens = Annotated[int | None, _llm_tokens(TUNING)]
Message = Annotated[str | None, typer.Option("-m", "--message", metavar="TEXT", help="The commit's message.")]
Limit = Annotated[int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="At most N entries.")]
Key = Annotated[
    str,
    typer.Argument(metavar="KEY", help="A path, or namespace:path.", show_default=False, autocompletion=complete.keys),
]
Keys = Annotated[
    list[str],
    typer.Argument(
        metavar="KEY...", help="Paths, or namespace:path.", show_default=False, autocompletion=complete.keys
    ),
]
Old = Annotated[
    str,
    typer.Argument(
        metavar="OLD",
        help="A path, or namespace:path; KEY#id: one memory.",
        show_default=False,
        autocompletion=complete.keys,
    ),
]
AllowSecret = Annotated[bool, typer.Option("--allow-secret", help="Store it even if it looks like a credential.")]
Classifier = Annotated[
    str | None,
    typer.Option(
        "--classifier",
        metavar="NAME",
        help="What finds a path: rules, model, or auto, which is a model if one is configured (default: rules).",
        autocompletion=complete.words("rules", "model", "auto"),
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen, and change nothing.")]
Strategy = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="What to keep where both sides changed a memory: ours, theirs, append (both) or newest.",
        autocompletion=complete.words("ours", "theirs", "append", "newest"),
    ),
]
Ours = Annotated[bool, typer.Option("--ours", help="Short for --strategy ours.")]
Theirs = Annotated[bool, typer.Option("--theirs", help="Short for --strategy theirs.")]
Remote = Annotated[
    str, typer.Argument(metavar="[REMOTE]", help="The name of the remote.", autocompletion=complete.remotes)
]
DEFAULT = DEFAULT_NAMESPACE


def chosen_strategy(strategy: str | None, *, ours: bool, theirs: bool) -> str | None:
    """Return the strategy that one of three options names.

    Raises:
        InvalidInput: several options are given.
    """
    names = [name for name in (strategy, "ours" * ours, "theirs" * theirs) if name]
    if len(names) > 1:
        raise InvalidInput("--strategy, --ours and --theirs exclude each other", "give one of them")
    return names[0] if names else None


def require_keys(keys: list[str] | None, *, unless: bool = False) -> list[str]:
    """Return the keys given on a command line.

    Raises:
        InvalidInput: there is none, although `unless` is false.
    """
    if not keys and not unless:
        raise InvalidInput("no key given", "name one or more paths, such as preferences.coding.testing")
    return keys or []
