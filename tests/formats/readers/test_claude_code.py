"""Claude Code: its auto memory and CLAUDE.md, with what it imports.

The files have the form that Claude Code's documentation describes; what it writes into them is up to a model.
"""

import os
import subprocess
from pathlib import Path

import pytest
from formats.samples import write_files

from memoir.formats.found import Found, Place, Refused
from memoir.formats.readers.claude_code import memory_folder, read

INDEX = "# Memory\n\n- [Release](release.md) — how\n- [Gone](gone.md) — it is gone\n\n## Build\n\n- Build with make.\n"
TOPIC = "---\nname: release\ndescription: how to release\ntype: project\nmodified: 2026-05-01T10:00:00Z\n---\n\n{}\n"


def found(path: Path) -> list[Found]:
    return [each for each in read(Place(path)) if isinstance(each, Found)]


def test_a_topic_file_is_a_memory_and_the_index_only_names_it(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "memory", {"MEMORY.md": INDEX, "release.md": TOPIC.format("On Fridays.")})
    memories = {each.content: each for each in found(folder)}

    assert memories["On Fridays."].path == "project.release"
    assert str(memories["On Fridays."].time) == "2026-05-01 10:00:00+00:00"
    assert memories["On Fridays."].metadata["description"] == "how to release"
    assert "[Gone](gone.md) — it is gone" in memories
    assert memories["Build with make."].path == "project.build"
    assert len(memories) == 3


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("user", "profile.role"),
        ("feedback", "preferences.role"),
        ("reference", "knowledge.role"),
        ("x", "project.role"),
    ],
)
def test_the_type_of_a_topic_is_its_first_level(tmp_path: Path, kind: str, path: str) -> None:
    text = f"---\nname: a\ntype: {kind}\n---\nThe user writes Rust.\n"
    folder = write_files(tmp_path / "memory", {"MEMORY.md": "", f"{kind}_role.md": text})

    assert [each.path for each in found(folder)] == [path]


def test_the_folders_of_all_worktrees_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    main, tree = tmp_path / "main", tmp_path / "tree"
    here = ["git", "-C", str(main), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (
        ["git", "init", "-q", str(main)],
        [*here, "commit", "-q", "--allow-empty", "-m", "x"],
        [*here, "worktree", "add", "-q", str(tree)],
    ):
        subprocess.run(command, check=True, capture_output=True)
    for at, (project, text) in enumerate({main: "On Mondays.", tree: "On Fridays."}.items()):
        files = {"MEMORY.md": "", "release.md": f"---\ntype: project\n---\n{text}\n", "same.md": "The same.\n"}
        folder = write_files(memory_folder(project), files)
        for name in files:
            os.utime(folder / name, (1_700_000_000 + at, 1_700_000_000 + at))
    memories = {each.content: each for each in found(main)}

    assert memories["On Fridays."].active and not memories["On Mondays."].active
    assert len(memories) == 3


def test_imports_are_followed_within_the_project_alone(tmp_path: Path) -> None:
    files = {
        "CLAUDE.md": "## Rules\n\n- Be kind.\n\n@docs/style.md\n@../secret.md\n@~/.netrc\n",
        "docs/style.md": "## Style\n\n- Be short.\n\n@../CLAUDE.md\n",
    }
    project = write_files(tmp_path / "project", files)
    write_files(tmp_path, {"secret.md": "- Hidden.\n"})
    all_found = list(read(Place(project)))

    assert [each.content for each in all_found if isinstance(each, Found)] == ["Be kind.", "Be short."]
    assert [each.where for each in all_found if isinstance(each, Refused)] == ["CLAUDE.md:6", "CLAUDE.md:7"]


def test_comments_and_what_memoir_wrote_are_no_memories(tmp_path: Path) -> None:
    text = "<!-- memoir: begin -->\n## Memory\nAsk memoir.\n<!-- memoir: end -->\n<!-- note\n- no -->\n- Yes.\n"
    project = write_files(tmp_path / "project", {"CLAUDE.md": text})

    assert [each.content for each in found(project)] == ["Yes."]
