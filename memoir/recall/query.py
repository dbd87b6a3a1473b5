"""`QueryFields`, the options of a question as callers give them, and `Query`, the complete question.

Every option is a field of both; `memoir.recall.parse` makes a `Query` of the fields and the settings.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from memoir.index.filters import Filter
from memoir.taxonomy.paths import matcher

if TYPE_CHECKING:
    from memoir.recall.plans import AgentPlan, DeepPlan
    from memoir.recall.result import IntelligentSearchResult

Listener = Callable[[str, "list[IntelligentSearchResult]"], None]
"""Called with the name of a stage and the memories found by it."""
BoostFn = Callable[[str, str, str], float]
"""Maps a memory's namespace, path and content to a factor for its score."""
MOST_MOMENTS = 20
"""The default number of memories of a timeline."""


class CommonFields(TypedDict, total=False):
    """The fields that have the same name in every interface; None counts as not given."""

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
    """The fields of a question besides its text, named as the options of `memoir recall`.

    None counts as not given. `prompts` replaces the instructions of model steps.
    """

    limit: int | None
    namespace: str | list[str] | None


class Boost(NamedTuple):
    """A factor for the memories whose paths match a glob."""

    glob: str
    factor: float


class Query(NamedTuple):
    """One question with everything that decides its answer.

    Made by `memoir.recall.parse.parse`. Times are seconds since 1970.
    """

    text: str
    now: float
    """The time that relative dates and ages count from."""
    weights: Mapping[str, float]
    """The weights of legs and channels, by name; without a weight it is off."""
    where: Filter = Filter(sources="yes")
    """Which documents may be found."""
    mode: str = "simple"
    at: str | None = None
    """The revision to search; None for the current one."""
    limit: int = 5
    limit_is_given: bool = False
    """Whether the caller named the limit; if not, a model may pick more paths."""
    threshold: float = 0.0
    strict: bool = True
    """Whether memories without evidence are left out, even if nothing remains.

    `parse` sets it to false unless the caller asks for it or for a list.
    """
    fresh: bool = False
    """Whether memories are left out if their code has changed or is gone."""
    expired: bool = False
    """Whether expired memories are found, too."""
    max_chars: int | None = None
    insights: int = 0
    """The most insights in the answer."""
    captions: int = 0
    """The most captions of sources in the answer."""
    joined: bool = True
    """Whether adjacent passages of a talk are joined to one hit."""
    context: int = 0
    """How many neighbours of each memory are shown on each side."""
    fusion: str = "blend"
    rrf_k: float = 60.0
    pool: int = 50
    """The most documents that each leg proposes."""
    breadth: bool = False
    """Whether the answer has many short turns of a conversation rather than few long ones."""
    gather: bool = False
    """Whether the answer is a list sorted by time, each memory cut to the sentence that answers."""
    tau: float = 0.0
    """The decay time in days; 0 for no decay."""
    boosts: tuple[Boost, ...] = ()
    boost_fn: BoostFn | None = None
    rerank: str = "none"
    model: str | None = None
    """The model named for this query; None for the engine's own."""
    insists: bool = False
    """Whether the caller, not a setting, chose the mode or rerank that needs a model."""
    planner: str = "auto"
    """Who plans in the modes `deep` and `agent`: `auto` for a model if one is configured, or `rules`."""
    agent: "AgentPlan | None" = None
    """The plan of mode `agent`; None in other modes."""
    llm_calls: int | None = None
    """The most calls to a model; None for no bound."""
    llm_tokens: int | None = None
    """The most tokens of a model, in and out; None for no bound."""
    prompts: tuple[tuple[str, str], ...] = ()
    """The texts that replace the instructions of model steps, by step."""
    deep: "DeepPlan | None" = None
    """The plan of mode `deep`; None in other modes."""
    listener: "Listener | None" = None
    """Called with the memories of each stage as soon as they are found."""
    cache: bool = True

    @property
    def asks_model(self) -> bool:
        """Whether the query cannot be answered without a model."""
        return self.mode in ("single", "tiered") or (self.rerank == "llm" and self.mode == "simple")

    @property
    def may_ask_model(self) -> bool:
        """Whether the query uses a model if one is configured, else rules."""
        return self.mode in ("deep", "agent") and self.planner != "rules"

    def weight(self, name: str) -> float:
        """The weight of a leg or a channel."""
        return self.weights.get(name, 0.0)

    @property
    def needs_threads(self) -> bool:
        """Whether a channel that needs threads is on."""
        return bool(self.weight("threads") or self.weight("insights"))

    def factor(self, namespace: str, path: str, content: str) -> float:
        """The product of all boosts of a memory."""
        product = 1.0
        for boost in self.boosts:
            if matcher([boost.glob])(path):
                product *= boost.factor
        return product * (self.boost_fn(namespace, path, content) if self.boost_fn else 1.0)
