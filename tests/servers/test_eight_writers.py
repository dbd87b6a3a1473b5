"""Eight clones that write and sync at the same time."""

from pathlib import Path

import pytest
from fault_tools import assert_sound, at_once
from git_servers import GitServer
from servers.conftest import clone
from support import Memoir, git

pytestmark = pytest.mark.servers

WRITERS, WRITES = 8, 3


def test_everything_arrives_everywhere(server: GitServer, first: Memoir, tmp_path: Path) -> None:
    first.ok("sync")
    clones = at_once(4, lambda number: [clone(server, tmp_path / f"clone{number}-{half}") for half in range(2)])
    writers = [memoir for some in clones for memoir in some]

    def work(number: int) -> None:
        for write in range(WRITES):
            writers[number].remember(f"w{number}.n{write}", f"writer {number} wrote {write}")
            writers[number].ok("sync")

    at_once(WRITERS, work)
    for memoir in [*writers, *writers]:  # where many send at once, few fold: news may come one sync later
        memoir.ok("sync")

    states = [memoir.json("status") for memoir in writers]
    assert {state["memory_count"] for state in states} == {1 + WRITERS * WRITES}
    assert len({state["root"] for state in states}) == 1
    assert_sound(writers[0])
    git("-C", str(server.folder / "hub.git"), "fsck", "--full", "--strict")
