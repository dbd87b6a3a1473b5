"""Options that several writing commands share; apart, because making them takes time at every start."""

from typing import Annotated

from memoir.cli import complete
from memoir.cli.options import LLM_CALLS, LLM_TOKENS, option

About = Annotated[
    list[str] | None,
    option(
        "The file of the project that it is about, optionally with lines; auto: the files that it names (repeatable).",
        metavar="FILE[:L1[-L2]]",
    ),
]
Expires = Annotated[
    str | None,
    option("When it expires: 2026-12-31, or 12h, 30d, 2w, 6m, 1y from now; never.", metavar="DATE|SPAN"),
]
AllowSecret = Annotated[bool, option("Store it even if it looks like a credential.", "--allow-secret")]
Classifier = Annotated[
    str | None,
    option(
        "Find a path by rules, model, or auto, which is a model if one is configured (default: rules).",
        metavar="NAME",
        completion=complete.words("rules", "model", "auto"),
    ),
]
LlmCalls = Annotated[int | None, option(LLM_CALLS, metavar="N", min=0)]
LlmTokens = Annotated[int | None, option(LLM_TOKENS, metavar="N", min=0)]
DryRun = Annotated[bool, option("Show what would happen, and change nothing.", "--dry-run")]
Strategy = Annotated[
    str | None,
    option(
        "The side to keep if both changed a memory: ours, theirs, append (both) or newest.",
        metavar="NAME",
        completion=complete.words("ours", "theirs", "append", "newest"),
    ),
]
