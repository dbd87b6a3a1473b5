"""Remotes that hold a project's code: memory lies beside it, under refs/memoir/, and the code is never touched."""

import os
from functools import partial
from pathlib import Path

import pytest
from support import Memoir, copied, git

WHO = ("-c", "user.name=A", "-c", "user.email=a@example.org")


def commit(folder: Path, text: str) -> str:
    """Commit a file to a code repository; the commit's id."""
    (folder / "code").write_text(text)
    git("add", "code", cwd=folder)
    git(*WHO, "commit", "-q", "-m", text, cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder).strip()


def refs(remote: str) -> dict[str, str]:
    """A remote's refs and their ids."""
    lines = git("ls-remote", remote).splitlines()
    return {name: oid for oid, name in (line.split("\t") for line in lines) if name != "HEAD"}


def _build(folder: Path, branch: str) -> None:
    """A hosted code repository, and a clone of it with a store."""
    path, work = folder / "origin.git", folder / "work"
    git("init", "-q", "--bare", "-b", branch, str(path))
    git("init", "-q", "-b", branch, str(work))
    commit(work, "one")
    git("tag", "v1", cwd=work)
    git("push", "-q", "--tags", str(path), branch, cwd=work)
    git("clone", "-q", str(path), str(folder / "mine"))
    mine = Memoir(folder / "mine")
    mine.ok("init")
    mine.ok("remote", "add", "origin", str(path))
    mine.remember("people.bob", "Bob reviews the parser")


@pytest.fixture(params=["main", "master"])
def code(request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both, and the folder where the code was written."""
    made = tmp_path_factory.getbasetemp() / f"code-{request.param}"
    folder = copied(tmp_path / "code", made, partial(_build, branch=request.param))
    for git_dir in (".git", ".memoir"):
        config = folder / "mine" / git_dir / "config"
        config.write_text(config.read_text().replace(str(made), str(folder)))
    return folder


@pytest.fixture
def origin(code: Path) -> str:
    """A hosted code repository, with a commit on its branch and a tag."""
    return str(code / "origin.git")


@pytest.fixture
def project(code: Path) -> Memoir:
    """A clone of it, with a store that has one memory and the same origin."""
    return Memoir(code / "mine")


def test_pushing_and_pulling_in_any_order_leaves_the_code_alone(project: Memoir, origin: str) -> None:
    before = refs(origin)

    assert project.json("pull", status=4)["error"]["hint"] == "'memoir push origin' creates it"
    assert project.json("push")["refs"] == [{"ref": "refs/memoir/heads/main", "result": "new"}]
    project.ok("pull")
    project.remember("people.eve", "Eve")
    project.ok("push", "--force")
    project.ok("push", "--all", "--tags", "--force")

    memory = project.git("rev-parse", "main").strip()
    assert refs(origin) == before | {"refs/memoir/heads/main": memory}
    assert project.json("status")["remotes"][0]["ahead"] == 0


def test_a_first_push_with_force_keeps_other_refs(project: Memoir, origin: str) -> None:
    before = refs(origin)

    assert "memories are kept under refs/memoir/" in project.ok("push", "--force")

    assert refs(origin) == before | {"refs/memoir/heads/main": project.git("rev-parse", "main").strip()}


def test_the_choice_is_reported_once_and_kept(project: Memoir) -> None:
    assert "origin holds code" in project.ok("push")
    assert "origin holds code" not in project.ok("push") + project.ok("fetch") + project.ok("pull")
    assert project.ok("config", "memoir.remote.origin.refs") == "beside\n"
    assert {project.json(command)["layout"] for command in ("push", "fetch", "pull")} == {"beside"}


def test_two_clones_meet_through_one_code_origin(project: Memoir, origin: str, tmp_path: Path) -> None:
    project.ok("tag", "t1")
    project.ok("push", "--tags")
    other = Memoir(tmp_path / "other")
    project.ok("clone", origin, str(other.folder))
    other.remember("people.eve", "Eve")
    project.remember("people.dan", "Dan")
    project.ok("push")

    assert other.json("push", status=5)["error"]["hint"] == "run 'memoir pull', then push again"
    assert other.json("pull")["outcome"] == "merged"
    other.ok("push")
    project.ok("pull")

    assert project.json("status")["root"] == other.json("status")["root"]
    assert other.json("branch", "-r")["branches"] == ["origin/main"]
    assert [tag["name"] for tag in other.json("tag")["tags"]] == ["t1"]
    assert other.json("fsck")["ok"] and "code" not in other.git("log", "--all", "--format=", "--name-only")
    project.ok("tag", "t2")
    project.ok("push", "--tags")
    other.ok("fetch")
    assert [tag["name"] for tag in other.json("tag")["tags"]] == ["t1", "t2"]


def test_deleting_a_remote_branch_deletes_nothing_else(project: Memoir, origin: str) -> None:
    project.ok("branch", "agent")
    project.ok("push", "--all")
    before = refs(origin)

    assert project.json("push", "origin", "agent", "--delete")["refs"] == [
        {"ref": "refs/memoir/heads/agent", "result": "deleted"}
    ]
    assert refs(origin) == {name: oid for name, oid in before.items() if name != "refs/memoir/heads/agent"}
    assert project.json("push", "origin", "agent", "-d", status=4)["error"]["hint"] == "'memoir fetch origin' first"
    assert project.json("push", "-d", status=2)["error"]["code"] == "invalid_input"


def test_memoirs_own_branch_is_forced_only_as_it_was_last_fetched(project: Memoir, origin: str, tmp_path: Path) -> None:
    project.ok("push")
    other = Memoir(tmp_path / "other")
    project.ok("clone", origin, str(other.folder))
    theirs = other.remember("people.eve", "Eve")
    other.ok("push")
    project.ok("undo")
    project.remember("people.dan", "Dan")

    error = project.json("push", "--force", status=5)["error"]
    assert error["message"] == "origin rejected 'main': it has moved since it was last fetched"
    assert error["hint"].startswith("see what is new with 'memoir fetch origin'")
    assert refs(origin)["refs/memoir/heads/main"] == theirs

    project.ok("fetch")
    project.ok("push", "--force")
    assert refs(origin)["refs/memoir/heads/main"] == project.git("rev-parse", "main").strip()


def test_plain_in_a_config_makes_no_branch_in_a_code_repository(project: Memoir, origin: str) -> None:
    before = refs(origin)
    project.ok("config", "memoir.remote.origin.refs", "plain")

    project.ok("push")

    assert refs(origin) == before | {"refs/memoir/heads/main": project.git("rev-parse", "main").strip()}
    assert project.ok("config", "memoir.remote.origin.refs") == "beside\n"


def test_what_the_config_says_is_checked(project: Memoir) -> None:
    assert project.run("config", "memoir.remote.origin.refs", "besides").status == 2
    project.git("config", "memoir.remote.origin.refs", "besides")

    error = project.json("push", status=2)["error"]
    assert error["message"] == "memoir.remote.NAME.refs must be one of plain, beside, not 'besides'"


def test_another_address_is_another_choice(project: Memoir, tmp_path: Path) -> None:
    project.ok("push")
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "memory.git"))
    project.ok("remote", "set-url", "origin", str(tmp_path / "memory.git"))

    assert project.json("push")["refs"][0]["ref"] == "refs/heads/main"
    project.ok("remote", "remove", "origin")
    assert project.run("config", "memoir.remote.origin.refs").status == 4


def test_an_empty_repository_is_code_if_the_project_has_it_as_remote(memoir: Memoir, tmp_path: Path) -> None:
    bare = tmp_path / "new.git"
    git("init", "-q", "--bare", "-b", "main", str(bare))
    git("init", "-q", cwd=memoir.folder)
    git("remote", "add", "upstream", f"file://{tmp_path}/new", cwd=memoir.folder)
    memoir.ok("remote", "add", "origin", str(bare))
    memoir.remember("a", "1")

    memoir.ok("push")

    assert list(refs(str(bare))) == ["refs/memoir/heads/main"]
    stranger = Memoir(tmp_path / "stranger")  # it has no code around it: what the remote shows decides
    memoir.ok("clone", str(bare), str(stranger.folder))
    stranger.remember("b", "2")
    assert stranger.json("push")["layout"] == "beside"


def test_any_other_empty_remote_is_memoirs_and_stays_so(memoir: Memoir, tmp_path: Path) -> None:
    bare = str(tmp_path / "memory.git")
    git("init", "-q", "--bare", "-b", "main", bare)
    memoir.ok("remote", "add", "origin", bare)
    memoir.remember("a", "1")

    assert "origin holds no code" in memoir.ok("push")
    other = Memoir(tmp_path / "other")
    memoir.ok("clone", bare, str(other.folder))
    other.remember("b", "2")
    other.ok("push")
    memoir.ok("pull")

    assert list(refs(bare)) == ["refs/heads/main"]
    assert memoir.json("push")["layout"] == "plain"


def test_a_remote_with_plain_branches_stays_plain(memoir: Memoir, tmp_path: Path) -> None:
    bare = str(tmp_path / "memory.git")
    git("init", "-q", "--bare", "-b", "main", bare)
    memoir.remember("a", "1")
    memoir.ok("branch", "agent")
    memoir.ok("remote", "add", "origin", bare)
    memoir.git("push", "-q", "origin", "main", "agent")
    memoir.remember("b", "2")

    assert memoir.json("push")["refs"] == [{"ref": "refs/heads/main", "result": "updated"}]
    assert memoir.json("fetch")["layout"] == "plain"


def test_memory_that_an_older_memoir_put_among_code_is_found(project: Memoir, origin: str, tmp_path: Path) -> None:
    name = "main" if "refs/heads/master" in refs(origin) else "memory"
    project.git("push", "-q", "origin", f"main:refs/heads/{name}")
    other = Memoir(tmp_path / "other")

    project.ok("clone", origin, str(other.folder))

    assert other.content("people.bob") == "Bob reviews the parser"
    assert other.json("branch")["branches"] == [name]
    message = project.ok("fetch")
    assert f"origin also has memory in plain branches, which stay as they are: {name}" in message
    project.ok("push")
    assert refs(origin)[f"refs/heads/{name}"] == project.git("rev-parse", "main").strip()


def test_code_pushed_to_a_plain_remote_later_is_not_overwritten(memoir: Memoir, code: Path, tmp_path: Path) -> None:
    bare = str(tmp_path / "shared.git")
    git("init", "-q", "--bare", "-b", "main", bare)
    memoir.ok("remote", "add", "origin", bare)
    memoir.remember("a", "1")
    memoir.ok("push")
    newest = commit(code / "work", "two")
    git("push", "-q", "--force", bare, "HEAD:refs/heads/main", cwd=code / "work")
    memoir.git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*")  # as plain git would

    assert memoir.json("push", "--force")["layout"] == "beside"

    assert refs(bare)["refs/heads/main"] == newest


def test_what_was_fetched_of_a_branch_is_kept_when_code_takes_its_place(
    memoir: Memoir, code: Path, tmp_path: Path
) -> None:
    bare = str(tmp_path / "shared.git")
    git("init", "-q", "--bare", "-b", "main", bare)
    memoir.ok("remote", "add", "origin", bare)
    memoir.remember("a", "1")
    memoir.ok("push")
    fetched = memoir.git("rev-parse", "origin/main")
    git("push", "-q", "--force", bare, "HEAD:refs/heads/main", cwd=code / "work")

    assert memoir.json("fetch")["layout"] == "beside"

    assert memoir.git("rev-parse", "refs/remotes/origin/refs/heads/main") == fetched


def test_a_code_repository_without_memory_is_not_cloned(project: Memoir, origin: str) -> None:
    error = project.json("clone", origin, "copy", status=7)["error"]

    assert error["message"] == "this repository holds code, and no memories yet"
    assert os.listdir(project.folder) == [".git", ".memoir", "code"] or "copy" not in os.listdir(project.folder)
