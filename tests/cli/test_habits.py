"""What git's users type without thinking."""

import pytest
from support import Memoir


@pytest.fixture
def told(memoir: Memoir) -> Memoir:
    """Three commits on `main`, and one more on `side`, which begins at the second."""
    memoir.remember("people.bob", "Bob")
    memoir.remember("people.eve.home", "Seoul")
    memoir.ok("branch", "side")
    memoir.remember("tools.editor", "vi")
    memoir.remember("people.dan", "Dan", "-n", "team", "--branch", "side")
    return memoir


def commits(memoir: Memoir, *args: str) -> list[str]:
    """The ids of the commits that `log` shows, oldest first."""
    return [each["commit"] for each in memoir.json("log", *args)["commits"]][::-1]


def test_checkout_dash_switches_back_and_forth(told: Memoir) -> None:
    assert told.json("checkout", "-", status=4)["error"]["message"] == "no branch was checked out before this one"
    told.ok("checkout", "side")

    assert [told.json("checkout", "-")["target"] for _ in range(3)] == ["main", "side", "main"]


def test_branch_capital_d_deletes_unmerged_commits(told: Memoir) -> None:
    assert told.json("branch", "-d", "side", status=5)
    assert told.json("branch", "-D", "side")["action"] == "deleted"


def test_tags_are_listed_by_glob(told: Memoir) -> None:
    for name in ("v1", "v2", "w1"):
        told.ok("tag", name)

    assert [tag["name"] for tag in told.json("tag", "-l")["tags"]] == ["v1", "v2", "w1"]
    assert [tag["name"] for tag in told.json("tag", "-l", "v*")["tags"]] == ["v1", "v2"]


def test_a_range_of_commits(told: Memoir) -> None:
    main, side = commits(told), commits(told, "--branch", "side")

    assert commits(told, "side..main") == commits(told, "side..") == main[2:]
    assert commits(told, "main..side") == commits(told, "..side") == side[2:]
    assert commits(told, "HEAD~2..HEAD") == main[1:]
    assert commits(told, "HEAD~2..", "people.eve.home") == main[1:2]
    assert commits(told, "main..main") == []
    assert told.json("log", "a...b", status=2) and told.json("log", "a..b", "--at", "main", status=2)
    assert told.json("log", "nosuch..main", status=4)["error"]["revision"] == "nosuch"


def test_a_number_is_a_limit(told: Memoir) -> None:
    assert commits(told, "-2") == commits(told)[-2:]
    assert commits(told, "-1", "people") == commits(told)[1:2]


def test_the_log_of_a_prefix_or_of_a_namespace(told: Memoir) -> None:
    assert commits(told, "people") == commits(told)[:2]
    assert commits(told, "people.eve") == commits(told)[1:2]
    assert commits(told, "team", "--branch", "side") == commits(told, "--branch", "side")[2:]
    told.ok("forget", "people.bob", "people.eve.home")
    assert len(commits(told, "people")) == 3
    assert told.json("log", "peopl", status=4)["error"]["keys"] == ["default:peopl"]


def test_the_differences_of_some_paths(told: Memoir) -> None:
    def changes(*args: str) -> list[str]:
        return [each["key"] for each in told.json("diff", "HEAD~2", "HEAD", *args)["changes"]]

    assert changes() == ["people.eve.home", "tools.editor"]
    assert changes("people") == changes("people.eve.home") == ["people.eve.home"]
    assert changes("people", "tools.editor") == ["people.eve.home", "tools.editor"]
    assert changes("peop") == changes("team:people") == changes("people", "-n", "team") == []
