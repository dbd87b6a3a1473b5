"""The options of a question, for `recall` and `explain`: each is a field of `memoir.recall.query.QueryFields`."""

from typing import Annotated

from memoir.cli import complete
from memoir.cli.options import llm_calls, llm_tokens, option
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
    option(
        "simple: by words and vectors; deep: by names too; agent: in steps; single, tiered: by a model.",
        metavar="MODE",
        completion=complete.words(*RECALL_MODE.kind.words),
    ),
]
Limit = Annotated[
    int | None,
    option(
        f"At most N memories ({RECALL_LIMIT.key}, {RECALL_LIMIT.default_text}).",
        "-l",
        "-k",
        "--limit",
        metavar="N",
        min=1,
    ),
]
Where = Annotated[
    list[str] | None, option("Only memories with this field of metadata (repeatable).", metavar="KEY=VALUE")
]
Since = Annotated[str | None, option("Only memories of what happened from this date on.", metavar="DATE")]
Until = Annotated[str | None, option("Only memories of what happened up to this date.", metavar="DATE")]
MaxChars = Annotated[int | None, option("At most N characters of content in all.", metavar="N", min=1)]
Context = Annotated[
    int | None,
    option("Show up to N neighbours before and after each memory, such as the turns around it.", metavar="N", min=0),
]
Gather = Annotated[
    bool,
    option("Gather a list: up to 40 memories in the order of time, of each the sentence that answers.", "--gather"),
]
Strict = Annotated[
    bool, option("Leave out what has no evidence, even if nothing is left; else the best five come.", "--strict")
]
Fresh = Annotated[bool, option("Leave out memories about code that has changed since, or is gone.", "--fresh")]
Expired = Annotated[bool, option("Find memories that have expired, too.", "--expired")]
Layers = Annotated[
    bool, option("Show insights and captions of sources too, as in the modes deep and agent.", "--layers")
]
Sources = Annotated[
    str | None,
    option(
        "Search passages of sources beside memories (yes, the default), only them, or no.",
        metavar="WHICH",
        completion=complete.words("yes", "only", "no"),
    ),
]
Now = Annotated[
    str | None,
    option("What 'yesterday' and ages count from (default: now, or MEMOIR_NOW).", metavar="DATE", heading=TUNING),
]
Threshold = Annotated[
    float | None, option("Only memories of at least this relevance, 0 to 1.", metavar="X", heading=TUNING)
]
Tau = Annotated[
    str | None, option("Rank old memories lower, by e^(-age/DAYS); 'off': do not.", metavar="DAYS", heading=TUNING)
]
Boost = Annotated[
    list[str] | None,
    option("Multiply the scores of paths that match (repeatable).", metavar="GLOB=FACTOR", heading=TUNING),
]
Weight = Annotated[
    list[str] | None,
    option(
        "How much a part of the ranking counts, such as words, vectors or person; 0: nothing (repeatable).",
        metavar="NAME=X",
        heading=TUNING,
    ),
]
Rerank = Annotated[
    str | None,
    option(
        "How the best are ranked again: none, deterministic or llm.",
        metavar="HOW",
        completion=complete.words(*RERANK.kind.words),
        heading=TUNING,
    ),
]
Model = Annotated[
    str | None, option(f"The model ({LLM_MODEL.variables[0]}, {LLM_MODEL.key}).", metavar="NAME", heading=TUNING)
]
Planner = Annotated[
    str | None,
    option(
        "Who plans in the modes deep and agent: auto (a model if one is configured) or rules.",
        metavar="WHO",
        completion=complete.words("auto", "rules"),
        heading=TUNING,
    ),
]
Strategy = Annotated[
    str | None,
    option(
        f"How mode agent searches: auto, direct, split or chain ({AGENT_STRATEGY.key}).",
        metavar="NAME",
        completion=complete.words(*AGENT_STRATEGY.kind.words),
        heading=TUNING,
    ),
]
MaxAttempts = Annotated[
    int | None, option(f"At most N searches of a chain ({AGENT_ATTEMPTS.key}).", metavar="N", heading=TUNING)
]
MinConfidence = Annotated[
    float | None,
    option(f"How sure a chain must be to end, 0 to 1 ({AGENT_CONFIDENCE.key}).", metavar="X", heading=TUNING),
]
LlmCalls = Annotated[int | None, llm_calls(TUNING)]
LlmTokens = Annotated[int | None, llm_tokens(TUNING)]
NoCache = Annotated[bool, option("Ask the model again, even if its answer is kept.", "--no-cache", heading=TUNING)]
