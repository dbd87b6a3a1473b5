"""Options that several of the commands share that write, apart because making them takes time at every start."""

from typing import Annotated

from memoir.cli import complete
from memoir.cli.options import LLM_CALLS, LLM_TOKENS, option

About = Annotated[
    list[str] | None,
    option(
        "A file of the project that it is about, and lines of it; auto: the files that it names (repeatable).",
        metavar="FILE[:L1[-L2]]",
    ),
]
Expires = Annotated[
    str | None,
    option("From when it no longer holds: 2026-12-31, or 12h, 30d, 2w, 6m, 1y from now; never.", metavar="DATE|SPAN"),
]
AllowSecret = Annotated[bool, option("Store it even if it looks like a credential.", "--allow-secret")]
Classifier = Annotated[
    str | None,
    option(
        "What finds a path: rules, model, or auto, which is a model if one is configured (default: rules).",
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
        "What to keep where both sides changed a memory: ours, theirs, append (both) or newest.",
        metavar="NAME",
        completion=complete.words("ours", "theirs", "append", "newest"),
    ),
]
