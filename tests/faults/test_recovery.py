"""docs/recovery.md, tried: each section's commands bring back what the section says."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_tools import assert_sound, copy_of
from support import PROJECT, Memoir, RunResult, git

SECTIONS = dict(
    re.findall(r"^## (.+?)\n.*?^```sh\n(.*?)^```", (PROJECT / "docs/recovery.md").read_text(), re.MULTILINE | re.DOTALL)
)
ALL = {"a.n0", "a.n1", "a.n2", "a.n3", "a.n4"}


def five_writes(memoir: Memoir) -> None:
    """Five memories, one commit and one pack each; a branch that stands at the third."""
    for number in range(5):
        memoir.remember(f"a.n{number}", f"memory {number}")
    memoir.ok("branch", "side", "HEAD~2")


@pytest.fixture
def victim(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """A store to be damaged."""
    return copy_of(five_writes, tmp_path_factory, tmp_path / "project")


@pytest.fixture(autouse=True)
def _command(scripts_env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What a section calls `memoir`."""
    monkeypatch.setenv("PATH", scripts_env["PATH"])


def follow(memoir: Memoir, section: str) -> RunResult:
    """Do what a section says, in the project's folder."""
    argv = ["sh", "-e", "-c", SECTIONS[section]]
    done = subprocess.run(argv, cwd=memoir.folder, capture_output=True, text=True, timeout=120, check=False)
    return RunResult(done.returncode, done.stdout, done.stderr)


def keys(memoir: Memoir, *args: str) -> set[str]:
    return {row["key"] for row in memoir.json("ls", *args)["keys"]}


def newest_pack(memoir: Memoir, suffix: str = ".pack") -> Path:
    """The pack of the last write: the one that holds the tip."""
    tip = memoir.git("rev-parse", "main").strip()
    for index in memoir.git_dir.glob("objects/pack/*.idx"):
        with open(index, "rb") as file:
            text = subprocess.run(["git", "show-index"], stdin=file, capture_output=True, check=True, text=True).stdout
        if tip in text:
            path = index.with_suffix(suffix)
            path.chmod(0o644)
            return path
    raise AssertionError("no pack holds the tip")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:60])


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for place in range(30, len(data) - 25, 3):
        data[place] ^= 0x55
    path.write_bytes(data)


def assert_broken(memoir: Memoir, command: str = "ls") -> None:
    """The damage is noticed before anything is repaired."""
    assert memoir.run(command, "--json").status == 7
    assert memoir.run("fsck", "--json").status == 7


@pytest.mark.parametrize("name", ["HEAD", "config"])
@pytest.mark.parametrize("lose", [Path.unlink, empty, zero])
def test_head_or_the_config_is_missing(victim: Memoir, name: str, lose: Callable[[Path], None]) -> None:
    victim.ok("checkout", "side")
    victim.ok("remote", "add", "origin", "../elsewhere")
    (victim.git_dir / "refs/remotes/origin").mkdir(parents=True)
    (victim.git_dir / "refs/remotes/origin/main").write_text(victim.git("rev-parse", "main"))
    lose(victim.git_dir / name)
    assert_broken(victim)

    done = follow(victim, "HEAD or the config is missing")

    assert done.status == 0, done
    status = victim.json("status")
    assert status["branch"] == "side"
    assert [remote["name"] for remote in status["remotes"]] == ["origin"]
    assert victim.git("config", "core.fsync").strip() == "committed"
    assert_sound(victim)


@pytest.mark.parametrize("copy", [None, b"", b"[core]\n\tbare = true\n\tfsmonitor = /bin/evil\n", b"[core\n"])
def test_a_config_without_a_sound_copy_is_that_of_a_new_store(victim: Memoir, copy: bytes | None) -> None:
    victim.ok("remote", "add", "origin", "../elsewhere")
    (victim.git_dir / "refs/remotes/origin").mkdir(parents=True)
    (victim.git_dir / "refs/remotes/origin/main").write_text(victim.git("rev-parse", "main"))
    empty(victim.git_dir / "config")
    (victim.git_dir / "memoir-config").unlink() if copy is None else write(victim.git_dir / "memoir-config", copy)

    done = follow(victim, "HEAD or the config is missing")

    assert done.status == 0, done
    assert "memoir remote add origin URL" in done.out
    assert "fsmonitor" not in (victim.git_dir / "config").read_text()
    assert_sound(victim)


def test_code_was_pushed_onto_a_branch(victim: Memoir) -> None:
    code = ["-C", str(victim.folder / "code")]
    git("init", "--quiet", *code[1:])
    git(
        *code, "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "--allow-empty", "-m", "code"
    )
    git(*code, "push", "--quiet", "--force", str(victim.git_dir), "HEAD:main")
    assert_broken(victim)

    done = follow(victim, "Code was pushed onto a branch")

    assert done.status == 0, done
    assert keys(victim) == ALL
    assert_sound(victim)


@pytest.mark.parametrize("lose", [empty, zero])
def test_an_empty_gitfile_hinders_nothing_and_is_written_again(victim: Memoir, lose: Callable[[Path], None]) -> None:
    lose(victim.git_dir / ".git")

    assert keys(victim) == ALL
    assert "'.git' is empty" in victim.run("fsck").out
    victim.remember("a.n5", "and on")

    assert (victim.git_dir / ".git").read_bytes() == b"gitdir: .\n"
    assert_sound(victim)
    lose(victim.git_dir / ".git")
    assert victim.json("fsck", "--repair")["restored"]
    assert (victim.git_dir / ".git").read_bytes() == b"gitdir: .\n"


def test_the_config_of_a_sha256_store_is_written_for_sha256(tmp_path: Path) -> None:
    memoir = Memoir(tmp_path)
    memoir.ok("init", "--sha256")
    memoir.remember("a.b", "text")
    (memoir.git_dir / "config").unlink()

    assert follow(memoir, "HEAD or the config is missing").status == 0
    assert memoir.content("a.b") == "text"


@pytest.mark.parametrize("lose", [Path.unlink, empty, zero])
@pytest.mark.parametrize("packed", [True, False])
def test_a_branch_is_missing(victim: Memoir, lose: Callable[[Path], None], packed: bool) -> None:
    if packed:
        victim.ok("gc")
    lose(victim.git_dir / ("packed-refs" if packed else "refs/heads/main"))
    assert_broken(victim)

    assert follow(victim, "A branch is missing").status == 0
    assert keys(victim) == ALL
    assert keys(victim, "--at", "side") == {"a.n0", "a.n1", "a.n2"}
    assert_sound(victim)


@pytest.mark.parametrize(
    "lose",
    [
        lambda path: path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2])),
        lambda path: path.write_bytes(path.read_bytes()[:-70] + bytes(70)),
        lambda path: path.write_bytes(path.read_bytes()[:250]),
        lambda path: path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[::4])),
    ],
    ids=["two lines are gone", "zeroed", "cut in half", "a hole in the middle"],
)
def test_the_log_of_a_branch_is_incomplete(victim: Memoir, lose: Callable[[Path], None]) -> None:
    lose(victim.git_dir / "logs/refs/heads/main")
    assert victim.run("fsck").status == 7
    assert keys(victim) == ALL

    assert follow(victim, "The log of a branch is incomplete").status == 0
    assert keys(victim) == ALL - {"a.n4"}
    victim.ok("undo", "3")
    assert keys(victim) == {"a.n0"}
    victim.ok("redo")
    victim.ok("redo")
    assert keys(victim) == ALL
    assert_sound(victim)


@pytest.mark.parametrize("lose", [Path.unlink, empty, zero, cut])
def test_the_index_of_a_pack_is_missing_or_damaged(victim: Memoir, lose: Callable[[Path], None]) -> None:
    lose(newest_pack(victim, ".idx"))
    assert_broken(victim)

    done = follow(victim, "The index of a pack is missing or damaged")

    assert done.status == 0 and "rebuilt the index of" in done.out
    assert keys(victim) == ALL
    assert_sound(victim)


@pytest.mark.parametrize("lose", [Path.unlink, empty, zero, cut, flip])
def test_the_newest_pack_is_damaged(victim: Memoir, lose: Callable[[Path], None]) -> None:
    lose(newest_pack(victim))
    assert_broken(victim)

    before = victim.git_dir.joinpath("refs/heads/main").read_text()
    report = victim.run("fsck", "--repair", "--json").json
    assert [loss["changes"] for loss in report["losses"]] == [["remember a.n4"]]
    assert victim.git_dir.joinpath("refs/heads/main").read_text() == before, "nothing is lost without --yes"

    done = follow(victim, "The newest pack is damaged")

    assert done.status == 0, done
    assert "remember a.n4" in done.out
    assert keys(victim) == ALL - {"a.n4"}
    victim.remember("a.n5", "and on")
    victim.ok("undo", "2")
    assert_sound(victim)
    victim.ok("gc")


def test_a_commit_in_the_past_is_damaged(victim: Memoir) -> None:
    older = victim.git("rev-parse", "main~3").strip()
    victim.git("repack", "-a", "-d", "-q")
    pack = next(victim.git_dir.glob("objects/pack/*.pack"))
    aside = pack.rename(victim.folder / "aside.pack")
    for rest in victim.git_dir.glob("objects/pack/*"):
        rest.unlink()
    with open(aside, "rb") as file:
        subprocess.run(["git", f"--git-dir={victim.git_dir}", "unpack-objects", "-q"], stdin=file, check=True)
    (victim.git_dir / "objects" / older[:2] / older[2:]).unlink()
    assert victim.run("fsck", "--json").status == 7
    assert victim.run("fsck", "--repair", "--yes", "--json").json["losses"] == []

    assert follow(victim, "A commit in the past is damaged").status == 0
    assert keys(Memoir(victim.folder / "renewed")) == ALL


def test_every_section_is_tried() -> None:
    titles = {name.removeprefix("test_").replace("_", " ") for name in globals() if name.startswith("test_")}

    assert {title.lower() for title in SECTIONS} <= titles
