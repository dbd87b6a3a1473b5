"""Real git servers, and stores that talk to them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from git_servers import DaemonServer, GitServer, HttpServer, SshServer, sshd
from support import Memoir

KINDS: dict[str, type[GitServer]] = {"http": HttpServer, "ssh": SshServer, "git": DaemonServer}


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GitServer]:
    """A server of each kind."""
    if request.param == "ssh" and sshd() is None:
        pytest.skip("OpenSSH's server is not installed: apt-get install openssh-server")
    with KINDS[request.param](tmp_path / "served") as server:
        server.create("hub")
        yield server


@pytest.fixture
def first(server: GitServer, tmp_path: Path) -> Memoir:
    """A store with one memory that knows the server's repository as `origin`."""
    memoir = Memoir(tmp_path / "first", **server.env)
    memoir.folder.mkdir()
    memoir.ok("init")
    memoir.remember("a.first", "first")
    memoir.ok("remote", "add", "origin", server.url("hub"))
    return memoir


@pytest.fixture
def second(server: GitServer, first: Memoir, tmp_path: Path) -> Memoir:
    """A clone of what the first has sent."""
    first.ok("sync")
    return clone(server, tmp_path / "second")


def clone(server: GitServer, folder: Path) -> Memoir:
    """A clone of a server's repository."""
    memoir = Memoir(folder, **server.env)
    folder.mkdir()
    memoir.ok("clone", server.url("hub"), str(folder))
    return memoir
