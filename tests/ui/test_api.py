"""The API answers what the commands answer, from the same store."""

import json
from pathlib import Path
from typing import Any

import pytest
import sample
from sample import TESTING
from served import browser, check_schema, client, error_of
from starlette.testclient import TestClient
from support import Memoir

from memoir.exchange.auto_sync import AutoSync
from memoir.memory.facets import ids_of
from memoir.repository.exchange import Remotes
from memoir.repository.repository import Repository
from memoir.ui.api import ROUTES, ApiRoute
from memoir.ui.arguments import parameters

CI = "debugging.ci.timeouts"


@pytest.fixture
def project(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    return Memoir(sample.copy_into(tmp_path, tmp_path_factory.getbasetemp()))


@pytest.fixture
def api(project: Memoir) -> TestClient:
    return client(project.folder)


PAIRS = [
    (f"/api/get?keys={TESTING}&keys={CI}&keys=no.such.path", f"get {TESTING} {CI} no.such.path"),
    ("/api/get?keys=preferences&prefix=true&at=v1", "get preferences --prefix --at v1"),
    ("/api/ls?long=yes&limit=2", "ls -l --limit 2"),
    ("/api/ls?prefix=preferences&namespace=default", "ls preferences -n default"),
    ("/api/grep?pattern=pytest", "grep pytest"),
    ("/api/summarize", "summarize"),
    ("/api/summarize?depth=1&keys=preferences.*&limit=1", "summarize --depth 1 --keys preferences.* --limit 1"),
    ("/api/recall?query=how+do+we+test?&mode=simple&limit=2", "recall how+do+we+test? --mode simple -l 2"),
    ("/api/recall?query=pytest&weight=words=2&weight=vectors=0", "recall pytest --weight words=2 --weight vectors=0"),
    (f"/api/explain?query=pytest&key={TESTING}", f"explain pytest {TESTING}"),
    ("/api/timeline?limit=2", "timeline -l 2"),
    (f"/api/blame?key={TESTING}", f"blame {TESTING}"),
    ("/api/diff", "diff"),
    ("/api/diff?from=v1&to=HEAD", "diff v1 HEAD"),
    ("/api/log?limit=2", "log -l 2"),
    ("/api/log?limit=2&signatures=1", "log -l 2 --signatures"),
    (f"/api/blame?key={TESTING}&signatures=1", f"blame {TESTING} --signatures"),
    ("/api/show?revision=rival", "show rival"),
    (f"/api/show?revision=v1&key={TESTING}", f"show v1:{TESTING}"),
    (f"/api/why?key={TESTING}", f"why {TESTING}"),
    ("/api/entities", "entities"),
    (f"/api/related?key={CI}", f"related {CI}"),
    ("/api/threads?every=1", "threads --all"),
    ("/api/insights", "insights"),
    ("/api/sources", "sources"),
    ("/api/suggest?text=Use+pytest.", "suggest Use+pytest."),
    ("/api/reflog", "reflog"),
    ("/api/branches", "branch"),
    ("/api/tags", "tag"),
    ("/api/status", "status"),
    ("/api/capture", "capture"),
    ("/api/get?keys=preferences.coding.testing&branch=rival", f"get {TESTING} --branch rival"),
]


@pytest.mark.parametrize(("path", "command"), PAIRS)
def test_a_read_has_the_answer_of_its_command(project: Memoir, api: TestClient, path: str, command: str) -> None:
    told = project.json(*(word.replace("+", " ") for word in command.split()))

    answer = api.get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == told


def test_every_read_is_compared_with_its_command() -> None:
    compared = {path.partition("?")[0] for path, _ in PAIRS}
    by_store = {"/api/thread", "/api/capture/review"}  # their arguments come from another answer

    assert {route.path for route in ROUTES if route.method == "GET"} == compared | by_store


def _check(answer: Any, command: str) -> None:
    assert answer.status_code == 200, answer.text
    check_schema(answer.json(), command)


WRITES: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"content": "Use ruff.", "keys": ["preferences.coding.linting"], "metadata": {"source": "review"}}),
    ("remember", {"content": "I always use Python 3.11.", "dry_run": True}),
    ("edit", {"key": TESTING, "content": "Use pytest 9."}),
    ("edit", {"key": TESTING, "expires": "30d"}),
    ("replace", {"old": TESTING, "new": "preferences.coding.style"}),
    ("mv", {"old": TESTING, "new": "preferences.tests.runner"}),
    ("forget", {"keys": [TESTING]}),
    ("restore", {"keys": [TESTING], "at": "v1"}),
    ("pin", {"keys": [TESTING]}),
    ("unpin", {"keys": [TESTING]}),
    ("classify", {}),
    ("consolidate", {"dry_run": True}),
    ("revert", {"revision": "HEAD"}),
    ("undo", {}),
    ("branch", {"name": "idea"}),
    ("branch", {"name": "rival", "rename": "other"}),
    ("branch", {"name": "rival", "delete": True, "force": True}),
    ("merge", {"source": "agent-a"}),
    ("merge", {"source": "rival", "strategy": "theirs"}),
    ("tag", {"name": "v2"}),
    ("tag", {"name": "v1", "delete": True}),
]


@pytest.mark.parametrize(("command", "fields"), WRITES)
def test_a_write_has_an_answer_of_its_command(api: TestClient, command: str, fields: dict[str, Any]) -> None:
    _check(api.post(f"/api/{command}", json=fields), command)


def test_what_the_api_wrote_the_command_reads(project: Memoir, api: TestClient) -> None:
    _check(api.post("/api/remember", json={"content": "Use ruff.", "keys": ["a.b"]}), "remember")
    _check(api.post("/api/undo", json={}), "undo")
    _check(api.post("/api/redo", json={}), "redo")

    assert project.json("get", "a.b")["items"][0]["value"]["content"] == "Use ruff."


def test_captures_are_reviewed_accepted_and_rejected(project: Memoir, api: TestClient) -> None:
    assert api.post("/api/capture/accept", json={"numbers": [7]}).status_code == 404
    _check(api.post("/api/capture/reject", json={"every": True}), "capture")
    _check(api.get("/api/capture/review"), "capture")


def test_a_memory_is_tied_to_code_and_holds_until_a_date(project: Memoir, api: TestClient) -> None:
    (project.folder / "main.py").write_text("print()\n")

    _check(api.post("/api/remember", json={"content": "x", "keys": ["a.b"], "about": ["main.py"]}), "remember")
    _check(api.post("/api/edit", json={"key": "a.b", "expires": "2026-12-31"}), "edit")
    _check(api.post("/api/edit", json={"key": TESTING, "about": ["main.py:1"]}), "edit")

    first, second = (project.json("get", key)["items"][0]["value"] for key in ("a.b", TESTING))
    assert first["metadata"]["about"][0]["file"] == second["metadata"]["about"][0]["file"] == "main.py"
    assert first["metadata"]["expires"].startswith("2026-12-31")


def test_a_write_goes_to_the_branch_that_it_names(project: Memoir, api: TestClient) -> None:
    api.post("/api/remember", json={"content": "x", "keys": ["a.b"], "branch": "agent-a"})

    assert api.get("/api/get?keys=a.b&branch=agent-a").json()["found_count"] == 1
    assert api.get("/api/get?keys=a.b").json()["found_count"] == 0


def test_an_edit_of_what_changed_meanwhile_fails_and_changes_nothing(api: TestClient) -> None:
    api.post("/api/remember", json={"content": "one", "keys": ["a.b"], "policy": "append"})
    api.post("/api/remember", json={"content": "two", "keys": ["a.b"], "policy": "append"})
    first = api.get("/api/get?keys=a.b").json()["items"][0]["value"]["memories"][0]["address"]
    assert api.post("/api/edit", json={"key": first, "content": "ONE"}).status_code == 200

    late = api.post("/api/edit", json={"key": first, "content": "eins"})

    assert late.status_code == 404
    assert "#" in error_of(late)["hint"]
    assert api.get("/api/get?keys=a.b").json()["items"][0]["value"]["content"].splitlines() == ["ONE", "two"]


def test_an_edit_of_what_was_replaced_meanwhile_fails_and_changes_nothing(project: Memoir, api: TestClient) -> None:
    api.post("/api/remember", json={"content": "one", "keys": ["a.b"]})
    with Repository.open(project.folder) as repository:
        seen = ids_of(repository.get("a.b") or ())[0]
    api.post("/api/remember", json={"content": "two", "keys": ["a.b"], "policy": "replace"})

    late = api.post("/api/edit", json={"key": f"a.b#{seen}", "content": "eins"})

    assert (late.status_code, error_of(late)["message"].partition(",")[0]) == (400, "the memory is superseded")
    value = api.get("/api/get?keys=a.b").json()["items"][0]["value"]
    assert (value["content"], value["superseded"]) == ("two", 1)
    assert "eins" not in project.ok("log", "a.b")


def test_several_memories_at_a_path_are_not_reworded_at_once(api: TestClient) -> None:
    answer = api.post("/api/edit", json={"key": CI, "content": "x"})

    assert answer.status_code == 400
    assert "KEY#id" in error_of(answer)["hint"]


FAILURES = [
    ("GET", "/api/get?keys=not+a+path", None, 400, "invalid_input"),
    ("GET", "/api/get", None, 400, "invalid_input"),
    ("GET", "/api/get?keys=a.b&limit=2", None, 400, "invalid_input"),
    ("GET", "/api/log?limit=many", None, 400, "invalid_input"),
    ("GET", "/api/log?limit=1&limit=2", None, 400, "invalid_input"),
    ("GET", f"/api/recall?query=x&limit={1 << 63}", None, 400, "invalid_input"),
    ("GET", f"/api/summarize?depth={1 << 63}", None, 400, "invalid_input"),
    ("GET", "/api/get?keys=a.b&prefix=perhaps", None, 400, "invalid_input"),
    ("GET", "/api/recall?query=x&path=/elsewhere", None, 400, "invalid_input"),
    ("GET", "/api/recall?query=x&path=%00", None, 400, "invalid_input"),
    ("GET", "/api/blame?key=no.such.path", None, 404, "not_found"),
    ("GET", "/api/show?revision=nothing", None, 404, "not_found"),
    ("GET", f"/api/get?keys={TESTING}&branch=nothing", None, 404, "not_found"),
    ("GET", "/api/nothing", None, 404, "not_found"),
    ("GET", "/api/remember", None, 405, "invalid_input"),
    ("GET", "/api/recall?query=x&mode=single", None, 503, "llm_unavailable"),
    ("POST", "/api/merge", {"source": "rival"}, 409, "conflict"),
    ("POST", "/api/remember", {"content": "x", "keys": [TESTING], "policy": "reject"}, 409, "conflict"),
    ("POST", "/api/remember", {"content": 5}, 400, "invalid_input"),
    ("POST", "/api/remember", {"content": "x", "keys": "a.b"}, 400, "invalid_input"),
    ("POST", "/api/remember", {"content": "x", "confidence": True}, 400, "invalid_input"),
    ("POST", "/api/remember", ["x"], 400, "invalid_input"),
    ("POST", "/api/undo", {"steps": 1 << 62}, 400, "invalid_input"),
    ("POST", "/api/undo", {"steps": 1 << 20}, 404, "not_found"),
    ("POST", "/api/redo", {}, 409, "no_step"),
    ("POST", "/api/remember", {"content": "password=hunter2hunter2", "keys": ["a.b"]}, 400, "invalid_input"),
    ("POST", "/api/forget", {"keys": ["no.such.path"]}, 404, "not_found"),
    ("POST", "/api/edit", {"key": TESTING}, 400, "invalid_input"),
    ("POST", "/api/edit", {"key": TESTING, "content": "x", "expires": "30d"}, 400, "invalid_input"),
    ("POST", "/api/edit", {"key": TESTING, "about": ["no/such/file.py"]}, 404, "not_found"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), FAILURES)
def test_a_failure_has_the_object_of_the_command_and_a_fitting_status(
    project: Memoir, api: TestClient, method: str, path: str, body: Any, status: int, code: str
) -> None:
    before = project.json("status")["commit"]

    answer = api.request(method, path, json=body)

    assert (answer.status_code, error_of(answer)["code"]) == (status, code)
    assert project.json("status")["commit"] == before


COUNTS = [
    (route, name)
    for route in ROUTES
    for name, parameter in parameters(route.call).items()
    if parameter.kind is int and not parameter.repeats
]


@pytest.mark.parametrize(("route", "name"), COUNTS, ids=[f"{route.path} {name}" for route, name in COUNTS])
def test_a_count_below_nothing_is_refused_by_every_call(api: TestClient, route: ApiRoute, name: str) -> None:
    known = parameters(route.call)
    given = {"query": "tea", "text": "tea", "pattern": "tea", "key": TESTING}
    fields: dict[str, Any] = {each: text for each, text in given.items() if each in known} | {name: -1}

    answer = api.get(route.path, params=fields) if route.method == "GET" else api.post(route.path, json=fields)

    assert (answer.status_code, error_of(answer)["code"]) == (400, "invalid_input")
    assert name.replace("_", "-") in error_of(answer)["message"]


@pytest.mark.parametrize("command", ["forget", "restore", "pin", "unpin"])
def test_a_write_of_no_memory_at_all_is_refused(api: TestClient, command: str) -> None:
    answer = api.post(f"/api/{command}", json={"keys": []})

    assert answer.status_code == 400
    assert error_of(answer)["hint"]


def test_the_words_of_a_remote_cannot_spoil_the_answer_of_a_write(
    api: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Remotes, "sync_after_write", lambda self: AutoSync("no:\r\nSet-Cookie: é\x1b[31m"))

    answer = api.post("/api/remember", json={"content": "Tea is at four.", "keys": ["a.b"]})

    assert answer.headers["Memoir-Not-Synced"] == r"no:\x0d\x0aSet-Cookie: \xe9\x1b[31m"
    assert "set-cookie" not in answer.headers


def test_a_body_has_to_be_json_or_a_form(api: TestClient) -> None:
    assert api.post("/api/undo", content="{}", headers={"Content-Type": "text/plain"}).status_code == 400
    assert api.post("/api/undo", content="{", headers={"Content-Type": "application/json"}).status_code == 400


def test_the_entity_tag_is_the_commit(project: Memoir, api: TestClient) -> None:
    path = f"/api/get?keys={TESTING}"
    tag = api.get(path).headers["etag"]
    assert project.json("status")["commit"] in tag

    unchanged = api.get(path, headers={"If-None-Match": tag})
    api.post("/api/remember", json={"content": "x", "keys": ["a.b"]})
    changed = api.get(path, headers={"If-None-Match": tag})

    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert changed.status_code == 200 and changed.headers["etag"] != tag


def test_the_entity_tag_follows_the_branches_that_are_named(api: TestClient) -> None:
    path = f"/api/get?keys={TESTING}&at=agent-a"
    tag = api.get(path).headers["etag"]
    api.post("/api/remember", json={"content": "x", "keys": [TESTING], "branch": "agent-a"})

    assert api.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_a_read_only_server_refuses_every_write(project: Memoir) -> None:
    api = client(project.folder, read_only=True)

    for command, fields in WRITES:
        answer = api.post(f"/api/{command}", json=fields)
        assert (answer.status_code, error_of(answer)["code"]) == (403, "read_only")
    assert api.get("/api/status").status_code == 200


def test_the_store_is_opened_again_if_it_is_replaced(project: Memoir, api: TestClient, tmp_path: Path) -> None:
    assert api.get(f"/api/get?keys={TESTING}").json()["found_count"] == 1
    project.git_dir.rename(tmp_path / "old")
    assert api.get(f"/api/get?keys={TESTING}").status_code == 404
    project.run("init")

    assert api.get(f"/api/get?keys={TESTING}").json()["found_count"] == 0


def test_the_description_names_every_route_and_has_all_that_it_refers_to(api: TestClient) -> None:
    text = api.get("/api/openapi.json").text
    document = json.loads(text)

    for route in ROUTES:
        assert route.method.lower() in document["paths"][route.path]
    for reference in {part.partition('"')[0] for part in text.split('"$ref":"#/')[1:]}:
        node = document
        for name in reference.split("/"):
            node = node[name]


def test_a_form_is_the_same_call_as_json(project: Memoir) -> None:
    page = browser(project.folder)

    answer = page.post("/api/remember", data={"content": "one\r\ntwo", "keys": "a.b", "policy": ""})

    assert answer.status_code == 200
    assert project.json("get", "a.b")["items"][0]["value"]["content"] == "one\ntwo"
