"""The answers to requests that do not get through, and to the link that brings the token."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import Response
from starlette.types import Scope

from memoir.errors import MemoirError
from memoir.ui.access import SAFE_METHODS, SESSION_SECONDS, Access
from memoir.ui.api import failure
from memoir.ui.rendering import html


def refusal(scope: Scope, error: MemoirError, status: int) -> Response:
    """The answer to a request that failed: the command's object for the API, else a page."""
    if scope["path"].startswith("/api/"):
        return failure("serve", error, status)
    return html("refused.html", status, error=error, was_sent=scope["method"] not in SAFE_METHODS)


def entered(scope: Scope, access: Access) -> Response:
    """A page that goes on to the same address without the token, which it leaves in a cookie.

    It is not a redirect: after one a browser would still count the link's own site as the sender, and keep the strict
    cookie back.
    """
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    rest = urlencode([pair for pair in query if pair[0] != "token"])
    path = "/" + scope["path"].lstrip("/\\")  # two slashes would begin another host
    answer = html("entered.html", url=path + ("?" + rest if rest else ""))
    answer.set_cookie(
        access.cookie, access.session(), max_age=SESSION_SECONDS, path="/", httponly=True, samesite="strict"
    )
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer
