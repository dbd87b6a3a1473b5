"""Memory in plain branches of a remote that turned into code: found by every command, and lost to none."""

from pathlib import Path

import pytest
from support import Memoir, copied_together, git, make_empty

WHO = ("-c", "user.name=A", "-c", "user.email=a@example.org")
STRAY = "refs/remotes/origin/refs/heads/main"


def push_code(tmp_path: Path, hub: str, *refspec: str) -> None:
    """Push a commit that is code."""
    work = tmp_path / "work"
    git("init", "-q", "-b", "dev", str(work))
    git(*WHO, "commit", "-q", "--allow-empty", "-m", "code", cwd=work)
    git("push", "-q", hub, *refspec, cwd=work)


def push_beside(tmp_path: Path, hub: str, name: str) -> None:
    """Push one unrelated branch of memory beside code."""
    other = Memoir(tmp_path / "unrelated")
    other.folder.mkdir()
    other.ok("init")
    other.remember("x", "unrelated")
    other.git("push", "-q", hub, f"main:refs/memoir/heads/{name}")


def make(folder: Path) -> None:
    """A store with a memory of its own, and a plain remote that has one of another store's."""
    memoir, other, hub = Memoir(folder / "project"), Memoir(folder / "other"), str(folder / "hub.git")
    git("init", "-q", "--bare", "-b", "main", hub)
    make_empty(memoir.folder, folder)
    memoir.remember("a", "first")
    memoir.ok("remote", "add", "origin", hub)
    memoir.ok("push")
    memoir.ok("clone", hub, str(other.folder))
    other.remember("b", "theirs")
    other.ok("push")
    memoir.remember("c", "offline")


@pytest.fixture
def ahead(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """That store, in the folder of the test with the others."""
    return Memoir(copied_together(tmp_path, tmp_path_factory.getbasetemp() / "stray", make) / "project")


@pytest.fixture
def hub(ahead: Memoir) -> str:
    """That remote."""
    return str(ahead.folder.with_name("hub.git"))


@pytest.mark.parametrize("turn", ["code", "beside"])
def test_a_push_does_not_pass_by_memory_in_the_plain_branch(ahead: Memoir, hub: str, tmp_path: Path, turn: str) -> None:
    if turn == "code":
        push_code(tmp_path, hub, "HEAD:dev")
    else:
        push_beside(tmp_path, hub, "x")

    error = ahead.json("push", status=5)["error"]

    assert error["hint"] == "run 'memoir pull', then push again"
    assert "refs/memoir/heads/main" not in git("ls-remote", hub)
    assert ahead.json("pull")["outcome"] == "merged"
    assert ahead.json("push")["refs"] == [{"ref": "refs/memoir/heads/main", "result": "new"}]
    late = Memoir(tmp_path / "late")
    ahead.ok("clone", hub, str(late.folder))
    assert [late.content(key) for key in "abc"] == ["first", "theirs", "offline"]


def test_memory_pushed_to_the_plain_branch_later_is_pulled(ahead: Memoir, hub: str, tmp_path: Path) -> None:
    push_code(tmp_path, hub, "HEAD:dev")
    ahead.ok("pull")
    ahead.ok("push")
    other = Memoir(tmp_path / "other")
    other.remember("d", "by other means")
    other.git("push", "-q", "origin", "main")

    late = Memoir(tmp_path / "late")
    ahead.ok("clone", hub, str(late.folder))
    for store in (ahead, late):
        store.ok("pull")
        assert store.content("d") == "by other means"
        assert store.content("c") == "offline"


def test_fetched_memory_survives_the_plain_branch(ahead: Memoir, hub: str, tmp_path: Path) -> None:
    ahead.ok("fetch")
    push_code(tmp_path, hub, "+HEAD:main")

    assert ahead.json("push", status=5)["error"]["code"] == "conflict"
    ahead.ok("fetch")
    assert ahead.json("status")["remotes"][0]["behind"] is None
    ahead.ok("pull")
    ahead.ok("push")
    git("update-ref", "-d", "refs/heads/main", cwd=Path(hub))
    ahead.ok("fetch")

    assert ahead.content("b") == "theirs"
    assert ahead.git("rev-parse", "--verify", STRAY)


def test_a_deleted_branch_is_still_pruned(ahead: Memoir, hub: str) -> None:
    ahead.ok("branch", "agent")
    ahead.ok("push", "--force", "origin", "agent")
    git("update-ref", "-d", "refs/heads/agent", cwd=Path(hub))

    ahead.ok("fetch")

    assert ahead.json("branch", "-r")["branches"] == ["origin/main"]


def test_status_ignores_the_plain_branch_after_the_change(ahead: Memoir, hub: str, tmp_path: Path) -> None:
    push_code(tmp_path, hub, "HEAD:dev")

    ahead.run("push")

    assert ahead.json("status")["remotes"][0]["ahead"] is None


def test_a_clone_that_git_made_as_a_mirror_can_push(ahead: Memoir, hub: str, tmp_path: Path) -> None:
    mirror = Memoir(tmp_path / "mirror")
    git("clone", "-q", "--mirror", hub, str(mirror.git_dir))
    mirror.remember("m", "from the mirror")

    assert mirror.json("push")["refs"] == [{"ref": "refs/heads/main", "result": "updated"}]
    assert ahead.json("pull")["outcome"] == "merged"
