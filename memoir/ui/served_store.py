"""The store that a server serves, at the branch that a request names.

Slow answers are computed in the background, while the page says so and asks again.
"""

import os
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import orjson

from memoir.errors import MemoirError
from memoir.mcp.client_store import StorePlace
from memoir.program import executable
from memoir.records.origins import AGENT
from memoir.repository.repository import Repository
from memoir.store.branch_choice import Selection
from memoir.store.store import Store

_PATIENCE = 0.08
"""The seconds that a page waits for an answer before it shows that it takes longer."""
_MOST_KEPT = 16
_NICE = 10
T = TypeVar("T")


class Pending(Exception):
    """Raised if an answer is not ready after some seconds of work."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = int(seconds)


class _Work(NamedTuple):
    """An answer that is being computed, and its start time."""

    future: Future[Any]
    began: float


class Background:
    """The answers that a server computes in the background, and the last few results."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2, "memoir-pages")
        self._works: OrderedDict[Hashable, _Work] = OrderedDict()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()

    def answer(self, key: Hashable, make: Callable[[], T], keep: Callable[[T], bool]) -> T:
        """The answer for a key, computed once; if `keep` is false for it, it is returned once and then computed again.

        Raises:
            Pending: it is still being computed. MemoirError: the computation failed.
        """
        with self._lock:
            if key not in self._works:
                self._works[key] = _Work(self._pool.submit(make), time.monotonic())
            self._works.move_to_end(key)
            for old in [each for each, work in self._works.items() if work.future.done()][:-_MOST_KEPT]:
                del self._works[old]
            work = self._works[key]
        if not wait([work.future], _PATIENCE).done:
            raise Pending(time.monotonic() - work.began)
        if work.future.exception() or not keep(work.future.result()):
            with self._lock:
                self._works.pop(key, None)
        result: T = work.future.result()
        return result

    def run(self, *arguments: str) -> dict[str, Any]:
        """The JSON of a memoir command, run in a process of low priority.

        A thread of this process would slow every page down.
        """
        file = executable()
        argv = [*([file] if file else [sys.executable, "-m", "memoir"]), *arguments, "--json"]
        nowhere = subprocess.DEVNULL
        with subprocess.Popen(argv, stdin=nowhere, stdout=subprocess.PIPE, stderr=nowhere) as process:
            self._processes.add(process)
            try:
                os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
                output = process.communicate()[0]
            finally:
                self._processes.discard(process)
        return _fields(output, arguments[0])

    def close(self) -> None:
        """Cancel the unfinished answers."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in list(self._processes):
            process.terminate()


def _fields(output: bytes, command: str) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = orjson.loads(output)
    except ValueError as error:
        raise MemoirError(f"'memoir {command}' was ended") from error
    if not fields["success"]:
        raise MemoirError(fields["error"]["message"], fields["error"]["hint"])
    return fields


_REVISIONS = ("at", "from_", "to", "revision", "without")
"""The parameters that name commits."""


class ServedStore:
    """The store of one server, opened once for all requests, and again if it was replaced.

    Threads may share a repository. A request for another branch than the server's opens the store separately.
    """

    def __init__(self, place: StorePlace, *, read_only: bool = False) -> None:
        self._place = place
        self.read_only = read_only
        self.background = Background()

    @contextmanager
    def repository(self, branch: str | None = None, origin: str = AGENT) -> Iterator[Repository]:
        """Yield the store at a branch, for writes of an origin, as if just opened."""
        shared = self._place.repository()
        if not branch or branch == shared.branch:
            shared.store.damage.clear()
            yield shared if origin == shared.origin else shared.by(origin)
            return
        with Repository(Store(shared.path, Selection(branch, "branch")), origin=origin) as other:
            yield other

    def close(self) -> None:
        """End the git processes that read the store, and the background work."""
        self.background.close()
        self._place.close()


def entity_tag(repository: Repository, arguments: Mapping[str, Any]) -> str | None:
    """The ETag of an answer: the commits of the branch, of the user's own store, and of the named revisions.

    None if one of them is unknown, since the call then fails, or if signatures are shown: the file of allowed signers
    is outside of the store.
    """
    if arguments.get("signatures"):
        return None
    try:
        commits = [repository.store.head().commit]
        commits += [repository.user.store.head().commit] if repository.user else []
        named = [arguments[name] for name in _REVISIONS if arguments.get(name)]
        commits += [repository.store.at(revision).commit for revision in named]
    except MemoirError:
        return None
    return '"' + "-".join(str(commit.id) if commit else "0" for commit in commits) + '"'
