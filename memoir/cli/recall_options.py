"""The options of a question, for `recall` and `explain`: each is a field of `memoir.recall.query.QueryFields`."""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Annotated, Any, ParamSpec, TypeVar, get_args

from memoir.cli import complete
from memoir.cli.options import At, Globs, Namespaces, Origin, Person, llm_calls, llm_tokens, option
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

P = ParamSpec("P")
R = TypeVar("R")


OPTIONS: Mapping[str, Any] = {
    "mode": Annotated[
        str | None,
        option(
            "simple: by words and vectors; deep: by names too; agent: in steps; single, tiered: by a model.",
            metavar="MODE",
            completion=complete.words(*RECALL_MODE.kind.words),
        ),
    ],
    "limit": Annotated[
        int | None,
        option(
            f"At most N memories ({RECALL_LIMIT.key}, {RECALL_LIMIT.default_text}).",
            "-l",
            "-k",
            "--limit",
            metavar="N",
            min=1,
        ),
    ],
    "namespace": Namespaces,
    "keys": Globs,
    "person": Person,
    "where": Annotated[
        list[str] | None, option("Only memories with this field of metadata (repeatable).", metavar="KEY=VALUE")
    ],
    "origin": Origin,
    "since": Annotated[str | None, option("Only memories of what happened from this date on.", metavar="DATE")],
    "until": Annotated[str | None, option("Only memories of what happened up to this date.", metavar="DATE")],
    "now": Annotated[
        str | None,
        option("What 'yesterday' and ages count from (default: now, or MEMOIR_NOW).", metavar="DATE", heading=TUNING),
    ],
    "threshold": Annotated[
        float | None, option("Only memories of at least this relevance, 0 to 1.", metavar="X", heading=TUNING)
    ],
    "max_chars": Annotated[int | None, option("At most N characters of content in all.", metavar="N", min=1)],
    "context": Annotated[
        int | None,
        option(
            "Show up to N neighbours before and after each memory, such as the turns around it.", metavar="N", min=0
        ),
    ],
    "gather": Annotated[
        bool,
        option("Gather a list: up to 40 memories in the order of time, of each the sentence that answers.", "--gather"),
    ],
    "strict": Annotated[
        bool, option("Leave out what has no evidence, even if nothing is left; else the best five come.", "--strict")
    ],
    "fresh": Annotated[bool, option("Leave out memories about code that has changed since, or is gone.", "--fresh")],
    "expired": Annotated[bool, option("Find memories that have expired, too.", "--expired")],
    "layers": Annotated[
        bool, option("Show insights and captions of sources too, as in the modes deep and agent.", "--layers")
    ],
    "sources": Annotated[
        str | None,
        option(
            "Search passages of sources beside memories (yes, the default), only them, or no.",
            metavar="WHICH",
            completion=complete.words("yes", "only", "no"),
        ),
    ],
    "tau": Annotated[
        str | None, option("Rank old memories lower, by e^(-age/DAYS); 'off': do not.", metavar="DAYS", heading=TUNING)
    ],
    "boost": Annotated[
        list[str] | None,
        option("Multiply the scores of paths that match (repeatable).", metavar="GLOB=FACTOR", heading=TUNING),
    ],
    "weight": Annotated[
        list[str] | None,
        option(
            "How much a part of the ranking counts, such as words, vectors or person; 0: nothing (repeatable).",
            metavar="NAME=X",
            heading=TUNING,
        ),
    ],
    "rerank": Annotated[
        str | None,
        option(
            "How the best are ranked again: none, deterministic or llm.",
            metavar="HOW",
            completion=complete.words(*RERANK.kind.words),
            heading=TUNING,
        ),
    ],
    "model": Annotated[
        str | None, option(f"The model ({LLM_MODEL.variables[0]}, {LLM_MODEL.key}).", metavar="NAME", heading=TUNING)
    ],
    "planner": Annotated[
        str | None,
        option(
            "Who plans in the modes deep and agent: auto (a model if one is configured) or rules.",
            metavar="WHO",
            completion=complete.words("auto", "rules"),
            heading=TUNING,
        ),
    ],
    "strategy": Annotated[
        str | None,
        option(
            f"How mode agent searches: auto, direct, split or chain ({AGENT_STRATEGY.key}).",
            metavar="NAME",
            completion=complete.words(*AGENT_STRATEGY.kind.words),
            heading=TUNING,
        ),
    ],
    "max_attempts": Annotated[
        int | None, option(f"At most N searches of a chain ({AGENT_ATTEMPTS.key}).", metavar="N", heading=TUNING)
    ],
    "min_confidence": Annotated[
        float | None,
        option(f"How sure a chain must be to end, 0 to 1 ({AGENT_CONFIDENCE.key}).", metavar="X", heading=TUNING),
    ],
    "llm_calls": Annotated[int | None, llm_calls(TUNING)],
    "llm_tokens": Annotated[int | None, llm_tokens(TUNING)],
    "at": At,
}
"""Each option by the field that it gives, in the order of the help."""
NoCache = Annotated[bool, option("Ask the model again, even if its answer is kept.", "--no-cache", heading=TUNING)]


def takes(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a command take options of a question, all of them if none is named, in the place of its `**fields`.

    They come before the command's own options, but for `at`, which is the last one everywhere.
    """

    def decorate(command: Callable[P, R]) -> Callable[P, R]:
        own = list(signature(command).parameters.values())[:-1]
        count = sum(each.kind is not Parameter.KEYWORD_ONLY for each in own)
        given = [_parameter(name) for name in names or OPTIONS]
        ordered = [*own[:count], *given[:-1], *own[count:], given[-1]]
        command.__signature__ = signature(command).replace(parameters=ordered)  # type: ignore[attr-defined]
        return command

    return decorate


def _parameter(name: str) -> Parameter:
    default = False if get_args(OPTIONS[name])[0] is bool else None
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=OPTIONS[name])
