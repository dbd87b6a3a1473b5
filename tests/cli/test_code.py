"""`memoir about`, `stale`, `confirm`, and what commands that read say of code that has changed."""

from pathlib import Path

import pytest
from support import Memoir, git

TOKEN = "knowledge.auth.token"


@pytest.fixture
def project(memoir: Memoir) -> Memoir:
    """A store in a git project, with one memory about two lines of a file."""
    git("init", "--quiet", cwd=memoir.folder)
    code(memoir).write_text("import os\n\ndef check(token):\n    return token == 1\n")
    git("add", "auth.py", cwd=memoir.folder)
    git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "x", cwd=memoir.folder)
    memoir.remember(TOKEN, "The token is compared with 1", "--about", "auth.py:3-4")
    return memoir


def code(memoir: Memoir) -> Path:
    return memoir.folder / "auth.py"


def change(memoir: Memoir) -> None:
    code(memoir).write_text(code(memoir).read_text().replace("== 1", "== 2"))


def test_reading_says_what_became_of_the_code(project: Memoir) -> None:
    (fresh,) = project.json("get", TOKEN)["items"][0]["value"]["metadata"]["about"]
    change(project)
    (stale,) = project.json("get", TOKEN)["items"][0]["value"]["metadata"]["about"]
    (found,) = project.json("recall", "what is the token compared with?")["memories"]

    assert (fresh["file"], fresh["lines"], fresh["state"]) == ("auth.py", [3, 4], "fresh")
    assert (stale["state"], stale["changed"]) == ("changed", 0.5)
    assert found["metadata"]["about"] == [stale]
    assert "auth.py:3-4 has changed by 50%" in project.ok("recall", "what is the token compared with?")
    assert "auth.py:3-4 has changed by 50%" in project.ok("why", TOKEN)


def test_recall_can_leave_out_what_is_stale(project: Memoir) -> None:
    question = "what is the token compared with?"
    assert project.json("recall", "--fresh", question)["count"] == 1
    change(project)

    assert project.json("recall", "--fresh", question)["memories"] == []


def test_the_primer_marks_what_is_stale_and_puts_it_last(project: Memoir) -> None:
    project.remember("rules.a", "Compare tokens in check alone", "--about", "auth.py")
    project.remember("rules.b", "Write tests first")
    change(project)

    rules = [line for line in project.ok("prime").splitlines() if line.startswith("- rules")]

    assert [line.partition(":")[0] for line in rules] == ["- rules.b", "- rules.a"]
    assert "auth.py has changed" in rules[1]


def test_what_is_stale_is_listed_with_its_difference_until_it_is_confirmed(project: Memoir) -> None:
    assert project.json("stale", "--exit-code")["memories"] == []
    change(project)

    answer = project.json("stale", "--diff", "--exit-code", status=1)

    (memory,) = answer["memories"]
    assert memory["key"] == TOKEN
    assert "-    return token == 1\n+    return token == 2\n" in memory["diffs"][0]
    project.ok("confirm", TOKEN)
    assert project.json("stale")["count"] == 0
    assert project.json("log", "--limit", "1")["commits"][0]["message"] == "confirm knowledge.auth.token"


def test_stale_keeps_to_a_prefix_and_to_files_that_changed_since_a_revision(project: Memoir) -> None:
    change(project)
    git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qam", "y", cwd=project.folder)

    assert project.json("stale", "knowledge")["count"] == 1
    assert project.json("stale", "preferences")["count"] == 0
    assert project.json("stale", "--since", "HEAD~1")["count"] == 1
    assert project.json("stale", "--since", "HEAD")["count"] == 0
    assert project.json("stale", "--since", "none", status=4)["error"]["message"].startswith("the project has no rev")


def test_about_lists_the_memories_of_a_file_and_of_a_folder(project: Memoir) -> None:
    (project.folder / "src").mkdir()
    (project.folder / "src" / "b.py").write_text("b\n")
    project.remember("knowledge.b", "b is b", "--about", "src/b.py")

    assert [each["key"] for each in project.json("about", "auth.py")["memories"]] == [TOKEN]
    assert [each["key"] for each in project.json("about", "src")["memories"]] == ["knowledge.b"]
    assert project.json("about", "src/none.py")["count"] == 0
    assert project.json("about", "/etc/passwd", status=2)["error"]["hint"]


def test_forgotten_memories_are_about_nothing(project: Memoir) -> None:
    assert project.json("about", "auth.py")["count"] == 1
    project.ok("forget", TOKEN)

    assert project.json("about", "auth.py")["count"] == 0


def test_a_text_that_names_a_file_offers_to_be_tied_to_it(project: Memoir) -> None:
    answer = project.json("remember", "auth.py:3 is called twice", "-p", "knowledge.auth.calls")

    (offer,) = answer["named"]
    assert offer["file"] == "auth.py:3"
    assert offer["command"].endswith("edit knowledge.auth.calls --about auth.py:3")
    project.ok("edit", "knowledge.auth.calls", "--about", "auth.py:3")
    assert project.json("about", "auth.py")["count"] == 2


def test_remembering_says_which_files_it_has_tied_the_memory_to(project: Memoir) -> None:
    words = ("remember", "check() of auth.py is slow", "-p", "knowledge.auth.slow", "--about")

    assert "about auth.py:3-4, auth.py\n" in project.ok(*words, "auth.py:3-4", "--about", "auth.py")
    assert "about auth.py\n" in project.ok(*words[:2], "-p", "knowledge.auth.auto", "--about", "auto")
    nothing = project.ok("remember", "none.py is slow", "-p", "knowledge.none", "--about", "auto")
    assert "about no file" in nothing


def test_a_file_that_is_not_there_is_refused_and_nothing_is_stored(project: Memoir) -> None:
    answer = project.json("remember", "x", "-p", "a.b", "--about", "none.py", status=4)

    assert "none.py" in answer["error"]["message"]
    assert project.content("a.b") is None


def test_a_review_shows_changes_stale_memories_and_contradictions(project: Memoir) -> None:
    project.remember("project.release", "Releases are cut on Thursdays")
    project.ok("branch", "feature")
    project.ok("remember", "Releases are cut on Fridays", "-p", "team.release", "--branch", "feature")
    change(project)

    answer = project.json("review", "main..feature", "--since", "HEAD")

    assert [each["key"] for each in answer["changes"]] == ["team.release"]
    assert [each["key"] for each in answer["stale"]] == [TOKEN]
    assert [(each["newer"]["key"], each["older"]["key"]) for each in answer["disputes"]] in (
        [("team.release", "project.release")], [("project.release", "team.release")],
    )  # fmt: skip
    assert project.json("review", "main..feature")["since"] is None
    assert "contradiction" in project.ok("review", "main..feature", "--format", "markdown")


@pytest.mark.parametrize("revisions", ["main", "..main", "main...feature", ""])
def test_a_review_takes_two_revisions(project: Memoir, revisions: str) -> None:
    assert "not BASE..HEAD" in project.json("review", revisions, status=2)["error"]["message"]


def test_a_review_quotes_the_memory_that_changed_and_not_its_neighbours(project: Memoir) -> None:
    project.remember("a.b", "The old fact.")
    project.remember("a.b", "The new fact.", "--merge-policy", "append")

    changed = project.ok("review", "HEAD~1..HEAD").splitlines()[1]

    assert changed == "  modified a.b  The new fact."
