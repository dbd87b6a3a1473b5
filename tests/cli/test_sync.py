"""`remote`, `push`, `fetch`, `pull`, `clone`: between stores, through git."""

import re
import time
from pathlib import Path

import pytest
from support import Memoir, copied_together, git, make_empty

from memoir.index.request import LIMITS
from memoir.repository.repository import Repository


@pytest.fixture
def bare(tmp_path: Path) -> str:
    """A bare repository that plain git made, as a hosting service has it."""
    git("init", "--quiet", "--bare", "-b", "main", str(tmp_path / "shared.git"))
    return str(tmp_path / "shared.git")


def make(folder: Path) -> None:
    """A store that has pushed one memory to a bare repository, and a clone of that."""
    memoir, bare = Memoir(folder / "project"), str(folder / "shared.git")
    git("init", "--quiet", "--bare", "-b", "main", bare)
    make_empty(memoir.folder, folder)
    memoir.remember("preferences.editor", "vi")
    memoir.ok("remote", "add", "origin", bare)
    memoir.ok("push")
    memoir.ok("clone", bare, str(folder / "other"))


@pytest.fixture
def other(memoir: Memoir, bare: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """A second store, cloned from the bare repository after the first pushed one memory there."""
    copied_together(tmp_path, tmp_path_factory.getbasetemp() / "cli-sync", make)
    return Memoir(tmp_path / "other")


def test_a_pushed_store_is_cloned_whole(memoir: Memoir, other: Memoir) -> None:
    mine, theirs = memoir.json("status"), other.json("status")

    assert (theirs["root"], theirs["commit"], theirs["branch"]) == (mine["root"], mine["commit"], "main")
    assert other.json("fsck")["ok"]
    assert not memoir.json("clone", str(memoir.folder), str(memoir.folder / "small"))["indexing"]


def test_the_index_of_a_large_clone_is_built_while_nobody_waits(memoir: Memoir, tmp_path: Path) -> None:
    number = LIMITS.few + 1
    (tmp_path / "lines").write_text(
        "\n".join(f'{{"path": "a.n{each}", "content": "memory {each}"}}' for each in range(number))
    )
    memoir.ok("import", str(tmp_path / "lines"))
    clone = Memoir(tmp_path / "large")

    assert memoir.json("clone", str(memoir.folder), str(clone.folder))["indexing"]
    with Repository.open(clone.folder) as repository:
        for _ in range(600):
            if repository.upkeep.index_status().documents == number:
                break
            time.sleep(0.1)
    answer = clone.json("recall", "memory 17")
    assert answer["memories"][0]["path"] == "a.n17" and not answer["degraded"]


def test_status_shows_ahead_and_behind(memoir: Memoir, other: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("push")
    other.remember("b", "2")
    other.ok("fetch")

    remote = other.json("status")["remotes"][0]

    assert (remote["name"], remote["ahead"], remote["behind"]) == ("origin", 1, 1)


def test_status_knows_nothing_of_a_remote_at_its_new_address(memoir: Memoir, other: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("push")
    assert "remote origin: up to date" in memoir.ok("status")

    memoir.ok("remote", "set-url", "origin", str(other.git_dir))

    assert "remote origin: its branch main has not been fetched yet" in memoir.ok("status")


def test_a_push_that_would_lose_commits_is_rejected(memoir: Memoir, other: Memoir) -> None:
    memoir.remember("a", "1")
    memoir.ok("push")
    other.remember("b", "2")

    answer = other.json("push", status=5)

    assert answer["error"]["hint"] == "run 'memoir pull', then push again"
    other.ok("pull")
    other.ok("push")
    memoir.ok("pull")
    assert memoir.json("status")["root"] == other.json("status")["root"]


def test_pulling_merges_memory_by_memory(memoir: Memoir, other: Memoir) -> None:
    memoir.remember("experience.day", "ours", "--timestamp", "2026-01-01")
    memoir.ok("push")
    other.remember("experience.day", "theirs", "--timestamp", "2026-01-02")

    answer = other.json("pull")

    assert answer["outcome"] == "merged"
    assert other.content("experience.day") == "ours\ntheirs"


@pytest.mark.parametrize("command", ["pull", "sync"])
def test_a_conflict_names_the_merge_that_decides_it(memoir: Memoir, other: Memoir, command: str) -> None:
    for store, word in ((memoir, "emacs"), (other, "ed")):
        store.remember("preferences.editor", word, "--merge-policy", "replace")
    memoir.ok("push")

    error = other.json(command, status=5)["error"]
    offer = re.search(r"'memoir (merge [^']*)'", error["hint"])
    assert offer
    other.ok(*offer[1].replace("KEY#id=STRATEGY", "preferences.editor=theirs").split())
    other.ok(command)

    assert other.ok("get", "--raw", "preferences.editor") == "emacs"


def test_a_conflict_in_a_pull_changes_nothing(memoir: Memoir, other: Memoir) -> None:
    memoir.remember("preferences.editor", "emacs")
    memoir.ok("push")
    before = other.remember("preferences.editor", "ed")

    assert other.json("pull", status=5)["error"]["conflicts"]
    assert other.json("status")["commit"] == before
    assert other.json("pull", "--strategy", "ours")["outcome"] == "merged"


def test_branches_and_tags_travel(memoir: Memoir, other: Memoir) -> None:
    memoir.ok("branch", "agent")
    memoir.remember("b", "2", "--branch", "agent")
    memoir.ok("tag", "v1")
    memoir.ok("push", "--all", "--tags")

    fetch = other.json("fetch")

    assert [each["branch"] for each in fetch["updated"]] == ["agent"]
    assert other.content("b", "--at", "origin/agent") == "2"
    assert [tag["name"] for tag in other.json("tag")["tags"]] == ["v1"]


def test_a_store_can_be_pushed_to_another_directory(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a", "1")
    target = Memoir(tmp_path / "target")
    target.folder.mkdir()
    target.ok("init")

    memoir.ok("remote", "add", "backup", str(target.folder))
    memoir.ok("push", "backup")

    assert target.content("a") == "1"


def test_remotes_are_listed_changed_and_removed(memoir: Memoir, bare: str) -> None:
    memoir.ok("remote", "add", "origin", bare)
    memoir.ok("remote", "set-url", "origin", "https://example.org/x.git")

    assert memoir.json("remote", "list")["remotes"] == [{"name": "origin", "url": "https://example.org/x.git"}]
    assert memoir.json("remote", "add", "origin", bare, status=5)
    memoir.ok("remote", "remove", "origin")
    assert memoir.json("remote")["remotes"] == []
    assert memoir.json("push", status=4)["error"]["code"] == "not_found"


@pytest.mark.parametrize("url", ["ext::sh -c true", "-x", "", "a\nb"])
def test_urls_that_name_a_program_are_refused(memoir: Memoir, url: str) -> None:
    assert memoir.run("remote", "add", "origin", "--", url).status == 2


def test_an_unreachable_remote_is_an_error(memoir: Memoir, tmp_path: Path) -> None:
    memoir.ok("remote", "add", "origin", str(tmp_path / "nowhere"))

    done = memoir.run("fetch")

    assert done.status == 1
    assert "could not be reached" in done.err


def test_a_repository_that_holds_no_memories_is_not_cloned(memoir: Memoir, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    git("init", "--quiet", str(plain))
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "x", cwd=plain)

    done = memoir.run("clone", str(plain / ".git"), "clone")

    assert done.status == 7
    assert not (memoir.folder / "clone").exists()


def test_a_clone_of_an_empty_store_is_empty_and_usable(memoir: Memoir, tmp_path: Path) -> None:
    memoir.ok("clone", str(memoir.folder), str(tmp_path / "clone"))

    assert Memoir(tmp_path / "clone").remember("a", "1")


def test_a_store_in_sha256_is_cloned_as_one(tmp_path: Path) -> None:
    one = Memoir(tmp_path / "one")
    one.folder.mkdir()
    one.ok("init", "--sha256")
    one.remember("a", "1")

    one.ok("clone", str(one.folder), str(tmp_path / "two"))

    two = Memoir(tmp_path / "two")
    assert len(two.json("status")["root"]) == 64
    assert two.json("status")["root"] == one.json("status")["root"]
    assert two.json("fsck")["ok"]


@pytest.mark.parametrize(("choice", "kept"), [("ours", "emacs"), ("theirs", "ed")])
def test_a_sync_keeps_the_side_that_a_strategy_names(memoir: Memoir, other: Memoir, choice: str, kept: str) -> None:
    memoir.remember("preferences.editor", "ed")
    memoir.ok("push")
    other.remember("preferences.editor", "emacs")

    other.ok("sync", "--strategy", choice)

    assert other.content("preferences.editor") == kept


def test_a_sync_names_the_paths_at_which_both_sides_wrote(memoir: Memoir, other: Memoir) -> None:
    memoir.remember("project.release", "on 3 May")
    memoir.ok("push")
    other.remember("project.release", "on 7 June")

    done = other.run("sync")

    assert "memories of both sides hold at 1 path: project.release\n" in done.err
    older, newer = re.findall(r"#[0-9a-f]{8}", other.ok("get", "project.release"))
    other.ok("replace", f"project.release{older}", f"project.release{newer}")
    assert other.content("project.release") == "on 7 June"


def test_a_category_that_both_sides_added_is_described_anew_as_the_hint_says(memoir: Memoir, other: Memoir) -> None:
    for store, about in ((memoir, "what we cook"), (other, "how we deploy")):
        store.ok("taxonomy", "add", "recipes", "--about", about)
    memoir.ok("push")

    done = other.run("sync")

    assert "'memoir taxonomy add NAME --about TEXT' describes a category anew\n" in done.err
    assert "replace" not in done.err
    other.ok("taxonomy", "add", "recipes", "--about", "what we eat")
    assert other.content("memoir:taxonomy:recipes") == "what we eat"
