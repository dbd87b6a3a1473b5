"""`log`, `show`, `blame`, `diff` from the command line."""

import json

import pytest
from support import Memoir


def test_log_filters_by_key_limit_author_and_date(memoir: Memoir) -> None:
    memoir.json(
        "remember", "1", "-p", "a", "-m", "first", MEMOIR_NOW="2026-01-01T00:00:00Z", MEMOIR_AUTHOR="Ann <ann@x>"
    )
    memoir.json(
        "remember", "2", "-p", "b", "-m", "second", MEMOIR_NOW="2026-01-05T00:00:00Z", MEMOIR_AUTHOR="Bob <bob@x>"
    )
    memoir.json(
        "remember", "3", "-p", "a", "-m", "third", MEMOIR_NOW="2026-01-09T00:00:00Z", MEMOIR_AUTHOR="Ann <ann@x>"
    )

    def messages(*args: str) -> list[str]:
        return [commit["message"] for commit in memoir.json("log", *args)["commits"]]

    assert messages() == ["third", "second", "first"]
    assert messages("a") == ["third", "first"]
    assert messages("-l", "1") == ["third"]
    assert messages("--author", "bob") == ["second"]
    assert messages("--since", "2026-01-05") == ["third", "second"]
    assert messages("--until", "2026-01-05") == ["second", "first"]
    assert messages("--at", "HEAD~1") == ["second", "first"]


def test_log_in_one_line_each_and_as_json_lines(memoir: Memoir) -> None:
    commits = [memoir.remember("a", content, "-m", f"say {content}\n\nmore") for content in "12"]

    assert memoir.ok("log", "--oneline") == f"{commits[1][:8]} say 2\n{commits[0][:8]} say 1\n"
    assert [json.loads(line)["commit"] for line in memoir.ok("log", "--json-lines").splitlines()] == commits[::-1]


def test_log_of_an_empty_store_is_empty(memoir: Memoir) -> None:
    assert memoir.json("log")["commits"] == []
    assert memoir.run("log") == (0, "", "no commits yet\n")
    assert memoir.run("log", "--author", "ada").err == "no commit matches\n"


def test_show_a_commit_and_a_memory_as_it_was(memoir: Memoir) -> None:
    first = memoir.remember("context.a", "old")
    second = memoir.remember("context.a", "new")

    commit = memoir.json("show", second)
    assert commit["changes"] == [
        {"namespace": "default", "key": "context.a", "operation": "modified", "old": "old", "new": "new",
         "fields": ["content", "superseded"]}
    ]  # fmt: skip
    assert memoir.json("show", f"{first}:context.a")["value"]["content"] == "old"
    assert memoir.json("show", "HEAD:context.none", status=4)["error"]["keys"] == ["default:context.none"]


def test_blame_has_a_limit_and_shows_forgotten_memories(memoir: Memoir) -> None:
    memoir.remember("context.a", "1")
    memoir.remember("context.a", "2")
    memoir.ok("forget", "context.a")

    entries = memoir.json("blame", "context.a")["entries"]

    assert [(entry["operation"], entry["content"]) for entry in entries] == [
        ("removed", None),
        ("modified", "2"),
        ("added", "1"),
    ]
    assert memoir.json("blame", "context.a", "-l", "1")["count"] == 1
    assert memoir.json("blame", "never.was", status=4)


def test_diff_defaults_to_the_last_commit(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.remember("b", "2")

    assert [change["key"] for change in memoir.json("diff")["changes"]] == ["b"]


def test_before_the_first_commit_there_was_nothing_to_a_diff(memoir: Memoir) -> None:
    memoir.remember("a", "one")

    answer = memoir.json("diff", "2001-02-03")

    assert answer["from"] is None
    assert [change["key"] for change in answer["changes"]] == ["a"]


def test_diff_of_the_first_commit_shows_everything_as_added(memoir: Memoir) -> None:
    memoir.remember("a", "1")

    answer = memoir.json("diff")

    assert [(change["key"], change["operation"]) for change in answer["changes"]] == [("a", "added")]
    assert answer["from"] is None


@pytest.mark.parametrize("args", [("main", "side"), ("main..side",)])
def test_diff_between_branches(memoir: Memoir, args: tuple[str, ...]) -> None:
    memoir.remember("context.a", "1")
    memoir.remember("b.x", "1")
    memoir.ok("branch", "side")
    memoir.ok("forget", "b.x", "--branch", "side")
    memoir.remember("context.a", "2", "--branch", "side")
    memoir.remember("c", "3", "--branch", "side")

    answer = memoir.json("diff", *args)

    assert [(change["key"], change["operation"]) for change in answer["changes"]] == [
        ("b.x", "removed"), ("c", "added"), ("context.a", "modified")
    ]  # fmt: skip
    assert memoir.json("diff", *args, "--keys", "b.*")["count"] == 1
    assert memoir.ok("diff", *args, "--stat").endswith("3 paths changed: 1 added, 1 modified, 1 removed\n")


def test_only_exit_code_makes_differences_exit_1(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.remember("a", "2")

    assert memoir.run("diff").status == 0
    assert memoir.run("diff", "--exit-code").status == 1
    assert memoir.run("diff", "HEAD", "--exit-code").status == 0


def test_a_change_of_confidence_alone_is_named(memoir: Memoir) -> None:
    memoir.ok("import", "-", stdin='{"path":"a","content":"x","timestamp":"2026-01-01"}')
    line = '{"path":"a","content":"x","timestamp":"2026-01-01","confidence":0.5}'
    memoir.ok("forget", "a")
    memoir.ok("import", "-", stdin=line)

    change = memoir.json("diff", "HEAD~2", "HEAD")["changes"][0]

    assert (change["operation"], change["old"], change["new"], change["fields"]) == (
        "modified",
        "x",
        "x",
        ["confidence"],
    )


def test_a_moved_prefix_is_followed(memoir: Memoir) -> None:
    memoir.remember("old.a", "1")
    memoir.ok("mv", "old", "new", "--prefix")

    assert [(entry["operation"], entry["key"]) for entry in memoir.json("blame", "new.a")["entries"]] == [
        ("moved", "new.a"), ("added", "old.a")
    ]  # fmt: skip


def test_keys_may_follow_one_revision_or_a_range(memoir: Memoir) -> None:
    memoir.remember("a.b", "one")
    memoir.remember("a.gone", "was here")
    memoir.remember("c.d", "three")
    memoir.ok("forget", "a.gone")

    def changes(*words: str) -> list[str]:
        return [change["key"] for change in memoir.json("diff", *words)["changes"]]

    assert changes("HEAD~2", "c.d") == changes("HEAD~2..HEAD", "c.d") == ["c.d"]
    assert changes("HEAD~2", "a") == changes("HEAD~2..", "a", "c.x") == ["a.gone"]
    assert changes("HEAD~3", "HEAD~2", "a") == ["a.gone"]
    assert "no revision named 'no.such'" in memoir.run("diff", "HEAD~1", "no.such").err


def test_an_item_of_a_source_names_its_speaker_in_every_answer_on_history(memoir: Memoir) -> None:
    line = {"speaker": "Caroline", "content": "I adopted a cat from Rome!", "timestamp": "2023-08-23"}
    (memoir.folder / "chat.jsonl").write_text(json.dumps(line))
    memoir.remember("ci.time", "CI has an hour.")
    memoir.ok("ingest", "chat.jsonl")
    (key,) = (each["key"] for each in memoir.json("timeline")["moments"] if "adopted" in each["content"])

    answers = [
        ("blame", key),
        ("show", "HEAD"),
        ("diff", "HEAD~1", "HEAD"),
        ("why", key),
        ("entities", "Rome"),
        ("timeline",),
    ]

    for arguments in answers:
        lines = [line for line in memoir.ok(*arguments).splitlines() if "adopted a cat" in line]
        assert any("Caroline: I adopted a cat from Rome!" in line for line in lines), arguments
        assert all("Caroline" in line for line in lines), arguments
