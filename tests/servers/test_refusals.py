"""A push that the server refuses: said once, in the server's own words, and nothing is lost."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from fault_tools import assert_sound, is_root
from git_servers import DaemonServer, GitServer, HttpServer
from support import Memoir, git

pytestmark = pytest.mark.servers


class Refusal(NamedTuple):
    """How a hub comes to refuse, and what its owner's words are."""

    prepare: Callable[[Path], None]
    words: str


def _hook(name: str) -> Callable[[Path], None]:
    def prepare(hub: Path) -> None:
        path = hub / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\necho 'the rule of this house: no secrets' >&2\nexit 1\n")
        path.chmod(0o755)

    return prepare


def _setting(key: str, value: str) -> Callable[[Path], None]:
    def prepare(hub: Path) -> None:
        git("-C", str(hub), "config", key, value)

    return prepare


def _stale_lock(hub: Path) -> None:
    (hub / "refs/heads").mkdir(parents=True, exist_ok=True)
    (hub / "refs/heads/main.lock").touch()


REFUSALS = {
    "pre-receive hook": Refusal(_hook("pre-receive"), "the rule of this house"),
    "update hook": Refusal(_hook("update"), "the rule of this house"),
    "hidden refs": Refusal(_setting("receive.hideRefs", "refs/heads/main"), "hidden ref"),
    "a pack that is too large": Refusal(_setting("receive.maxInputSize", "10"), "maximum allowed size"),
    "a lock that was left": Refusal(_stale_lock, "exists"),
}


CUT_OFF = {"a pack that is too large"}
"""Where the server ends before it has read the pack. Without http or ssh around it, the kernel may drop its words."""


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refusal_is_said_once_in_the_servers_words(server: GitServer, first: Memoir, kind: str) -> None:
    REFUSALS[kind].prepare(server.folder / "hub.git")

    for command in ("sync", "push"):
        refused = first.run(command, "--json")

        assert refused.status in (1, 5), refused
        said = refused.json["error"]["message"]
        is_cut_off = kind in CUT_OFF and isinstance(server, DaemonServer) and "hung up" in said
        assert REFUSALS[kind].words in said or is_cut_off, refused
    assert first.content("a.first") == "first"
    assert_sound(first)


@pytest.fixture
def unwritable(tmp_path: Path) -> Iterator[GitServer]:
    """A server whose repositories are write-protected."""
    if not is_root():
        pytest.skip("only root can write-protect a folder for everybody")
    folder = tmp_path / "protected"
    with HttpServer(folder) as server:
        server.create("hub")
        for options in (("--bind",), ("-o", "remount,bind,ro")):
            if (done := subprocess.run(["mount", *options, folder, folder], capture_output=True, text=True)).returncode:
                pytest.skip(f"cannot mount here: {done.stderr.strip()}")
        try:
            yield server
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_write_protected_hub_says_so(unwritable: GitServer, memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    memoir.ok("remote", "add", "origin", unwritable.url("hub"))

    refused = memoir.run("sync", "--json")

    assert refused.status == 1 and refused.json["error"]["code"] == "git_failed", refused
    assert memoir.content("a.first") == "first"
