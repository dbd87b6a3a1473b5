"""What git's users type without thinking."""

from support import Memoir, built_once


@built_once
def history(memoir: Memoir) -> None:
    """Three commits on `main`, and one more on `side`, which begins at the second."""
    memoir.remember("people.bob", "Bob")
    memoir.remember("people.eve.home", "Seoul")
    memoir.ok("branch", "side")
    memoir.remember("tools.editor", "vi")
    memoir.remember("people.dan", "Dan", "-n", "team", "--branch", "side")


def commits(memoir: Memoir, *args: str) -> list[str]:
    """The ids of the commits that `log` shows, oldest first."""
    return [each["commit"] for each in memoir.json("log", *args)["commits"]][::-1]


def test_checkout_dash_switches_back_and_forth(history: Memoir) -> None:
    assert history.json("checkout", "-", status=4)["error"]["message"] == "no branch was checked out before this one"
    history.ok("checkout", "side")

    assert [history.json("checkout", "-")["target"] for _ in range(3)] == ["main", "side", "main"]


def test_branch_capital_d_deletes_unmerged_commits(history: Memoir) -> None:
    assert history.json("branch", "-d", "side", status=5)
    assert history.json("branch", "-D", "side")["action"] == "deleted"


def test_tags_are_listed_by_glob(history: Memoir) -> None:
    for name in ("v1", "v2", "w1"):
        history.ok("tag", name)

    assert [tag["name"] for tag in history.json("tag", "-l")["tags"]] == ["v1", "v2", "w1"]
    assert [tag["name"] for tag in history.json("tag", "-l", "v*")["tags"]] == ["v1", "v2"]


def test_a_range_of_commits(history: Memoir) -> None:
    main, side = commits(history), commits(history, "--branch", "side")

    assert commits(history, "side..main") == commits(history, "side..") == main[2:]
    assert commits(history, "main..side") == commits(history, "..side") == side[2:]
    assert commits(history, "HEAD~2..HEAD") == main[1:]
    assert commits(history, "HEAD~2..", "people.eve.home") == main[1:2]
    assert commits(history, "main..main") == []
    assert history.json("log", "a...b", status=2) and history.json("log", "a..b", "--at", "main", status=2)
    assert history.json("log", "nosuch..main", status=4)["error"]["revision"] == "nosuch"


def test_a_number_is_a_limit(history: Memoir) -> None:
    assert commits(history, "-2") == commits(history)[-2:]
    assert commits(history, "-1", "people") == commits(history)[1:2]


def test_the_log_of_a_prefix_or_of_a_namespace(history: Memoir) -> None:
    assert commits(history, "people") == commits(history)[:2]
    assert commits(history, "people.eve") == commits(history)[1:2]
    assert commits(history, "team", "--branch", "side") == commits(history, "--branch", "side")[2:]
    history.ok("forget", "people.bob", "people.eve.home")
    assert len(commits(history, "people")) == 3
    assert history.json("log", "peopl", status=4)["error"]["keys"] == ["default:peopl"]


def test_the_differences_of_some_paths(history: Memoir) -> None:
    def changes(*args: str) -> list[str]:
        return [each["key"] for each in history.json("diff", "HEAD~2", "HEAD", *args)["changes"]]

    assert changes() == ["people.eve.home", "tools.editor"]
    assert changes("people") == changes("people.eve.home") == ["people.eve.home"]
    assert changes("people", "tools.editor") == ["people.eve.home", "tools.editor"]
    assert changes("peop") == changes("team:people") == changes("people", "-n", "team") == []
