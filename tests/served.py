"""A store behind the application of `memoir serve`, asked in this process."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from starlette.testclient import TestClient
from support import PROJECT

from memoir.mcp.client_store import StorePlace
from memoir.ui.application import application
from memoir.ui.gate import Access
from memoir.ui.served_store import ServedStore

PORT = 7717
URL = f"http://127.0.0.1:{PORT}"
TOKEN = "a-token-that-only-tests-know"


def access() -> Access:
    """The rules of a server on this machine."""
    return Access(TOKEN, "127.0.0.1", PORT)


def client(store: Path, *, read_only: bool = False, headers: Mapping[str, str] | None = None) -> TestClient:
    """A client that knows the token, unless it gets other headers."""
    served = ServedStore(StorePlace(str(store)), read_only=read_only)
    sent = {"Authorization": f"Bearer {TOKEN}"} if headers is None else headers
    return TestClient(application(served, access()), URL, headers=dict(sent), follow_redirects=False)


def browser(store: Path, *, read_only: bool = False, **headers: str) -> TestClient:
    """A client that has the cookie and sends what a browser sends with a form of the explorer's own."""
    rules = access()
    cookie = f"{rules.cookie}={rules.session()}"
    return client(store, read_only=read_only, headers={"Cookie": cookie, "Origin": URL, **headers})


def error_of(answer: Any) -> dict[str, Any]:
    """The error in the JSON of an answer."""
    fields = answer.json()
    assert fields["success"] is False
    error = fields["error"]
    assert isinstance(error, dict)
    return error


@cache
def _schemas() -> Registry[Any]:
    files = (PROJECT / "docs/schema").glob("*.json")
    contents = ((file.name, json.loads(file.read_text("utf-8"))) for file in files)
    made: Registry[Any] = Registry()
    return made.with_resources((name, Resource.from_contents(each)) for name, each in contents)


def check_schema(answer: object, command: str) -> None:
    """Fail if an answer does not fit the schema of its command."""
    Draft202012Validator({"$ref": f"{command}.json"}, registry=_schemas()).validate(answer)
