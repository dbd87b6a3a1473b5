"""The answers of `suggest`, `classify`, `consolidate`, `taxonomy` and `lexicon`."""

from typing import Annotated, Literal, TypedDict

from memoir.answers.contract import Count, Fraction, Schema
from memoir.answers.contract.shapes import CommitMade, Degraded, Filing, FullKey, Instant, Path, Place, Written


class SuggestedPath(Place):
    """A path that holds memories."""

    score: Fraction
    """How near the nearest memory there is, as the 'relevance_score' of recall."""
    memories: Annotated[int, Schema(minimum=1)]
    """How many active memories are there."""
    example: str
    """The first line of the nearest memory, shortened."""


class SuggestedCategory(TypedDict):
    """A path that the rules would choose, below a category of the taxonomy."""

    path: Path
    confidence: Fraction
    about: str
    """What belongs in the category."""


class Suggest(TypedDict):
    """The paths that are nearest to a text, best first."""

    weak: bool
    """Whether none of the paths is near."""
    paths: list[SuggestedPath]
    count: Count
    """How many paths there are."""
    categories: list[SuggestedCategory]
    """If no path is near: paths below categories that fit, best first; else empty."""
    degraded: Degraded


class LexiconOffer(TypedDict):
    """Two names of one thing in a text, and the command that adds them to the lexicon."""

    name: str
    words: str
    command: str


class InboxMemory(Place):
    """A memory in the inbox."""

    content: str
    to: list[FullKey]
    """The paths that the memory moves to; empty if it stays in the inbox."""
    filing: Filing
    degraded: Degraded
    lexicon: list[LexiconOffer]
    """Names of one thing that it mentions and that the store's lexicon lacks."""


class Classify(Written):
    """The memories in the inbox, and the paths that they moved to, or would move to in a dry run."""

    inbox: list[InboxMemory]
    count: Count
    """How many memories were in the inbox."""
    moved: Count
    """How many memories were moved."""


class Keeper(Place):
    """The memory that supersedes the other one, or would."""

    content: str


class Pair(Place):
    """A memory, and the memory that supersedes it or would."""

    content: str
    by: Keeper
    cosine: Annotated[float, Schema(minimum=-1.0001, maximum=1.0001)]


class CandidateId(TypedDict):
    """The id of a candidate."""

    id: str
    """The value for --accept; valid until one of the two memories changes."""


class DuplicateCandidate(CandidateId, Pair):
    """Two similar memories that are not near-duplicates."""


class Consolidate(Written):
    """Near-duplicates, each with the memory that supersedes it; and candidates, which are only similar."""

    superseded: list[Pair]
    count: Count
    """How many memories are superseded."""
    candidates: list[DuplicateCandidate]
    """Similar memories, superseded only with --accept ID; the nearest first."""
    candidate_count: Count
    """How many candidates there are, with those that --limit left out."""


class Category(TypedDict):
    """A category that memories are filed under."""

    path: Path
    about: str
    examples: list[str]
    cues: list[str]
    """Words that are evidence for the category."""


class Taxonomy(TypedDict):
    """The categories."""

    source: Annotated[str, Schema(enum=["default", "extended", "replaced"])]
    """Whether the store uses the default categories, adds to them, or replaces them."""
    categories: list[Category]
    count: Count
    """How many categories there are."""


class TaxonomyChanged(CommitMade):
    """A change of the categories."""

    action: Literal["add", "load", "reset"]
    count: Count
    """How many categories were added or loaded."""


class OwnLine(TypedDict):
    """Names of one thing, and words for the same."""

    names: list[str]
    words: list[str]


class StoredLine(Place, OwnLine):
    """A line of the store's own words, and where it is."""

    timestamp: Instant


class Lexicon(TypedDict):
    """The store's own words, by name."""

    lines: list[StoredLine]
    count: Count
    """How many lines there are."""


class LexiconChanged(Written):
    """A change of the store's own words."""

    action: Literal["add", "remove"]
    lines: list[OwnLine]
    """The lines that were added or removed, or would be in a dry run; without those that the store had already."""


class WeightedConcept(TypedDict):
    """A concept of the lexicon."""

    name: str
    weight: Annotated[float, Schema(minimum=0, maximum=1)]
    """1 if the words mean the concept, less if they are only related to it."""


class LexiconSpot(TypedDict):
    """Words of a text, and the concepts that they mean."""

    words: str
    is_name: bool
    """Whether they are a name, such as that of a tool, or one in the store's own words."""
    own: list[OwnLine]
    """The lines of the store's own words that contain them."""
    concepts: list[WeightedConcept]
    related: list[str]
    """Concepts that are related to those."""


class LexiconWhy(TypedDict):
    """The words and phrases of a text that the lexicon knows, in order."""

    text: str
    spots: list[LexiconSpot]
    count: Count
    """How many words and phrases of the text the lexicon knows."""


ANSWERS: dict[str, type] = {
    "suggest": Suggest,
    "classify": Classify,
    "consolidate": Consolidate,
    "taxonomy": Taxonomy,
    "taxonomy add, load, reset": TaxonomyChanged,
    "lexicon, list": Lexicon,
    "lexicon add, remove": LexiconChanged,
    "lexicon why": LexiconWhy,
}
