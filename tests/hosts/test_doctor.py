"""`memoir doctor`: what is unsound is named, with what repairs it."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support import COMMAND, git, without_endless_work

from memoir import Memory, Repository
from memoir.errors import GitError
from memoir.hosts import doctor, log
from memoir.hosts.doctor import Check, examine
from memoir.hosts.setup import setup
from memoir.hosts.setup.recipes import GLOBAL, Wish


def look(repository: Repository) -> dict[str, Check]:
    return {check.name: check for check in examine(str(repository.path))}


@pytest.fixture
def full_store(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr("sys.argv", [str(COMMAND)])
    monkeypatch.setattr("memoir.hosts.doctor.cache_from_source", lambda source: source)
    repository.remember(Memory.of("x"), "a.b")
    repository.upkeep.index()
    return repository


def test_everything_is_well_in_a_sound_store(full_store: Repository) -> None:
    checks = look(full_store)

    assert {check.health for check in checks.values()} == {"ok"}, checks
    assert checks.keys() >= {"git", "store", "permissions", "index", "embedder", "capture", "cache", "state", "hooks"}


def test_a_new_store_lacks_nothing(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [str(COMMAND)])

    assert look(repository)["index"] == Check("index", "ok", "there is none yet, and nothing to index")


def test_without_a_store_the_rest_is_looked_at(tmp_path: Path) -> None:
    checks = {check.name: check for check in examine(str(tmp_path))}

    assert checks["store"].health == "warning" and "memoir init" in (checks["store"].fix or "")
    assert checks["git"].health == "ok" and "hooks" in checks


def test_a_damaged_store_is_named_with_its_repair(full_store: Repository) -> None:
    (full_store.path / "HEAD").write_bytes(b"")

    assert look(full_store)["store"].health == "failed"
    assert "fsck --repair" in (look(full_store)["store"].fix or "")


@pytest.mark.parametrize("whole", [True, False])
def test_a_store_that_git_has_added_to_the_project_is_named(full_store: Repository, whole: bool) -> None:
    """As 'git add --all' does in a project that was made after the store; file by file, if its `.git` is lost."""
    folder = full_store.path.parent
    if not whole:
        (full_store.path / ".git").unlink()
    git("init", "-q", cwd=folder)
    git("-c", "advice.addEmbeddedRepo=false", "add", ".memoir", cwd=folder)

    check = look(full_store)["project"]
    assert (check.health, "'git status' fails" in check.message) == ("failed", whole)
    git(*shlex.split(check.fix or "")[1:], cwd=folder)

    assert "project" not in look(full_store)


def test_a_store_that_goes_with_its_worktree_is_named_with_the_way_to_move_it(
    full_store: Repository, tmp_path: Path
) -> None:
    main, worktree = tmp_path / "main", tmp_path / "worktree"
    git("init", "-q", str(main))
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "code", cwd=main)
    git("worktree", "add", "-q", str(worktree), cwd=main)
    full_store.path.rename(worktree / ".memoir")

    with Repository.open(worktree) as there:
        check = look(there)["project"]
    assert check == Check("project", "warning", f"'git worktree remove' deletes the store with {worktree}", check.fix)
    subprocess.run(shlex.split(check.fix or ""), check=True)

    assert Repository.find(worktree) == main / ".memoir"
    with Repository.open(main) as there:
        assert there.content("a.b") == "x" and "project" not in look(there)


def test_an_embedder_that_does_not_work_is_named(full_store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "http")
    monkeypatch.setenv("MEMOIR_EMBED_URL", "http://127.0.0.1:9")

    assert look(full_store)["embedder"].health == "failed"


def test_an_embedder_that_stands_in_for_another_is_named_with_the_reason(
    full_store: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "auto")
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", "/dev/null")

    check = look(full_store)["embedder"]
    assert check.health == "warning" and "minilm's weights cannot be unpacked" in check.message
    assert "PROLLYTREE_EMBEDDER_CACHE" in (check.fix or "")


def test_without_a_state_folder_only_that_is_wrong(full_store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "unknown")

    checks = look(full_store)
    assert {name for name, check in checks.items() if check.health == "failed"} == {"cache", "state"}
    assert checks["capture"].message == "off; nothing to review"


def test_memories_that_contradict_each_other_are_named_with_their_days(full_store: Repository) -> None:
    full_store.remember(Memory.of("The port is 8080", timestamp="2026-01-02"), "a.old")
    full_store.remember(Memory.of("The port is 8081", timestamp="2026-03-04"), "a.new")

    check = look(full_store)["disputes"]

    assert check.health == "warning"
    assert check.message == (
        'a.new (2026-03-04: "The port is 8081") disputes the older a.old (2026-01-02: "The port is 8080")'
    )
    assert check.fix == "memoir replace a.old a.new"


def test_trouble_of_hooks_is_shown_from_the_log(full_store: Repository) -> None:
    for _ in range(3):
        log.write("claude", "SessionStart", "it was not done within 1 s")

    check = look(full_store)["hooks"]
    assert check == Check(
        "hooks", "warning", "claude SessionStart, 3 in the last week: it was not done within 1 s", "memoir index"
    )


def test_a_sync_of_hooks_is_no_trouble_any_more_once_the_remote_has_answered(
    full_store: Repository, tmp_path: Path
) -> None:
    git("init", "-q", "--bare", str(hub := tmp_path / "hub.git"))
    full_store.remotes.add("origin", str(hub))
    full_store.remotes.sync()
    hub.rename(away := tmp_path / "away.git")
    with pytest.raises(GitError):
        full_store.remotes.sync()
    for _ in range(2):
        log.write("claude", "SessionEnd", "not synced: origin has not answered", synced=str(full_store.path))
    log.write("claude", "SessionEnd", "not synced: it is gone", synced=str(tmp_path / "gone"))
    check = look(full_store)["hooks"]
    assert (check.health, check.fix) == ("warning", "memoir sync")
    assert "SessionEnd, 2 in the last week: not synced: origin has not answered" in check.message

    away.rename(hub)
    full_store.remotes.sync()
    log.write("claude", "SessionEnd", "origin answers again", synced=str(full_store.path))

    assert look(full_store)["hooks"] == Check("hooks", "ok", "no trouble in the last week")


def test_a_spool_that_others_can_read_is_named(full_store: Repository) -> None:
    full_store.captures.switch(True)
    os.chmod(str(full_store.captures.folder), 0o755)

    check = look(full_store)["capture"]
    assert check.health == "failed" and (check.fix or "").startswith("chmod -R go= ")


def test_a_host_whose_command_is_gone_is_named(full_store: Repository) -> None:
    settings = Path(os.environ["HOME"], ".claude/settings.json")
    setup.set_up("claude", Wish(str(COMMAND), GLOBAL))
    assert look(full_store)["host claude"].health == "ok"
    settings.write_text(settings.read_text().replace(str(COMMAND), "/gone/bin/memoir"))

    check = look(full_store)["host claude"]
    assert check == Check("host claude", "failed", "/gone/bin/memoir is gone", "memoir setup claude")


def test_a_step_that_is_the_users_is_no_failure(full_store: Repository) -> None:
    setup.set_up("codex", Wish(str(COMMAND), GLOBAL))

    check = look(full_store)["host codex"]
    assert check.health == "warning" and check.fix == "open /hooks in Codex"
    Path(os.environ["HOME"], ".codex/config.toml").write_text(
        f'[hooks.state."{os.environ["HOME"]}/.codex/hooks.json:session_start:0:0"]\ntrusted_hash = "sha256:1"\n'
    )
    assert look(full_store)["host codex"].health == "ok"


def test_what_is_compiled_anew_at_each_start_is_named(full_store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoir.hosts.doctor.cache_from_source", lambda source: f"{source}-not-there")
    check = look(full_store)["bytecode"]
    assert check.health == "warning"
    assert check.fix and check.fix.startswith(f"{shlex.quote(sys.executable)} -m compileall -q ")


def test_a_path_without_memoir_is_named_and_who_is_hit_by_it(
    full_store: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert look(full_store)["path"] == Check("path", "ok", f"the PATH leads to {COMMAND}")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    check = look(full_store)["path"]
    assert check.health == "warning" and "not on the PATH" in check.message and str(COMMAND) in check.message
    assert "plugin" not in check.message and str(COMMAND.parent) in str(check.fix)

    plugins = Path(os.environ["HOME"], ".claude/plugins/installed_plugins.json")
    plugins.parent.mkdir(parents=True)
    plugins.write_text('{"plugins": {"memoir@memoir": [{"scope": "user"}]}}')
    assert "the plugin in Claude Code does not work" in look(full_store)["path"].message

    other = tmp_path / "bin/memoir"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{other.parent}:/usr/bin:/bin")
    assert f"is another one, {other}" in look(full_store)["path"].message


def test_a_long_text_in_a_file_of_a_host_keeps_nobody_waiting(full_store: Repository) -> None:
    settings = Path(os.environ["HOME"], ".claude/settings.json")
    setup.set_up("claude", Wish(str(COMMAND), GLOBAL))
    settings.write_text(settings.read_text().replace("{", '{"note": "' + "/" * 300_000 + '",', 1))

    with without_endless_work():  # it took minutes
        assert look(full_store)["host claude"].health == "ok"


def test_the_store_is_counted_as_the_primer_counts_it_and_segments_apart(repository: Repository) -> None:
    repository.sources.ingest_text("Ada: Hi.\nBen: So?\n", name="talk")
    repository.remember(Memory.of("The port is 8080"), "a.port")
    repository.remember(Memory.of("The port is 8081"), "a.port", policy="replace")

    assert "1 memory at 1 path of this project" in repository.agents.prime().text
    assert "1 memory at 1 path (and 1 superseded, 1 segment of sources), 1 branch" in look(repository)["store"].message


def test_the_memories_of_a_larger_store_are_counted_too(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_SAMPLE", 1)
    for text in ("Bo joined.", "Bo left."):
        repository.remember(Memory.of(text), "events.bo", policy="append")
    repository.remember(Memory.of("Ann joined."), "events.ann")

    assert "3 memories at 2 paths, 1 branch" in look(repository)["store"].message


def test_what_is_left_out_agrees_in_number(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_MOST", 1)
    for number, text in enumerate(("The port of the hub is {}", "The timeout of the proxy is {} s")):
        for value in (8080, 8081):
            repository.remember(Memory.of(text.format(value)), f"a.n{number}", policy="append")

    messages = [each.message for each in examine(str(repository.path)) if each.name == "disputes"]
    assert messages[1:] == ["1 more pair contradicts each other"]
