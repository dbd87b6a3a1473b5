"""A `.memoir/` that came with a cloned or unpacked project cannot make memoir, or its git, execute anything."""

import os
import subprocess
from pathlib import Path

import pytest
from fault_tools import Trap, copy_of, is_root, run_all
from support import Memoir, git

# Every place in a repository's config where git takes a command, or a file that may hold one.
_EXECUTING_SETTINGS = (
    "core.hooksPath", "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy",
    "core.alternateRefsCommand", "core.worktree", "core.attributesFile", "core.excludesFile", "core.notesRef",
    "remote.origin.uploadpack", "remote.origin.receivepack", "remote.origin.vcs", "remote.origin.proxy",
    "remote.origin.promisor", "branch.main.pushRemote", "branch.main.mergeOptions",
    "gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand", "log.showSignature", "user.signingKey",
    "include.path", "includeIf.gitdir:**.path", "alias.cat-file", "alias.status", "credential.helper",
    "credential.https://example.org.helper", "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean",
    "filter.x.smudge", "filter.x.process", "merge.x.driver", "mergetool.x.cmd", "uploadpack.packObjectsHook",
    "gc.recentObjectsHook", "receive.procReceiveRefs", "receive.certNonceSeed", "transfer.hideRefs", "hook.x.command",
    "sequence.editor", "pager.log", "http.proxy", "http.cookieFile", "url.ext::sh -c x.insteadOf",
    "protocol.ext.allow", "protocol.allow", "extensions.worktreeConfig", "extensions.partialClone", "safe.directory",
    "trailer.x.command", "submodule.x.update", "tar.x.command", "init.templateDir", "maintenance.strategy",
)  # fmt: skip

_COMMANDS = (
    "status", "get a.first", "remember more -p a.second", "log", "blame a.first", "diff", "show", "import -",
    "branch side", "tag v1", "checkout side", "checkout main", "undo", "redo", "fetch", "push --all --tags", "pull",
    "config memoir.repackAt 60", "branch -d side", "fsck", "gc", "export",
)  # fmt: skip


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def _with_a_remote(memoir: Memoir) -> None:
    """One memory, a further branch, and a remote to push to."""
    memoir.remember("a.first", "first")
    git("init", "--quiet", "--bare", str(memoir.folder / "remote.git"))
    memoir.ok("remote", "add", "origin", str(memoir.folder / "remote.git"))


@pytest.fixture
def store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """The store that the attacker goes to work on."""
    return copy_of(_with_a_remote, tmp_path_factory, tmp_path / "project")


def _assert_refused(memoir: Memoir, *commands: str) -> None:
    commands = commands or ("status", "remember more -p a.second", "fetch", "gc", "fsck")
    answers = run_all(memoir, map(str.split, commands), MEMOIR_JSON="1")
    for command, done in zip(commands, answers, strict=True):
        assert done.status == 1, (command, done)
        assert done.json["error"]["code"] == "unsafe_store", (command, done)
        assert "Traceback" not in done.err, (command, done)


def test_every_setting_that_could_execute_something_is_refused(store: Memoir, trap: Trap) -> None:
    config = store.git_dir / "config"
    plain = config.read_text()
    settings = []
    for setting in _EXECUTING_SETTINGS:
        config.write_text(plain)
        git("config", "--file", str(config), "--add", setting, str(trap.program))
        done = store.run("fetch", "--json")
        if (done.status, done.json.get("error", {}).get("code")) != (1, "unsafe_store"):
            settings.append(setting)

    assert settings == []
    assert trap.spring() == []


@pytest.mark.parametrize("name", ["url", "pushurl"])
@pytest.mark.parametrize(
    "url", ["ext::{trap} x", '"ext::{trap} x"', 'e"xt::"{trap} x', "--upload-pack={trap}", "ext::{trap}%S/x"]
)
def test_a_url_that_names_a_program_is_refused(store: Memoir, trap: Trap, name: str, url: str) -> None:
    with open(store.git_dir / "config", "a") as config:
        config.write(f'[remote "other"]\n\t{name} = {url.format(trap=trap.program)}\n')

    _assert_refused(store)
    store.run("fetch", "other")
    assert trap.spring() == []


def test_no_hook_in_the_store_runs_whatever_memoir_does(store: Memoir, trap: Trap) -> None:
    trap.set_hooks(store.git_dir / "hooks")

    for command in _COMMANDS:
        done = store.run(*command.split(), stdin=b'{"path": "a.third", "content": "third"}')
        assert (done.status, trap.spring()) == (0, []), (command, done)


def test_the_trap_does_spring_for_plain_git(store: Memoir, trap: Trap) -> None:
    """What the tests here rely on: without memoir's precautions these settings and hooks do run."""
    trap.set_hooks(store.git_dir / "hooks")
    store.git("update-ref", "refs/heads/side", "main")
    assert any("reference-transaction" in line for line in trap.spring())

    store.git("config", "core.sshCommand", str(trap.program))
    subprocess.run(["git", f"--git-dir={store.git_dir}", "fetch", "-q", "ssh://example.org/x"], capture_output=True)
    assert any("example.org" in line for line in trap.spring())


def test_a_store_that_borrows_its_config_is_refused(store: Memoir, trap: Trap, tmp_path: Path) -> None:
    git("init", "--quiet", "--bare", str(tmp_path / "evil"))
    git("--git-dir", str(tmp_path / "evil"), "config", "core.hooksPath", str(trap.hooks))
    (store.git_dir / "commondir").write_text("../../evil\n")

    _assert_refused(store)
    assert trap.spring() == []


def test_other_files_that_git_knows_execute_nothing(store: Memoir, trap: Trap) -> None:
    """Attributes that name filters, drivers and the like mean nothing where there is no work tree."""
    (store.git_dir / "info").mkdir(exist_ok=True)
    (store.git_dir / "info" / "attributes").write_text("* filter=x diff=x merge=x\n")
    (store.git_dir / "info" / "sparse-checkout").write_text("*\n")

    for command in _COMMANDS:
        done = store.run(*command.split(), stdin=b'{"path": "a.third", "content": "third"}')
        assert (done.status, trap.spring()) == (0, []), (command, done)


def test_memoir_itself_sets_nothing_that_executes(store: Memoir, trap: Trap) -> None:
    config = (store.git_dir / "config").read_text()
    for setting in ("core.hooksPath", "alias.x", "remote.origin.uploadpack", "include.path", "user.signingKey"):
        assert store.run("config", setting, str(trap.program)).status == 2
    for url in (f"ext::{trap.program}", f"--upload-pack={trap.program}", "", "a\nb"):
        assert store.run("remote", "set-url", "--", "origin", url).status == 2
        assert store.run("remote", "add", "--", "evil", url).status == 2
        assert store.run("clone", "--", url, "copy").status == 2
    assert (store.git_dir / "config").read_text() == config
    assert not (store.folder / "copy").exists()
    assert trap.spring() == []


@pytest.mark.skipif(not is_root(), reason="only root can give a directory to another user")
def test_a_store_of_another_user_is_refused(store: Memoir) -> None:
    os.chown(store.git_dir, 12345, -1)

    _assert_refused(store)
    deeper = Memoir(store.folder / "deep" / "er")
    deeper.folder.mkdir(parents=True)
    _assert_refused(deeper)
    store.ok("status", SUDO_UID="12345")  # sudo: the store of the user who called it


@pytest.mark.skipif(not is_root(), reason="only root can give a directory to another user")
def test_a_store_of_another_user_opens_once_its_user_declares_it_safe_as_the_hint_says(store: Memoir) -> None:
    os.chown(store.git_dir, 12345, -1)
    hint: str = store.run("status", "--json").json["error"]["hint"]

    subprocess.run(hint.partition(": ")[2].split(), check=True)

    store.ok("status")
    git("config", "--file", str(store.git_dir / "config"), "core.hooksPath", "/x")
    _assert_refused(store)


@pytest.mark.skipif(not is_root(), reason="only root can give a directory to another user")
def test_a_link_to_another_users_store_is_refused(store: Memoir) -> None:
    store.git_dir.rename(store.folder / "theirs")
    store.git_dir.symlink_to("theirs")
    os.chown(store.folder / "theirs", 12345, -1)

    _assert_refused(store)
