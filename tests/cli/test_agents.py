"""The commands for agents, as their hosts run them."""

import pytest
from support import Memoir


def test_what_is_pinned_comes_first(memoir: Memoir) -> None:
    memoir.ok("remember", "Deploys need two reviews.", "-p", "workflow.release.reviews", "--pin")
    memoir.remember("a.b", "x", "--meta", "pinned=true")

    assert 'Pinned:\n- workflow.release.reviews: "Deploys need two reviews." (agent, 2026-01-02)\n\n' in memoir.ok(
        "prime"
    )
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


def test_setup_counts_the_permissions_it_wrote_and_says_how_to_see_them(memoir: Memoir) -> None:
    answer = memoir.json("setup", "claude", "--allow")
    count = answer["files"][0]["diff"].count("Bash(")

    assert answer["permissions"] == count > 0
    said = memoir.ok("setup", "claude", "--allow")
    assert f"Agents read and remember without asking you, by {count} permissions: " in said
    command = said.split(": '")[-1].partition("'")[0]
    assert command == "memoir setup claude --allow --diff"
    assert memoir.ok(*command.split()[1:]).count('+      "Bash(') == count, "also when nothing is new"
    assert memoir.json("setup", "claude")["permissions"] == count, "what an earlier setup was asked for stays"


@pytest.mark.parametrize("option", ["--remove", "--allow", "--check"])
def test_a_setup_without_a_host_lists_the_hosts_but_does_nothing_else(option: str, memoir: Memoir) -> None:
    refused = memoir.run("setup", option)

    assert (refused.status, refused.out) == (2, "") and "'memoir setup --list'" in refused.err
    assert memoir.ok("setup") == memoir.ok("setup", "--list")


def test_the_difference_of_a_setup_is_shown_before_anything_is_written(memoir: Memoir) -> None:
    shown = memoir.ok("setup", "claude", "--diff")

    assert "would create  " in shown and '+  "hooks"' in shown
    assert memoir.run("setup", "claude", "--check").status == 1
    assert memoir.ok("setup", "claude").startswith("created  ")


def test_a_dry_run_of_a_setup_or_a_removal_says_what_would_become_of_the_files(memoir: Memoir) -> None:
    assert memoir.ok("setup", "claude", "--dry-run").startswith("would create  ")
    memoir.ok("setup", "claude")

    said = memoir.ok("setup", "claude", "--remove", "--dry-run")

    assert said.startswith("would delete  ") and "memoir would remove what it has added, in 1 file" in said
    assert "deleted" not in said and memoir.json("setup", "claude", "--check")["installed"]
    assert memoir.ok("setup", "claude", "--remove").startswith("deleted  ")
    assert "nothing of memoir's was set up" in memoir.ok("setup", "claude", "--remove", "--dry-run")
