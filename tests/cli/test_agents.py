"""The commands for agents, as their hosts run them."""

from support import Memoir


def test_a_server_ends_with_its_input_in_silence(memoir: Memoir) -> None:
    done = memoir.run("mcp")

    assert (done.status, done.out, done.err) == (0, "", "")
    assert memoir.json("mcp", "--read-only")["calls"] == 0
