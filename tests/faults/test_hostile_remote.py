"""A repository on this disk that memoir pushes to, or fetches from, cannot make it execute anything either.

It may have come inside a cloned project, and git runs the other side of a push there: under its config, with its hooks.
"""

import os
import subprocess
from pathlib import Path

import pytest
from fault_tools import Trap
from support import Memoir, git, on_terminal

_SPELLINGS = ("{path}", "file://{path}", "../evil")


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


@pytest.fixture
def evil(tmp_path: Path, trap: Trap) -> Path:
    """A bare repository with every trap that a receiving or sending git could step into."""
    folder = tmp_path / "evil"
    git("init", "--quiet", "--bare", "-b", "main", str(folder))
    _set_traps(folder, folder, trap)
    return folder


def _set_traps(folder: Path, git_dir: Path, trap: Trap) -> None:
    git("init", "--quiet", "--bare", str(folder.parent / "alternate"))
    (git_dir / "objects" / "info" / "alternates").write_text(f"{folder.parent}/alternate/objects\n")
    settings = (
        "core.fsmonitor", "core.alternateRefsCommand", "core.sshCommand", "uploadpack.packObjectsHook", "gpg.program",
        "gc.recentObjectsHook", "filter.x.smudge", "filter.x.process", "hook.x.command", "core.pager", "core.editor",
    )  # fmt: skip
    for setting in settings:
        git("config", setting, str(trap.program), cwd=git_dir)
    for setting, value in (("receive.procReceiveRefs", "refs"), ("gc.auto", "1"), ("hook.x.event", "post-receive")):
        git("config", setting, value, cwd=git_dir)
    trap.set_hooks(git_dir / "hooks")


@pytest.fixture
def evil_project(tmp_path: Path, trap: Trap) -> Path:
    """A project whose files git would check out at a push, through a filter, if its config had its way."""
    folder = tmp_path / "evil"
    git("init", "--quiet", "-b", "main", str(folder))
    _set_traps(folder, folder / ".git", trap)
    git("config", "receive.denyCurrentBranch", "updateInstead", cwd=folder)
    (folder / ".git" / "info" / "attributes").write_text("* filter=x\n")
    return folder


def _go_to_work(memoir: Memoir) -> None:
    """Everything that talks to a remote. How it ends is the other tests' business."""
    for command in (
        "remember x -p a.x",
        "push --tags",
        "remember y -p a.y",
        "push",
        "push --all --force",
        "fetch",
        "pull",
    ):
        memoir.run(*command.split())


@pytest.mark.parametrize("spelling", _SPELLINGS)
def test_a_hostile_bare_repository_runs_nothing(memoir: Memoir, evil: Path, trap: Trap, spelling: str) -> None:
    memoir.ok("remote", "add", "origin", spelling.format(path=evil))

    _go_to_work(memoir)
    memoir.run("clone", spelling.format(path=evil), "copy")

    assert trap.spring() == []


@pytest.mark.parametrize("spelling", ["{path}", "file://{path}/.git"])
def test_a_hostile_project_runs_nothing(memoir: Memoir, evil_project: Path, trap: Trap, spelling: str) -> None:
    memoir.ok("remote", "add", "origin", spelling.format(path=evil_project))

    _go_to_work(memoir)

    assert trap.spring() == []


def test_a_path_behind_a_harmless_url_is_no_way_in(memoir: Memoir, evil: Path, trap: Trap) -> None:
    """git pushes to `pushurl` rather than `url`, and to every `url` there is."""
    for settings in (f"url = https://example.invalid/x\n\tpushurl = {evil}", f"url = {evil}\n\turl = ssh://[::1]:1/x"):
        config = memoir.git_dir / "config"
        before = config.read_text()
        config.write_text(f'{before}[remote "origin"]\n\t{settings}\n')
        _go_to_work(memoir)
        assert trap.spring() == []
        config.write_text(before)


def test_the_traps_do_spring_for_plain_git(memoir: Memoir, evil: Path, trap: Trap) -> None:
    """What the tests here rely on."""
    memoir.remember("a.first", "first")
    subprocess.run(["git", f"--git-dir={memoir.git_dir}", "push", "-q", str(evil), "main"], capture_output=True)

    assert len({line.split()[0] for line in trap.spring()}) > 1


def test_the_projects_traps_do_spring_for_plain_git(memoir: Memoir, evil_project: Path, trap: Trap) -> None:
    """Beyond the hooks: a filter, a monitor, and the command that lists another repository's refs."""
    memoir.remember("a.first", "first")
    push = ["-c", "core.hooksPath=/dev/null", "push", "-q", str(evil_project), "main"]
    subprocess.run(["git", f"--git-dir={memoir.git_dir}", *push], capture_output=True)

    assert any("trap" in line for line in trap.spring())


def test_an_honest_local_remote_does_work(memoir: Memoir, tmp_path: Path) -> None:
    """The precautions leave ordinary use alone."""
    git("init", "--quiet", "--bare", str(tmp_path / "remote.git"))
    memoir.remember("a.first", "first")
    for position, spelling in enumerate(_SPELLINGS):
        url = spelling.format(path=tmp_path / "remote.git").replace("../evil", "../remote.git")
        memoir.ok("remote", "add", f"r{position}", url)
        memoir.ok("push", f"r{position}")
        memoir.ok("fetch", f"r{position}")
        memoir.ok("clone", url, f"copy{position}")
        assert Memoir(memoir.folder / f"copy{position}").content("a.first") == "first"


_CLIPBOARD = "\x1b]52;c;AAAA\x07\x1b[2J"


@pytest.fixture
def talker(memoir: Memoir, tmp_path: Path) -> dict[str, str]:
    """A remote that says things which a terminal would act on; the environment that reaches it by ssh."""
    memoir.remember("a.first", "first")
    git("clone", "--quiet", "--bare", str(memoir.git_dir), str(tmp_path / "remote.git"))
    hook, ssh = tmp_path / "hook", tmp_path / "ssh"
    hook.write_text(f"#!/bin/sh\nprintf '{_CLIPBOARD}\\nmore {_CLIPBOARD}' >&2\nexec \"$@\"\n")
    ssh.write_text(
        f"#!/bin/sh\nprintf '{_CLIPBOARD}' >&2\n"
        f"exec git -c uploadpack.packObjectsHook={hook} upload-pack {tmp_path}/remote.git\n"
    )
    hook.chmod(0o755)
    ssh.chmod(0o755)
    return {**os.environ, "GIT_SSH_COMMAND": str(ssh), "GIT_SSH_VARIANT": "simple"}


@pytest.mark.parametrize("command", ["clone ssh://there/remote.git copy", "fetch", "pull"])
def test_what_a_remote_says_is_harmless_on_a_terminal(memoir: Memoir, talker: dict[str, str], command: str) -> None:
    fresh = Memoir(memoir.folder.parent / "fresh")
    fresh.folder.mkdir()
    fresh.ok("init")
    fresh.ok("remote", "add", "origin", "ssh://there/remote.git")

    status, text = on_terminal(fresh.argv(*command.split()), fresh.folder, talker)

    assert status == 0, text
    assert "\x1b]52" not in text and "\x1b[2J" not in text
    assert "\\x1b]52" in text, "it is shown, as an escape"


@pytest.mark.parametrize("settings", ["fetch = +refs/heads/*:refs/heads/*", "mirror = true", "fetch = +refs/*:refs/*"])
@pytest.mark.parametrize("command", ["fetch", "pull"])
def test_no_configured_refspec_moves_a_branch_of_ours(
    memoir: Memoir, tmp_path: Path, settings: str, command: str
) -> None:
    memoir.remember("a.first", "first")
    memoir.ok("branch", "side")
    git("clone", "--quiet", "--mirror", str(memoir.git_dir), str(tmp_path / "remote.git"))
    memoir.ok("remote", "add", "origin", str(tmp_path / "remote.git"))
    with (memoir.git_dir / "config").open("a") as config:
        config.write(f'[remote "origin"]\n\t{settings}\n')
    mine = memoir.remember("a.mine", "acknowledged")
    memoir.ok("checkout", "side")

    memoir.ok(command)

    assert memoir.git("rev-parse", "main").strip() == mine
    assert memoir.content("a.mine", "--at", "main") == "acknowledged"
