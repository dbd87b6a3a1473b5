"""The explorer's forms: the calls of the API that write, by which a person writes, and then a page instead of JSON."""

from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from memoir.answers.answer import Answer
from memoir.errors import InvalidInput, MemoirError
from memoir.records.origins import USER
from memoir.ui.api import FORM, perform, read_form, status_of
from memoir.ui.arguments import from_texts
from memoir.ui.rendering import Notice, html, leave_notice
from memoir.ui.routes import ROUTES, ApiRoute
from memoir.ui.served_store import ServedStore

_NEXT, _BRANCH = "next", "branch"
"""The fields of a form that are not the call's: the page that comes next, and the branch.

What follows a colon in the name of a field tells the groups of radio buttons apart.
"""


def form_routes(served: ServedStore) -> list[Route]:
    """A route for each call that writes, such as /form/remember."""
    return [_route(route, served) for route in ROUTES if route.method == "POST"]


def _route(route: ApiRoute, served: ServedStore) -> Route:
    async def answer(request: Request) -> Response:
        if not request.headers.get("content-type", "").startswith(FORM):
            raise InvalidInput(f"the body must be {FORM}")
        pairs = read_form(await request.body())
        fields = dict(pairs)
        try:
            notice = await run_in_threadpool(_call, route, served, pairs)
        except MemoirError as error:
            return html("failed.html", status_of(error), error=error, content=fields.get("content"), back=_back(fields))
        redirect = RedirectResponse(_back(fields), 303)
        leave_notice(redirect, notice)
        return redirect

    return Route(route.path.replace("/api/", "/form/"), answer, methods=["POST"])


def _back(fields: dict[str, str]) -> str:
    """The page that comes next: one of the explorer's own."""
    path = fields.get(_NEXT) or "/"
    is_own = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return quote(path, safe="/?&=%:#+,@.~-_") if is_own else "/"


def _call(route: ApiRoute, served: ServedStore, pairs: list[tuple[str, str]]) -> Notice:
    """Make the call, and say what it did.

    Raises:
        MemoirError: the call fails.
    """
    branch = next((value for name, value in pairs if name == _BRANCH), None) or None
    rest = [(name.partition(":")[0], value) for name, value in pairs if name not in (_NEXT, _BRANCH)]
    with served.repository(branch, USER) as repository:
        answer = perform(route, served, repository, from_texts(route.call, rest))
        notice = Notice(_text(route, answer), _commit(answer), branch)
        problem = repository.remotes.sync_after_write().problem
    return notice._replace(text=f"{notice.text}; not synced: {problem}") if problem else notice


def _text(route: ApiRoute, answer: Answer) -> str:
    """What was done, in the words of the command."""
    lines = ("".join(span for span, _ in line).strip() for line in answer.human())
    return next(filter(None, lines), f"{route.command}: done")


def _commit(answer: Answer) -> str | None:
    """The commit that `revert` takes back; None if nothing was written, or by a merge or a step of history."""
    fields: dict[str, Any] = dict(answer.data)
    commit = fields.get("commit_hash")
    return commit if isinstance(commit, str) else None
