"""How recall found its answer: the columns of the candidates and the steps, with `--trace` and in `explain`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Positive, Schema
from memoir.answers.contract.shapes import Instant, MemoryAddress, Namespace, Path

Rank = Annotated[Positive | None, Schema(description="Counted from 1; null if it is not a candidate of this channel.")]
Cosine = Annotated[float, Schema(minimum=-1.0001, maximum=1.0001)] | None


class Term(TypedDict):
    """A word of the query."""

    word: str
    documents: Positive
    """How many memories contain the word."""
    idf: Annotated[float, Schema(minimum=0)]


Span = TypedDict("Span", {"from": Instant, "to": Instant})


class Concepts(TypedDict):
    """Words of the query, and the concepts that they mean."""

    words: str
    concepts: list[str]
    """Concepts of the lexicon."""
    own: list[str]
    """The lines of the store's own words that contain them, such as 'barn = staging cluster'."""


class Question(TypedDict):
    """How a query was understood."""

    terms: list[Term]
    """The words that are searched for, the rarest first, and then their short or long forms, which count half."""
    people: list[str]
    """The people whom the query names."""
    times: list[Span]
    """The times that the query names."""
    concepts: list[Concepts]
    """The concepts of its words and phrases; words that the lexicon does not know are left out."""


class Candidate(TypedDict):
    """score = (fused + the channels person to insights) * recency * question * boost * rerank."""

    key: Path
    namespace: Namespace
    ordinal: Count
    """The memory's position among the memories of its path, from 0."""
    bm25_rank: Rank
    bm25: float | None
    vector_rank: Rank
    cosine: Cosine
    concept_rank: Rank
    concepts: float | None
    fused: float
    person: float
    time: float
    path: float
    synonyms: float
    graph: float
    threads: float
    insights: float
    recency: float
    question: float
    boost: float
    rerank: float
    score: float
    relevance_score: float
    lead: str | None
    """What led to the memory, such as `hop: PATH via NAMES` or `named: NAME`; null if the query itself did."""
    dropped: str | None
    """Why the memory is not in the answer; null if it is."""


FURTHER = Schema(additionalProperties={"type": ["number", "null"], "description": "The column of a further channel."})


class Stage(TypedDict):
    """A step on the way to the answer."""

    stage: str
    method: str
    """What did it: a leg or channel, a rule, or a model."""
    status: Annotated[str, Schema(enum=["done", "degraded", "skipped"])]
    input_count: Count
    candidate_count: Count
    """How many it looked at."""
    result_count: Count
    degraded: str | None
    """The part that was not done as asked, and why; null if all was."""
    skipped: str | None
    """Why it was not done; null if it was."""


class Trace(Question):
    """With --trace: how the query was understood, every candidate, and each step.

    If a model picked the memories, there are no words and no candidates.
    """

    candidates: list[Annotated[Candidate, FURTHER]]
    stages: list[Stage]


class CandidateRank(TypedDict):
    """The rank of a candidate."""

    rank: Positive | None
    """The rank among all candidates; null if the memory is not one of them."""


class RankedCandidate(CandidateRank, Candidate):
    """A memory of the path, with the numbers of its ranking."""

    address: MemoryAddress
    """The key of the memory or passage, which get reads."""
