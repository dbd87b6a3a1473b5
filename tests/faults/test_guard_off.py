"""The second line of defence: with the guard switched off, what it would refuse still does no harm."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from fault_tools import Trap
from support import git, write

from memoir.errors import MemoirError
from memoir.exchange import transport
from memoir.exchange.layout import memoirs
from memoir.exchange.remotes import require
from memoir.git import git as git_door
from memoir.git.git import environment as sealed
from memoir.git.objects import Oid
from memoir.store import branch_choice, guard, maintenance
from memoir.store.allowed_settings import Settings, parse_config
from memoir.store.store import Store


def _open_anything(git_dir: Path) -> Settings:
    """What the guard would be if it let everything pass."""
    return parse_config((git_dir / "config").read_text())


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    """The trap, also as a remote helper on PATH, beside an ssh that reaches nobody."""
    trap = Trap(tmp_path)
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy(trap.program, folder / "git-remote-evil")
    (folder / "ssh").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/ssh\nexit 1\n')
    (folder / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return trap


@pytest.fixture
def store(store: Store, trap: Trap, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that is opened whatever it holds."""
    write(store, {"n=a": "1"})
    monkeypatch.setattr(guard, "inspect", _open_anything)
    monkeypatch.setattr(guard, "read_settings", _open_anything)
    return store


_HOSTILE = {
    "ssh": ("ssh://example.org/x", "core.sshCommand={trap}"),
    "program there": ("ssh://example.org/x", "remote.origin.uploadpack={trap}", "remote.origin.receivepack={trap}"),
    "local program": ("{folder}/there", "remote.origin.uploadpack={trap}", "remote.origin.receivepack={trap}"),
    "proxy": ("git://127.0.0.1:1/x", "core.gitProxy={trap}"),
    "helper by name": ("x", "remote.origin.vcs=evil"),
    "helper by address": ("evil::x", "protocol.evil.allow=always"),
    "helper by scheme": ("evil://x", "protocol.allow=always"),
    "ext": ("ext::{trap} x", "protocol.ext.allow=always", "protocol.allow=always"),
    "another address": ("ssh://example.org/x", "url.ext::{trap} .insteadOf=ssh://", "protocol.ext.allow=always"),
    "hooks": ("{folder}/there", "core.hooksPath={hooks}"),
    "included": ("ssh://example.org/x", "include.path={folder}/included"),
    "submodules": ("{folder}/there", "submodule.recurse=true", "fetch.recurseSubmodules=true", "core.bare=false"),
}


def _prepare(store: Store, trap: Trap, settings: tuple[str, ...]) -> None:
    folder = store.git_dir.parent
    git("clone", "--quiet", "--bare", str(store.git_dir), str(folder / "there"))
    (folder / "included").write_text(f"[core]\n\tsshCommand = {trap.program}\n")
    url, *others = settings
    for setting in (f"remote.origin.url={url}", *others):
        key, _, value = setting.format(trap=trap.program, folder=folder, hooks=trap.hooks).rpartition("=")
        git(f"--git-dir={store.git_dir}", "config", key, value)
    store.reload()


@pytest.mark.parametrize("settings", _HOSTILE.values(), ids=_HOSTILE)
def test_no_setting_of_a_store_runs_a_program(store: Store, trap: Trap, settings: tuple[str, ...]) -> None:
    _prepare(store, trap, settings)

    for act in _ACTS:
        with suppress(MemoirError):
            act(store)
    write(store, {"n=b": "2"})

    assert trap.spring() == []


_ACTS: tuple[Callable[[Store], object], ...] = (
    lambda store: transport.fetch_from(store, "origin", ["+refs/heads/*:refs/remotes/origin/*"]),
    lambda store: transport.list_refs(store, "origin", require(store, "origin"), "HEAD"),
    lambda store: transport.push_to(store, "origin", ["refs/heads/main:refs/heads/other"], refspecs=["+x:refs/x"]),
    lambda store: memoirs(store, "origin", require(store, "origin"), {"refs/heads/main": Oid(b"\1" * 20)}),
    lambda store: maintenance.gc(store),
)


@pytest.mark.parametrize("name", ["ssh", "local program", "proxy", "helper by name", "ext", "hooks", "included"])
def test_the_same_settings_do_run_a_program_for_plain_git(store: Store, trap: Trap, name: str) -> None:
    _prepare(store, trap, _HOSTILE[name])

    command = ["git", f"--git-dir={store.git_dir}", "fetch", "origin", "+refs/heads/*:refs/remotes/origin/*"]
    subprocess.run(command, capture_output=True, timeout=60)

    assert trap.spring() != []


@pytest.mark.parametrize("setting", ["credential.helper", "credential.https://example.org.helper", "core.askPass"])
def test_no_program_of_a_store_is_asked_for_a_password(store: Store, trap: Trap, setting: str) -> None:
    git(f"--git-dir={store.git_dir}", "config", setting, str(trap.program))
    store.reload()

    def ask(env: dict[str, str]) -> list[str]:
        env = {"GIT_TERMINAL_PROMPT": "0", **env}
        store.git.try_run("credential", "fill", stdin=b"protocol=https\nhost=example.org\n\n", env=env)
        return trap.spring()

    assert ask({}) != []
    assert ask(transport.transport(store.git_settings.of_user)) == []


@pytest.fixture
def partial_project(tmp_path: Path, trap: Trap) -> Path:
    """A project that lacks a commit of its main branch, and whose config says whom to ask for it."""
    folder = tmp_path / "project"
    git("init", "-q", "-b", "main", str(folder))
    for key, value in (
        ("user.name", "A"), ("user.email", "a@example.org"), ("extensions.partialClone", "origin"),
        ("core.repositoryFormatVersion", "1"), ("remote.origin.promisor", "true"),
        ("remote.origin.url", str(tmp_path)), ("remote.origin.uploadpack", str(trap.program)),
    ):  # fmt: skip
        git("config", key, value, cwd=folder)
    for message in ("lost", "side"):
        git("commit", "-q", "--allow-empty", "-m", message, cwd=folder)
    git("branch", "side", cwd=folder)
    git("commit", "-q", "--allow-empty", "-m", "newest", cwd=folder)
    lost = git("rev-parse", "main~2", cwd=folder).strip()
    (folder / ".git/objects" / lost[:2] / lost[2:]).unlink()
    return folder


_OLD_GIT = {"GIT_NO_LAZY_FETCH": "0"}
"""What a git does that does not know this variable."""


def test_a_project_that_lacks_objects_runs_nothing_also_with_an_old_git(
    partial_project: Path, trap: Trap, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = subprocess.run(["git", "show", "main~2"], cwd=partial_project, capture_output=True, env={**os.environ})
    assert plain.returncode and trap.spring() != []
    monkeypatch.setattr(git_door, "environment", lambda extra=None: {**sealed(extra), **_OLD_GIT})

    branch_choice.find_landed(partial_project)
    assert git_door.around(partial_project, "log", "main").returncode
    door = git_door.Git(partial_project / ".git")
    door.try_run("log", "main")
    door.reap(door.start("log", "main"))

    assert trap.spring() == []


def test_the_users_own_transport_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = [
        ("credential.helper", "mine"), ("core.sshcommand", "ssh -i key"), ("core.askpass", "ask"),
        ("protocol.http.allow", "never"), ("protocol.other.allow", "always"), ("protocol.ext.allow", "always"),
        ("remote.origin.uploadpack", "there"), ("core.gitproxy", "proxy for example.org"),
    ]  # fmt: skip
    env = transport.transport(mine)

    assert (env["GIT_SSH_COMMAND"], env["GIT_ASKPASS"]) == ("ssh -i key", "ask")
    assert env["GIT_ALLOW_PROTOCOL"] == "https:ssh:git:file:ftp:ftps:other"
    assert (env["GIT_CONFIG_COUNT"], env["GIT_CONFIG_VALUE_0"], env["GIT_CONFIG_VALUE_1"]) == ("2", "", "mine")
    assert "GIT_PROXY_COMMAND" not in env
    assert transport.program_of(mine, "origin", "upload-pack") == "there"
    assert transport.program_of(mine, "other", "receive-pack") == "git-receive-pack"
    monkeypatch.setenv("GIT_SSH_COMMAND", "mine")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "https")
    assert transport.transport(mine)["GIT_SSH_COMMAND"] == "mine"
    assert transport.transport(mine)["GIT_ALLOW_PROTOCOL"] == "https"


def test_the_users_ssh_is_used(store: Store, trap: Trap) -> None:
    _prepare(store, trap, ("ssh://example.org/x",))
    with pytest.raises(MemoirError):
        transport.fetch_from(store, "origin", [])

    assert "git-upload-pack '/x'" in (trap.program.parent / "ssh").read_text()


def test_no_work_tree_is_found_whatever_the_config_says(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    git(f"--git-dir={store.git_dir}", "config", "core.bare", "false")
    monkeypatch.chdir(store.git_dir.parent)

    assert store.git.run("rev-parse", "--is-inside-work-tree") == b"false\n"
    assert store.git.try_run("status").returncode == 128  # for want of a work tree
    assert git(f"--git-dir={store.git_dir}", "rev-parse", "--is-inside-work-tree") == "true\n"


def test_gc_removes_nothing_through_a_work_tree_that_is_a_link(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine")
    (store.git_dir / "worktrees").mkdir()
    (store.git_dir / "worktrees" / "x").symlink_to(outside)

    maintenance.gc(store)
    assert (outside / "mine").exists()
    git(f"--git-dir={store.git_dir}", "gc", "--quiet")
    assert not (outside / "mine").exists()  # what plain git does


def test_a_bare_repository_in_the_current_folder_is_not_found(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cloned project may hold one as plain files; git would read its config when memoir clones from there."""
    git("init", "--quiet", "--bare", str(tmp_path / "evil"))
    git("--git-dir", str(tmp_path / "evil"), "config", "core.sshCommand", str(trap.program))
    monkeypatch.chdir(tmp_path / "evil")

    with pytest.raises(MemoirError):
        transport.list_unnamed("ssh://example.org/x")
    assert trap.spring() == []
    subprocess.run(["git", "ls-remote", "ssh://example.org/x"], capture_output=True)
    assert trap.spring() != []
