"""Recall engines that stay open between questions."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoir.embedders.choose_embedder import embedder_of
from memoir.errors import ReadOnlyStore
from memoir.index.location import index_file
from memoir.recall.answer import RecallAnswer
from memoir.recall.joint_answer import Answerer
from memoir.store.store import Store

State = tuple[tuple[str, int], ...]
"""For each store, the name of its embedder and the inode of its index file."""
_NO_FILE = 0
"""The inode of an index file that does not exist."""


class _IdleEngine(NamedTuple):
    engine: Answerer
    state: State
    process: int


class IdleEngines:
    """Gives each question an engine that is not in use: opening an index takes longer than a question.

    An engine is kept only after an answer that is not degraded, and closed if the embedder or the index file is
    replaced later. A forked process does not touch its parent's engines.
    """

    def __init__(self, stores: Sequence[Store], create: Callable[[], Answerer]) -> None:
        self._stores = stores
        self._create = create
        self._idle: list[_IdleEngine] = []
        self._of_parent: list[_IdleEngine] = []
        self._is_closed = False

    def ask(self, question: Callable[[Answerer], RecallAnswer]) -> RecallAnswer:
        """Ask one of the engines, or a new one."""
        before = self._state()
        engine = self._take_matching(before) or self._create()
        keeps = False
        try:
            answer = question(engine)
            after = self._state()
            keeps = not answer.degraded and _may_be_the_same(before, after)
        finally:
            if not keeps:
                engine.close()
        if keeps:
            self._idle.append(_IdleEngine(engine, after, os.getpid()))
            if self._is_closed:  # meanwhile, by another thread
                self.close()
        return answer

    def close(self) -> None:
        """Close the engines; one that is in use is closed after its question."""
        self._is_closed = True
        while idle := self._pop():
            idle.engine.close()

    def _take_matching(self, state: State) -> Answerer | None:
        while idle := self._pop():
            if idle.state == state:
                return idle.engine
            idle.engine.close()
        return None

    def _pop(self) -> _IdleEngine | None:
        """Take an engine from the list; safe for threads."""
        while self._idle:
            try:
                idle = self._idle.pop()
            except IndexError:
                break
            if idle.process == os.getpid():
                return idle
            self._of_parent.append(idle)  # without a reference it would be closed
        return None

    def _state(self) -> State:
        return tuple((embedder_of(store).name, _inode(store)) for store in self._stores)


def _may_be_the_same(before: State, after: State) -> bool:
    """Whether no index file was replaced between two states; creating one is allowed."""
    return all(old in (new, (new[0], _NO_FILE)) for old, new in zip(before, after, strict=True))


def _inode(store: Store) -> int:
    try:
        return index_file(store.git_dir).stat().st_ino
    except (FileNotFoundError, ReadOnlyStore):  # without a cache folder there is no index
        return _NO_FILE
