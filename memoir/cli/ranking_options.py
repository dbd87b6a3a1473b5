"""Options of `recall` and `explain`: whom and what a question is about, and how the ranking is tuned."""

from typing import Annotated

import typer

from memoir.cli.options import llm_calls, llm_tokens

TUNING = "Tune and trace the ranking"
"""The heading, in the help of `recall` and `explain`, of the options that few questions need."""

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
RankingCalls = Annotated[int | None, llm_calls(TUNING)]
RankingTokens = Annotated[int | None, llm_tokens(TUNING)]
