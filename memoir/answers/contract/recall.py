"""The answers of `recall`, `explain` and `timeline`."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from memoir.answers.contract import Count, Fraction, Positive, Schema, shapes
from memoir.answers.contract.trace import FURTHER, Cosine, Question, Rank, RankedCandidate, Stage, Trace

Mode = Annotated[str, Schema(enum=["simple", "single", "tiered", "deep", "agent"])]


class FoundMetadata(TypedDict):
    """The memory's own metadata, and fields that memoir adds unless the memory has their names."""

    step_timings: NotRequired[Any]
    """With --timings: the seconds of each step, unless the memory has a key of this name."""
    mode: Any
    """The mode of recall, unless the memory has a key of this name."""


class Ranking(TypedDict):
    """The numbers of a memory's ranking."""

    bm25_rank: Rank
    vector_rank: Rank
    cosine: Cosine
    concept_rank: Rank
    recency: float
    """The factor for the memory's age, 1 without decay."""
    score: Annotated[float, Schema(minimum=0)]
    """The score by which memories are ranked."""
    lead: NotRequired[str]
    """What led to the memory, such as `hop: PATH via NAMES` or `named: NAME`, if the query itself did not."""


class CutField(TypedDict, total=False):
    """The field of a memory that --max-chars cut."""

    truncated: int
    """The length of the whole content in characters, if --max-chars or --gather cut it."""


class InDispute(TypedDict, total=False):
    """The field of a memory that others contradict."""

    disputes: Annotated[list[str], Schema(minItems=1)]
    """The keys of the five newest memories that contradict it, found or not, newest first."""


class InOrigin(TypedDict, total=False):
    """The fields of a memory, which a passage does not have."""

    origin: shapes.Origins
    """Who vouches for the memory; a passage has none."""
    author: str
    """Of a memory that came from a remote: the author of the commit that wrote it."""


class ContextMemory(TypedDict):
    """A memory, or a passage of a source, beside one that was found."""

    distance: int
    """How many places after the memory it stands; below 0, before it."""
    path: shapes.Path
    address: str
    """The address for `memoir get`."""
    speaker: str | None
    """Who says it, if that is known."""
    content: str
    namespace: shapes.Namespace
    confidence: shapes.Confidence
    timestamp: shapes.Instant
    origin: NotRequired[shapes.Origins]
    """Who vouches for a memory; a passage has none."""
    author: NotRequired[str]
    metadata: dict[str, Any]


class InContext(TypedDict, total=False):
    """The field of a memory that --context adds."""

    context: list[ContextMemory]
    """With --context: the neighbours of the memory, in order, without those that the answer has already."""


class OfSource(TypedDict, total=False):
    """The fields of a passage of a source."""

    layer: Annotated[str, Schema(enum=["raw"])]
    """Only of a passage of a source: what was said or written, as opposed to a memory."""
    source: str | None
    """Of a passage: the name of its source."""
    speaker: str | None
    """Of a passage: who says it; null in a document."""
    items: list[shapes.FullKey]
    """Of a passage: the memories that were extracted from it."""


PassageAddress = Annotated[str, Schema(pattern="#p[0-9]+(-[0-9]+)?$")]
"""The address for `memoir get`: `NAMESPACE:PATH#p2`, or `#p2-4` for several passages."""


class Found(TypedDict):
    """The fields of every memory and every passage that was found."""

    path: shapes.Path
    content: str
    namespace: shapes.Namespace
    id: shapes.MemoryId | None
    """The memory's id at the path; null if it is the only active memory there."""
    address: shapes.MemoryAddress
    relevance_score: Fraction
    """How well the memory answers the query; not the memory's confidence."""
    confidence: shapes.Confidence
    timestamp: shapes.Instant


class FoundMemory(Found, CutField, InContext, shapes.InDays, OfSource, shapes.InStore, InDispute, InOrigin):
    """A memory that was found, or a passage of a source."""

    metadata: Annotated[FoundMetadata, Schema(additionalProperties=True)]
    ranking: Ranking


class RecallMetadata(TypedDict):
    """How the answer was found."""

    mode: Mode
    model: str | None
    """The model; null if none was used."""
    embedder: str | None
    """The embedder whose vectors were used for ranking; null if none were."""
    usage: shapes.Usage
    cached: bool
    """Whether a cached answer of the model was used."""
    omitted: Count
    """How many memories, neighbours, insights and captions --max-chars left out."""
    gathered: NotRequired[Literal[True]]
    """With --gather: the memories are in the order of time, each cut to the sentence that answers."""
    weaker: NotRequired[Positive]
    """With --gather: how many more were found and left out as barely relevant."""
    weak: NotRequired[Literal[True]]
    """Present if nothing fits well: no memory has the question's rare words or is near its meaning."""
    planner: NotRequired[Annotated[str, Schema(enum=["rules", "model"])]]
    """In the modes deep and agent: whether a model took part in the decisions, or rules alone."""
    step_timings: NotRequired[dict[str, Annotated[float, Schema(minimum=0)]]]
    """With --timings: the seconds of each step."""
    llm_prompts: NotRequired[dict[str, str]]
    """With --prompts: the prompt of each step."""


class Item(TypedDict):
    """The kind of one of `memories`; both lists have the same order."""

    path: shapes.Path
    kind: str | None
    """Its metadata.item_kind; null without one."""


class Evidence(TypedDict):
    """A piece of evidence that a model named."""

    text: str
    path: shapes.Path | None
    """The memory, insight or segment it is from; null if it is the model's own words."""
    namespace: shapes.Namespace | None


class AgentMetrics(TypedDict):
    """How mode agent searched, and what that cost."""

    selected_tool: Annotated[str, Schema(enum=["direct", "split", "chain"])]
    queries: list[str]
    """The queries that were searched for, in order."""
    memory_search_called: Count
    """How often memories were searched."""
    input_token: Count
    output_token: Count
    confidence_scores: list[Fraction]
    """How sure the model was of its evidence, after each search of a chain."""
    evidence: list[shapes.FullKey]
    """The memories that the model cited."""
    memory_retrieval_time: NotRequired[Annotated[float, Schema(minimum=0)]]
    """With --timings: the seconds of searching."""
    llm_time: NotRequired[Annotated[float, Schema(minimum=0)]]
    """With --timings: the seconds of waiting for the model."""


class FoundInsight(TypedDict):
    """An insight: what memories mean as a whole."""

    path: shapes.Path
    namespace: shapes.Namespace
    content: str
    level: str
    """leaf, branch or root."""
    by: str
    """The model that wrote it."""
    relevance_score: Fraction
    stale: bool
    """Whether a source of it has changed since it was written."""
    sources: list[shapes.FullKey]
    """The memories or insights that it is built from."""
    store: NotRequired[shapes.StoreName]
    """The store that holds it, if your own store was searched too."""


class Caption(TypedDict):
    """A caption: what a segment of a source is about."""

    path: shapes.Path
    """The segment's path in its layer."""
    namespace: shapes.Namespace
    caption: str
    relevance_score: Fraction
    items: list[shapes.Path]
    """The paths of the memories of this answer that come from the segment."""
    store: NotRequired[shapes.StoreName]
    """The store that holds it, if your own store was searched too."""


class StandingInstruction(TypedDict):
    """An instruction that a user gave an assistant for the future. It does not answer the question, but says how to."""

    kind: Annotated[str, Schema(enum=["directive", "preference"])]
    content: str
    path: shapes.Path
    address: PassageAddress
    """The passage that it is from."""
    namespace: shapes.Namespace
    source: str
    speaker: str
    timestamp: shapes.Instant | None
    relevance_score: Fraction
    """Its similarity to the question."""
    store: NotRequired[shapes.StoreName]
    """The store that holds it, if your own store was searched too."""


class Recall(TypedDict):
    """The memories that answer a question, the best first. With --batch, one such object per line."""

    query: str
    mode: Mode
    memories: list[FoundMemory]
    count: Count
    """How many memories there are."""
    degraded: shapes.Degraded
    metadata: RecallMetadata
    standing: list[StandingInstruction]
    """Instructions and preferences of users in conversations with an assistant that bear on the question."""
    insights: NotRequired[list[FoundInsight]]
    """In the modes deep and agent, and with --layers: what many memories mean as a whole, the best first."""
    items: NotRequired[list[Item]]
    """In the modes deep and agent: the kinds of the memories, in their order."""
    rawData: NotRequired[list[Caption]]
    """In the modes deep and agent, and with --layers: captions of the sources behind the memories."""
    evidences: NotRequired[list[Evidence]]
    """In the modes deep and agent: the evidence that a model named."""
    strategy: NotRequired[Annotated[str, Schema(enum=["deep", "direct", "split", "chain"])]]
    """In the modes deep and agent: how the memories were searched for."""
    effective_query: NotRequired[str]
    """In the modes deep and agent: the questions that were searched for, one a line; `query` is the original."""
    metrics: NotRequired[AgentMetrics]
    """In mode agent: how it searched, and what that cost."""
    trace: NotRequired[Trace]


class Explanation(shapes.Place):
    """The path that is explained."""

    candidates: Count
    """How many candidates there are."""
    fusion: Annotated[str, Schema(enum=["blend", "rrf"])]
    mode: Mode


class Query(TypedDict):
    """The query of the request."""

    query: str


class Explain(Query, Explanation, Question):
    """Why the memories of a path rank where they do for a query, or are not found."""

    memories: Annotated[list[Annotated[RankedCandidate, FURTHER]], Schema(minItems=1)]
    """The memories of the path, the best first."""
    stages: list[Stage]
    """The steps of the ranking."""


class TimelineMoment(shapes.Target, shapes.Memory):
    """A memory and its time."""

    here: bool
    """Whether the memory is the one of --around, or at its path."""


class Timeline(TypedDict):
    """Memories by time, the newest first."""

    moments: list[TimelineMoment]
    count: Count
    """How many memories are listed."""
    degraded: shapes.Degraded
    omitted: Count
    """How many more memories --limit left out."""


class EvalScore(TypedDict):
    """The means over all questions for one mode and embedder."""

    mode: Annotated[str, Schema(enum=["simple", "deep", "agent"])]
    embedder: str | None
    """The embedder whose vectors were used; null if none were."""
    recall_at_1: Fraction
    """The share of the expected memories in the first place, relative to the most that could be there."""
    recall_at_5: Fraction
    recall_at_10: Fraction
    mrr: Fraction
    """The mean reciprocal rank of the first expected memory."""
    evidence: Fraction
    """The share of the expected memories whose whole content stood within the budget."""
    degraded: shapes.Degraded


class Eval(TypedDict):
    """How well recall finds the memories that questions are about."""

    questions: Positive
    """How many questions were asked."""
    blank: Count
    """How many lines have no question yet."""
    missing: list[shapes.MemoryAddress]
    """The expected keys that hold nothing."""
    budget: Positive
    """The tokens within which evidence counts."""
    scores: Annotated[list[EvalScore], Schema(minItems=1)]
    best: EvalScore
    """The scores of the mode and embedder that find most among the first 5."""


ANSWERS: dict[str, type] = {"recall": Recall, "explain": Explain, "timeline": Timeline, "eval": Eval}
