"""`remember --link`, `why` and `timeline`, as a user meets them."""

import json
from pathlib import Path

import pytest
from support import Memoir, built_once


@built_once
def graph(memoir: Memoir) -> None:
    """A decision, the experience that it came from, and an edge that dangles."""
    memoir.remember("debugging.ci", "The runner was killed.", "--timestamp", "2025-11-01")
    memoir.remember("user:ann:gone", "Ann waited.")
    memoir.remember(
        "settings.ci", "Give CI an hour.", "--timestamp", "2025-11-03",
        "--link", "derives_from=debugging.ci", "--link", "causes=user:ann:gone", "--link", "derives_from=debugging.ci",
    )  # fmt: skip
    memoir.ok("forget", "user:ann:gone")


def test_links_are_stored_with_other_metadata(memoir: Memoir) -> None:
    for key in ("team:b.c", "user:d"):
        memoir.remember(key, f"This is {key}.")
    memoir.remember("a", "x", "-n", "team", "--meta", "source=review", "--link", "calls=b.c", "--link", "calls=user:d")

    metadata = memoir.json("get", "team:a")["items"][0]["value"]["metadata"]
    assert metadata["links"].pop("ids").keys() == {"team:b.c", "user:d"}
    assert metadata == {"source": "review", "links": {"calls": ["team:b.c", "user:d"]}}


def test_a_link_to_what_does_not_exist_is_refused_with_the_nearest_path(memoir: Memoir) -> None:
    (memoir.folder / "chat.txt").write_text("Ada: Hi.\nBen: We release on Fridays.\nAda: So?\n")
    memoir.ok("ingest", "chat.txt")
    memoir.remember("debugging.ci", "The runner was killed.")

    typo = memoir.json("remember", "x", "-p", "a", "--link", "causes=debugging.cu", status=4)["error"]
    beyond = memoir.json("remember", "x", "-p", "a", "--link", "derives_from=sources.chat.0009", status=4)["error"]
    memoir.ok("remember", "x", "-p", "b", "--link", "derives_from=sources.chat.0001")

    assert typo["hint"] == "did you mean 'debugging.ci'?"
    assert beyond["hint"] == "sources.chat has the segment 0001 alone"
    assert memoir.content("a") is None
    (segment,) = memoir.json("why", "b")["tree"]["links"]
    assert (segment["full_key"], segment["found"]) == ("default:raw:sources.chat.0001", True)


@pytest.mark.parametrize("link", ["explains=a", "causes=a..b"])
def test_a_link_that_is_none_is_refused_and_nothing_is_kept(memoir: Memoir, link: str) -> None:
    assert memoir.json("remember", "x", "-p", "a", "--link", link, status=2)["error"]["code"] == "invalid_input"
    assert memoir.content("a") is None


def test_a_link_on_a_repeated_memory_is_added(memoir: Memoir) -> None:
    memoir.remember("debugging.memory", "The machine had no memory left.")
    memoir.remember("debugging.ci", "The runner was killed.")
    memoir.remember("debugging.ci", "The runner was killed.", "--link", "causes=debugging.memory")

    assert [node["key"] for node in memoir.json("why", "debugging.ci")["tree"]["links"]] == ["debugging.memory"]


def test_a_link_follows_a_memory_that_was_edited_moved_and_merged(graph: Memoir) -> None:
    identity = graph.json("get", "debugging.ci")["items"][0]["value"]["metadata"]["id"]
    graph.ok("checkout", "-b", "other")
    graph.ok("edit", "debugging.ci", EDITOR="perl -pi -e s/killed/stopped/")
    graph.ok("checkout", "main")
    graph.remember("context.x", "so that there is something to merge")
    graph.ok("merge", "other")
    graph.ok("mv", "debugging.ci", "debugging.runner.killed")
    graph.remember("debugging.ci", "Something else took its place.")

    (target, absent) = graph.json("why", "settings.ci")["tree"]["links"]

    assert (target["key"], target["content"]) == ("debugging.runner.killed", "The runner was stopped.")
    assert graph.json("get", "debugging.runner.killed")["items"][0]["value"]["metadata"]["id"] == identity
    assert (absent["full_key"], absent["found"]) == ("user:ann:gone", False)


def test_a_kind_is_set_inferred_or_refused(memoir: Memoir) -> None:
    memoir.remember("a.b", "We met in Porto.", "--kind", "event")
    memoir.remember("a.c", "I prefer tea.", "--kind", "auto")

    items = memoir.json("get", "a.b", "a.c")["items"]
    assert [item["value"]["metadata"]["item_kind"] for item in items] == ["event", "preference"]
    assert "there are: fact, event" in memoir.run("remember", "x", "-p", "a.d", "--kind", "rumour").err


def test_why_answers_with_a_tree(graph: Memoir) -> None:
    answer = graph.json("why", "settings.ci")

    assert (answer["full_key"], answer["depth"]) == ("default:settings.ci", 5)
    assert answer["tree"] == {
        "edge": None, "key": "settings.ci", "namespace": "default", "full_key": "default:settings.ci", "id": None,
        "address": "default:settings.ci", "origin": ["agent"], "found": True,
        "content": "Give CI an hour.", "again": False, "cut": False, "stale": None, "links": [
            {"edge": "derives_from", "key": "debugging.ci", "namespace": "default",
             "full_key": "default:debugging.ci", "id": None, "address": "default:debugging.ci",
             "origin": ["agent"], "found": True, "content": "The runner was killed.", "again": False,
             "cut": False, "stale": None, "links": []},
            {"edge": "causes", "key": "gone", "namespace": "user:ann", "full_key": "user:ann:gone", "id": None,
             "address": "user:ann:gone", "found": False,
             "content": None, "again": False, "cut": False, "stale": None, "links": []},
        ],
    }  # fmt: skip


def test_why_draws_the_tree_for_people(graph: Memoir) -> None:
    graph.remember("context.plan", "Split\nthe job.")
    graph.remember("context.plan", "Split\nthe job.", "--link", "imports=context.plan", "--link", "calls=settings.ci")

    assert graph.ok("why", "context.plan").splitlines() == [
        "context.plan  (agent)  Split…",
        "├─ calls settings.ci  (agent)  Give CI an hour.",
        "│  ├─ derives from debugging.ci  (agent)  The runner was killed.",
        "│  └─ causes user:ann:gone  dangling: no memory at this path",
        "└─ imports context.plan  (again)  (agent)  Split…",
    ]
    assert graph.ok("why", "context.plan", "--depth", "1").splitlines() == [
        "context.plan  (agent)  Split…",
        "├─ calls settings.ci  (deeper)  (agent)  Give CI an hour.",
        "└─ imports context.plan  (again)  (agent)  Split…",
    ]


def test_why_goes_from_a_passage_to_its_segment_and_source(memoir: Memoir) -> None:
    (memoir.folder / "chat.txt").write_text("Ada: Hi.\nBen: We release on Fridays.\nAda: So?\n")
    memoir.ok("ingest", "chat.txt")

    answer = memoir.json("why", "sources.chat.0001#p2")

    assert (answer["address"], answer["id"]) == ("default:raw:sources.chat.0001#p2", "p2")
    assert answer["tree"]["content"] == "Ben: We release on Fridays."
    (segment,) = answer["tree"]["links"]
    assert (segment["edge"], segment["address"]) == ("passage_of", "default:raw:sources.chat.0001")
    assert (segment["source"], segment["origin"]) == ("chat", "chat.txt")
    assert memoir.ok("why", answer["address"]).splitlines() == [
        "sources.chat.0001#p2  Ben: We release on Fridays.",
        "└─ passage of default:raw:sources.chat.0001  (source chat, from chat.txt)  Ada: Hi.…",
    ]


def test_why_says_who_vouches_for_one_of_several_memories_too(memoir: Memoir) -> None:
    memoir.ok("import", "-", stdin='{"path": "a.b", "content": "One"}\n{"path": "a.b", "content": "Two"}\n')
    key = memoir.json("get", "a.b")["items"][0]["value"]["memories"][0]["id"]

    assert memoir.ok("why", f"a.b#{key}") == f"a.b#{key}  (import)  One\n"


def test_why_reads_the_past(graph: Memoir) -> None:
    graph.ok("forget", "debugging.ci")

    assert [node["found"] for node in graph.json("why", "settings.ci")["tree"]["links"]] == [False, False]
    assert [node["found"] for node in graph.json("why", "settings.ci", "--at", "HEAD~1")["tree"]["links"]] == [
        True, False
    ]  # fmt: skip


def test_why_looks_in_a_namespace(memoir: Memoir) -> None:
    memoir.remember("b", "y")
    memoir.remember("user:ann:a", "x", "--link", "causes=b")

    assert memoir.json("why", "a", "-n", "user:ann")["tree"]["links"][0]["full_key"] == "default:b"
    assert memoir.json("why", "a", status=4)["error"]["code"] == "not_found"


@pytest.mark.parametrize("depth", ["0", "deep"])
def test_a_depth_is_a_number_from_one(memoir: Memoir, depth: str) -> None:
    assert memoir.run("why", "a", "--depth", depth).status == 2


def test_a_long_chain_is_answered_in_both_forms(memoir: Memoir, tmp_path: Path) -> None:
    chain = tmp_path / "chain.jsonl"
    chain.write_text(
        "".join(
            json.dumps(
                {"path": f"c{n}", "content": f"link {n}", "metadata": {"links": {"causes": f"c{(n + 1) % 200}"}}}
            )
            + "\n"
            for n in range(200)
        )
    )
    memoir.ok("import", str(chain))

    for form in ([], ["--json"]):
        done = memoir.run("why", "c0", "--depth", "150", *form)
        assert done.status in (0, 2) and "bug in memoir" not in done.out + done.err


def test_the_timeline_answers_with_moments(graph: Memoir) -> None:
    graph.remember("settings.ci", "Give CI two hours.", "--timestamp", "2025-11-05")

    answer = graph.json("timeline")

    assert [(m["full_key"], m["content"], m["timestamp"], m["status"], m["here"]) for m in answer["moments"]] == [
        ("default:settings.ci", "Give CI two hours.", "2025-11-05T00:00:00Z", "active", False),
        ("default:settings.ci", "Give CI an hour.", "2025-11-03T00:00:00Z", "superseded", False),
        ("default:debugging.ci", "The runner was killed.", "2025-11-01T00:00:00Z", "active", False),
    ]
    assert answer["count"] == 3 and answer["degraded"] is None
    assert answer["moments"][1]["metadata"]["links"]["derives_from"] == ["default:debugging.ci"]


def test_the_timeline_marks_its_center_and_superseded_memories(graph: Memoir) -> None:
    graph.remember("settings.ci", "Give CI two hours.", "--timestamp", "2025-11-05")

    old = graph.json("timeline")["moments"][1]["id"]
    assert graph.ok("timeline", "--around", "settings.ci").splitlines() == [
        "→ 2025-11-05 00:00  settings.ci  Give CI two hours.",
        f"→ 2025-11-03 00:00  settings.ci#{old}  (superseded)  Give CI an hour.",
        "  2025-11-01 00:00  debugging.ci  The runner was killed.",
    ]


def days(memoir: Memoir, *args: str) -> list[int]:
    return [int(moment["timestamp"][8:10]) for moment in memoir.json("timeline", *args)["moments"]]


def test_a_window_is_given_by_dates_a_limit_and_namespaces(memoir: Memoir) -> None:
    lines = [
        {"path": f"a.d{n}", "content": f"day {n}", "timestamp": f"2025-11-0{n}T12:00:00Z", "namespace": space}
        for n, space in enumerate(["default", "team", "default", "default", "team"], 1)
    ]
    memoir.ok("import", "-", stdin="\n".join(map(json.dumps, lines)))

    assert days(memoir) == [5, 4, 3, 2, 1]
    assert days(memoir, "--since", "2025-11-02", "--until", "2025-11-04") == [4, 3, 2]
    assert days(memoir, "--until", "2025-11", "-l", "2") == [5, 4]
    assert days(memoir, "-n", "team") == [5, 2]
    assert days(memoir, "-n", "team", "--around", "a.d2", "-l", "1") == [2]
    assert days(memoir, "--around", "a.d3", "-l", "3") == [4, 3, 2]


def test_the_timeline_of_the_past_and_of_nothing(graph: Memoir, tmp_path: Path) -> None:
    assert days(graph, "--at", "HEAD~3") == [1]
    assert days(graph, "--since", "2025-12-01") == []
    graph.ok("init", str(tmp_path / "empty"))
    assert graph.json("timeline", "--store", str(tmp_path / "empty"))["moments"] == []


@pytest.mark.parametrize(
    ("args", "status"), [("-l 0", 2), ("--since soonish", 2), ("--around a..b", 2), ("--around gone", 4)]
)
def test_a_timeline_that_cannot_be_is_refused(memoir: Memoir, args: str, status: int) -> None:
    memoir.json("timeline", *args.split(), status=status)


def test_all_memories_of_a_path_are_quoted(memoir: Memoir) -> None:
    memoir.remember("a.b", "The old fact.")
    memoir.remember("a.b", "The new fact.", "--merge-policy", "append")

    assert "The old fact. / The new fact." in memoir.ok("why", "a.b")
