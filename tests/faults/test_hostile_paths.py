"""Paths, namespaces and revisions from an untrusted mouth: refused with a reason, and the store unchanged."""

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from fault_tools import assert_sound, copy_of, run_all, state
from support import Memoir

_BAD_PATHS = (
    "../../etc/passwd",  # a way out
    "/etc/passwd",  # an absolute path
    "a\\b",  # a backslash
    "",  # an empty path
    " ",  # a blank
    "a..b",  # an empty segment
    ".a",  # a leading dot
    "a.",  # a trailing dot
    "..",  # only dots
    "-a",  # an option
    "--help.x",  # a long option
    "a.-b",  # a dash in front of a segment
    "a.b.c.d.e.f.g.h.i",  # nine segments
    "a" * (241 - len("default=")),  # 241 bytes
    "a=b",  # a key's separator
    "3;a",  # a node's separator
    "a\nb",  # a newline
    "a\n",  # a trailing newline
    "a\rb",  # a carriage return
    "a\tb",  # a tab
    "a\x1b[31m",  # an escape
    "a\u202eb",  # a right-to-left override
    "a\u200fb",  # a right-to-left mark
    "a\u200bb",  # a zero-width space
    "a\u200db",  # a zero-width joiner
    "\ufeffa",  # a byte order mark
    "a\xadb",  # a soft hyphen
    unicodedata.normalize("NFD", "é"),  # decomposed letters
    "\u0301a",  # a lone mark
    "a\udcff",  # half a character
    "a\ue000",  # a private character
    "a\u0378",  # an unassigned character
    "a.*",  # a glob
    "a/b",  # a slash
    "a.😀",  # an emoji
    "a²",  # a superscript
    "aⅣ",  # a Roman numeral
)


def _one_memory(memoir: Memoir) -> None:
    """Something to lose."""
    memoir.remember("a.first", "first")


@pytest.fixture
def store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """A store as `_one_memory` makes it."""
    return copy_of(_one_memory, tmp_path_factory, tmp_path / "project")


def _assert_refused(store: Memoir, commands: Iterable[Sequence[str]], *statuses: int) -> None:
    """Each of the commands ends with one of the statuses and a reason, in JSON; none changes anything."""
    before = state(store)
    argvs = list(commands)
    ends = zip(argvs, run_all(store, argvs, MEMOIR_JSON="1"), strict=True)
    wrong = [(argv, done) for argv, done in ends if done.status not in statuses or not done.json["error"]["message"]]
    assert wrong == []
    assert state(store) == before


def test_a_malformed_path_is_refused(store: Memoir) -> None:
    writes = [["remember", "second", f"--path={path}"] for path in _BAD_PATHS]
    _assert_refused(store, writes, 2)


def test_every_command_refuses_a_malformed_path(store: Memoir) -> None:
    commands = ("get --", "blame --", "log --", "forget --", "mv -- a", "edit --", "ls --", "restore --at HEAD --")
    reads = [[*command.split(), path] for command in commands for path in ("a..b", "a\u202eb")]
    reads.remove(["log", "--", "a..b"])  # two revisions, as git reads them
    _assert_refused(store, reads, 2)
    other = [["show", "HEAD:a..b"], ["mv", "a..b", "c"], ["summarize", "--keys", "*", "--after", "a..b"]]
    _assert_refused(store, other, 2)


def test_a_malformed_namespace_is_refused(store: Memoir) -> None:
    names = ("", ":", "a=b", "-a", "../x", "a b", "a\nb", "a.b", "\u202e", "a\udcff")
    _assert_refused(store, (["remember", "second", "-p", "a.second", f"--namespace={name}"] for name in names), 2)
    reads = ("ls", "summarize", "export", "grep x", "diff HEAD HEAD", "get a.first")
    _assert_refused(store, ([*command.split(), "--namespace=a=b"] for command in reads), 2)


_SCRIPTS = (
    "記憶.試験",
    "память.тест",
    "ذاكرة.اختبار",
    "स्मृति.परीक्षा",
    "기억.시험",
    "μνήμη",
    "ความจำ",
    "זיכרון",
    "Grüße",
    "a" * 232,
)


def test_a_path_in_any_script_can_be_stored_and_read(memoir: Memoir) -> None:
    commits = [memoir.remember(path, f"at {path}") for path in _SCRIPTS]

    items = memoir.json("get", *_SCRIPTS)["items"]
    assert [(item["key"], item["value"]["content"]) for item in items] == [(path, f"at {path}") for path in _SCRIPTS]
    assert {item["key"] for item in memoir.json("ls")["keys"]} == set(_SCRIPTS) == set(memoir.ok("ls").split())
    assert memoir.json("summarize", "--depth", "8")["prefix_counts"]["default"] == dict.fromkeys(_SCRIPTS, 1)
    puts = {commit["commit"]: commit["paths"]["put"] for commit in memoir.json("log")["commits"]}
    assert puts == {commit: [f"default:{path}"] for commit, path in zip(commits, _SCRIPTS, strict=True)}
    for commit, path in zip(commits, _SCRIPTS, strict=True):
        assert [entry["commit"] for entry in memoir.json("blame", path)["entries"]] == [commit]
    assert_sound(memoir)


_REVISION_COMMANDS = (
    "get a.first --at={}", "ls --at={}", "summarize --at={}", "export --at={}", "log --at={}", "blame a.first --at={}",
    "grep x --at={}", "restore a.first --at={}", "show -- {}", "show -- {}:a.first", "diff -- {}", "diff -- HEAD {}",
    "merge -- {}", "revert -- {}", "branch -- new {}", "tag -- new {}", "checkout -- {}", "checkout -b -- new {}",
)  # fmt: skip


def test_every_command_refuses_a_revision_that_could_pose_as_two(store: Memoir) -> None:
    """git is asked line by line: a line break would make a second question of the rest."""
    commands = ([word.format("main\nHEAD") for word in command.split(" ")] for command in _REVISION_COMMANDS)
    _assert_refused(store, commands, 2)


def test_a_revision_with_control_characters_is_refused(store: Memoir) -> None:
    revisions = (
        "main\n",
        "\nmain",
        "main\r",
        "main\rHEAD",
        "ma\tin",
        "main\x1b[0m",
        "main\x7f",
        "\udcff",
        "main\u2028",
    )
    _assert_refused(store, (["get", "a.first", f"--at={revision}"] for revision in revisions), 2)


_ODD_REVISIONS = (
    "", " ", "--output=pwned", "-1", "--help", "--all", "main --all", "^main", "@{-1}", "main:", ":0:x", "main..main",
    "..", "main^{tree}", "main^{blob}", "HEAD^{/x", "refs/heads/*", "*", "'", "$(id)", "main~99", "a" * 5000,
)  # fmt: skip


def test_an_odd_revision_is_not_found(store: Memoir) -> None:
    _assert_refused(store, (["get", "a.first", f"--at={revision}"] for revision in _ODD_REVISIONS), 2, 4)
    _assert_refused(
        store, (["show", "--", revision] for revision in ("--output=pwned", "--help", "-1", "main^{tree}")), 2, 4
    )
    assert [path.name for path in store.folder.iterdir()] == [".memoir"]


def test_a_malformed_branch_or_tag_name_is_refused(store: Memoir) -> None:
    names = ("-x", "a b", "a\nb", "a..b", "x.lock", "HEAD", "@", "/x", "x/", "a~1", "\udcff", "\u202e", "a\x1b")
    _assert_refused(store, (["branch", "--", name] for name in names), 2)
    commands = ("tag --", "checkout -b --", "branch -m -- main", "checkout --")
    _assert_refused(store, ([*command.split(), "a..b"] for command in commands), 2)


def test_a_write_to_a_malformed_branch_is_refused(store: Memoir) -> None:
    names = ("-x", "a b", "a\nb", "a..b", "@", "../x", "\udcff", "main^0", "main~0", "HEAD", "no.such")
    writes = (["remember", "second", "-p", "a.second", f"--branch={name}"] for name in names)
    _assert_refused(store, writes, 2, 4)
