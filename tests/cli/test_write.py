"""`memoir remember`, and what `get` then reads."""

import re

import pytest
from support import Memoir


def test_content_from_standard_input_is_stored_exactly(memoir: Memoir) -> None:
    content = "two lines\nand a tab\t, NUL \0, é漢\n\n"

    memoir.ok("remember", "-", "-p", "a.b", stdin=content + "\n")

    assert memoir.ok("get", "--raw", "a.b") == content


def test_the_last_line_break_of_standard_input_may_be_that_of_windows(memoir: Memoir) -> None:
    memoir.ok("remember", "-", "-p", "a.b", stdin=b"one\r\ntwo\r\n")

    assert memoir.json("get", "--stdin", stdin=b"a.b\r\n")["items"][0]["value"]["content"] == "one\r\ntwo"


def test_several_paths_are_one_commit(memoir: Memoir) -> None:
    answer = memoir.json("remember", "x", "-p", "a.b", "-p", "user:alice:c", "-p", "a.b")

    assert answer["keys"] == ["a.b", "c"]
    assert memoir.json("status")["commit_count"] == 1


def test_every_field_can_be_given(memoir: Memoir) -> None:
    memoir.ok(
        "remember", "x", "-p", "a", "--confidence", "0.5", "--timestamp", "2025-01-02T03:04:05+01:00",
        "--meta", "source=review", "--meta", "tag=one", "--meta", "tag=two", "-m", "because",
    )  # fmt: skip

    value = memoir.json("get", "a")["items"][0]["value"]
    assert (value["confidence"], value["timestamp"]) == (0.5, "2025-01-02T02:04:05Z")
    assert value["metadata"] == {"source": "review", "tag": ["one", "two"]}
    assert memoir.json("log")["commits"][0]["message"] == "because"


def test_a_repeated_memory_is_confirmed(memoir: Memoir) -> None:
    memoir.remember("preferences.editor", "I use vi.", "--confidence", "0.6")

    answer = memoir.json("remember", "I  use vi. ", "-p", "preferences.editor", "--confidence", "0.8")

    assert answer["conflicts"] == [
        {"key": "preferences.editor", "namespace": "default", "full_key": "default:preferences.editor",
         "id": None, "address": "default:preferences.editor", "policy": "confirmed", "superseded": [],
         "beside": None, "beside_more": 0}
    ]  # fmt: skip
    value = memoir.json("get", "preferences.editor")["items"][0]["value"]
    assert (value["content"], value["confidence"], value["superseded"]) == ("I use vi.", 0.8, 0)
    assert value["metadata"]["last_confirmed"] == "2026-01-02T03:04:05Z"


def test_a_given_policy_applies_to_a_repeated_memory_too(memoir: Memoir) -> None:
    memoir.remember("preferences.editor", "vi")

    assert memoir.run("remember", "vi", "-p", "preferences.editor", "--merge-policy", "reject").status == 5
    answer = memoir.json("remember", "vi", "-p", "preferences.editor", "--merge-policy", "append")
    assert answer["conflicts"][0]["policy"] == "append"


def test_superseded_memories_are_listed(memoir: Memoir) -> None:
    memoir.remember("preferences.editor", "vi", "--confidence", "0.9")

    answer = memoir.json("remember", "emacs", "-p", "preferences.editor", "--confidence", "0.5")

    identity = answer["conflicts"][0]["id"]
    assert memoir.content(f"preferences.editor#{identity}") == "emacs"
    assert answer["conflicts"] == [
        {
            "key": "preferences.editor",
            "namespace": "default",
            "full_key": "default:preferences.editor",
            "id": identity,
            "address": f"default:preferences.editor#{identity}",
            "policy": "confidence_gated",
            "superseded": ["emacs"],
            "beside": None,
            "beside_more": 0,
        }
    ]
    assert memoir.content("preferences.editor") == "vi"


def test_several_active_memories_read_in_the_aggregated_format(memoir: Memoir) -> None:
    memoir.remember("experience.a", "one", "--timestamp", "2026-01-01")
    memoir.remember("experience.a", "two", "--timestamp", "2026-01-02")

    value = memoir.json("get", "experience.a")["items"][0]["value"]

    assert [facet["content"] for facet in value["memories"]] == ["one", "two"]
    assert (value["count"], value["last_updated"], value["content"]) == (2, "2026-01-02T00:00:00Z", "one\ntwo")


def test_the_policy_comes_from_option_store_user_or_path(memoir: Memoir) -> None:
    def policy(*args: str) -> str:
        conflicts = memoir.json("remember", "y", "-p", "context.a", *args)["conflicts"]
        return str(conflicts[0]["policy"])

    memoir.remember("context.a", "x")
    assert policy() == "replace"
    memoir.ok("config", "--global", "memoir.remember.mergePolicy", "append")
    assert policy() == "append"
    memoir.ok("config", "memoir.remember.mergePolicy", "confidence_gated")
    assert policy() == "confidence_gated"
    assert policy("--merge-policy", "replace") == "replace"


def test_a_rejected_memory_is_a_conflict_with_both_sides(memoir: Memoir) -> None:
    memoir.remember("a", "x")

    answer = memoir.json("remember", "y", "-p", "a", "--merge-policy", "reject", status=5)

    assert answer["error"]["code"] == "conflict"
    assert answer["error"]["existing"] == "x"
    assert memoir.content("a") == "x"


@pytest.mark.parametrize(
    "args",
    [
        ("-p", "../../etc/passwd"),
        ("-p", "a", "--confidence", "nan"),
        ("-p", "a", "--confidence", "2"),
        ("-p", "a", "--timestamp", "soon"),
        ("-p", "a", "--meta", "novalue"),
        ("-p", "a", "--merge-policy", "overwrite"),
        ("-p", "a", "-n", "a.b"),
    ],
    ids=" ".join,
)
def test_malformed_values_are_refused(memoir: Memoir, args: tuple[str, ...]) -> None:
    answer = memoir.json("remember", "x", *args, status=2)

    assert answer["error"]["code"] == "invalid_input"
    assert memoir.json("status")["commit_count"] == 0


def test_a_memory_that_joins_others_at_a_path_is_shown_beside_the_newest(memoir: Memoir) -> None:
    path = "workflow.release.deploys"
    memoir.remember(path, "deploys go out tue + thu, never friday")

    added = memoir.ok("remember", "never deploy in december", "-p", path, "--merge-policy", "append")
    again = memoir.ok("remember", "deploys need two approvals", "-p", path, "--merge-policy", "append")

    more = memoir.json("remember", "the release manager deploys", "-p", path, "--merge-policy", "append")
    (joined,) = more["conflicts"]
    assert (joined["beside"], joined["beside_more"]) == ("deploys need two approvals", 2)
    first, second, *_ = re.findall(r"^  (#\w+)", memoir.ok("get", path), re.MULTILINE)
    assert added.splitlines()[1:] == [f"    beside {first}: deploys go out tue + thu, never friday"]
    assert again.splitlines()[1:] == [f"    beside {second}: never deploy in december (and 1 more)"]
