"""Made of the table in `types.py` by scripts/generate.py."""

from memoir.anchors.mark import AnchorState as AnchorState
from memoir.capture.proposals import Proposal as Proposal, WithheldLine as WithheldLine
from memoir.capture.review import Acceptance as Acceptance, Review as Review
from memoir.capture.spool import Contents as Contents
from memoir.capture.filing import FiledProposal as FiledProposal
from memoir.embedders.embedder import Embedder as Embedder, Scale as Scale
from memoir.embedders.installed import InstalledModel as InstalledModel, ModelForm as ModelForm
from memoir.english.dates import Span as Span
from memoir.english.lexicon.own_words import OwnLine as OwnLine
from memoir.english.lexicon.spotting import Spot as Spot
from memoir.error_fields import BadLine as BadLine
from memoir.errors import ExitCode as ExitCode
from memoir.exchange.auto_sync import AutoSync as AutoSync
from memoir.exchange.fetch import FetchResult as FetchResult, FetchedBranch as FetchedBranch
from memoir.exchange.writers.sync_writers import Gathering as Gathering, LeftWriter as LeftWriter
from memoir.exchange.layout import Layout as Layout, RemotePlace as RemotePlace
from memoir.exchange.merge import MergeResult as MergeResult
from memoir.exchange.status import BranchChoice as BranchChoice, RemoteStatus as RemoteStatus, Status as Status
from memoir.exchange.sync import SyncResult as SyncResult
from memoir.filing.classifier import Placement as Placement
from memoir.filing.consolidate import Consolidation as Consolidation
from memoir.filing.decision import Decision as Decision
from memoir.filing.inbox import InboxItem as InboxItem
from memoir.filing.likeness import Pair as Pair
from memoir.filing.remember import RememberResult as RememberResult
from memoir.filing.similar import SimilarMemory as SimilarMemory
from memoir.filing.store_taxonomy import Categories as Categories, LoadResult as LoadResult, StoreTaxonomy as StoreTaxonomy
from memoir.filing.suggest import NearPath as NearPath, SuggestedCategory as SuggestedCategory, Suggestions as Suggestions
from memoir.filing.voters import Neighbour as Neighbour
from memoir.formats.bring import ForeignImport as ForeignImport
from memoir.formats.found import Refused as Refused
from memoir.formats.give import GivenBack as GivenBack
from memoir.git.objects import Oid as Oid
from memoir.git.messages import Tell as Tell
from memoir.git.ssh_signatures import SignatureCheck as SignatureCheck
from memoir.index.concept_table import ConceptScores as ConceptScores
from memoir.index.documents import IndexedDocument as IndexedDocument
from memoir.index.filters import Filter as Filter
from memoir.index.index_status import IndexState as IndexState, IndexStatus as IndexStatus
from memoir.index.lexical import QueryWords as QueryWords, Term as Term
from memoir.index.stand_ins import QueryVector as QueryVector, StandIn as StandIn
from memoir.sources.chat_exports import UnsureDate as UnsureDate
from memoir.layers.code_memories import ChangeReview as ChangeReview, Code as Code, CodeMemory as CodeMemory
from memoir.layers.derivations import Removal as Removal
from memoir.layers.entity_list import Entity as Entity, EntityList as EntityList
from memoir.layers.ingest import Ingestion as Ingestion, SegmentCounts as SegmentCounts
from memoir.layers.insights import Build as Build, Insight as Insight, InsightTree as InsightTree
from memoir.layers.intake import IngestReport as IngestReport, SkippedFile as SkippedFile
from memoir.layers.item_options import ItemOptions as ItemOptions
from memoir.layers.items import Item as Item
from memoir.sources.json_conversations import SkippedLines as SkippedLines
from memoir.layers.reader import Account as Account, Cost as Cost
from memoir.layers.relations import Relation as Relation, Relative as Relative, Relatives as Relatives
from memoir.layers.segments import SourcePage as SourcePage, SourceSegment as SourceSegment, StoredSource as StoredSource
from memoir.layers.threads import Listing as Listing, Story as Story, Thread as Thread
from memoir.llm.usage import Usage as Usage
from memoir.memory.active import Dispute as Dispute, Facet as Facet, StoreDisputes as StoreDisputes
from memoir.memory.expired import ExpiryMarks as ExpiryMarks
from memoir.memory.export import ExportCount as ExportCount
from memoir.memory.facets import PathRecord as PathRecord
from memoir.memory.grep import FirstLines as FirstLines, FoundLine as FoundLine, Line as Line, Match as Match
from memoir.memory.import_ import ImportResult as ImportResult
from memoir.memory.provenance import LinkNode as LinkNode
from memoir.memory.move import MoveResult as MoveResult, Replacement as Replacement
from memoir.memory.revisions import Comparison as Comparison, Difference as Difference, RevisionContent as RevisionContent
from memoir.memory.soundness import Confusable as Confusable
from memoir.memory.store_lexicon import Lexicon as Lexicon, LexiconChange as LexiconChange, StoredLine as StoredLine, TextSpot as TextSpot
from memoir.memory.survey import Child as Child, Level as Level, Size as Size, Survey as Survey
from memoir.memory.versions import MemoryVersion as MemoryVersion
from memoir.memory.write import WriteResult as WriteResult
from memoir.memory.write_many import RememberManyResult as RememberManyResult
from memoir.primer.primer import Primer as Primer, PrimerSection as PrimerSection
from memoir.purge.purge import Purge as Purge, PurgedValue as PurgedValue
from memoir.purge.traces import RemoteTrace as RemoteTrace
from memoir.purge.wanted import Search as Search
from memoir.recall.answer import RecallAnswer as RecallAnswer
from memoir.recall.batch import BatchOutcome as BatchOutcome
from memoir.recall.channels import LegScores as LegScores
from memoir.recall.clues import Clues as Clues
from memoir.recall.compat import AnswerPart as AnswerPart, Results as Results, SearchOptions as SearchOptions, ServiceOptions as ServiceOptions
from memoir.recall.evaluate import EvalScore as EvalScore, Evaluation as Evaluation
from memoir.recall.explain import ExplainedMemory as ExplainedMemory, Explanation as Explanation
from memoir.recall.findings import AgentMetrics as AgentMetrics, Caption as Caption, ContextMemory as ContextMemory, Evidence as Evidence, FoundInsight as FoundInsight, StandingInstruction as StandingInstruction
from memoir.recall.plans import AgentPlan as AgentPlan, DeepPlan as DeepPlan
from memoir.recall.query import Boost as Boost, Listener as Listener, Query as Query, QueryFields as QueryFields
from memoir.recall.ranking import RankedCandidate as RankedCandidate, Ranking as Ranking
from memoir.recall.result import Stage as Stage
from memoir.recall.scoring import ScoredDocument as ScoredDocument
from memoir.recall.timeline import Moment as Moment, Timeline as Timeline
from memoir.records.anchor import Anchor as Anchor, CitedLines as CitedLines
from memoir.records.policy import Outcome as Outcome
from memoir.records.record import Record as Record
from memoir.repair.fsck import FsckReport as FsckReport
from memoir.repair.repair import Loss as Loss, Repair as Repair
from memoir.repository.agents import Agents as Agents
from memoir.repository.branches import Branches as Branches, Ref as Ref, Tags as Tags
from memoir.repository.exchange import PullResult as PullResult, PushResult as PushResult, Remotes as Remotes
from memoir.repository.layers import Layers as Layers, Sources as Sources
from memoir.progress import OpenProgress as OpenProgress, Progress as Progress
from memoir.repository.repository import Folder as Folder
from memoir.repository.captures import Captures as Captures
from memoir.repository.upkeep import CheckResult as CheckResult, Installation as Installation, PackResult as PackResult, Upkeep as Upkeep, Versions as Versions
from memoir.secrets.secrets import CredentialFinding as CredentialFinding, PrivatePassage as PrivatePassage
from memoir.store.commit import ChangeList as ChangeList, Commit as Commit, Signature as Signature
from memoir.store.config import Configuration as Configuration, SettingValue as SettingValue
from memoir.store.proof import Proof as Proof
from memoir.store.rewind import HistoryStep as HistoryStep, ReflogEntry as ReflogEntry
from memoir.store.signing import Verification as Verification
from memoir.taxonomy.catalogue import Catalogue as Catalogue, Category as Category
from memoir.taxonomy.paths import Address as Address, MemoryAddress as MemoryAddress

HOMES: dict[str, str]
__all__: list[str]
