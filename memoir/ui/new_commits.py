"""The stream of new commits: server-sent events, so that a page shows what another program writes."""

import asyncio
from collections.abc import AsyncIterator, Callable

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from memoir.answers.history import commit as shape
from memoir.errors import MemoirError
from memoir.ui.api import failure
from memoir.ui.served_store import ServedStore

_SECONDS = 1.0
"""How often the branch is looked at; a look reads a file and asks git's reader for one commit."""
_QUIET_SECONDS = 15
"""After how long without news a comment keeps the connection open."""
_MOST = 100
"""The commits that are sent at a time, the newest; a client that was away longer asks the log."""
_MOST_CLIENTS = 50

Commits = list[tuple[str, bytes]]
"""Ids of commits with their JSON, oldest first."""


class NewCommits:
    """The streams of one server; each ends with its client, or with the server."""

    def __init__(self, served: ServedStore, is_ending: Callable[[], bool]) -> None:
        self._served = served
        self._is_ending = is_ending
        self._clients = 0

    async def answer(self, request: Request) -> Response:
        """Answer a request with the stream of a branch, from `Last-Event-ID` on if it is sent."""
        branch = request.query_params.get("branch")
        try:
            tip = await run_in_threadpool(self._tip, branch)
        except MemoirError as error:
            return failure("log", error)
        if self._clients >= _MOST_CLIENTS:
            return Response("too many streams are open\n", 503, media_type="text/plain")
        last = request.headers.get("last-event-id") or tip
        return StreamingResponse(self._events(request, branch, last), media_type="text/event-stream")

    async def _events(self, request: Request, branch: str | None, last: str) -> AsyncIterator[bytes]:
        self._clients += 1
        quiet = 0.0
        try:
            yield b"retry: 2000\n\n"
            while not self._is_ending() and not await request.is_disconnected():
                commits = await run_in_threadpool(self._after, branch, last)
                for last, data in commits:
                    yield b"id: " + last.encode() + b"\nevent: commit\ndata: " + data + b"\n\n"
                quiet = 0 if commits else quiet + _SECONDS
                if quiet >= _QUIET_SECONDS:
                    yield b": nothing new\n\n"
                    quiet = 0
                await asyncio.sleep(_SECONDS)
        finally:
            self._clients -= 1

    def _tip(self, branch: str | None) -> str:
        with self._served.repository(branch) as repository:
            commit = repository.store.head().commit
            return str(commit.id) if commit else ""

    def _after(self, branch: str | None, last: str) -> Commits:
        """The commits since one, oldest first; after an undo, or of another history, the newest alone."""
        try:
            with self._served.repository(branch) as repository:
                commit = repository.store.head().commit
                if commit is None or str(commit.id) == last:
                    return []
                try:
                    found = list(zip(repository.log(without=last or None), range(_MOST), strict=False))
                except MemoirError:  # the client knows a commit that is gone
                    found = []
                commits = [each for each, _ in found] or [commit]
        except MemoirError:  # the store is being replaced, or is damaged: the next look tells
            return []
        return [(str(each.id), orjson.dumps(shape(each))) for each in reversed(commits)]
