"""`--branch` and `MEMOIR_BRANCH`: every command works on the branch that was chosen, and HEAD stays where it is."""

import json
import os
import subprocess

import pytest
from support import Memoir, built_once


def on(branch: str, memoir: Memoir) -> Memoir:
    """The same store, used by somebody who exports MEMOIR_BRANCH."""
    return Memoir(memoir.folder, MEMOIR_BRANCH=branch)


@built_once
def two(memoir: Memoir) -> None:
    """A store whose branch `side` has a memory more than `main`, which is checked out."""
    memoir.remember("people.bob", "Bob reviews the parser")
    memoir.ok("branch", "side")
    memoir.remember("people.eve", "Eve writes the printer", "--branch", "side")


READS = [
    ["get", "people.eve"],
    ["ls"],
    ["grep", "printer"],
    ["summarize", "--keys", "people.eve"],
    ["recall", "who writes the printer?"],
    ["explain", "who writes the printer?", "people.eve"],
    ["suggest", "Eve writes the printer"],
    ["log"],
    ["show"],
    ["blame", "people.eve"],
    ["why", "people.eve"],
    ["timeline"],
    ["diff"],
    ["export"],
    ["show", "HEAD:people.eve"],
]


@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_every_read_is_of_the_chosen_branch(two: Memoir, command: list[str]) -> None:
    assert "people.eve" not in two.run(*command[:1], *(command[1:] if command[0] == "recall" else []), "--json").out

    for out in (
        two.ok(*command, "--branch", "side", "--json"),
        two.ok("--branch", "side", *command, "--json"),
        two.ok(*command, "--json", MEMOIR_BRANCH="side"),
        two.ok(*command, "--branch=side", "--json", MEMOIR_BRANCH="main"),
    ):
        assert "people.eve" in out
    assert two.git("symbolic-ref", "HEAD") == "refs/heads/main\n"


def test_a_branch_that_the_option_names_must_exist(two: Memoir) -> None:
    for command in READS:
        error = two.json(*command, "--branch", "sid", status=4)["error"]
        assert (error["revision"], error["hint"]) == ("sid", "did you mean 'side'? ('memoir branch sid' creates it)")
    for command in (["status"], ["branch"], ["remember", "x", "-p", "x"], ["undo"], ["tag", "v1"], ["push"]):
        assert two.json(*command, "--branch", "sid", status=4)["error"]["code"] == "not_found"


def test_revisions_count_from_the_chosen_branch(two: Memoir) -> None:
    two.remember("people.eve", "Eve left", "--branch", "side")
    main, side = two.git("rev-parse", "main").strip(), two.git("rev-parse", "side").strip()

    for revision in ("HEAD", "@", "HEAD~0", "@{0}"):
        assert two.json("show", revision, "--branch", "side")["commit"] == side
        assert two.json("show", revision)["commit"] == main
    assert two.content("people.eve", "--at", "HEAD~1", "--branch", "side") == "Eve writes the printer"
    assert on("side", two).content("people.eve", "--at", "HEAD^") == "Eve writes the printer"
    assert two.json("show", "main", "--branch", "side")["commit"] == main
    assert two.json("diff", "main..HEAD", "--branch", "side")["count"] == 1
    assert two.json("show", "HEAD~9", "--branch", "side", status=4)["error"]["message"] == "no revision named 'HEAD~9'"
    assert two.json("show", "main~9", status=4)["error"]["message"] == "no revision named 'main~9'"


def test_the_first_write_creates_the_branch_of_the_environment(memoir: Memoir) -> None:
    memoir.remember("context.n", "of main")

    assert on("a", memoir).json("get", "context.n")["items"][0]["value"]["content"] == "of main"
    assert on("a", memoir).json("ls", "--at", "HEAD")["count"] == 1
    on("a", memoir).json("remember", "x", "-p", "context.n", "--merge-policy", "reject", status=5)
    on("a", memoir).json("remember", "x", "-p", "x", "--dry-run")
    assert memoir.json("branch")["branches"] == ["main"]

    on("a", memoir).ok("remember", "of a", "-p", "context.n")
    memoir.ok("remember", "later", "-p", "context.later")

    assert memoir.json("branch")["branches"] == ["a", "main"]
    assert (memoir.content("context.n"), on("a", memoir).content("context.later")) == ("of main", None)
    assert on("a", memoir).content("context.n") == "of a"
    assert on("a", memoir).json("log")["count"] == 2


@pytest.mark.parametrize("option", ["", "--json"])
def test_the_first_write_says_that_it_created_the_branch(memoir: Memoir, option: str) -> None:
    words = ["-p", "context.n", *option.split()]
    memoir.remember("context.n", "of main")
    start = memoir.git("rev-parse", "main")[:8]

    typo = on("typo", memoir)
    assert typo.run("remember", "x", *words, "--dry-run").err == ""
    assert typo.run("remember", "x", *words).err == f"created branch 'typo' at {start} (chosen by MEMOIR_BRANCH)\n"
    assert typo.run("remember", "y", *words).err == ""
    assert on("other", memoir).run("remember", "-q", "x", *words).err == ""


def test_a_branch_that_begins_in_an_empty_store_is_named_too(memoir: Memoir) -> None:
    assert "created branch 'typo' at " in on("typo", memoir).run("remember", "x", "-p", "context.n").err


def test_undo_takes_back_the_first_write_and_leaves_the_branch(memoir: Memoir) -> None:
    memoir.remember("n", "of main")
    on("a", memoir).ok("remember", "of a", "-p", "context.n")

    on("a", memoir).ok("undo")

    assert on("a", memoir).json("ls")["count"] == 1
    assert on("a", memoir).json("undo", status=1)["error"]["message"] == "nothing to undo on this branch"
    assert memoir.git("rev-parse", "a") == memoir.git("rev-parse", "main")
    on("a", memoir).ok("redo")
    assert on("a", memoir).content("context.n") == "of a"


def test_a_merge_may_be_the_first_write(two: Memoir) -> None:
    assert on("a", two).json("merge", "side")["target_branch"] == "a"
    assert on("a", two).content("people.eve") == "Eve writes the printer"
    assert two.content("people.eve") is None
    assert two.json("merge", "side", "--branch", "main")["target_branch"] == "main"


def test_the_environments_branch_begins_in_an_empty_store(memoir: Memoir) -> None:
    assert on("a", memoir).json("ls")["count"] == 0
    on("a", memoir).ok("remember", "x", "-p", "x")

    assert on("a", memoir).json("branch")["branches"] == ["a"]
    assert memoir.json("ls")["count"] == 0


def test_two_agents_never_meet(memoir: Memoir) -> None:
    memoir.remember("shared", "of main")
    writers = [
        subprocess.Popen(
            memoir.argv("remember", f"{agent} {number}", "-p", f"{agent}.n{number}"),
            cwd=memoir.folder, env={**os.environ, "MEMOIR_BRANCH": agent}, stdout=subprocess.DEVNULL,
        )
        for number in range(4) for agent in ("a", "b")
    ]  # fmt: skip
    memoir.ok("checkout", "-b", "elsewhere")
    assert {writer.wait() for writer in writers} == {0}

    for agent in ("a", "b"):
        keys = [each["key"] for each in memoir.json("ls", MEMOIR_BRANCH=agent)["keys"]]
        assert keys == [*(f"{agent}.n{number}" for number in range(4)), "shared"]
    assert memoir.json("ls")["count"] == 1


@pytest.mark.parametrize("name", ["a..b", "-x", "a b", "x.lock", "@{-1}"])
def test_a_name_that_no_branch_can_have_is_a_usage_error(memoir: Memoir, name: str) -> None:
    memoir.remember("x", "1")

    for command in (["ls"], ["remember", "y", "-p", "y"]):
        assert memoir.json(*command, status=2, MEMOIR_BRANCH=name)["error"]["message"] == f"not a branch name: {name!r}"
    assert "not a branch name" in memoir.json("ls", f"--branch={name}", status=2)["error"]["message"]
    assert memoir.json("branch")["branches"] == ["main"]


def test_an_empty_variable_chooses_nothing(two: Memoir) -> None:
    assert two.json("ls", MEMOIR_BRANCH="")["count"] == 1


def test_status_says_what_selected_the_branch(two: Memoir) -> None:
    plain, variable, option = (
        two.json("status"),
        on("a", two).json("status"),
        on("a", two).json("status", "--branch", "side"),
    )

    assert [(each["branch"], each["head"], each["selected_by"]) for each in (plain, variable, option)] == [
        ("main", "main", "HEAD"), ("a", "main", "MEMOIR_BRANCH"), ("side", "main", "--branch"),
    ]  # fmt: skip
    assert on("a", two).json("branch")["current"] == "a"
    assert ": no such branch yet; the first write creates it from main" in on("a", two).ok("status")
    assert "--branch chooses side; HEAD is main" in two.ok("branch", "--branch", "side")
    assert "chooses" not in two.ok("status") + two.ok("branch")


def test_memories_on_another_branch_are_named_where_that_of_head_has_none(two: Memoir) -> None:
    """As in a clone that plain git made of a hub whose HEAD names another branch than memoir's."""
    two.git("symbolic-ref", "HEAD", "refs/heads/master")

    assert "there are memories on branch main: 'memoir checkout main' switches to it" in two.ok("status")
    first, *_ = two.ok("prime").splitlines()
    assert 'branch "master" is empty so far, but branch "main" is not: `memoir checkout BRANCH` switches' in first
    two.ok("checkout", "main")
    assert "there are" not in two.ok("status")


def test_checkout_warns_if_another_branch_stays_selected(two: Memoir) -> None:
    answer = two.json("checkout", "side", MEMOIR_BRANCH="main")

    assert (answer["target"], answer["current_branch"], answer["selected_by"]) == ("side", "main", "MEMOIR_BRANCH")
    assert "MEMOIR_BRANCH chooses main; HEAD is main" in two.ok("checkout", "main", MEMOIR_BRANCH="main")
    assert two.json("checkout", "main", "--branch", "side", status=2)["error"]["hint"] == "memoir checkout side"
    two.ok("checkout", "-b", "third", "--branch", "side")
    assert two.git("rev-parse", "third") == two.git("rev-parse", "side")


def test_what_works_on_no_branch_takes_none(two: Memoir) -> None:
    commands = json.loads(two.ok("help", "--json"))["commands"]

    without = {each["name"] for each in commands if not any(o["options"] == ["--branch"] for o in each["options"])}
    assert without == {
        "init", "clone", "remote", "fetch", "fsck", "gc", "embed", "config", "version", "help", "doctor",
        "hook", "purge", "verify",
    }  # fmt: skip
    two.ok("--branch", "side", "gc")


def test_an_argument_that_is_a_branch_selects_none(two: Memoir) -> None:
    two.ok("remote", "add", "origin", str(two.folder))

    answer = two.json("pull", "origin", "side")

    assert (answer["branch"], answer["outcome"]) == ("main", "fast_forward")
