"""`MemoryService`: recall for programs that await."""

from typing import Any

from memoir.recall.engine import IntelligentSearchEngine, Results, StoreOwner
from memoir.store.store import Store


class MemoryService:
    """Recall over one store, awaited or not."""

    def __init__(self, store: Store | StoreOwner, **engine: Any) -> None:
        """The options are those of `IntelligentSearchEngine`."""
        self.engine = IntelligentSearchEngine(store, **engine)

    async def recall(self, query: str, **options: Any) -> Results:
        """`recall_sync` in a thread of its own, so that an event loop goes on meanwhile."""
        from asyncio import to_thread

        return await to_thread(self.recall_sync, query, **options)

    def recall_sync(self, query: str, **options: Any) -> Results:
        """Find memories; the options and errors are those of `IntelligentSearchEngine.search`."""
        return self.engine.search(query, **options)
