"""`branch`, `checkout`, `merge`, `tag`, `undo`, `revert`, `restore` from the command line."""

import pytest
from support import Memoir


def test_a_branch_is_made_written_to_and_merged_without_switching(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("branch", "agent")
    memoir.remember("b", "2", "--branch", "agent")

    assert memoir.content("b") is None
    assert memoir.content("b", "--at", "agent") == "2"
    assert memoir.json("merge", "agent")["outcome"] == "fast_forward"
    assert memoir.content("b") == "2"


@pytest.mark.parametrize("command", ["show", "tag v1", "branch side", "undo", "reflog", "diff"])
def test_what_needs_a_commit_says_how_to_make_the_first(command: str, memoir: Memoir) -> None:
    error = memoir.json(*command.split(), status=4)["error"]

    assert "commit" in error["message"] and error["hint"] == "'memoir remember' makes the first one"


def test_branches_are_listed_renamed_and_deleted(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("branch", "one")
    memoir.ok("branch", "-m", "one", "two")
    assert memoir.json("branch")["branches"] == ["main", "two"]

    memoir.ok("branch", "-d", "two")

    assert memoir.json("branch")["branches"] == ["main"]


@pytest.mark.parametrize("args", ["-d one main", "-m one two -d"])
def test_a_branch_is_not_deleted_by_a_command_that_asks_for_more(memoir: Memoir, args: str) -> None:
    memoir.remember("a", "1")
    memoir.ok("branch", "one")

    assert "exclude each other" in memoir.json("branch", *args.split(), status=2)["error"]["message"]
    assert memoir.json("branch")["branches"] == ["main", "one"]


def test_the_commits_of_branches_stand_in_one_column(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("branch", "a-longer-name")

    commits = [line.rindex("  ") for line in memoir.ok("branch").splitlines()]

    assert len(commits) == 2 and len(set(commits)) == 1


def test_deleting_a_branch_with_its_only_commits_needs_force(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("branch", "side")
    memoir.remember("b", "2", "--branch", "side")

    assert memoir.json("branch", "-d", "side", status=5)["error"]["hint"] == "merge it first, or delete it with -f"
    memoir.ok("branch", "-d", "-f", "side")


def test_the_current_branch_cannot_be_deleted(memoir: Memoir) -> None:
    memoir.remember("a", "1")

    assert memoir.json("branch", "-d", "main", status=5)


def test_switching(memoir: Memoir) -> None:
    memoir.remember("a", "1")

    memoir.ok("checkout", "-b", "work")
    assert memoir.json("status")["branch"] == "work"
    memoir.ok("switch", "main")
    assert memoir.json("branch")["current"] == "main"
    assert memoir.run("checkout", "none").status == 4
    assert "not a branch" in memoir.run("checkout", "HEAD~0").err or memoir.run("checkout", "HEAD~0").status == 2


def test_a_new_branch_may_begin_before_the_first_commit(memoir: Memoir) -> None:
    memoir.ok("checkout", "-b", "work")
    memoir.remember("a", "1")

    assert memoir.json("branch")["branches"] == ["work"]


def test_a_conflict_exits_5_lists_all_sides_and_changes_nothing(memoir: Memoir) -> None:
    memoir.remember("preferences.editor", "vi")
    memoir.ok("branch", "side")
    memoir.remember("preferences.editor", "emacs")
    memoir.remember("preferences.editor", "ed", "--branch", "side")
    before = memoir.json("status")

    answer = memoir.json("merge", "side", status=5)

    (conflict,) = answer["error"]["conflicts"]
    (rivals,) = conflict.pop("memories")
    assert rivals.pop("id")
    assert rivals.pop("metadata") == {}
    assert rivals == {"base": "vi", "ours": "emacs", "theirs": "ed"}
    assert conflict == {"key": "preferences.editor", "namespace": "default", **rivals}
    assert memoir.json("status") == before
    assert memoir.run("merge", "side", "--choose", "preferences.editor=ours", "--dry-run").status == 0
    assert memoir.json("merge", "side", "--strategy", "theirs", "--dry-run")["strategy"] == "theirs"
    assert memoir.json("merge", "side", "--strategy", "theirs")["outcome"] == "merged"
    assert memoir.content("preferences.editor") == "ed"


def test_people_see_the_sides_of_a_conflict_too(memoir: Memoir) -> None:
    memoir.remember("preferences.editor", "vi")
    memoir.ok("branch", "side")
    memoir.remember("preferences.editor", "emacs")
    memoir.remember("preferences.editor", "ed", "--branch", "side")

    message = memoir.run("merge", "side").err

    for part in ("default:preferences.editor#", "base: vi", "ours: emacs", "theirs: ed"):
        assert part in message


def test_a_conflict_says_what_took_the_place_of_a_memory_on_one_side(memoir: Memoir) -> None:
    memoir.remember("preferences.editor", "vi")
    memoir.ok("branch", "side")
    memoir.remember("preferences.editor", "vim")
    memoir.ok("forget", "preferences.editor", "--branch", "side")

    message = memoir.run("merge", "side").err

    assert "base: vi\n    ours: vi (superseded; now: vim)\n    theirs: (removed)\n" in message


def test_tags(memoir: Memoir) -> None:
    commit = memoir.remember("a", "1")
    memoir.ok("tag", "v1")
    memoir.remember("a", "2", "--merge-policy", "replace")

    assert memoir.json("tag")["tags"] == [{"name": "v1", "commit": commit}]
    assert memoir.content("a", "--at", "v1") == "1"
    memoir.ok("tag", "-d", "v1")
    assert memoir.run("get", "a", "--at", "v1").status == 4


def test_undo_and_redo_walk_back_and_forth(memoir: Memoir) -> None:
    for content in ("1", "2", "3"):
        memoir.remember("context.a", content)

    assert [memoir.ok("undo") and memoir.content("context.a") for _ in range(3)] == ["2", "1", None]
    assert memoir.run("undo").status == 1
    assert [memoir.ok("redo") and memoir.content("context.a") for _ in range(3)] == ["1", "2", "3"]
    assert memoir.run("redo").status == 1


def test_an_import_is_undone_as_a_whole(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("import", "-", stdin='{"path":"b","content":"2"}\n{"path":"c","content":"3"}\n')

    memoir.ok("undo")

    assert memoir.json("status")["memory_count"] == 1


def test_restore_and_revert(memoir: Memoir) -> None:
    first = memoir.remember("context.a", "1")
    second = memoir.remember("context.b", "2")
    memoir.remember("context.a", "3")

    memoir.ok("restore", "context.a", "--at", first)
    memoir.ok("revert", second)

    assert (memoir.content("context.a"), memoir.content("context.b")) == ("1", None)


@pytest.mark.parametrize("at", ["2026-01-01", "2020-02-30", "three fortnights ago", "a..b", "--oneline"])
def test_a_revision_or_date_that_is_none_is_not_found(memoir: Memoir, at: str) -> None:
    memoir.remember("a", "1")

    assert memoir.run("get", "a", f"--at={at}").status in (2, 4)


def test_the_past_is_read_by_date(memoir: Memoir) -> None:
    memoir.json("remember", "old", "-p", "context.a", MEMOIR_NOW="2026-01-10T12:00:00Z")
    memoir.json("remember", "new", "-p", "context.a", MEMOIR_NOW="2026-01-20T12:00:00Z")

    assert memoir.content("context.a", "--at", "2026-01-15") == "old"
    assert memoir.content("context.a", "--at", "2026-01-20") == "new"
    old = memoir.json("get", "context.a", "--at", "5 days ago", MEMOIR_NOW="2026-01-22T12:00:00Z")
    assert old["items"][0]["value"]["content"] == "old"


def test_a_date_ignores_commits_merged_later(memoir: Memoir) -> None:
    memoir.json("remember", "1", "-p", "a", MEMOIR_NOW="2026-01-01T12:00:00Z")
    memoir.ok("branch", "side")
    memoir.json("remember", "2", "-p", "c", MEMOIR_NOW="2026-01-03T12:00:00Z")
    memoir.json("remember", "3", "-p", "b", "--branch", "side", MEMOIR_NOW="2026-01-05T12:00:00Z")
    memoir.json("merge", "side", MEMOIR_NOW="2026-01-10T12:00:00Z")

    assert memoir.ok("ls", "--at", "2026-01-06") == "a\nc\n"
    for never in ("1972-01-01", "1900-01-01"):
        assert memoir.run("ls", "--at", never).status == 4
    assert memoir.ok("ls", "--at", "9999-12") == "a\nb\nc\n"
