"""The table of the API, and the handling of a request: arguments, one call, then JSON, or a page after a form."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Unpack
from urllib.parse import parse_qsl, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from memoir.answers import (
    branches,
    captures,
    differences,
    filing,
    history,
    layers,
    read,
    recall,
    sources,
    store,
    trace,
    write,
)
from memoir.answers.answer import Answer, dump, fields_of_failure, fields_of_success, pieces
from memoir.errors import ExitCode, InvalidInput, MemoirError, ReadOnlyStore
from memoir.recall.query import QueryFields
from memoir.records.origins import USER
from memoir.repository.repository import Repository
from memoir.ui.arguments import from_json, from_texts
from memoir.ui.rendering import Notice, html, leave_notice
from memoir.ui.served_store import ServedStore, entity_tag
from memoir.visible import neutralise


class ApiRoute(NamedTuple):
    """A method and a path, and the function that answers them."""

    method: str
    path: str
    command: str
    """The command whose answer it returns, field by field."""
    call: Callable[..., Answer]
    """Takes a repository and the arguments of the request."""
    by_commit: bool = False
    """Whether the answer depends on commits alone, so that clients can cache it until these change."""


def ask(
    repository: Repository, query: str, path: str | None = None, trace: bool = False, timings: bool = False,
    return_prompts: bool = False, **fields: Unpack[QueryFields],
) -> Answer:  # fmt: skip
    """Find the memories that answer a question, best first.

    Clients of memoir-ai send the store's folder as `path`; the folder of another store is refused.
    """
    folders = (repository.path.parent.resolve(), repository.path.resolve())
    if path is not None and ("\0" in path or Path(path).resolve() not in folders):
        raise InvalidInput("this server serves another store", "leave out path")
    return recall.recall(repository.recall(query, **fields), recall.Display(timings, return_prompts, trace))


ROUTES = (
    ApiRoute("GET", "/api/recall", "recall", ask),
    ApiRoute("GET", "/api/explain", "explain", trace.explain),
    ApiRoute("GET", "/api/timeline", "timeline", recall.timeline),
    ApiRoute("GET", "/api/get", "get", read.get, by_commit=True),
    ApiRoute("GET", "/api/ls", "ls", read.ls),
    ApiRoute("GET", "/api/grep", "grep", read.grep, by_commit=True),
    ApiRoute("GET", "/api/summarize", "summarize", read.summarize, by_commit=True),
    ApiRoute("GET", "/api/suggest", "suggest", filing.suggest),
    ApiRoute("GET", "/api/sources", "sources", sources.sources, by_commit=True),
    ApiRoute("GET", "/api/entities", "entities", layers.entities),
    ApiRoute("GET", "/api/related", "related", layers.related),
    ApiRoute("GET", "/api/threads", "threads", layers.threads),
    ApiRoute("GET", "/api/thread", "thread", layers.thread),
    ApiRoute("GET", "/api/insights", "insights", layers.insights),
    ApiRoute("GET", "/api/log", "log", history.log, by_commit=True),
    ApiRoute("GET", "/api/show", "show", history.show, by_commit=True),
    ApiRoute("GET", "/api/blame", "blame", history.blame, by_commit=True),
    ApiRoute("GET", "/api/diff", "diff", differences.diff, by_commit=True),
    ApiRoute("GET", "/api/why", "why", history.why, by_commit=True),
    ApiRoute("GET", "/api/reflog", "reflog", history.reflog),
    ApiRoute("GET", "/api/branches", "branch", branches.branches),
    ApiRoute("GET", "/api/tags", "tag", branches.tags),
    ApiRoute("GET", "/api/status", "status", store.status),
    ApiRoute("GET", "/api/capture", "capture", captures.status),
    ApiRoute("GET", "/api/capture/review", "capture", captures.review_by_rules),
    ApiRoute("POST", "/api/remember", "remember", write.remember),
    ApiRoute("POST", "/api/edit", "edit", write.edit),
    ApiRoute("POST", "/api/replace", "replace", write.replace),
    ApiRoute("POST", "/api/mv", "mv", write.mv),
    ApiRoute("POST", "/api/forget", "forget", write.forget),
    ApiRoute("POST", "/api/restore", "restore", write.restore),
    ApiRoute("POST", "/api/pin", "pin", write.pin),
    ApiRoute("POST", "/api/unpin", "unpin", write.unpin),
    ApiRoute("POST", "/api/classify", "classify", filing.classify),
    ApiRoute("POST", "/api/consolidate", "consolidate", filing.consolidate),
    ApiRoute("POST", "/api/revert", "revert", history.revert),
    ApiRoute("POST", "/api/undo", "undo", history.undo),
    ApiRoute("POST", "/api/redo", "redo", history.redo),
    ApiRoute("POST", "/api/branch", "branch", branches.branch),
    ApiRoute("POST", "/api/merge", "merge", branches.merge),
    ApiRoute("POST", "/api/tag", "tag", branches.tag),
    ApiRoute("POST", "/api/capture/accept", "capture", captures.accept),
    ApiRoute("POST", "/api/capture/reject", "capture", captures.reject),
)
EVENTS, DESCRIPTION = "/api/events", "/api/openapi.json"
"""The stream of new commits, and the description of the API."""


JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
_STATUS = {
    ExitCode.USAGE: 400,
    ExitCode.NO_STORE: 404,
    ExitCode.NOT_FOUND: 404,
    ExitCode.CONFLICT: 409,
    ExitCode.LLM_UNAVAILABLE: 503,
}
_STATUS_OF_CODE = {
    **dict.fromkeys(("unauthorized", "read_only", "unsafe_store"), 403),
    **dict.fromkeys(("busy", "embedder_unavailable"), 503),
    "no_step": 409,
}
"""The statuses of errors that their exit status does not determine."""
_MOST_FIELDS = 5_000


def status_of(error: MemoirError) -> int:
    """The HTTP status of an error."""
    return _STATUS_OF_CODE.get(error.code) or _STATUS.get(error.exit_code, 500)


def failure(command: str, error: MemoirError, status: int | None = None) -> Response:
    """The answer of a request that failed: the same object as the command's."""
    return Response(dump(fields_of_failure(command, error)), status or status_of(error), media_type=JSON)


def api_routes(served: ServedStore) -> list[Route]:
    """The routes of the table for a store."""
    return [_route(route, served) for route in ROUTES]


def _route(route: ApiRoute, served: ServedStore) -> Route:
    async def answer(request: Request) -> Response:
        try:
            branch, arguments = await arguments_of(route, request)
            known = request.headers.get("if-none-match")
            return await run_in_threadpool(_call, route, served, branch, arguments, known)
        except MemoirError as error:
            return failure(route.command, error)

    return Route(route.path, answer, methods=[route.method])


async def arguments_of(route: ApiRoute, request: Request) -> tuple[str | None, dict[str, Any]]:
    """The branch and the arguments of a request."""
    if route.method == "GET":
        return _split_branch(route, list(request.query_params.multi_items()))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if kind == FORM:
        return _split_branch(route, read_form(body))
    if kind != JSON:
        raise InvalidInput(f"the body must be {JSON}", f"send 'Content-Type: {JSON}'")
    fields = _parse(body)
    branch = fields.pop(_BRANCH, None) if isinstance(fields, dict) else None
    if not isinstance(branch, str | None):
        raise InvalidInput("branch must be a string")
    return branch, from_json(route.call, fields)


def read_form(body: bytes) -> list[tuple[str, str]]:
    """The fields of a form; a browser ends lines with CRLF, whatever they ended with before."""
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise InvalidInput("the form is malformed, or not UTF-8") from error
    return [(name, value.replace("\r\n", "\n")) for name, value in pairs]


def _split_branch(route: ApiRoute, pairs: list[tuple[str, str]]) -> tuple[str | None, dict[str, Any]]:
    branch = next((value for name, value in pairs if name == _BRANCH and value), None)
    return branch, from_texts(route.call, [pair for pair in pairs if pair[0] != _BRANCH])


def _parse(body: bytes) -> Any:
    import orjson

    try:
        return orjson.loads(body)
    except ValueError as error:
        raise InvalidInput(f"the body is not JSON: {error}") from error


def _call(
    route: ApiRoute, served: ServedStore, branch: str | None, arguments: dict[str, Any], known: str | None
) -> Response:
    """Make the call, unless the client has its answer; read it fully before the store is released."""
    with served.repository(branch) as repository:
        tag = entity_tag(repository, arguments) if route.by_commit else None
        headers = {"ETag": tag} if tag else {}
        if tag and tag == known:
            return Response(status_code=304, headers=headers)
        answer = perform(route, served, repository, arguments)
        parts = pieces(fields_of_success(route.command, answer.data))
        first, second = next(parts), next(parts, b"")
        status = ExitCode.DAMAGED if answer.whole and repository.store.damage else answer.exit_code
        headers |= {"Memoir-Exit-Code": str(int(status))} if status else {}
        if route.method == "POST" and (problem := repository.remotes.sync_after_write().problem):
            headers["Memoir-Not-Synced"] = neutralise(problem).encode("ascii", "backslashreplace").decode()
        if second:
            return StreamingResponse(chain([first, second], parts), media_type=JSON, headers=headers)
        return Response(first, media_type=JSON, headers=headers)


def perform(route: ApiRoute, served: ServedStore, repository: Repository, arguments: dict[str, Any]) -> Answer:
    """Make the call of a route, if this server offers it."""
    if served.read_only and route.method == "POST":
        raise ReadOnlyStore("this server is read-only", "start it without --read-only")
    return route.call(repository, **arguments)


_NEXT, _BRANCH = "next", "branch"
"""The fields of a form that are not arguments of the call: the next page, and the branch.

A suffix after a colon in a field's name distinguishes groups of radio buttons.
"""


def form_routes(served: ServedStore) -> list[Route]:
    """A route for each call that writes, such as /form/remember."""
    return [_form_route(route, served) for route in ROUTES if route.method == "POST"]


def _form_route(route: ApiRoute, served: ServedStore) -> Route:
    async def answer(request: Request) -> Response:
        if not request.headers.get("content-type", "").startswith(FORM):
            raise InvalidInput(f"the body must be {FORM}")
        pairs = read_form(await request.body())
        fields = dict(pairs)
        try:
            notice = await run_in_threadpool(_submit, route, served, pairs)
        except MemoirError as error:
            return html("failed.html", status_of(error), error=error, content=fields.get("content"), back=_next(fields))
        redirect = RedirectResponse(_next(fields), 303)
        leave_notice(redirect, notice)
        return redirect

    return Route(route.path.replace("/api/", "/form/"), answer, methods=["POST"])


def _next(fields: dict[str, str]) -> str:
    """The next page, which must be one of the explorer's."""
    path = fields.get(_NEXT) or "/"
    is_own = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return quote(path, safe="/?&=%:#+,@.~-_") if is_own else "/"


def _submit(route: ApiRoute, served: ServedStore, pairs: list[tuple[str, str]]) -> Notice:
    """Make the call of a form, and return a notice of what it did."""
    rest = [(name.partition(":")[0], value) for name, value in pairs if name != _NEXT]
    branch, arguments = _split_branch(route, rest)
    with served.repository(branch, USER) as repository:
        answer = perform(route, served, repository, arguments)
        commit = answer.data.get("commit_hash")  # none if nothing was written, or by a merge or a step of history
        notice = Notice(_text(route, answer), commit if isinstance(commit, str) else None, branch)
        problem = repository.remotes.sync_after_write().problem
    return notice._replace(text=f"{notice.text}; not synced: {problem}") if problem else notice


def _text(route: ApiRoute, answer: Answer) -> str:
    """The first line of the command's answer."""
    lines = ("".join(span for span, _ in line).strip() for line in answer.human())
    return next(filter(None, lines), f"{route.command}: done")
