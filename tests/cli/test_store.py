"""`init`, `status`, `fsck`, `gc`, `config`, `import`, `export`, `version`, `help` from the command line."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support import Memoir, git

from memoir.cli.families import COMMANDS
from memoir.settings import TABLE


def test_init_makes_a_store_once_and_leaves_it_alone_after(tmp_path: Path) -> None:
    memoir = Memoir(tmp_path)

    assert memoir.json("init", "new")["created"] is True
    memoir.ok("-s", "new", "remember", "x", "-p", "a")
    assert memoir.json("new", "new")["created"] is False
    assert memoir.json("-s", "new", "status")["memory_count"] == 1


def test_a_new_stores_branch_is_main_whatever_gits_config(tmp_path: Path) -> None:
    git("config", "--global", "init.defaultBranch", "trunk")

    assert Memoir(tmp_path).json("init")["branch"] == "main"


def test_the_store_is_found_by_option_environment_and_folder(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a", "1")
    elsewhere = Memoir(tmp_path)
    inside = Memoir(memoir.folder / "deep" / "er")
    inside.folder.mkdir(parents=True)

    assert elsewhere.content("a", "-s", "project") == "1"
    assert elsewhere.json("get", "a", MEMOIR_STORE=str(memoir.folder))["found_count"] == 1
    assert elsewhere.json("get", "a", MEMOIR_STORE=str(memoir.git_dir))["found_count"] == 1
    assert inside.content("a") == "1"
    assert inside.json("get", "a", MEMOIR_STORE="")["found_count"] == 1


@pytest.mark.parametrize("args", [("status",), ("get", "a"), ("remember", "x", "-p", "a"), ("-s", "nowhere", "log")])
def test_without_a_store_every_command_exits_3_with_a_hint(tmp_path: Path, args: tuple[str, ...]) -> None:
    answer = Memoir(tmp_path).json(*args, status=3)

    assert answer["error"]["code"] == "no_store"
    assert "memoir init" in answer["error"]["hint"]


def test_equal_memories_have_equal_roots(memoir: Memoir, tmp_path: Path) -> None:
    for path in ("a", "b", "c"):
        memoir.remember(path, path)
    other = Memoir(tmp_path)
    other.ok("init")
    for path in ("c", "x", "b", "a"):
        other.remember(path, path)
    other.ok("forget", "x")

    assert other.json("status")["root"] == memoir.json("status")["root"]


def test_status_counts_what_waits_in_the_inbox(memoir: Memoir) -> None:
    memoir.ok("remember", "zxqv blorp")
    memoir.remember("inboxes.own", "another first level")

    assert "\n1 path waits in the inbox: 'memoir classify' files them" in memoir.ok("status")
    assert memoir.json("status")["inbox_count"] == 1


def test_gc_reports_bytes_and_loses_nothing(memoir: Memoir) -> None:
    for number in range(20):
        memoir.remember(f"k{number}", "x" * 100)
    memoir.ok("undo")
    before = memoir.json("status")

    answer = memoir.json("gc")

    assert 0 < answer["bytes_after"] < answer["bytes_before"]
    assert memoir.json("status") == before
    memoir.ok("redo")
    assert memoir.json("status")["memory_count"] == 20


def test_many_packs_are_joined_in_the_background(memoir: Memoir) -> None:
    import time

    memoir.ok("config", "memoir.repackAt", "5")
    for number in range(8):
        memoir.remember(f"k{number}", "x")
    packs = memoir.git_dir / "objects" / "pack"
    deadline = time.monotonic() + 20
    while len(list(packs.glob("*.pack"))) > 5 and time.monotonic() < deadline:
        time.sleep(0.05)

    assert len(list(packs.glob("*.pack"))) <= 5
    assert memoir.json("fsck")["ok"]


def test_fsck_says_when_it_looks_at_the_users_own_store_instead(memoir: Memoir, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = Memoir(elsewhere, MEMOIR_STORE_GLOBAL=str(memoir.folder))

    assert "in your own store, as there is none of a project here: no problems" in other.ok("fsck")
    assert "own store" not in memoir.ok("fsck", MEMOIR_STORE_GLOBAL=str(memoir.folder))


def of_files(memoir: Memoir) -> list[dict[str, Any]]:
    """The settings that some configuration gives."""
    return [each for each in memoir.json("config", "--list")["settings"] if each["origin"].startswith("file:")]


def test_settings_are_read_written_and_listed_with_their_origin(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.recall.fusion", "rrf")
    memoir.ok("config", "--global", "memoir.recall.fusion", "blend")
    memoir.ok("config", "--global", "user.name", "Una User")

    assert memoir.ok("config", "memoir.recall.fusion") == "rrf\n"
    assert [(each["key"], each["value"]) for each in of_files(memoir)] == [
        ("memoir.recall.fusion", "blend"), ("memoir.recall.fusion", "rrf"), ("user.name", "Una User")
    ]  # fmt: skip
    assert not any(each["ignored"] for each in of_files(memoir))
    memoir.ok("config", "--unset", "memoir.recall.fusion")
    assert memoir.ok("config", "memoir.recall.fusion") == "blend\n"


def test_every_setting_is_listed_with_its_value_and_origin(memoir: Memoir) -> None:
    settings = memoir.json("config", "--list")["settings"]

    assert list(dict.fromkeys(each["key"] for each in settings)) == [each.key for each in TABLE if not each.is_family]
    assert {"key": "memoir.recall.k", "value": "5", "origin": "default", "ignored": False} in settings
    assert "memoir.recall.k=5  (default)\n" in memoir.ok("config", "--list")
    assert "default\tmemoir.recall.k=5\n" in memoir.ok("config", "--list", "--show-origin")


def test_a_key_alone_prints_the_value_that_counts(memoir: Memoir) -> None:
    assert memoir.json("config", "memoir.recall.candidatepool")["key"] == "memoir.recall.candidatePool"
    assert memoir.ok("config", "memoir.llm.model") == "claude-haiku-4-5\n"
    memoir.ok("config", "--global", "memoir.llm.model", "x")
    answer = json.loads(memoir.ok("config", "memoir.llm.model", "--json", MEMOIR_MODEL="y"))
    assert (answer["value"], answer["origin"]) == ("y", "environment:MEMOIR_MODEL")
    assert memoir.ok("config", "MEMOIR_LOCK_TIMEOUT", MEMOIR_LOCK_TIMEOUT="7") == "7\n"
    assert memoir.run("config", "memoir.remember.mergePolicy").status == 4


@pytest.mark.parametrize("value", [(), ("1",)])
def test_an_unknown_setting_is_refused_with_the_nearest_one(memoir: Memoir, value: tuple[str, ...]) -> None:
    done = memoir.run("config", "memoir.recall.vectorWieght", *value)

    assert done.status == 2 and "did you mean 'memoir.recall.vectorWeight'?" in done.err


def test_an_unknown_setting_is_listed_and_can_be_removed(memoir: Memoir) -> None:
    memoir.git("config", "memoir.team.room", "4.2")

    assert [each["key"] for each in of_files(memoir)] == ["memoir.team.room"]
    memoir.ok("config", "--unset", "memoir.team.room")
    assert of_files(memoir) == []


THE_USERS = [
    ("memoir.embed.provider", "http"), ("memoir.embed.url", "http://127.0.0.1:1/x"), ("memoir.embed.model", "a b"),
    ("memoir.recall.mode", "tiered"), ("memoir.recall.rerank", "llm"), ("memoir.llm.model", "x"),
    ("memoir.llm.timeout", "3"), ("memoir.filing.classifier", "model"), ("memoir.remember.mergePolicy", "llm_merge"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), THE_USERS)
def test_what_only_the_user_may_decide_is_not_set_in_a_store(
    memoir: Memoir, key: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMOIR_EMBED_PROVIDER")  # of the seal
    done = memoir.run("config", key, value)

    assert done.status == 2 and f"memoir config --global {key} {shlex.quote(value)}" in done.err
    assert of_files(memoir) == []
    memoir.ok("config", "--global", key, value)
    assert memoir.ok("config", key) == f"{value}\n"


@pytest.mark.parametrize(("key", "value"), THE_USERS)
def test_what_a_store_sets_for_its_user_is_ignored_and_marked(memoir: Memoir, key: str, value: str) -> None:
    memoir.git("config", key, value)

    (setting,) = of_files(memoir)
    assert (setting["value"], setting["ignored"]) == (value, True)
    assert "ignored: only you may set it, not a store" in memoir.ok("config", "--list")
    done = memoir.run("config", key)
    assert done.out.strip() != value and (done.status == 0 or "config --global" in done.err)
    memoir.ok("config", "--unset", key)
    assert of_files(memoir) == []


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("memoir.recall.k", "many", None),
        ("memoir.recall.halfLifeDays", "-3", None),
        ("memoir.recall.mode", "double", None),
        ("memoir.recall.candidatePol", "5", "'memoir.recall.candidatePool'"),
        ("memoir.filing.threshold", "2", None),
        ("memoir.filing.classifier", "dice", None),
        ("memoir.filing.zzz", "1", "memoir.filing.threshold"),
        ("memoir.llm.timeout", "soon", None),
        ("memoir.embed.provider", "magic", None),
        ("memoir.remember.mergePolicy", "shred", "llm_merge"),
    ],
)
def test_a_setting_that_would_fail_later_is_refused_at_once(
    memoir: Memoir, key: str, value: str, hint: str | None
) -> None:
    done = memoir.run("config", key, value)

    assert done.status == 2 and (hint or "") in done.err
    assert of_files(memoir) == []


def test_settings_that_contradict_each_other_are_refused(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.recall.tau", "10")
    assert memoir.run("config", "memoir.recall.halfLifeDays", "10").status == 2

    memoir.ok("config", "memoir.recall.bm25Weight", "0")
    assert memoir.run("config", "memoir.recall.vectorWeight", "0").status == 2


@pytest.mark.parametrize(("key", "value"), [("memoir.recall.tau", "off"), ("memoir.recall.k", ""), ("user.name", "A")])
def test_what_a_setting_may_be_is_kept(memoir: Memoir, key: str, value: str) -> None:
    memoir.ok("config", key, value)

    assert memoir.git("config", key) == f"{value}\n"


@pytest.mark.parametrize("key", ["core.hooksPath", "memoir", "remote.origin.url", "a b.c", "user.signingKey"])
def test_settings_that_would_make_the_store_unsafe_are_refused(memoir: Memoir, key: str) -> None:
    assert memoir.run("config", key, "x").status == 2
    assert memoir.run("status").status == 0


def test_an_export_to_a_file_appears_whole(memoir: Memoir) -> None:
    memoir.remember("a", "1")

    assert memoir.json("export", "-o", "out.jsonl")["exported"] == 1
    assert (memoir.folder / "out.jsonl").read_text() == memoir.ok("export")
    assert memoir.run("export", "-o", "no/such/folder").status == 1


def test_bad_lines_are_all_named_and_nothing_is_imported(memoir: Memoir) -> None:
    done = memoir.run("import", "-", stdin='{"path":"a","content":"1"}\nnonsense\n{"path":"a b","content":"2"}\n')

    assert done.status == 2
    assert "line 2: not JSON" in done.err
    assert "line 3: not a path: 'a b'" in done.err
    assert memoir.json("status")["memory_count"] == 0


def test_a_file_that_is_not_there_is_named(memoir: Memoir) -> None:
    done = memoir.run("import", "missing.jsonl")

    assert done.status == 4
    assert "missing.jsonl" in done.err


def test_version_and_help(memoir: Memoir) -> None:
    assert memoir.ok("--version").startswith("memoir ")
    assert memoir.json("version")["format"] == "memoir-format-2"
    assert "Usage: memoir get" in memoir.ok("help", "get")
    assert memoir.ok("get", "--help") == memoir.ok("help", "get")
    assert memoir.run("help", "nothing").status == 2


def test_help_as_json_describes_the_whole_tree(memoir: Memoir) -> None:
    answer = memoir.json("help")
    commands = {command["name"]: command for command in answer["commands"]}

    assert len(commands) == len(COMMANDS)
    assert commands["init"]["aliases"] == ["new"]
    depth = next(option for option in commands["summarize"]["options"] if "--depth" in option["options"])
    assert (depth["type"], depth["default"]) == ("integer", None)
    assert {sub["name"] for sub in commands["remote"]["subcommands"]} == {"add", "remove", "set-url", "list"}
    assert {status["status"] for status in answer["exit_statuses"]} == {0, 1, 2, 3, 4, 5, 6, 7, 130, 141}


def test_without_a_command_help_is_shown_and_the_status_is_2(memoir: Memoir) -> None:
    done = memoir.run()

    assert done.status == 2
    assert "Usage: memoir" in done.err
    assert json.loads(memoir.run("--json").out)["error"]["message"] == "missing command"


@pytest.mark.parametrize(
    "args",
    [("config", "user.name", "foo\\"), ("config", 'memoir.a"b.c', "v"), ("remote", "add", "a]b", "/tmp/x")],
    ids=lambda args: args[1],
)
def test_no_setting_makes_the_store_unreadable(memoir: Memoir, args: tuple[str, ...]) -> None:
    assert memoir.run(*args).status in (0, 2)
    assert memoir.run("status").status == 0


def test_an_export_keeps_a_device_a_device_and_honours_the_umask(memoir: Memoir) -> None:
    memoir.remember("a", "1")
    (memoir.folder / "link").symlink_to("/dev/null")

    memoir.ok("export", "-o", "link")
    subprocess.run(memoir.argv("export", "-o", "mine.jsonl"), cwd=memoir.folder, umask=0o077, check=True)

    assert (memoir.folder / "link").is_symlink()
    assert (memoir.folder / "mine.jsonl").stat().st_mode & 0o777 == 0o600


def test_the_projects_exclude_file_is_only_added_to(tmp_path: Path) -> None:
    git("init", "--quiet", str(tmp_path))
    exclude = tmp_path / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_bytes(b"# caf\xe9\n*.log")

    Memoir(tmp_path).ok("init")

    assert exclude.read_bytes() == b"# caf\xe9\n*.log\n/.memoir/\n"


def test_an_invalid_setting_does_not_fail_a_finished_write(memoir: Memoir) -> None:
    memoir.git("config", "memoir.repackAt", "lots")

    memoir.remember("a", "1")

    assert memoir.content("a") == "1"


def test_init_names_the_next_step_as_long_as_no_host_is_set_up(tmp_path: Path) -> None:
    memoir = Memoir(tmp_path)
    assert memoir.ok("init", "one").splitlines()[1].startswith("next: 'memoir setup claude' ")
    assert len(memoir.ok("init", "one").splitlines()) == 1, "it was there already"

    memoir.ok("setup", "codex")
    assert len(memoir.ok("init", "two").splitlines()) == 1


def test_a_user_without_a_home_makes_a_store_and_finds_what_is_in_it(tmp_path: Path) -> None:
    """As in a container whose user is none that the system knows."""
    homeless = Memoir(tmp_path, HOME="unknown", MEMOIR_EMBED_PROVIDER="auto")

    homeless.ok("init", "-q")
    homeless.ok("remember", "We use make.", "-p", "a.b")
    found = homeless.json("recall", "make")

    assert found["count"] == 1 and "the cache folder is unknown" in found["degraded"]
    assert [each.name for each in tmp_path.iterdir() if each.name != "home"] == [".memoir"]


def test_init_says_of_the_users_own_store_how_to_write_to_it(tmp_path: Path) -> None:
    said = "it is your own store, read beside each project's; 'memoir remember --global' writes to it"
    memoir = Memoir(tmp_path)

    assert said not in memoir.ok("init", "project")
    assert said in memoir.ok("init", str(Path.home()))


def test_init_names_the_store_that_it_hides(memoir: Memoir, tmp_path: Path) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for line in (
        ("init", "-q"),
        (*who, "commit", "-q", "--allow-empty", "-m", "code"),
        ("worktree", "add", "-q", "../tree"),
    ):
        subprocess.run(["git", *line], cwd=memoir.folder, check=True, capture_output=True)

    done = Memoir(memoir.folder.parent / "tree").run("init")

    assert (
        done.err.splitlines()[0] == f"until now, commands in {memoir.folder.parent / 'tree'} used the store in "
        f"{memoir.git_dir}; from now on they use the new one"
    )
    (tmp_path / "alone").mkdir()
    assert Memoir(tmp_path / "alone").run("init").err == ""


def test_who_makes_a_store_in_a_linked_worktree_is_told_that_it_goes_with_that(tmp_path: Path) -> None:
    main = tmp_path / "main"
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git("init", "-q", str(main))
    git(*who, "commit", "-q", "--allow-empty", "-m", "code", cwd=main)
    for name in ("one", "two"):
        git("worktree", "add", "-q", f"../{name}", cwd=main)

    note = (
        "'git worktree remove' deletes this store with its folder; "
        f"to have one that stays and is found here too: 'memoir init {main}'\n"
    )
    assert Memoir(tmp_path / "one").run("init").err == note
    assert Memoir(tmp_path / "one").run("init").err == "", "it was there already"
    assert note in Memoir(tmp_path / "two").ok("setup", "claude", "--project")
    assert Memoir(main).run("init").err == ""


def test_who_makes_a_store_beside_a_bare_repository_or_in_a_submodule_is_told_so(tmp_path: Path) -> None:
    code, bare = tmp_path / "code", tmp_path / "bare.git"
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    git("init", "-q", str(code))
    git(*who, "commit", "-q", "--allow-empty", "-m", "code", cwd=code)
    git("clone", "-q", "--bare", str(code), str(bare))
    git("worktree", "add", "-q", "-b", "topic", "../topic", cwd=bare)
    git(*who, "submodule", "--quiet", "add", str(bare), "part", cwd=code)

    in_worktree, in_part = (Memoir(folder).run("init").err for folder in (tmp_path / "topic", code / "part"))

    assert in_worktree == (
        "'git worktree remove' deletes this store with its folder; "
        f"to have one that stays and is found here too: 'memoir init {bare}'\n"
    )
    assert in_part == (
        "'git submodule deinit' deletes this store with its folder; "
        f"to have one that stays and is found here too: 'memoir init {code}'\n"
    )


def test_the_log_that_lacks_the_last_change_is_named(memoir: Memoir) -> None:
    first, last = memoir.remember("a.b", "one"), memoir.remember("a.b", "two")
    log = memoir.git_dir / "logs/refs/heads/main"
    log.write_text(log.read_text("utf-8").splitlines()[0] + "\n", "utf-8")

    error = memoir.run("undo").err.splitlines()[0]

    assert error == (
        f"memoir: the log of branch 'main' lacks the last change: it leads to {first[:12]}, "
        f"but the branch was at {last[:12]}"
    )


def test_settings_of_a_user_whose_home_cannot_be_written_to_are_no_mistake_of_the_value(memoir: Memoir) -> None:
    error = memoir.json(
        "config",
        "--global",
        "user.name",
        "Una",
        status=1,
        HOME="/proc/nowhere",
        GIT_CONFIG_GLOBAL="/proc/nowhere/gitconfig",
    )["error"]

    assert (error["code"], error["hint"]) == ("git_failed", "see who owns its folder")
