"""A damaged store is named as one: exit 7 and `damaged_store`, and never an answer with memories silently missing."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_tools import copy_of, lines, run_all
from support import Memoir, RunResult

_READS = (
    "get a.n1", "get a.n1 --at HEAD~1", "export", "summarize --depth 1", "status", "log", "blame a.n1",
    "diff HEAD~1 HEAD", "grep memory", "branch",
)  # fmt: skip
_ABSENT = "1234567890" * 4


def _three_commits(memoir: Memoir) -> None:
    """Enough memories for internal nodes, all in one pack; and what the reading commands answer."""
    memoir.ok("import", "-", stdin=lines(300))
    memoir.remember("a.n1", "one")
    memoir.remember("a.n1", "another")
    memoir.ok("gc")
    (memoir.folder / "answers.json").write_text(json.dumps(_answers(memoir)))


@pytest.fixture
def victim(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """A store to be damaged."""
    memoir = copy_of(_three_commits, tmp_path_factory, tmp_path / "project")
    for file in memoir.git_dir.rglob("*"):
        file.chmod(0o755)
    return memoir


def _answers(memoir: Memoir) -> list[RunResult]:
    runs = run_all(memoir, map(str.split, _READS), MEMOIR_JSON="1")
    return [done._replace(out=done.out.replace(str(memoir.folder), "")) for done in runs]


def _pack(memoir: Memoir) -> Path:
    (path,) = memoir.git_dir.glob("objects/pack/*.pack")
    return path


def _object(memoir: Memoir, revision: str) -> Path:
    """The file of one object, once the pack has been turned into single files."""
    oid = memoir.git("rev-parse", revision).strip()
    aside = _pack(memoir).rename(memoir.folder / "aside.pack")
    for rest in memoir.git_dir.glob("objects/pack/*"):
        rest.unlink()
    with open(aside, "rb") as file:
        subprocess.run(["git", f"--git-dir={memoir.git_dir}", "unpack-objects", "-q"], stdin=file, check=True)
    path = memoir.git_dir / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    return path


def _rows(memoir: Memoir) -> tuple[str, str]:
    """The ids of the leaf that holds `a.n1` and of the memory itself."""
    rows = [row.split(None, 3) for row in memoir.git("ls-tree", "-t", "-r", "HEAD").splitlines()]
    place = next(number for number, row in enumerate(rows) if row[3].endswith("=a.n1"))
    return next(row[2] for row in reversed(rows[:place]) if row[1] == "tree"), rows[place][2]


def _truncate_pack(memoir: Memoir) -> None:
    data = _pack(memoir).read_bytes()
    _pack(memoir).write_bytes(data[: len(data) // 2])


def _empty_pack(memoir: Memoir) -> None:
    _pack(memoir).write_bytes(b"")


def _flip_pack(memoir: Memoir) -> None:
    data = bytearray(_pack(memoir).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = bytes(byte ^ 0x55 for byte in data[middle : middle + 2000])
    _pack(memoir).write_bytes(data)


def _remove_pack(memoir: Memoir) -> None:
    _pack(memoir).unlink()


def _remove_index(memoir: Memoir) -> None:
    _pack(memoir).with_suffix(".idx").unlink()


def _remove_all_packs(memoir: Memoir) -> None:
    for path in memoir.git_dir.glob("objects/pack/*"):
        path.unlink()


def _remove(revision: str) -> Callable[[Memoir], None]:
    return lambda memoir: _object(memoir, revision).unlink()


def _remove_leaf(memoir: Memoir) -> None:
    _object(memoir, _rows(memoir)[0]).unlink()


def _remove_memory(memoir: Memoir) -> None:
    _object(memoir, _rows(memoir)[1]).unlink()


def _overwrite(revision: str, data: bytes) -> Callable[[Memoir], None]:
    return lambda memoir: [_object(memoir, revision).write_bytes(data)].clear()


def _set_branch(text: str) -> Callable[[Memoir], None]:
    return lambda memoir: [(memoir.git_dir / "refs/heads/main").write_text(text)].clear()


_DAMAGES: dict[str, Callable[[Memoir], None]] = {
    "a pack cut in half": _truncate_pack,
    "an empty pack": _empty_pack,
    "a pack with flipped bits": _flip_pack,
    "a missing pack whose index is there": _remove_pack,
    "a missing index": _remove_index,
    "no packs at all": _remove_all_packs,
    "a missing commit": _remove("HEAD"),
    "a missing parent commit": _remove("HEAD~1"),
    "a missing root": _remove("HEAD^{tree}"),
    "a missing leaf": _remove_leaf,
    "a missing memory": _remove_memory,
    "a commit that is an empty file": _overwrite("HEAD", b""),
    "a root that is garbage": _overwrite("HEAD^{tree}", b"garbage"),
    "a root that is an empty file": _overwrite("HEAD^{tree}", b""),
    "a branch that names an absent commit": _set_branch(_ABSENT + "\n"),
    "a branch file that is empty": _set_branch(""),
    "a branch file that is garbage": _set_branch("garbage\n"),
}


@pytest.mark.parametrize("damage", _DAMAGES.values(), ids=_DAMAGES)
def test_damage_is_named_and_never_hides_memories(victim: Memoir, damage: Callable[[Memoir], None]) -> None:
    """Each command either gives the answer it gave before, or says that the store is damaged."""
    sound = [RunResult(*fields) for fields in json.loads((victim.folder / "answers.json").read_text())]
    damage(victim)

    refusals = 0
    for command, before, after in zip(_READS, sound, _answers(victim), strict=True):
        if "HEAD~1" in command and after.status == 4:
            continue  # what came before a lost branch or commit may not be nameable any more
        if after.out != before.out or after.status != 0:
            refusals += 1
            _assert_damaged(after, command)
    assert refusals
    _assert_damaged(victim.run("fsck", "--json"), "fsck")


def _assert_damaged(done: RunResult, command: str) -> None:
    """Exit 7, no traceback, and the last line is the error object (`export` may have begun to stream)."""
    assert done.status == 7, (command, done)
    assert "Traceback" not in done.err, (command, done)
    answer = json.loads(done.out.splitlines()[-1])
    if command == "fsck" and "problems" in answer:
        assert answer["problems"], done
    else:
        assert answer["error"]["code"] == "damaged_store", (command, done)
        assert answer["error"]["message"], (command, done)


def test_fsck_names_the_object_that_is_missing(victim: Memoir) -> None:
    leaf, memory = _rows(victim)
    _object(victim, memory).unlink()

    problems = _problems(victim)

    assert any(memory in problem for problem in problems), problems
    assert not any(leaf in problem and "missing" in problem for problem in problems), problems


def _problems(memoir: Memoir) -> list[str]:
    done = memoir.run("fsck", "--json")
    assert done.status == 7, done
    problems = done.json["problems"]
    assert isinstance(problems, list)
    return problems


def test_fsck_finds_an_object_that_another_was_copied_over(victim: Memoir) -> None:
    """git reads such a file without complaint; only a check of every id can tell."""
    older = victim.git("rev-parse", "HEAD~1^{tree}").strip()
    root = _object(victim, "HEAD^{tree}")
    shutil.copy(victim.git_dir / "objects" / older[:2] / older[2:], root)

    problems = _problems(victim)

    assert any(root.parent.name + root.name in problem for problem in problems), problems


def test_a_write_to_a_damaged_store_changes_nothing(victim: Memoir) -> None:
    _object(victim, "HEAD^{tree}").unlink()
    refs = victim.git("show-ref")

    for command in ("remember more -p a.n2", "forget a.n1", "import -", "mv a.n1 a.n9"):
        _assert_damaged(victim.run(*command.split(), "--json", stdin=lines(1)), command)
    assert victim.git("show-ref") == refs


def test_a_commit_by_plain_git_is_recognised(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    blob = memoir.git("hash-object", "-w", str(memoir.git_dir / "config")).strip()
    (memoir.folder / "index").write_text(f"100644 blob {blob}\tREADME\n")
    with open(memoir.folder / "index", "rb") as rows:
        argv = ["git", f"--git-dir={memoir.git_dir}", "mktree"]
        tree = subprocess.run(argv, stdin=rows, capture_output=True, check=True, text=True).stdout.strip()
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    commit = memoir.git(*identity, "commit-tree", "-p", "main", "-m", "a readme", tree).strip()
    memoir.git("update-ref", "refs/heads/main", commit)

    for command in ("get a.first", "status", "export", "remember more -p a.second"):
        error = _error(memoir.run(*command.split(), "--json"))
        assert error["code"] == "damaged_store" and "no memories" in error["message"]
    assert memoir.content("a.first", "--at", "HEAD~1") == "first"


def _error(done: RunResult) -> dict[str, str]:
    assert done.status == 7, done
    error = done.json["error"]
    assert isinstance(error, dict)
    return error


def test_a_format_of_the_future_is_named(memoir: Memoir) -> None:
    commit = memoir.remember("a.first", "first")
    rows = memoir.git("ls-tree", commit).replace("memoir-format-2", "memoir-format-3")
    (memoir.folder / "rows").write_text(rows)
    with open(memoir.folder / "rows", "rb") as file:
        argv = ["git", f"--git-dir={memoir.git_dir}", "mktree"]
        tree = subprocess.run(argv, stdin=file, capture_output=True, check=True, text=True).stdout.strip()
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    memoir.git("update-ref", "refs/heads/main", memoir.git(*identity, "commit-tree", "-m", "new", tree).strip())

    error = _error(memoir.run("get", "a.first", "--json"))

    assert "memoir-format-3" in error["message"] and error["hint"]


def test_a_branch_without_commits_is_not_damage(memoir: Memoir) -> None:
    assert memoir.json("get", "a.first")["items"][0]["found"] is False
    assert memoir.json("status")["memory_count"] == 0
    assert memoir.json("ls")["keys"] == []
    assert memoir.ok("export") == ""
    assert memoir.json("fsck")["ok"] is True


def test_a_head_that_names_no_branch_is_an_error(victim: Memoir) -> None:
    for text in ("", "garbage\n", "ref: refs/heads/\n") * 3:
        (victim.git_dir / "HEAD").write_text(text)
        done = victim.run("get", "a.n1", "--json")
        assert done.status in (1, 4, 7) and done.out and done.json["error"]["message"], (text, done)
        assert "Traceback" not in done.err, (text, done)
