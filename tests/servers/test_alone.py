"""One user at a time: every command that talks to a remote, on every kind of server."""

from pathlib import Path

import pytest
from fault_tools import assert_sound
from git_servers import GitServer, HttpServer
from servers.conftest import clone
from support import Memoir, git

pytestmark = pytest.mark.servers


def root(memoir: Memoir) -> str:
    """The id of what a store holds: equal memories, equal root."""
    return str(memoir.json("status")["root"])


def test_what_one_store_sends_the_other_gets(server: GitServer, first: Memoir, second: Memoir) -> None:
    assert second.content("a.first") == "first"

    second.remember("b.second", "second")
    assert second.json("sync")["tries"] == 1
    first.remember("a.third", "third")
    assert first.json("sync")["tries"] == 1
    second.ok("pull")

    assert root(first) == root(second)
    assert first.content("b.second") == "second"
    assert_sound(first)
    assert_sound(second)
    git("-C", str(server.folder / "hub.git"), "fsck", "--full", "--strict")


def test_branches_and_tags_travel_and_go(server: GitServer, first: Memoir, second: Memoir, tmp_path: Path) -> None:
    first.ok("checkout", "-b", "trial")
    first.remember("c.trial", "on trial")
    first.ok("tag", "v1")
    first.ok("push", "origin", "trial", "--tags")

    second.ok("fetch")
    assert second.content("c.trial", "--at", "origin/trial") == "on trial"
    assert second.content("c.trial", "--at", "v1") == "on trial"
    assert clone(server, tmp_path / "third").content("c.trial", "--at", "trial") == "on trial"

    first.ok("push", "origin", "trial", "--delete")
    assert "trial" not in git("-C", str(server.folder / "hub.git"), "branch")


def test_a_wrong_password_is_said_at_once_and_the_right_one_works(tmp_path: Path) -> None:
    with HttpServer(tmp_path / "served", password="sesame") as server:
        server.create("hub")
        memoir = Memoir(tmp_path / "store")
        memoir.folder.mkdir()
        memoir.ok("init")
        memoir.remember("a.first", "first")
        address = server.url("hub").replace("://", "://ada:{}@")
        memoir.ok("remote", "add", "origin", address.format("guess"))

        refused = memoir.json("sync", status=1)["error"]
        assert "Authentication failed" in refused["message"] and "guess" not in str(refused)

        memoir.ok("remote", "set-url", "origin", address.format("sesame"))
        assert memoir.json("sync")["sent"] == 1
