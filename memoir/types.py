"""The classes of arguments and results of the methods of `memoir.Repository`, for annotations.

    from memoir.types import RecallAnswer

    def show(answer: RecallAnswer) -> None: ...

A name is imported from its module when it is used. docs/library/ describes each class. Type checkers read
`types.pyi`, which `scripts/generate.py` writes from the table below.
"""

from typing import Any

_NAMES = {
    "memoir.anchors.mark": "AnchorState",
    "memoir.capture.proposals": "Proposal WithheldLine",
    "memoir.capture.review": "Acceptance Review",
    "memoir.capture.spool": "Contents",
    "memoir.capture.filing": "FiledProposal",
    "memoir.embedders.embedder": "Embedder Scale",
    "memoir.embedders.installed": "InstalledModel ModelForm",
    "memoir.english.dates": "Span",
    "memoir.english.lexicon.own_words": "OwnLine",
    "memoir.english.lexicon.spotting": "Spot",
    "memoir.error_fields": "BadLine",
    "memoir.errors": "ExitCode",
    "memoir.exchange.auto_sync": "AutoSync",
    "memoir.exchange.fetch": "FetchResult FetchedBranch",
    "memoir.exchange.writers.sync_writers": "Gathering LeftWriter",
    "memoir.exchange.layout": "Layout RemotePlace",
    "memoir.exchange.merge": "MergeResult",
    "memoir.exchange.status": "BranchChoice RemoteStatus Status",
    "memoir.exchange.sync": "SyncResult",
    "memoir.filing.classifier": "Placement",
    "memoir.filing.consolidate": "Consolidation",
    "memoir.filing.decision": "Decision",
    "memoir.filing.inbox": "InboxItem",
    "memoir.filing.likeness": "Pair",
    "memoir.filing.remember": "RememberResult",
    "memoir.filing.similar": "SimilarMemory",
    "memoir.filing.store_taxonomy": "Categories LoadResult StoreTaxonomy",
    "memoir.filing.suggest": "NearPath SuggestedCategory Suggestions",
    "memoir.filing.voters": "Neighbour",
    "memoir.formats.bring": "ForeignImport",
    "memoir.formats.found": "Refused",
    "memoir.formats.give": "GivenBack",
    "memoir.git.objects": "Oid",
    "memoir.git.messages": "Tell",
    "memoir.git.ssh_signatures": "SignatureCheck",
    "memoir.index.concept_table": "ConceptScores",
    "memoir.index.documents": "IndexedDocument",
    "memoir.index.filters": "Filter",
    "memoir.index.index_status": "IndexState IndexStatus",
    "memoir.index.lexical": "QueryWords Term",
    "memoir.index.stand_ins": "QueryVector StandIn",
    "memoir.sources.chat_exports": "UnsureDate",
    "memoir.layers.code_memories": "ChangeReview Code CodeMemory",
    "memoir.layers.derivations": "Removal",
    "memoir.layers.entity_list": "Entity EntityList",
    "memoir.layers.ingest": "Ingestion SegmentCounts",
    "memoir.layers.insights": "Build Insight InsightTree",
    "memoir.layers.intake": "IngestReport SkippedFile",
    "memoir.layers.item_options": "ItemOptions",
    "memoir.layers.items": "Item",
    "memoir.sources.json_conversations": "SkippedLines",
    "memoir.layers.reader": "Account Cost",
    "memoir.layers.relations": "Relation Relative Relatives",
    "memoir.layers.segments": "SourcePage SourceSegment StoredSource",
    "memoir.layers.threads": "Listing Story Thread",
    "memoir.llm.usage": "Usage",
    "memoir.memory.active": "Dispute Facet StoreDisputes",
    "memoir.memory.expired": "ExpiryMarks",
    "memoir.memory.export": "ExportCount",
    "memoir.memory.facets": "PathRecord",
    "memoir.memory.grep": "FirstLines FoundLine Line Match",
    "memoir.memory.import_": "ImportResult",
    "memoir.memory.provenance": "LinkNode",
    "memoir.memory.move": "MoveResult Replacement",
    "memoir.memory.revisions": "Comparison Difference RevisionContent",
    "memoir.memory.soundness": "Confusable",
    "memoir.memory.store_lexicon": "Lexicon LexiconChange StoredLine TextSpot",
    "memoir.memory.survey": "Child Level Size Survey",
    "memoir.memory.versions": "MemoryVersion",
    "memoir.memory.write": "WriteResult",
    "memoir.memory.write_many": "RememberManyResult",
    "memoir.primer.primer": "Primer PrimerSection",
    "memoir.purge.purge": "Purge PurgedValue",
    "memoir.purge.traces": "RemoteTrace",
    "memoir.purge.wanted": "Search",
    "memoir.recall.answer": "RecallAnswer",
    "memoir.recall.batch": "BatchOutcome",
    "memoir.recall.channels": "LegScores",
    "memoir.recall.clues": "Clues",
    "memoir.recall.compat": "AnswerPart Results SearchOptions ServiceOptions",
    "memoir.recall.evaluate": "EvalScore Evaluation",
    "memoir.recall.explain": "ExplainedMemory Explanation",
    "memoir.recall.findings": "AgentMetrics Caption ContextMemory Evidence FoundInsight StandingInstruction",
    "memoir.recall.plans": "AgentPlan DeepPlan",
    "memoir.recall.query": "Boost Listener Query QueryFields",
    "memoir.recall.ranking": "RankedCandidate Ranking",
    "memoir.recall.result": "Stage",
    "memoir.recall.scoring": "ScoredDocument",
    "memoir.recall.timeline": "Moment Timeline",
    "memoir.records.anchor": "Anchor CitedLines",
    "memoir.records.policy": "Outcome",
    "memoir.records.record": "Record",
    "memoir.repair.fsck": "FsckReport",
    "memoir.repair.repair": "Loss Repair",
    "memoir.repository.agents": "Agents",
    "memoir.repository.branches": "Branches Ref Tags",
    "memoir.repository.exchange": "PullResult PushResult Remotes",
    "memoir.repository.layers": "Layers Sources",
    "memoir.progress": "OpenProgress Progress",
    "memoir.repository.repository": "Folder",
    "memoir.repository.captures": "Captures",
    "memoir.repository.upkeep": "CheckResult Installation PackResult Upkeep Versions",
    "memoir.secrets.secrets": "CredentialFinding PrivatePassage",
    "memoir.store.commit": "ChangeList Commit Signature",
    "memoir.store.config": "Configuration SettingValue",
    "memoir.store.proof": "Proof",
    "memoir.store.rewind": "HistoryStep ReflogEntry",
    "memoir.store.signing": "Verification",
    "memoir.taxonomy.catalogue": "Catalogue Category",
    "memoir.taxonomy.paths": "Address MemoryAddress",
}
"""The names in each module."""
HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name."""
__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    """Import a name when it is used."""
    if name not in HOMES:
        raise AttributeError(f"module 'memoir.types' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
