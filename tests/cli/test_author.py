"""Who commits, by the environment."""

from support import Memoir, git


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


def test_the_projects_own_config_names_the_author_if_nothing_else_does(memoir: Memoir) -> None:
    git("init", "-q", cwd=memoir.folder)
    git("config", "user.name", "Pia", cwd=memoir.folder)
    memoir.ok("remember", "one", "-p", "a.b", MEMOIR_AUTHOR="")
    memoir.ok("config", "user.name", "Stan")
    memoir.ok("config", "user.email", "stan@example.org")
    memoir.ok("remember", "two", "-p", "a.c", MEMOIR_AUTHOR="")
    memoir.ok("config", "--global", "user.name", "Uma")
    memoir.ok("remember", "three", "-p", "a.d", MEMOIR_AUTHOR="")

    log = memoir.json("log")["commits"]
    assert [f"{commit['author']} <{commit['email']}>" for commit in log] == [
        "Uma <stan@example.org>", "Stan <stan@example.org>", "Pia <memoir@localhost>",
    ]  # fmt: skip
