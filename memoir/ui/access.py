"""Who may ask the server what: its token, the cookie that stands for it, and the names that it answers to."""

import hmac
import ipaddress
import socket
import time
from collections.abc import Mapping
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple

from memoir.errors import Unauthorized

SESSION_SECONDS = 12 * 3600
"""How long a browser may go on without opening the link with the token again."""
SAFE_METHODS = ("GET", "HEAD")


class Request(NamedTuple):
    """What of a request decides whether it is answered; the names of headers are in small letters."""

    method: str
    headers: Mapping[str, str]


class Access:
    """The rules of one server.

    Args:
        token: The secret that the server was started with.
        host: The address that it listens on, as a name or an IP address.
        port: Its port.
    """

    def __init__(self, token: str, host: str, port: int) -> None:
        self._token = token
        self._host = host
        self._port = port
        self._loopback_only = is_loopback(host)
        self.cookie = f"memoir-{port}"
        """The name of the cookie. A browser sends the cookies of a host to all of its ports."""

    def check_site(self, request: Request) -> None:
        """Refuse what another site lets a browser ask for.

        A name that leads to this machine only since a moment ago (DNS rebinding) is not one that the server answers to.

        Raises:
            Unauthorized: the name is foreign, or a page of another origin asks.
        """
        host = request.headers.get("host", "")
        if not self._answers_to(host):
            raise Unauthorized(
                "this server does not answer to the name in the request's Host", f"open http://127.0.0.1:{self._port}/"
            )
        origin = request.headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Unauthorized("a page of another site sent this request", "open the explorer's own page")

    def check_caller(self, request: Request) -> None:
        """Refuse a request that does not show that its sender knows the token.

        Raises:
            Unauthorized: there is neither the token nor a valid cookie; or there is only the cookie, which a browser
                adds by itself, and the request writes and does not say which page sent it.
        """
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows(given.strip()):
            return
        if not self._is_session(request.headers.get("cookie", "")):
            raise Unauthorized(
                "the token is missing or has expired",
                "open the link that 'memoir ui' prints, or send 'Authorization: Bearer TOKEN'",
            )
        if request.method not in SAFE_METHODS and "origin" not in request.headers:
            raise Unauthorized("the request does not say which page sent it", "send 'Authorization: Bearer TOKEN'")

    def knows(self, token: str) -> bool:
        """Whether this is the token; it takes the same time however much of it is right."""
        return hmac.compare_digest(token.encode(), self._token.encode())

    def session(self, now: float | None = None) -> str:
        """A value of the cookie, valid from a moment (by default now) on."""
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
    return name.strip("[]").lower(), int(port) if port.isascii() and port.isdigit() else None
