"""A server that is 200 ms away."""

import pytest
from git_servers import GitServer, HttpServer, SlowProxy
from support import Memoir

pytestmark = pytest.mark.servers

ROUND_TRIP = 0.2


def test_a_distant_server_costs_time_and_nothing_else(server: GitServer, first: Memoir, second: Memoir) -> None:
    with SlowProxy(server.port, ROUND_TRIP) as proxy:
        for memoir in (first, second):
            memoir.ok("remote", "set-url", "origin", server.url("hub", proxy.port))
        first.remember("a.far", "far")
        assert first.json("sync")["tries"] == 1
        second.ok("sync")

        assert second.content("a.far") == "far"
        if isinstance(server, HttpServer):
            assert 1 <= proxy.connections < len(server.requests)
