"""The classes of what the methods of `memoir.Repository` take and return, for annotations.

    from memoir.types import RecallAnswer

    def show(answer: RecallAnswer) -> None: ...

A name is imported from its module when it is used. docs/library.md describes each class.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoir.anchors.check import AnchorState
    from memoir.capture.proposals import Proposal, WithheldLine
    from memoir.capture.review import Acceptance, Review
    from memoir.capture.spool import Contents
    from memoir.english.dates import Span
    from memoir.english.lexicon.own_words import OwnLine
    from memoir.english.lexicon.spotting import Spot
    from memoir.error_fields import BadLine
    from memoir.errors import ExitCode
    from memoir.exchange.auto_sync import AutoSync
    from memoir.exchange.fetch import FetchedBranch, FetchResult
    from memoir.exchange.gather import Gathering, LeftWriter
    from memoir.exchange.layout import Layout, RemotePlace
    from memoir.exchange.merge import MergeResult
    from memoir.exchange.status import BranchChoice, RemoteStatus, Status
    from memoir.exchange.sync import SyncResult
    from memoir.filing.classifier import Placement
    from memoir.filing.consolidate import Consolidation
    from memoir.filing.decision import Decision
    from memoir.filing.duplicates import Pair
    from memoir.filing.inbox import InboxItem
    from memoir.filing.remember import RememberResult
    from memoir.filing.similar import SimilarMemory
    from memoir.filing.store_taxonomy import StoreTaxonomy
    from memoir.filing.suggest import NearPath, SuggestedCategory, Suggestions
    from memoir.filing.voters import Neighbour
    from memoir.formats.bring import ForeignImport
    from memoir.formats.found import Refused
    from memoir.formats.give import GivenBack
    from memoir.git.objects import Oid
    from memoir.git.refs import Ref
    from memoir.git.sideband import Tell
    from memoir.git.ssh_signatures import SignatureCheck
    from memoir.index.concept_table import ConceptScores
    from memoir.index.documents import IndexedDocument
    from memoir.index.embedders.installed import InstalledModel
    from memoir.index.embedders.model_form import ModelForm
    from memoir.index.filters import Filter
    from memoir.index.index_status import IndexState, IndexStatus
    from memoir.index.lexical import QueryWords, Term
    from memoir.index.vectors import QueryVector, StandIn
    from memoir.layers.change_review import ChangeReview
    from memoir.layers.code_memories import CodeMemory
    from memoir.layers.derivations import Removal
    from memoir.layers.entity_list import Entity, EntityList, PlacedMemory
    from memoir.layers.ingest import Ingestion, SegmentCounts
    from memoir.layers.insights import Build, Insight, InsightTree
    from memoir.layers.intake import IngestReport, SkippedFile
    from memoir.layers.item_options import ItemOptions
    from memoir.layers.items import Item
    from memoir.layers.json_conversations import SkippedLines
    from memoir.layers.read_source import SourcePage, SourceSegment
    from memoir.layers.reader import Account, Cost
    from memoir.layers.relations import Relation, Relative, Relatives
    from memoir.layers.segments import StoredSource
    from memoir.layers.threads import Listing, Story, Thread
    from memoir.llm.usage import Usage
    from memoir.memory.active import Facet
    from memoir.memory.disputes import Dispute, StoreDisputes
    from memoir.memory.expired import ExpiryMarks
    from memoir.memory.export import ExportCount
    from memoir.memory.grep import FoundLine, Line, Match
    from memoir.memory.import_ import ImportResult
    from memoir.memory.move import MoveResult
    from memoir.memory.provenance import LinkNode
    from memoir.memory.read import PathRecord
    from memoir.memory.replace import Replacement
    from memoir.memory.revisions import Comparison, Difference, RevisionContent
    from memoir.memory.soundness import Confusable
    from memoir.memory.store_lexicon import LexiconChange, StoredLine, TextSpot
    from memoir.memory.survey import Child, Level, Size, Survey
    from memoir.memory.versions import MemoryVersion
    from memoir.memory.write import WriteResult
    from memoir.memory.write_many import RememberManyResult
    from memoir.primer.primer import Primer, PrimerSection
    from memoir.purge.purge import Purge, PurgedValue, RemoteTrace
    from memoir.purge.traces import Search
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.batch import BatchOutcome
    from memoir.recall.candidates import LegScores
    from memoir.recall.clues import Clues
    from memoir.recall.compat import AnswerPart, Results, SearchOptions, ServiceOptions
    from memoir.recall.evaluate import EvalScore, Evaluation
    from memoir.recall.explain import Explanation
    from memoir.recall.findings import AgentMetrics, Caption, ContextMemory, Evidence, FoundInsight, StandingInstruction
    from memoir.recall.query import AgentPlan, Boost, DeepPlan, Listener, Query, QueryFields
    from memoir.recall.ranked import RankedCandidate
    from memoir.recall.ranking import Ranking
    from memoir.recall.scoring import Columns, ScoredDocument
    from memoir.recall.stage import Stage
    from memoir.recall.timeline import Moment, Timeline
    from memoir.records.anchor import Anchor, CitedLines
    from memoir.records.policy import Outcome
    from memoir.records.record import Record
    from memoir.repair.fsck import FsckReport
    from memoir.repair.repair import Loss, Repair
    from memoir.repository import Folder, Progress
    from memoir.repository.agents import Agents
    from memoir.repository.branches import Branches, Tags
    from memoir.repository.captures import Captures
    from memoir.repository.code import Code
    from memoir.repository.configuration import Categories, Configuration, Lexicon, LoadResult
    from memoir.repository.exchange import PullResult, PushResult, Remotes
    from memoir.repository.groups import Layers
    from memoir.repository.sources import Sources
    from memoir.repository.upkeep import CheckResult, Installation, PackResult, Upkeep, Versions
    from memoir.secrets.private import PrivatePassage
    from memoir.secrets.secrets import CredentialFinding
    from memoir.store.commit import ChangeList, Commit, Signature
    from memoir.store.config import SettingValue
    from memoir.store.proof import Proof
    from memoir.store.rewind import HistoryStep, ReflogEntry
    from memoir.store.signing import Verification
    from memoir.taxonomy.catalogue import Catalogue, Category
    from memoir.taxonomy.memory_address import MemoryAddress
    from memoir.taxonomy.paths import Address

__all__ = [
    "Acceptance", "Account", "Address", "AgentMetrics", "AgentPlan", "Agents", "Anchor", "AnchorState", "AnswerPart",
    "AutoSync", "BadLine", "BatchOutcome", "Boost", "BranchChoice", "Branches", "Build", "Caption", "Captures",
    "Catalogue", "Categories", "Category", "ChangeList", "ChangeReview", "CheckResult", "Child", "CitedLines", "Clues",
    "Code", "CodeMemory", "Columns", "Commit", "Comparison", "ConceptScores", "Configuration", "Confusable",
    "Consolidation", "Contents", "ContextMemory", "Cost", "CredentialFinding", "Decision", "DeepPlan", "Difference",
    "Dispute", "Entity", "EntityList", "EvalScore", "Evaluation", "Evidence", "ExitCode", "ExpiryMarks", "Explanation",
    "ExportCount", "Facet", "FetchResult", "FetchedBranch", "Filter", "Folder", "ForeignImport", "FoundInsight",
    "FoundLine", "FsckReport", "Gathering", "GivenBack", "HistoryStep", "ImportResult", "InboxItem", "IndexState",
    "IndexStatus", "IndexedDocument", "IngestReport", "Ingestion", "Insight", "InsightTree", "Installation",
    "InstalledModel", "Item", "ItemOptions", "Layers", "Layout", "LeftWriter", "LegScores", "Level", "Lexicon",
    "LexiconChange", "Line", "LinkNode", "Listener", "Listing", "LoadResult", "Loss", "Match", "MemoryAddress",
    "MemoryVersion", "MergeResult", "ModelForm", "Moment", "MoveResult", "NearPath", "Neighbour", "Oid", "Outcome",
    "OwnLine", "PackResult", "Pair", "PathRecord", "PlacedMemory", "Placement", "Primer", "PrimerSection",
    "PrivatePassage", "Progress", "Proof", "Proposal", "PullResult", "Purge", "PurgedValue", "PushResult", "Query",
    "QueryFields", "QueryVector", "QueryWords", "RankedCandidate", "Ranking", "RecallAnswer", "Record", "Ref",
    "ReflogEntry", "Refused", "Relation", "Relative", "Relatives", "RememberManyResult", "RememberResult",
    "RemotePlace", "RemoteStatus", "RemoteTrace", "Remotes", "Removal", "Repair", "Replacement", "Results", "Review",
    "RevisionContent", "ScoredDocument", "Search", "SearchOptions", "SegmentCounts", "ServiceOptions", "SettingValue",
    "Signature", "SignatureCheck", "SimilarMemory", "Size", "SkippedFile", "SkippedLines", "SourcePage",
    "SourceSegment", "Sources", "Span", "Spot", "Stage", "StandIn", "StandingInstruction", "Status", "StoreDisputes",
    "StoreTaxonomy", "StoredLine", "StoredSource", "Story", "SuggestedCategory", "Suggestions", "Survey", "SyncResult",
    "Tags", "Tell", "Term", "TextSpot", "Thread", "Timeline", "Upkeep", "Usage", "Verification", "Versions",
    "WithheldLine", "WriteResult",
]  # fmt: skip

_NAMES = {
    "memoir.capture.proposals": "Proposal WithheldLine",
    "memoir.capture.review": "Acceptance Review",
    "memoir.capture.spool": "Contents",
    "memoir.english.dates": "Span",
    "memoir.error_fields": "BadLine",
    "memoir.english.lexicon.own_words": "OwnLine",
    "memoir.english.lexicon.spotting": "Spot",
    "memoir.errors": "ExitCode",
    "memoir.exchange.fetch": "FetchedBranch FetchResult",
    "memoir.exchange.layout": "Layout RemotePlace",
    "memoir.exchange.merge": "MergeResult",
    "memoir.exchange.status": "BranchChoice RemoteStatus Status",
    "memoir.exchange.auto_sync": "AutoSync",
    "memoir.exchange.gather": "Gathering LeftWriter",
    "memoir.exchange.sync": "SyncResult",
    "memoir.filing.classifier": "Placement",
    "memoir.filing.consolidate": "Consolidation",
    "memoir.filing.decision": "Decision",
    "memoir.filing.duplicates": "Pair",
    "memoir.filing.inbox": "InboxItem",
    "memoir.filing.remember": "RememberResult",
    "memoir.filing.similar": "SimilarMemory",
    "memoir.filing.store_taxonomy": "StoreTaxonomy",
    "memoir.filing.suggest": "NearPath SuggestedCategory Suggestions",
    "memoir.filing.voters": "Neighbour",
    "memoir.formats.bring": "ForeignImport",
    "memoir.formats.found": "Refused",
    "memoir.formats.give": "GivenBack",
    "memoir.git.objects": "Oid",
    "memoir.git.refs": "Ref",
    "memoir.git.sideband": "Tell",
    "memoir.git.ssh_signatures": "SignatureCheck",
    "memoir.index.concept_table": "ConceptScores",
    "memoir.index.documents": "IndexedDocument",
    "memoir.index.embedders.installed": "InstalledModel",
    "memoir.index.embedders.model_form": "ModelForm",
    "memoir.index.filters": "Filter",
    "memoir.index.index_status": "IndexState IndexStatus",
    "memoir.index.lexical": "QueryWords Term",
    "memoir.index.vectors": "QueryVector StandIn",
    "memoir.layers.entity_list": "Entity EntityList PlacedMemory",
    "memoir.layers.change_review": "ChangeReview",
    "memoir.layers.ingest": "Ingestion SegmentCounts",
    "memoir.layers.insights": "Build Insight InsightTree",
    "memoir.layers.intake": "IngestReport SkippedFile",
    "memoir.layers.item_options": "ItemOptions",
    "memoir.layers.items": "Item",
    "memoir.layers.json_conversations": "SkippedLines",
    "memoir.layers.reader": "Account Cost",
    "memoir.layers.read_source": "SourcePage SourceSegment",
    "memoir.layers.relations": "Relation Relative Relatives",
    "memoir.layers.derivations": "Removal",
    "memoir.layers.segments": "StoredSource",
    "memoir.layers.threads": "Listing Story Thread",
    "memoir.llm.usage": "Usage",
    "memoir.memory.active": "Facet",
    "memoir.memory.disputes": "Dispute StoreDisputes",
    "memoir.memory.expired": "ExpiryMarks",
    "memoir.memory.export": "ExportCount",
    "memoir.memory.grep": "FoundLine Line Match",
    "memoir.memory.import_": "ImportResult",
    "memoir.memory.move": "MoveResult",
    "memoir.memory.provenance": "LinkNode",
    "memoir.memory.read": "PathRecord",
    "memoir.memory.replace": "Replacement",
    "memoir.memory.revisions": "Comparison Difference RevisionContent",
    "memoir.memory.soundness": "Confusable",
    "memoir.memory.store_lexicon": "LexiconChange StoredLine TextSpot",
    "memoir.memory.survey": "Child Level Size Survey",
    "memoir.memory.versions": "MemoryVersion",
    "memoir.memory.write": "WriteResult",
    "memoir.memory.write_many": "RememberManyResult",
    "memoir.primer.primer": "Primer PrimerSection",
    "memoir.purge.purge": "Purge PurgedValue RemoteTrace",
    "memoir.purge.traces": "Search",
    "memoir.recall.answer": "RecallAnswer",
    "memoir.recall.batch": "BatchOutcome",
    "memoir.recall.candidates": "LegScores",
    "memoir.recall.clues": "Clues",
    "memoir.recall.compat": "AnswerPart Results SearchOptions ServiceOptions",
    "memoir.recall.evaluate": "EvalScore Evaluation",
    "memoir.recall.explain": "Explanation",
    "memoir.recall.findings": "AgentMetrics Caption ContextMemory Evidence FoundInsight StandingInstruction",
    "memoir.recall.query": "AgentPlan Boost DeepPlan Listener Query QueryFields",
    "memoir.recall.ranked": "RankedCandidate",
    "memoir.recall.ranking": "Ranking",
    "memoir.recall.scoring": "Columns ScoredDocument",
    "memoir.recall.stage": "Stage",
    "memoir.recall.timeline": "Moment Timeline",
    "memoir.records.policy": "Outcome",
    "memoir.records.record": "Record",
    "memoir.repair.fsck": "FsckReport",
    "memoir.repair.repair": "Loss Repair",
    "memoir.repository": "Folder Progress",
    "memoir.repository.agents": "Agents",
    "memoir.repository.branches": "Branches Tags",
    "memoir.repository.captures": "Captures",
    "memoir.anchors.check": "AnchorState",
    "memoir.layers.code_memories": "CodeMemory",
    "memoir.records.anchor": "Anchor CitedLines",
    "memoir.repository.code": "Code",
    "memoir.repository.configuration": "Categories Configuration Lexicon LoadResult",
    "memoir.repository.exchange": "PullResult PushResult Remotes",
    "memoir.repository.groups": "Layers",
    "memoir.repository.sources": "Sources",
    "memoir.repository.upkeep": "CheckResult Installation PackResult Upkeep Versions",
    "memoir.secrets.private": "PrivatePassage",
    "memoir.secrets.secrets": "CredentialFinding",
    "memoir.store.commit": "ChangeList Commit Signature",
    "memoir.store.config": "SettingValue",
    "memoir.store.proof": "Proof",
    "memoir.store.rewind": "HistoryStep ReflogEntry",
    "memoir.store.signing": "Verification",
    "memoir.taxonomy.catalogue": "Catalogue Category",
    "memoir.taxonomy.memory_address": "MemoryAddress",
    "memoir.taxonomy.paths": "Address",
}
"""The names in each module."""
HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name."""

if not TYPE_CHECKING:  # a type checker would take any name for an `Any`

    def __getattr__(name: str) -> Any:
        """Import a name when it is used."""
        if name not in HOMES:
            raise AttributeError(f"module 'memoir.types' has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return __all__
