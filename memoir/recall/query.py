"""`QueryFields`, what callers say of a question, and `Query`, the question with everything that decides its answer.

An option is a field of each; `memoir.recall.parse` makes the second of the first and the settings.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from memoir.index.filters import Filter
from memoir.taxonomy.paths import matcher

if TYPE_CHECKING:
    from memoir.recall.plans import AgentPlan, DeepPlan
    from memoir.recall.result import IntelligentSearchResult

Listener = Callable[[str, "list[IntelligentSearchResult]"], None]
"""Is told the name of a stage, and the memories that it has found."""
BoostFn = Callable[[str, str, str], float]
"""Given a memory's namespace, path and content: the factor its score is multiplied by."""
MOST_MOMENTS = 20
"""The memories of a timeline, where nobody says how many."""


class CommonFields(TypedDict, total=False):
    """The fields that have one name wherever memoir is asked; None stands for one that is not given."""

    mode: str | None
    at: str | None
    keys: str | list[str] | None
    person: str | None
    since: str | None
    until: str | None
    now: str | None
    tau: str | float | None
    threshold: float | None
    model: str | None
    max_chars: int | None
    rerank: str | None
    strategy: str | None
    max_attempts: int | None
    min_confidence: float | None
    llm_calls: int | None
    llm_tokens: int | None
    prompts: dict[str, str] | None
    planner: str | None
    boost: str | list[str] | None
    where: str | list[str] | None
    origin: str | list[str] | None
    weight: str | list[str] | None
    context: int | None
    gather: bool
    strict: bool
    fresh: bool
    expired: bool
    layers: bool
    sources: str | None
    cache: bool


class QueryFields(CommonFields, total=False):
    """The fields of a question beside its query, as people write them, named as the options of `memoir recall`.

    None stands for one that is not given. `prompts` replaces the instructions of a model's steps.
    """

    limit: int | None
    namespace: str | list[str] | None


class Boost(NamedTuple):
    """A factor for the memories whose paths match a glob."""

    glob: str
    factor: float


class Query(NamedTuple):
    """One question, ready to be answered; nothing else says how.

    `memoir.recall.parse.parse` makes it. Times are seconds since 1970.
    """

    text: str
    now: float
    """The time from which relative dates and ages count."""
    weights: Mapping[str, float]
    """The weight of each leg and each channel, by its name; one without a weight is off."""
    where: Filter = Filter(sources="yes")
    """Which documents it may find."""
    mode: str = "simple"
    at: str | None = None
    """The revision that answers; None for the current one."""
    limit: int = 5
    limit_is_given: bool = False
    """Whether the caller named the limit; where not, a model may pick more paths."""
    threshold: float = 0.0
    strict: bool = True
    """Whether what has no evidence is left out, even if nothing is left.

    `parse` says no, unless the caller says yes or wants a list.
    """
    fresh: bool = False
    """Whether memories are left out whose code has changed or is gone."""
    expired: bool = False
    """Whether memories are found that no longer hold."""
    max_chars: int | None = None
    insights: int = 0
    """How many insights go with the memories."""
    captions: int = 0
    """How many captions of sources go with the memories."""
    joined: bool = True
    """Whether passages of a talk that are beside each other are one hit."""
    context: int = 0
    """How many neighbours of each memory are shown on each side of it."""
    fusion: str = "blend"
    rrf_k: float = 60.0
    pool: int = 50
    """How many memories each leg proposes."""
    breadth: bool = False
    """Whether it wants many turns of a conversation rather than long ones."""
    gather: bool = False
    """Whether it wants a list in the order of time, and of each memory only the sentence that answers."""
    tau: float = 0.0
    """The decay in days; 0 for none."""
    boosts: tuple[Boost, ...] = ()
    boost_fn: BoostFn | None = None
    rerank: str = "none"
    model: str | None = None
    """The model named for this query; None for the engine's own."""
    insists: bool = False
    """Whether the caller named the mode or the rerank that needs a model, and did not leave it to the settings."""
    planner: str = "auto"
    """Who plans in the modes that reason: `auto` for a model if one is configured, or `rules`."""
    agent: "AgentPlan | None" = None
    """How the mode `agent` searches; None in any other mode."""
    llm_calls: int | None = None
    """The most calls to a model; None for no bound."""
    llm_tokens: int | None = None
    """The most tokens of a model, in and out; None for no bound."""
    prompts: tuple[tuple[str, str], ...] = ()
    """The texts that replace the instructions of steps for a model, by the steps' names."""
    deep: "DeepPlan | None" = None
    """The questions of the mode `deep` to a model; None in any other mode."""
    listener: "Listener | None" = None
    """Is told what each stage has found, while the rest is still to be done; None if nobody wants to know."""
    cache: bool = True

    @property
    def asks_model(self) -> bool:
        """Whether a model is needed; `deep` may use one, and does without."""
        return self.mode in ("single", "tiered") or (self.rerank == "llm" and self.mode == "simple")

    @property
    def may_ask_model(self) -> bool:
        """Whether a model is used if one is configured, and rules if not."""
        return self.mode in ("deep", "agent") and self.planner != "rules"

    def weight(self, name: str) -> float:
        """The weight of a leg or a channel."""
        return self.weights.get(name, 0.0)

    @property
    def needs_threads(self) -> bool:
        """Whether a channel is on that looks at threads."""
        return bool(self.weight("threads") or self.weight("insights"))

    def factor(self, namespace: str, path: str, content: str) -> float:
        """The product of all boosts of a memory."""
        product = 1.0
        for boost in self.boosts:
            if matcher([boost.glob])(path):
                product *= boost.factor
        return product * (self.boost_fn(namespace, path, content) if self.boost_fn else 1.0)
