"""The commands for agents, as their hosts run them."""

from support import Memoir


def test_what_is_pinned_comes_first(memoir: Memoir) -> None:
    memoir.ok("remember", "Deploys need two reviews.", "-p", "workflow.release.reviews", "--pin")
    memoir.remember("a.b", "x", "--meta", "pinned=true")

    assert 'Pinned:\n- workflow.release.reviews: "Deploys need two reviews." (2026-01-02)\n\n' in memoir.ok("prime")
    memoir.ok("unpin", "workflow.release.reviews")
    assert "Pinned" not in memoir.ok("prime")
    memoir.ok("undo")
    assert "Pinned" in memoir.ok("prime")


def test_an_empty_store_says_how_to_begin(memoir: Memoir) -> None:
    assert "`memoir remember" in memoir.ok("prime")
    assert memoir.json("prime")["sections"] == []


def test_hook_without_a_host_lists_them(memoir: Memoir) -> None:
    assert memoir.ok("hook").startswith("claude ")
    assert memoir.ok("hook", "--help").startswith("Usage: memoir hook")


def test_a_server_ends_with_its_input_in_silence(memoir: Memoir) -> None:
    done = memoir.run("mcp")

    assert (done.status, done.out, done.err) == (0, "", "")
    assert memoir.json("mcp", "--read-only")["calls"] == 0
