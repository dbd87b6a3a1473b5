"""The gate: which requests the server accepts, and the headers of every answer.

A request must carry the server's token or the cookie for it, and must address the server by a name that it accepts.
All others are refused here.
"""

import hmac
import ipaddress
import socket
import time
from asyncio import CancelledError
from collections.abc import Mapping
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memoir.errors import Interruption, MemoirError, Unauthorized
from memoir.records.record import MAX_CONTENT_BYTES
from memoir.ui.api import failure
from memoir.ui.rendering import html

SESSION_SECONDS = 12 * 3600
"""How long a browser's session lasts; then the link with the token must be opened again."""
SAFE_METHODS = ("GET", "HEAD")
_DIGITS = len("65535")
"""The most digits of a port; Python refuses to parse numbers of thousands of digits."""


class Access:
    """The rules of one server: its secret token, and the name or IP address and the port that it listens on."""

    def __init__(self, token: str, host: str, port: int) -> None:
        self._token = token
        self._host = host
        self._port = port
        self._loopback_only = is_loopback(host)
        self.cookie = f"memoir-{port}"
        """The name of the cookie. A browser sends the cookies of a host to all of its ports."""

    def check_site(self, headers: Mapping[str, str]) -> None:
        """Refuse requests that another site makes a browser send.

        The check of the Host also refuses names that were redirected to this machine (DNS rebinding).
        """
        host = headers.get("host", "")
        if not self._answers_to(host):
            raise Unauthorized(
                "this server does not answer to the name in the request's Host", f"open http://127.0.0.1:{self._port}/"
            )
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Unauthorized("a page of another site sent this request", "open the explorer's own page")

    def check_caller(self, method: str, headers: Mapping[str, str]) -> None:
        """Refuse a request that does not show that its sender knows the token.

        Raises:
            Unauthorized: there is neither the token nor a valid cookie; or there is only the cookie, which a browser
                adds by itself, and the request writes and does not say which page sent it.
        """
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows(given.strip()):
            return
        if not self._is_session(headers.get("cookie", "")):
            raise Unauthorized(
                "the token is missing or has expired",
                "open the link that 'memoir ui' prints, or send 'Authorization: Bearer TOKEN'",
            )
        if method not in SAFE_METHODS and "origin" not in headers:
            raise Unauthorized("the request does not say which page sent it", "send 'Authorization: Bearer TOKEN'")

    def knows(self, token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return hmac.compare_digest(token.encode(), self._token.encode())

    def session(self, now: float | None = None) -> str:
        """A value of the cookie that is valid for `SESSION_SECONDS` from a moment (by default now)."""
        return self._signed(int(time.time() if now is None else now) + SESSION_SECONDS)

    def _signed(self, end: int) -> str:
        signature = hmac.new(self._token.encode(), f"{self.cookie}.{end}".encode(), sha256).hexdigest()
        return f"{end}.{signature}"

    def _is_session(self, cookies: str) -> bool:
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return False
        end = morsel.value.partition(".")[0] if morsel else ""
        if morsel is None or not (end.isascii() and end.isdigit() and len(end) < 12):
            return False
        return hmac.compare_digest(morsel.value, self._signed(int(end))) and time.time() < int(end)

    def _answers_to(self, host: str) -> bool:
        name, port = _split(host)
        if port != self._port:
            return False
        if self._loopback_only:
            return name == "localhost" or is_loopback(name)
        return name in ("localhost", self._host, socket.gethostname()) or _is_address(name)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _split(host: str) -> tuple[str, int | None]:
    """The name and the port of a Host header; the port is 80 if it names none, None if it is not a number."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, "80"
    is_port = port.isascii() and port.isdigit() and len(port) <= _DIGITS
    return name.strip("[]").lower(), int(port) if is_port else None


MOST_BYTES = 3 * MAX_CONTENT_BYTES + (1 << 16)
"""The longest body: a form with a memory of the greatest length, and the other fields."""
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
        if answer := self._answer(scope, Headers(scope=scope)):
            await answer(scope, receive, _with_headers(send))
        else:
            await self._pass_on(scope, receive, send)

    def _answer(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that is refused or brings the token; None if it may pass."""
        try:
            self._access.check_site(headers)
        except Unauthorized as error:
            return refusal(scope, error, 403)
        if scope["path"].startswith("/static/"):
            return None
        if self._brings_token(scope):
            return entered(scope, self._access)
        try:
            self._access.check_caller(scope["method"], headers)
        except Unauthorized as error:
            return refusal(scope, error, 401)
        return None

    def _brings_token(self, scope: Scope) -> bool:
        """Whether the request is for a page, with the right token in its link."""
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
    """A page that sets the cookie and then loads the same address without the token.

    It is not a redirect: after a redirect the browser would still count the site with the link as the sender, and would
    not send the strict cookie.
    """
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    rest = urlencode([pair for pair in query if pair[0] != "token"])
    path = "/" + scope["path"].lstrip("/\\")  # two slashes would name another host
    answer = html("entered.html", url=path + ("?" + rest if rest else ""))
    answer.set_cookie(
        access.cookie, access.session(), max_age=SESSION_SECONDS, path="/", httponly=True, samesite="strict"
    )
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer
