"""The answers of `ingest` and `sources`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Positive, Schema
from memoir.answers.contract.shapes import CommitMade, Cost, Degraded, Namespace, Place, Usage, Written

SourceName = Annotated[str, Schema(pattern=r"^[^.=\s:]+$")]
"""The path segment that names a source."""
SourceKind = Annotated[str, Schema(enum=["conversation", "document"])]
ItemKind = Annotated[str, Schema(enum=["fact", "event", "preference", "directive", "playbook", "resolution", "plan"])]


class SourceFields(TypedDict):
    """A source."""

    name: SourceName
    namespace: Namespace
    """The namespace whose layer has the segments."""
    origin: str
    """Its path in the project, or its file's name; '-' is standard input."""
    kind: SourceKind


class StruckCredential(TypedDict):
    """A credential that was replaced by `…`."""

    rule: str
    """The kind of credential."""
    line: Positive
    """The line of the source, counted from 1; of messages in JSON, the line of the message."""


class PrivatePassage(TypedDict):
    """A passage between `<private>` and `</private>` that was left out."""

    line: Positive
    """The line that it begins in; of messages in JSON, the line of the message."""
    closed: bool
    """False if it has no closing tag and so extends to the end of the text or message."""


class UnsureDate(TypedDict):
    """A date as a chat has it, and the day that it was read as."""

    text: str
    read_as: str


class SkippedLines(TypedDict):
    """The lines of a conversation that were not understood."""

    count: Positive
    line: Positive
    """The first of them, counted from 1."""
    reason: str
    """Why it was not understood."""


class FoundItem(Place):
    """A memory that was found in a source."""

    content: str
    item_kind: ItemKind
    occurred_at: str | None
    """The day, month or year that the text names, or null."""


class IngestedSource(SourceFields, CommitMade):
    """The result for a source."""

    segments: Count
    """How many segments it has."""
    added: Count
    """How many of them are new."""
    changed: Count
    """How many of them have other text or another caption."""
    removed: Count
    """How many segments are gone from it."""
    items: list[FoundItem]
    """The new memories."""
    stale: Count
    """How many memories became stale: the source no longer says them."""
    stale_items: list[FoundItem]
    """These memories."""
    credentials: list[StruckCredential]
    """The first 100 credentials in it that were replaced by `…`; `--report FILE` has all."""
    credential_counts: dict[str, Positive]
    """How many credentials of each kind were replaced."""
    private: list[PrivatePassage]
    """The first 100 private passages in it that were left out; `--report FILE` has all."""
    private_count: Count
    """How many private passages were left out."""
    skipped_lines: SkippedLines | None
    """The lines that were not understood; null if all were."""
    repeated: Count
    """How many messages were left out because another source has them."""
    known_as: str | None
    """The source that has them, if it was ingested before under another name; else null."""
    moved_from: str | None
    """Where its file was before it moved; null if it did not move."""
    taken_back: Count
    """How many messages were left out because the user replaced them by another prompt."""
    unsure_date: UnsureDate | None
    """The first date of a chat in which the order of day and month is unclear, or null."""


class SkippedFile(TypedDict):
    """A file that was not ingested although a folder or list contained it."""

    origin: str
    reason: str


class OtherFiles(TypedDict):
    """Files of a folder that are read only if they are named, by kind; also `.json` files without a conversation."""

    ending: str
    """How their names end; empty without an ending."""
    count: Count


class Source(SourceFields):
    """A source that was ingested."""

    segments: Count
    """How many segments it has."""


class RemovedSource(Source, CommitMade):
    """A source that was removed, or with --dry-run would be."""

    items: Count
    """How many memories came from it alone, and are forgotten with it."""
    kept: Count
    """How many memories came from other sources as well, and stay."""


class Ingest(TypedDict):
    """The sources that were ingested, in the order of their paths."""

    sources: list[IngestedSource]
    count: Count
    """How many sources there are."""
    skipped: list[SkippedFile]
    missing: list[Source]
    """Sources that came from the folder, and whose files are gone."""
    removed: list[RemovedSource]
    """With --prune: sources that came from the folder, and whose files are gone."""
    others: list[OtherFiles]
    """The files of the folder that were left out because of their kind, by ending."""
    usage: Usage
    cost: Cost | None
    """With --items model and --dry-run: what a model would cost; else null."""
    degraded: Degraded
    dry_run: bool


class Sources(TypedDict):
    """The sources of a store, by namespace and name."""

    sources: list[Source]
    count: Count
    """How many sources there are."""


class StaleItem(FoundItem):
    """A memory that its source no longer says."""

    source: SourceName


class StaleItems(TypedDict):
    """The memories that their sources no longer say."""

    items: list[StaleItem]
    count: Count
    """How many there are."""


class SourceRemoved(RemovedSource, Written):
    """The source that was removed, or with --dry-run would be."""


ANSWERS: dict[str, type] = {
    "ingest": Ingest,
    "sources": Sources,
    "sources --remove": SourceRemoved,
    "sources --stale": StaleItems,
}
