"""Who commits, by the environment."""

from support import Memoir


def test_gits_variables_name_the_author_below_memoirs_own(memoir: Memoir) -> None:
    git = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org"}
    memoir.ok("remember", "one", "-p", "a.b", **git, MEMOIR_AUTHOR="")
    memoir.ok("remember", "two", "-p", "a.c", **git, MEMOIR_AUTHOR="Own <own@example.org>")

    log = memoir.json("log")["commits"]
    assert [f"{commit['author']} <{commit['email']}>" for commit in log] == [
        "Own <own@example.org>",
        "Ann <ann@example.org>",
    ]
    assert log[0]["message"] == "remember a.c: two"
