"""Only the owner's requests are answered, and no answer lets a browser do more than show it."""

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import nullcontext

import pytest
from served import PORT, TOKEN, URL, access, browser, client, error_of
from starlette.types import Message, Receive, Scope, Send

from memoir.errors import Unauthorized
from memoir.repository.repository import Repository
from memoir.ui import gate
from memoir.ui.gate import SESSION_SECONDS, Access, Gate

PATHS = ("/", "/memory?key=a.b", "/history", "/health", "/api/status", "/api/events", "/api/openapi.json")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_answered_without_the_token(repository: Repository, path: str) -> None:
    answer = client(repository.path, headers={}).get(path)

    assert answer.status_code == 401
    assert "token" in answer.text


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN])
def test_another_token_is_refused(repository: Repository, given: str) -> None:
    answer = client(repository.path, headers={"Authorization": given}).get("/api/status")

    assert (answer.status_code, error_of(answer)["code"]) == (401, "unauthorized")


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", "[::1", f"127.0.0.1:{'9' * 5000}"]
)
def test_a_name_that_was_bent_to_this_machine_is_refused(repository: Repository, host: str) -> None:
    answer = client(repository.path).get("/api/status", headers={"Host": host})

    assert (answer.status_code, error_of(answer)["code"]) == (403, "unauthorized")


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_the_names_of_this_machine_are_answered(repository: Repository, host: str) -> None:
    assert client(repository.path).get("/api/status", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", f"http://localhost:{PORT}"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_another_origin_is_refused(repository: Repository, method: str, origin: str) -> None:
    head = repository.store.head().commit

    answer = browser(repository.path, Origin=origin).request(method, "/api/undo", data={})

    assert answer.status_code == 403
    assert repository.store.head().commit == head
    assert "access-control-allow-origin" not in answer.headers


def test_a_cookie_alone_writes_nothing(repository: Repository) -> None:
    """A browser adds it to what any page sends."""
    rules = access()
    page = client(repository.path, headers={"Cookie": f"{rules.cookie}={rules.session()}"})

    assert page.get("/api/status").status_code == 200
    assert page.post("/api/remember", json={"content": "x", "keys": ["a.b"]}).status_code == 401
    assert repository.count() == 0


def test_the_link_leaves_a_strict_cookie_and_goes_on_without_the_token(repository: Repository) -> None:
    answer = client(repository.path, headers={}).get(f"/memory?key=a.b&token={TOKEN}&at=HEAD")

    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert TOKEN not in cookie and TOKEN not in answer.text
    assert 'content="0;url=/memory?key=a.b&amp;at=HEAD"' in answer.text
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_link_leads_to_no_other_host(repository: Repository) -> None:
    answer = client(repository.path, headers={}).get(f"{URL}//evil.example/?token={TOKEN}")

    assert "url=/evil.example/" in answer.text


def test_an_old_cookie_has_expired(repository: Repository) -> None:
    rules = access()
    old, forged = rules.session(time.time() - SESSION_SECONDS - 1), f"{2**40}.{'0' * 64}"
    for value in (old, forged, rules.session()[:-1], "x", "1.2.3", "é"):
        cookie = f"{rules.cookie}={value}".encode()
        page = client(repository.path, headers={})
        answer = page.get("/api/status", headers={b"Cookie": cookie})
        assert answer.status_code == 401


def test_a_cookie_of_another_server_is_none_here(repository: Repository) -> None:
    other = Access(TOKEN, "127.0.0.1", PORT + 1)
    cookie = f"{access().cookie}={other.session()}"

    assert client(repository.path, headers={"Cookie": cookie}).get("/api/status").status_code == 401


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/status", "/api/nothing", "/static/favicon.svg"])
@pytest.mark.parametrize("headers", [None, {}])
def test_every_answer_forbids_scripts_frames_and_other_sites(
    repository: Repository, path: str, headers: Mapping[str, str] | None
) -> None:
    answer = client(repository.path, headers=headers).get(path)

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


def test_a_long_body_is_refused(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MOST_BYTES", 1000)

    answer = client(repository.path).post("/api/remember", json={"content": "x" * 1000, "keys": ["a.b"]})

    assert answer.status_code == 413
    assert error_of(answer)["code"] == "invalid_input"
    assert repository.count() == 0


@pytest.mark.parametrize(
    ("listening", "host", "is_answered"),
    [
        ("0.0.0.0", "10.1.2.3:80", True), ("0.0.0.0", "evil.example:80", False), ("box.example", "box.example", True),
        ("box.example", "box.example:81", False), ("127.0.0.1", "10.1.2.3:80", False), ("::1", "[::1]", True),
    ],
)  # fmt: skip
def test_a_server_for_others_answers_to_addresses_and_its_own_name(
    listening: str, host: str, is_answered: bool
) -> None:
    with nullcontext() if is_answered else pytest.raises(Unauthorized):
        Access(TOKEN, listening, 80).check_site({"host": host})


def test_a_request_that_the_end_of_the_server_cuts_off_is_told_so() -> None:
    sent: list[Message] = []

    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.Event().wait()

    async def nothing() -> Message:
        return {"type": "http.request", "body": b""}

    async def note(message: Message) -> None:
        sent.append(message)

    async def end() -> None:
        headers = [(b"host", f"127.0.0.1:{PORT}".encode()), (b"authorization", f"Bearer {TOKEN}".encode())]
        scope = {"type": "http", "method": "GET", "path": "/api/status", "query_string": b"", "headers": headers}
        task = asyncio.ensure_future(Gate(never, access())(scope, nothing, note))
        await asyncio.sleep(0)
        task.cancel()
        await task

    asyncio.run(end())

    assert sent[0]["status"] == 503
    assert json.loads(sent[1]["body"])["error"]["code"] == "interrupted"


def test_who_goes_away_in_the_middle_of_a_request_leaves_no_error_behind(repository: Repository) -> None:
    messages: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        pass

    async def ask() -> None:
        await client(repository.path).app(scope, receive, send)

    headers = {"host": f"127.0.0.1:{PORT}", "authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    place = {"path": "/api/remember", "raw_path": b"/api/remember", "query_string": b""}
    scope: Scope = {"type": "http", "method": "POST", **place, "headers": sent}
    asyncio.run(ask())

    assert repository.count() == 0
