"""The answers of `recall`, `explain` and `timeline`."""

from typing import Annotated, Any, NotRequired, TypedDict

from memoir.output.contract.schema import Count, Fraction, Positive, Schema
from memoir.output.contract.shapes import (
    Confidence,
    Degraded,
    Instant,
    Memory,
    Namespace,
    Path,
    Place,
    Usage,
)

Mode = Annotated[str, Schema(enum=["simple", "single", "tiered"])]


Rank = Annotated[Positive | None, Schema(description="From 1; null outside the leg's pool.")]


Cosine = Annotated[float, Schema(minimum=-1.0001, maximum=1.0001)] | None


class Term(TypedDict):
    """A word that is searched for."""

    word: str
    documents: Positive
    """How many memories hold it."""
    idf: Annotated[float, Schema(minimum=0)]


Span = TypedDict("Span", {"from": Instant, "to": Instant})


class Question(TypedDict):
    """How a query was understood."""

    terms: list[Term]
    """The words searched for, the rarest first."""
    people: list[str]
    """Whom the query names."""
    times: list[Span]
    """The times it speaks of."""


class Candidate(TypedDict):
    """score = (fused + person + time) * recency * boost * rerank."""

    key: Path
    namespace: Namespace
    ordinal: Count
    """Its place among the memories of the path."""
    bm25_rank: Rank
    bm25: float | None
    vector_rank: Rank
    cosine: Cosine
    fused: float
    person: float
    time: float
    recency: float
    boost: float
    rerank: float
    score: float
    relevance_score: float
    dropped: str | None
    """Why it is not in the answer; null if it is."""


FURTHER = Schema(additionalProperties={"type": ["number", "null"], "description": "The column of a further channel."})


class FoundMetadata(TypedDict):
    """The memory's own metadata; what memoir adds is never over a key of that."""

    step_timings: NotRequired[Any]
    """With --timings: seconds by step, unless the memory has a key of this name."""
    mode: Any
    """The mode of recall, unless the memory has a key of this name."""


class Ranking(TypedDict):
    """What ranking knows of it."""

    bm25_rank: Rank
    vector_rank: Rank
    cosine: Cosine
    recency: float
    """The factor of age, 1 without decay."""
    score: Annotated[float, Schema(minimum=0)]
    """What the ranking is by."""


class Cut(TypedDict, total=False):
    """What --max-chars cut."""

    truncated: int


class FoundMemory(TypedDict):
    """A memory that was found."""

    path: Path
    content: str
    namespace: Namespace
    relevance_score: Fraction
    """How well it answers this query, not how sure the memory is."""
    confidence: Confidence
    timestamp: Instant
    truncated: NotRequired[int]
    """Cut by --max-chars: the characters of the whole."""
    metadata: Annotated[FoundMetadata, Schema(additionalProperties=True)]
    ranking: Ranking


class RecallMetadata(TypedDict):
    """How the answer was made."""

    mode: Mode
    model: str | None
    """The model asked; null if none was."""
    embedder: str | None
    """Whose vectors ranked; null if none did."""
    usage: Usage
    cached: bool
    """Whether a model's earlier answer was used."""
    omitted: Count
    """Memories left out by --max-chars."""
    step_timings: NotRequired[dict[str, Annotated[float, Schema(minimum=0)]]]
    """With --timings: seconds by step."""
    llm_prompts: NotRequired[dict[str, str]]
    """With --prompts: the texts sent, by step."""


class Trace(Question):
    """With --trace: how the query was understood, and every candidate; null if a model picked."""

    candidates: list[Annotated[Candidate, FURTHER]]


class Recall(TypedDict):
    """The memories that answer a question, the best first. With --batch, one such object a line."""

    query: str
    mode: Mode
    memories: list[FoundMemory]
    count: Count
    """How many there are."""
    degraded: Degraded
    metadata: RecallMetadata
    trace: NotRequired[Trace | None]


class Ranked(TypedDict):
    """The place of a candidate."""

    rank: Positive | None
    """Among all; null if not in the running."""


class RankedCandidate(Ranked, Candidate):
    """A memory of the path, with its numbers."""


class Explained(Place):
    """The path that is asked about."""

    candidates: Count
    """How many memories were in the running."""
    fusion: Annotated[str, Schema(enum=["blend", "rrf"])]


class Query(TypedDict):
    """The query as given."""

    query: str


class Explain(Query, Explained, Question):
    """Why the memories of a path rank where they do for a query, or are not found."""

    memories: Annotated[list[Annotated[RankedCandidate, FURTHER]], Schema(minItems=1)]
    """Those of the path, the best first."""


class TimelineMoment(Place, Memory):
    """A memory and its time."""

    here: bool
    """Whether it lies at the path of --around."""


class Timeline(TypedDict):
    """What was learnt when, the newest first."""

    moments: list[TimelineMoment]
    count: Count
    """How many there are."""
    degraded: Degraded
    omitted: Count
    """How many more there are, left out by --limit."""


ANSWERS: dict[str, type] = {
    "recall": Recall,
    "explain": Explain,
    "timeline": Timeline,
}
