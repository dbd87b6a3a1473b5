"""The options of a question, for `recall` and `explain`: each is a field of `memoir.recall.query.QueryFields`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import llm_calls, llm_tokens
from memoir.settings import (
    AGENT_ATTEMPTS,
    AGENT_CONFIDENCE,
    AGENT_STRATEGY,
    LLM_MODEL,
    RECALL_LIMIT,
    RECALL_MODE,
    RERANK,
)

TUNING = "Tune and trace the ranking"
"""The heading, in the help, of the options that few questions need."""

Mode = Annotated[
    str | None,
    typer.Option(
        metavar="MODE",
        help="simple: by words and vectors; deep: by names too; agent: in steps; single, tiered: by a model.",
        autocompletion=complete.words(*RECALL_MODE.kind.words),
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "-l",
        "-k",
        "--limit",
        metavar="N",
        min=1,
        help=f"At most N memories ({RECALL_LIMIT.key}, {RECALL_LIMIT.default_text}).",
    ),
]
Where = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="Only memories with this field of metadata (repeatable).")
]
Since = Annotated[str | None, typer.Option(metavar="DATE", help="Only memories of what happened from this date on.")]
Until = Annotated[str | None, typer.Option(metavar="DATE", help="Only memories of what happened up to this date.")]
MaxChars = Annotated[int | None, typer.Option(metavar="N", min=1, help="At most N characters of content in all.")]
Context = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, help="Show up to N neighbours before and after each memory, such as the turns around it."
    ),
]
Gather = Annotated[
    bool,
    typer.Option(
        "--gather", help="Gather a list: up to 40 memories in the order of time, of each the sentence that answers."
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Leave out what has no evidence, even if nothing is left; else the best five come."),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Leave out memories about code that has changed since, or is gone.")
]
Expired = Annotated[bool, typer.Option("--expired", help="Find memories that have expired, too.")]
Layers = Annotated[
    bool, typer.Option("--layers", help="Show insights and captions of sources too, as in the modes deep and agent.")
]
Sources = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="Search passages of sources beside memories (yes, the default), only them, or no.",
        autocompletion=complete.words("yes", "only", "no"),
    ),
]
Now = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="What 'yesterday' and ages count from (default: now, or MEMOIR_NOW).",
        rich_help_panel=TUNING,
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(metavar="X", help="Only memories of at least this relevance, 0 to 1.", rich_help_panel=TUNING),
]
Tau = Annotated[
    str | None,
    typer.Option(
        metavar="DAYS", help="Rank old memories lower, by e^(-age/DAYS); 'off': do not.", rich_help_panel=TUNING
    ),
]
Boost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="GLOB=FACTOR", help="Multiply the scores of paths that match (repeatable).", rich_help_panel=TUNING
    ),
]
Weight = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=X",
        help="How much a part of the ranking counts, such as words, vectors or person; 0: nothing (repeatable).",
        rich_help_panel=TUNING,
    ),
]
Rerank = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="How the best are ranked again: none, deterministic or llm.",
        autocompletion=complete.words(*RERANK.kind.words),
        rich_help_panel=TUNING,
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help=f"The model ({LLM_MODEL.variables[0]}, {LLM_MODEL.key}).", rich_help_panel=TUNING
    ),
]
Planner = Annotated[
    str | None,
    typer.Option(
        metavar="WHO",
        help="Who plans in the modes deep and agent: auto (a model if one is configured) or rules.",
        autocompletion=complete.words("auto", "rules"),
        rich_help_panel=TUNING,
    ),
]
Strategy = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"How mode agent searches: auto, direct, split or chain ({AGENT_STRATEGY.key}).",
        autocompletion=complete.words(*AGENT_STRATEGY.kind.words),
        rich_help_panel=TUNING,
    ),
]
MaxAttempts = Annotated[
    int | None,
    typer.Option(metavar="N", help=f"At most N searches of a chain ({AGENT_ATTEMPTS.key}).", rich_help_panel=TUNING),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(
        metavar="X", help=f"How sure a chain must be to end, 0 to 1 ({AGENT_CONFIDENCE.key}).", rich_help_panel=TUNING
    ),
]
LlmCalls = Annotated[int | None, llm_calls(TUNING)]
LlmTokens = Annotated[int | None, llm_tokens(TUNING)]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Ask the model again, even if its answer is kept.", rich_help_panel=TUNING)
]
