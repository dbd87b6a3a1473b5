"""The answers of `entities`, `related`, `threads`, `thread` and `insights`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Fraction, Positive, Schema
from memoir.answers.contract.shapes import Cost, Degraded, FullKey, Instant, Memory, Place, Target, Usage, Written

ThreadId = Annotated[str, Schema(pattern=r"^[0-9a-f]{12}$")]
"""The id of the thread's oldest memory, so newer memories do not change it."""


class Beginning(Place):
    """Where a thread begins: its oldest memory."""

    content: str


class Thread(TypedDict):
    """A topic that memories came back to."""

    id: ThreadId
    title: str | None
    """A sentence of a memory that names the subject; null if the memories share no subject."""
    about: list[str]
    """Words that its memories share; those of the subject come first."""
    size: Annotated[int, Schema(minimum=2)]
    """How many memories it has."""
    first: Instant
    """When its oldest memory was learnt."""
    last: Instant
    """When its newest memory was learnt."""
    dormant: bool
    """Whether no memory was added in the two weeks before the newest memory of the namespace, or before --now."""
    founder: Beginning


class Threads(TypedDict):
    """The threads, those with the newest memories first."""

    threads: list[Thread]
    count: Count
    """How many threads are listed."""
    dormant: Count
    """How many more are dormant; --all lists them."""
    vague: Count
    """How many more have no subject; --all lists them."""
    omitted: Count
    """How many more threads --limit left out."""


class PlacedMemory(Target, Memory):
    """A memory and where it is."""


class Story(Thread):
    """One thread with all its memories, the oldest first."""

    memories: list[PlacedMemory]


class Entity(TypedDict):
    """A person or thing that memories name."""

    name: str
    """Its commonest form."""
    aliases: list[str]
    """Other forms of it: in capitals, singular or plural."""
    kind: Annotated[str, Schema(enum=["person", "given", "title", "identifier", "name"])]
    """Why it is one: metadata.person, metadata.entities, quotation marks, its spelling, or its capitals."""
    size: Positive
    """How many memories name it."""


class Entities(TypedDict):
    """The people and things that memories name, the most frequent first; or one of them."""

    entities: list[Entity]
    count: Count
    """How many entities are listed."""
    more: bool
    """Whether --limit left out more entities, or more memories of the one that was asked for."""
    memories: list[PlacedMemory] | None
    """The newest memories that name the requested entity; null if none was requested."""
    degraded: Degraded


class Relation(TypedDict):
    """Why a memory is related to another."""

    kind: Annotated[str, Schema(enum=["link", "entity", "sequence", "likeness"])]
    why: str
    """The relation in words, in which 'this' is the memory that was asked for."""
    weight: Fraction


class Relative(PlacedMemory):
    """A memory that is related to the one that was asked for."""

    score: Annotated[float, Schema(minimum=0)]
    """The sum of the relations' weights."""
    relations: Annotated[list[Relation], Schema(minItems=1)]
    """The strongest first."""


class RelatedMemories(Place):
    """The memories that are related to those of a path, the nearest first, and why."""

    related: list[Relative]
    count: Count
    """How many memories are listed."""
    omitted: Count
    """How many more memories --limit left out."""
    degraded: Degraded


class InsightFields(TypedDict):
    """The fields of an insight."""

    level: Annotated[str, Schema(enum=["leaf", "branch", "root"])]
    """A leaf rests on memories that belong together, a branch on the leaves of a first level, the root on branches."""
    content: str
    by: str
    """The model that wrote it."""
    terms: list[str]
    """Words that its sources share, the most telling first."""
    size: Count
    """How many memories there are below it."""
    sources: list[FullKey]
    """The memories that a leaf is built from, or the insights that a branch or root is built from."""
    timestamp: Instant


class Insight(Place, InsightFields):
    """An insight: what memories mean as a whole."""

    stale: bool
    """Whether its sources have changed since it was written, or more memories belong to them."""


class BuiltInsight(Place, InsightFields):
    """An insight that building wrote or removed."""

    change: Annotated[str, Schema(enum=["added", "changed", "removed"])]


class Insights(Written):
    """The insights of a namespace, the root first and each branch before its leaves; or what building them changed."""

    insights: list[Insight]
    """The insights that are stored; empty if they were built."""
    count: Count
    """How many insights are listed."""
    missing: Count
    """How many insights are not built yet; after a build, how many the model did not write."""
    built: list[BuiltInsight] | None
    """The insights that 'memoir insights build' wrote or removed, or would; null if they were only shown."""
    unchanged: Count
    """How many insights were up to date when they were built."""
    usage: Usage | None
    """The cost of a model; null if insights were only shown."""
    cost: Cost | None
    """With --by model and --dry-run: what a model would cost; else null."""
    degraded: Degraded


ANSWERS: dict[str, type] = {
    "entities": Entities,
    "related": RelatedMemories,
    "threads": Threads,
    "thread": Story,
    "insights": Insights,
}
