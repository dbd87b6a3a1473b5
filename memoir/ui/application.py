"""The application: the API, the pages and the static files, behind the gate."""

from collections.abc import Callable, Mapping
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from memoir.errors import InvalidInput, MemoirError, NotFound
from memoir.ui.access import Access
from memoir.ui.api import api_routes
from memoir.ui.forms import form_routes
from memoir.ui.gate import MOST_BYTES, Gate, refusal
from memoir.ui.new_commits import NewCommits
from memoir.ui.pages import ask, health, history, inbox, memory, sources, timeline, topics, tree
from memoir.ui.pages.screen import Page, page_route
from memoir.ui.routes import DESCRIPTION, EVENTS
from memoir.ui.served_store import ServedStore

_HERE = files("memoir.ui")
PAGES: Mapping[str, Page] = {
    "/": tree.tree,
    "/find": tree.find,
    "/memory": memory.memory,
    "/memory/related": memory.related,
    "/ask": ask.ask,
    "/timeline": timeline.timeline,
    "/history": history.history,
    "/commit": history.commit,
    "/compare": history.compare,
    "/merge": history.merging,
    "/inbox": inbox.inbox,
    "/inbox/suggestions": inbox.suggestions,
    "/sources": sources.sources,
    "/source": sources.source,
    "/threads": topics.threads,
    "/thread": topics.thread,
    "/entities": topics.entities,
    "/health": health.health,
    "/health/checks": health.checks,
    "/health/fsck": health.fsck,
}
"""The pages and the parts of pages."""


def application(served: ServedStore, access: Access, is_ending: Callable[[], bool] = lambda: False) -> ASGIApp:
    """Build the application of a server.

    Args:
        served: The store.
        access: The rules for who may ask.
        is_ending: Whether the server is about to end, so that open streams have to.
    """
    routes: list[BaseRoute] = [
        *api_routes(served),
        *form_routes(served),
        *(page_route(path, page, served) for path, page in PAGES.items()),
        Route(EVENTS, NewCommits(served, is_ending).answer),
        Route(DESCRIPTION, _description),
        Mount("/static", StaticFiles(directory=str(_HERE / "static"))),
    ]
    handlers = {HTTPException: _http_failure, MemoirError: _failure, Exception: _bug}
    return Gate(Starlette(routes=routes, exception_handlers=handlers), access)  # type: ignore[arg-type]


def _description(request: Request) -> Response:
    return FileResponse(str(_HERE / "openapi.json"), media_type="application/json")


def _failure(request: Request, error: MemoirError) -> Response:
    from memoir.ui.api import status_of

    return refusal(request.scope, error, status_of(error))


def _http_failure(request: Request, error: HTTPException) -> Response:
    """The answer where no route fits, in the form of memoir's own errors."""
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
