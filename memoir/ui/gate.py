"""What every request passes before it is answered, what every answer carries, and the answers to what is refused."""

from asyncio import CancelledError
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memoir.errors import Interruption, MemoirError, Unauthorized
from memoir.records.record import MAX_CONTENT_BYTES
from memoir.ui.access import SAFE_METHODS, SESSION_SECONDS, Access, Request
from memoir.ui.api import failure
from memoir.ui.rendering import html

MOST_BYTES = 3 * MAX_CONTENT_BYTES + (1 << 16)
"""The longest body: a memory of the greatest length as a form writes it, and the other fields."""
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers would send forms with the Origin 'null'
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}


class Gate:
    """Lets only the owner's requests through to an application."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        request = Request(scope["method"], {name.lower(): value for name, value in Headers(scope=scope).items()})
        if answer := self._answer(scope, request):
            await answer(scope, receive, _with_headers(send))
        else:
            await self._pass_on(scope, receive, send)

    def _answer(self, scope: Scope, request: Request) -> Response | None:
        """The answer to what does not get through, or brings the token; None for all else."""
        try:
            self._access.check_site(request)
        except Unauthorized as error:
            return refusal(scope, error, 403)
        if scope["path"].startswith("/static/"):
            return None
        if self._brings_token(scope):
            return entered(scope, self._access)
        try:
            self._access.check_caller(request)
        except Unauthorized as error:
            return refusal(scope, error, 401)
        return None

    def _brings_token(self, scope: Scope) -> bool:
        """Whether it is the link to a page with the right token in it."""
        if scope["method"] not in SAFE_METHODS or scope["path"].startswith("/api/"):
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return bool(given) and self._access.knows(given)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        left, has_begun = MOST_BYTES, False

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413)
            return message

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, counted, _with_headers(noted))
        except CancelledError:  # the server ends, and has waited long enough
            if not has_begun:
                error = Interruption("the server was ended before it could answer", "start it again")
                await refusal(scope, error, 503)(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


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
