"""Made of the table in `__init__.py` by scripts/generate.py."""

from memoir import types as types
from memoir.errors import Conflict as Conflict, DamagedStore as DamagedStore, EmbedderUnavailable as EmbedderUnavailable, GitError as GitError, InvalidInput as InvalidInput, LlmUnavailable as LlmUnavailable, MemoirError as MemoirError, NoStore as NoStore, NotFound as NotFound, NoStep as NoStep, NotProven as NotProven, ReadOnlyStore as ReadOnlyStore, StoreBusy as StoreBusy, UnsafeStore as UnsafeStore
from memoir.memory.write_options import WriteOptions as WriteOptions
from memoir.recall.compat import IntelligentSearchEngine as IntelligentSearchEngine, MemoryService as MemoryService
from memoir.recall.result import IntelligentSearchResult as IntelligentSearchResult
from memoir.records.record import Memory as Memory
from memoir.repository.repository import Repository as Repository
from memoir.version import __version__ as __version__

HOMES: dict[str, str]
__all__: list[str]
