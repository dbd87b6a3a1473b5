"""Threads as a user of the command meets them."""

import json

from support import Memoir
from written_insights import write_insights_at


def test_a_thread_reads_as_a_story_with_dates(memoir: Memoir) -> None:
    rows = [
        ("project.apollo.move", "We move Apollo to a new cluster.", "2025-12-24T12:00:00Z"),
        ("project.apollo.done", "Apollo has moved.", "2025-12-31T12:00:00Z"),
        ("project.apollo.off", "The cluster of Apollo is off.", "2025-12-31T13:00:00Z"),
    ]
    lines = [json.dumps({"path": path, "content": content, "timestamp": when}) for path, content, when in rows]
    memoir.run("import", "-", stdin="\n".join(lines))

    headline, words = memoir.ok("threads").splitlines()

    thread = headline.split()[0]
    assert headline == f"{thread}  We move Apollo to a new cluster  (3 memories, 2025-12-24 to 2025-12-31)"
    assert words == "    Apollo, cluster"
    assert memoir.json("threads")["threads"][0]["title"] == "We move Apollo to a new cluster"
    assert memoir.ok("thread", thread).splitlines()[:6] == [
        headline, "",
        "2025-12-24", "  project.apollo.move  (import)", "    We move Apollo to a new cluster.", "",
    ]  # fmt: skip


def test_threads_that_are_left_out_are_counted_and_no_thread_is_said(memoir: Memoir) -> None:
    assert "no threads: no two memories are about the same thing" in memoir.run("threads").err
    memoir.remember("a.b", "Apollo landed")
    memoir.remember("a.c", "Apollo landed")

    done = memoir.run("threads", "--now", "2027-01-01")

    assert done.out == ""
    assert "no threads with a subject\n" in done.err
    assert "left out: 1 without a sentence that names a subject; --all shows them" in done.err
    assert "Apollo landed  (2 memories, " in memoir.ok("threads", "--all")


def test_entities_and_relations_read_as_lists(memoir: Memoir) -> None:
    memoir.remember("a.b", "We move Apollo to Berlin.")
    memoir.remember("a.c", "Twelve lanterns are for Apollo.")

    assert memoir.ok("entities").splitlines() == ["     2  Apollo  (name)", "     1  Berlin  (name)"]
    assert memoir.ok("entities", "apollo").splitlines()[1:] == [
        "  a.b  We move Apollo to Berlin.",
        "  a.c  Twelve lanterns are for Apollo.",
    ]
    assert memoir.ok("related", "a.b").splitlines()[1:3] == [
        "      Twelve lanterns are for Apollo.",
        "      both name Apollo",
    ]


def test_insights_read_as_a_tree_that_says_what_is_stale(memoir: Memoir) -> None:
    memoir.remember("project.apollo", "We move Apollo.")
    memoir.remember("project.moved", "Apollo has moved.")
    assert memoir.run("insights") == (
        0, "", "3 missing: a model writes them, 'memoir insights build --by model'\n",
    )  # fmt: skip

    write_insights_at(memoir.folder)

    lines = memoir.ok("insights").splitlines()
    assert [line.split("  (")[0].rstrip("0123456789abcdef") for line in lines[::2]] == [
        "_root",
        "  project",
        "    project.",
    ]
    assert lines[-1] == "      All in all: We move Apollo."
    memoir.ok("forget", "project.apollo")
    assert "3 stale" in memoir.run("insights").err
    layer = ("-n", "default:insights")
    texts = (
        memoir.ok(*command, *layer)
        for command in (("ls",), ("grep", "-l", "."), ("get", "*"), ("summarize", "--keys", "*"))
    )
    assert [text.count("stale") for text in texts] == [3] * 4
    assert [key["stale"] for key in memoir.json("ls", *layer)["keys"]] == [True] * 3


def test_an_answer_with_layers_reads_as_a_brief(memoir: Memoir) -> None:
    memoir.remember("project.apollo", "We move Apollo.")
    memoir.remember("project.moved", "Apollo has moved.")
    memoir.run("ingest", "-", stdin="Ada: We always deploy Apollo on Fridays.\n")
    write_insights_at(memoir.folder)

    lines = memoir.ok("recall", "Apollo", "--layers").splitlines()

    assert [line for line in lines if line[:1].isalpha()] == ["Insights", "Items", "Captions"]


def test_an_option_of_build_without_it_names_the_command_that_takes_it(memoir: Memoir) -> None:
    hint = memoir.json("insights", "--dry-run", status=2)["error"]["hint"]

    assert hint == "write 'memoir insights build --by model'"


def test_a_dry_run_of_insights_says_how_many_would_change(memoir: Memoir) -> None:
    memoir.remember("project.apollo.move", "We move Apollo.")
    memoir.remember("project.apollo.done", "Apollo has moved.")

    out = memoir.ok("insights", "build", "--by", "model", "--dry-run")
    assert out.splitlines()[-1] == "3 insights would change, 0 up to date"
    assert "Apollo, move" in out and "a model would write them in 3 calls" in out


def test_insights_are_built_by_a_model_that_is_named_and_there(memoir: Memoir) -> None:
    unnamed, missing = memoir.run("insights", "build"), memoir.run("insights", "build", "--by", "model")

    assert (unnamed.status, unnamed.out) == (2, "")
    assert unnamed.err.startswith(
        "memoir: a model writes insights\nhint: 'memoir insights build --by model' writes them"
    )
    assert (missing.status, missing.err.splitlines()[0]) == (
        6,
        "memoir: a model writes insights, and none is configured",
    )
