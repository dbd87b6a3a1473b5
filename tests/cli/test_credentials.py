"""Credentials have no side door: messages, paths, namespaces, bad lines, and the names a classifier gives."""

import json

import pytest
from messages_api import MessagesApi
from support import Memoir

SECRET = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"


def _everywhere(memoir: Memoir) -> bytes:
    """Whatever lies in the store's folder besides git's compressed objects, and all of those."""
    git = memoir.git("log", "--all", "--format=%B", "--name-only").encode()
    trees = memoir.git("ls-tree", "-r", "--name-only", "HEAD").encode()
    files = [path.read_bytes() for path in (memoir.folder / ".memoir").rglob("*") if path.is_file()]
    return b"".join([git, trees, *files])


@pytest.mark.parametrize(
    "args",
    [
        ("remember", "x", "-p", "a.b", "-m", f"note {SECRET}"),
        ("remember", "x", "-m", f"note {SECRET}"),
        ("remember", "x", "-p", f"a.{SECRET}"),
        ("remember", "x", "-p", "a.b", "-n", SECRET),
        ("remember", "x", "-n", SECRET),
        ("edit", "kept", "-m", SECRET),
        ("import", "-", "-m", SECRET),
        ("import", "-", "-n", SECRET),
    ],
)
def test_paths_and_messages_are_scanned_too(memoir: Memoir, args: tuple[str, ...]) -> None:
    memoir.remember("kept", "x")
    before = memoir.ok("log", "--oneline")

    done = memoir.run(*args, stdin='{"path": "c.d", "content": "x"}', EDITOR="perl -pi -e s/x/y/")

    assert done.status == 2 and "looks like a credential" in done.err and SECRET not in done.err
    assert memoir.ok("log", "--oneline") == before
    assert SECRET.encode() not in _everywhere(memoir)
    again = memoir.run(*args, "--allow-secret", stdin='{"path": "c.d", "content": "x"}', EDITOR="perl -pi -e s/x/y/")
    assert again.status == 0


@pytest.mark.parametrize(
    "line",
    [
        {"path": f"a {SECRET}", "content": "x"},
        {"path": f"a.{SECRET}", "content": "x"},
        {"path": "a", "content": "x", SECRET: 1},
        {"path": "a", "content": "x", "timestamp": SECRET},
    ],
)
def test_a_bad_line_is_named_without_what_must_not_be_shown(memoir: Memoir, line: dict[str, object]) -> None:
    for form in ([], ["--json"]):
        done = memoir.run("import", "-", *form, stdin=json.dumps(line))

        assert done.status == 2 and SECRET not in done.out + done.err
        assert "github" in done.out + done.err


def test_an_allowed_credential_names_no_path_and_goes_to_no_model(memoir: Memoir, api: MessagesApi) -> None:
    api.answers.append("no idea")
    by_rules = memoir.json(
        "remember",
        f"We use GitHub Actions in our CI pipeline, with {SECRET}",
        "--classifier",
        "rules",
        "--allow-secret",
    )
    memoir.json("remember", f"Our deploy token is {SECRET}", "--classifier", "model", "--allow-secret")

    assert not by_rules["filing"]["inbox"] and SECRET.casefold() not in by_rules["key"]
    assert SECRET in (memoir.content(by_rules["key"]) or "")
    (request,) = api.requests
    assert "Our deploy token is" in request.tail and SECRET not in request.tail
