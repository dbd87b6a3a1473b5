"""Nothing is ever answered with nothing: a namespace, prefix or person that does not exist is named."""

from pathlib import Path

import pytest
from support import Memoir, built_once


@built_once
def full_store(memoir: Memoir) -> None:
    memoir.remember("user:alice:people.ada.tea", "Ada drinks tea", "--meta", "person=Ada Lovelace")
    memoir.remember("people.bob.timezone", "Bob is in Busan", "--meta", "person=Bob")
    memoir.remember("people.bob.city", "Busan")


COMMANDS = [
    "recall tea", "explain tea people.bob.city", "timeline", "ls", "summarize", "log", "grep .", "export", "diff",
    "consolidate --dry-run", "classify",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_namespace_is_named(command: str, full_store: Memoir) -> None:
    number = full_store.run(*command.split(), "-n", "3")
    near = full_store.json(*command.split(), "-n", "user:alcie", status=4)["error"]

    assert (number.status, number.out) == (4, "")
    assert number.err.startswith("memoir: no namespace '3'\nhint: -n names a namespace; for a number of entries: -l 3")
    assert (near["message"], near["hint"]) == ("no namespace 'user:alcie'", "did you mean 'user:alice'?")


@pytest.mark.parametrize("command", ["recall Busan", "timeline", "ls", "summarize", "log", "export", "grep Busan"])
def test_one_existing_namespace_is_enough(command: str, full_store: Memoir) -> None:
    assert full_store.run(*command.split(), "-n", "nosuch", "-n", "user:alice").status != 4
    assert full_store.run(*command.split(), "-n", "nosuch", "-n", "other").status == 4

    full_store.ok("forget", "--prefix", "people")
    assert full_store.run(*command.split(), "-n", "default").status != 4


def test_globs_that_no_path_matches_are_said_to_match_none(full_store: Memoir) -> None:
    none = full_store.run("summarize", "--keys", "nosuch*")

    assert (none.status, none.err) == (0, "no path matches\n")
    assert full_store.run("summarize", "--keys", "nosuch*", "--keys", "people.bob.*").err == ""
    assert full_store.run("summarize", "-q", "--keys", "nosuch*").err == full_store.run("summarize").err == ""


def test_a_namespace_of_the_past_has_a_log(full_store: Memoir) -> None:
    full_store.ok("forget", "user:alice:people.ada.tea")

    assert full_store.ok("log", "-n", "user:alice", "--oneline").count("\n") == 2
    assert full_store.run("ls", "-n", "user:alice").status == 4
    assert full_store.ok("diff", "HEAD~1", "-n", "user:alice")


@pytest.mark.parametrize(
    ("prefix", "hint"),
    [("peolpe", "did you mean 'people'?"), ("people.bbo", "did you mean 'people.bob'?"), ("x", "'memoir ls' lists")],
)
def test_a_missing_prefix_is_named(prefix: str, hint: str, full_store: Memoir) -> None:
    done = full_store.run("ls", prefix)

    assert (done.status, done.out) == (4, "")
    assert done.err.startswith(f"memoir: no memory at or under {prefix}\nhint: {hint}")
    assert full_store.json("ls", prefix, status=4)["error"]["keys"] == [f"default:{prefix}"]
    full_store.remember("user:bob:tea", "Bob drinks tea")
    several = full_store.json("ls", prefix, "-n", "user:alice", "-n", "user:bob", status=4)["error"]["keys"]
    assert several == [f"user:alice:{prefix}", f"user:bob:{prefix}"]


@pytest.mark.parametrize("command", ["recall tea", "recall --mode simple --json tea", "explain tea people.bob.city"])
def test_a_person_without_memories_is_named(command: str, full_store: Memoir) -> None:
    def answer_about(person: str) -> str:
        done = full_store.run(*command.split(), "--person", person)
        return f"{done.status} {done.out}{done.err}"

    assert answer_about("ada").startswith("4 ") and "did you mean 'Ada Lovelace'?" in answer_about("ada")
    assert "did you mean 'Bob'?" in answer_about("Rob")
    assert "for a number of entries: -l 3" in answer_about("3")
    assert answer_about("ada lovelace").startswith("0 ")


def test_a_line_of_a_batch_is_answered_alike(full_store: Memoir) -> None:
    done = full_store.run("recall", "--batch", "-", stdin='{"query": "tea", "namespace": "nosuch"}\n{"query": "tea"}\n')

    assert done.status == 4
    assert "no namespace 'nosuch'" in done.out.splitlines()[0] and '"success":true' in done.out.splitlines()[1]


def test_get_counts_memories_below_and_names_missing_namespaces(full_store: Memoir) -> None:
    done = full_store.run("get", "people", "people.bob.citi", "nosuch:people.bob")
    text = done.err

    assert (done.status, done.out) == (0, "")  # what is not there is no content, so it is not on standard output
    assert "people  not found  (2 paths are below it; --prefix includes what is below)\n" in text
    assert "people.bob.citi  not found  (did you mean 'people.bob.city'?)\n" in text
    assert "nosuch:people.bob  not found  (no namespace 'nosuch':" in text
    assert [item["below"] for item in full_store.json("get", "people", "people.bob.city", "x")["items"]] == [2, None, 0]


@pytest.mark.parametrize("args", [("people.*",), ("--prefix", "people"), ("people.bob.*", "people.bob.city")])
def test_get_reads_globs_and_prefixes(args: tuple[str, ...], full_store: Memoir) -> None:
    answer = full_store.json("get", *args)

    assert [item["key"] for item in answer["items"]] == ["people.bob.city", "people.bob.timezone"]
    assert answer["found_count"] == 2


def test_get_takes_globs_in_a_namespace(full_store: Memoir) -> None:
    assert full_store.json("get", "user:alice:*.tea")["items"][0]["found"]
    assert full_store.json("get", "nothing.*")["items"][0] == {
        "key": "nothing.*", "namespace": "default", "full_key": "default:nothing.*", "id": None, "found": False,
        "value": None, "below": 0, "address": "default:nothing.*",
        "hint": "'memoir ls' lists all paths",
    }  # fmt: skip


def test_get_exit_code_makes_missing_keys_exit_4(full_store: Memoir) -> None:
    assert full_store.run("get", "--exit-code", "people.bob.city", "nothing").status == 4
    assert full_store.run("get", "--exit-code", "people.bob.city").status == 0
    assert full_store.run("get", "nothing").status == 0


def test_forget_takes_a_glob(full_store: Memoir) -> None:
    assert "2 paths are below it; --prefix includes what is below" in full_store.run("forget", "people.bob").err
    assert full_store.run("forget", "nothing.*").status == 4

    assert full_store.json("forget", "people.*")["count"] == 2


@pytest.mark.parametrize("command", ["forget", "blame", "edit", "pin", "ls", "why", "log"])
def test_what_only_the_users_own_store_has_is_reached_with_global(memoir: Memoir, tmp_path: Path, command: str) -> None:
    (tmp_path / "own").mkdir()
    own = Memoir(tmp_path / "own")
    own.ok("init")
    own.remember("preferences.style", "short")
    memoir.remember("a.b", "here")

    done = memoir.run(command, "preferences.style", MEMOIR_STORE_GLOBAL=str(own.folder))
    nowhere = memoir.run(command, "no.such", MEMOIR_STORE_GLOBAL=str(own.folder))

    assert (done.status, nowhere.status) == (4, 4)
    assert "hint: your own store has it: add --global\n" in done.err and "--global" not in nowhere.err


def test_a_users_own_store_that_cannot_be_read_hides_no_error(memoir: Memoir) -> None:
    memoir.remember("a.b", "here")

    done = memoir.run("blame", "no.such", MEMOIR_STORE_GLOBAL="x" * 300)

    assert (done.status, done.err.splitlines()[0]) == (4, "memoir: no memory at default:no.such, now or before")


def test_a_path_without_a_memory_names_blame_which_does_not_name_itself(memoir: Memoir) -> None:
    memoir.remember("notes.tea", "green")
    memoir.ok("forget", "notes.tea")
    memoir.remember("hobbies.birds", "owls")

    assert "'memoir blame notes.tea' tells if this one was forgotten" in memoir.run("get", "notes.tea").err
    assert "removed" in memoir.ok("blame", "notes.tea") and "green" in memoir.ok("blame", "notes.tea")
    for command in ("blame", "log"):
        assert memoir.run(command, "no.such").err.endswith("hint: 'memoir ls' lists all paths\n")


def test_a_list_without_memories_says_where_the_segments_are(memoir: Memoir, tmp_path: Path) -> None:
    assert memoir.run("ls").err == "no memories\n"
    (tmp_path / "notes.md").write_text("# Deploying\n\nHelm deploys it.\n")
    memoir.ok("ingest", str(tmp_path / "notes.md"), "--items", "none")

    assert memoir.run("ls").err == "no memories; 'memoir ls -n default:raw' lists what was ingested\n"
    assert memoir.ok("ls", "-n", "default:raw") == "default:raw:sources.notes.0001\n"


def test_a_reflog_says_that_nothing_is_left_to_undo(memoir: Memoir) -> None:
    memoir.remember("a.b", "one")
    assert memoir.run("reflog").err == ""
    memoir.ok("undo")

    assert memoir.run("reflog") == (0, "", "nothing to undo\n")
