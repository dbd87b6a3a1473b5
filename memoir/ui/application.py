"""The application: the API, the pages, the static files and the stream of new commits, behind the gate."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from importlib.resources import files

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from memoir.answers.history import commit as shape
from memoir.errors import InvalidInput, MemoirError, NotFound
from memoir.ui.api import DESCRIPTION, EVENTS, api_routes, failure, form_routes, status_of
from memoir.ui.gate import MOST_BYTES, Access, Gate, refusal
from memoir.ui.pages import ask, history, memories, topics, upkeep
from memoir.ui.pages.screen import Page, page_route
from memoir.ui.served_store import ServedStore

_SECONDS = 1.0
"""The interval of checks for new commits; a check reads a file and asks git's reader for one commit."""
_QUIET_SECONDS = 15
"""The seconds without news after which a comment keeps the connection open."""
_MOST = 100
"""The most commits sent at a time, the newest; a client that missed more asks the log."""
_MOST_CLIENTS = 50

Commits = list[tuple[str, bytes]]
"""Ids of commits with their JSON, oldest first."""


class NewCommits:
    """The event streams of one server; each ends with its client, or with the server."""

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
        """The commits since `last`, oldest first; only the newest if `last` is not in the branch's history."""
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
        except MemoirError:  # the store is being replaced or is damaged; the next check will tell
            return []
        return [(str(each.id), orjson.dumps(shape(each))) for each in reversed(commits)]


_HERE = files("memoir.ui")
PAGES: Mapping[str, Page] = {
    "/": memories.tree,
    "/find": memories.find,
    "/memory": memories.memory,
    "/memory/related": memories.related,
    "/ask": ask.ask,
    "/timeline": history.timeline,
    "/history": history.history,
    "/commit": history.commit,
    "/compare": history.compare,
    "/merge": history.merging,
    "/inbox": upkeep.inbox,
    "/inbox/suggestions": upkeep.suggestions,
    "/sources": topics.sources,
    "/source": topics.source,
    "/threads": topics.threads,
    "/thread": topics.thread,
    "/entities": topics.entities,
    "/health": upkeep.health,
    "/health/checks": upkeep.checks,
    "/health/fsck": upkeep.fsck,
}
"""The pages and the parts of pages."""


def application(served: ServedStore, access: Access, is_ending: Callable[[], bool] = lambda: False) -> ASGIApp:
    """Build the application of a server; open streams end as soon as it `is_ending`."""
    routes: list[BaseRoute] = [
        *api_routes(served),
        *form_routes(served),
        *(page_route(path, page, served) for path, page in PAGES.items()),
        Route(EVENTS, NewCommits(served, is_ending).answer),
        Route(DESCRIPTION, lambda request: FileResponse(str(_HERE / "openapi.json"), media_type="application/json")),
        Mount("/static", StaticFiles(directory=str(_HERE / "static"))),
    ]
    handlers = {
        HTTPException: _http_failure,
        ClientDisconnect: lambda request, error: Response(status_code=400),  # nobody reads it
        MemoirError: lambda request, error: refusal(request.scope, error, status_of(error)),
        Exception: _bug,
    }
    return Gate(Starlette(routes=routes, exception_handlers=handlers), access)


def _http_failure(request: Request, error: HTTPException) -> Response:
    """The answer if no route fits, in the form of memoir's own errors."""
    path = request.url.path
    failures: dict[int, MemoirError] = {
        405: InvalidInput(f"{request.method} does not fit {path}"),
        413: InvalidInput(f"a request may take {MOST_BYTES >> 20} MiB at most", "'memoir import' takes more"),
    }
    failure = failures.get(error.status_code) or NotFound(f"there is nothing at {path}", "the explorer begins at /")
    return refusal(request.scope, failure, error.status_code)


def _bug(request: Request, error: Exception) -> Response:
    failure = MemoirError(f"unexpected {type(error).__name__}: {error}", "this is a bug in memoir; please report it")
    return refusal(request.scope, failure, 500)
