"""Files of other tools that somebody else wrote: they lead nowhere else, keep nobody waiting, and execute nothing."""

import os
import zipfile
from pathlib import Path

import pytest
from formats.samples import write_files

from memoir.errors import InvalidInput
from memoir.formats.found import Found, Place
from memoir.formats.kinds import KINDS
from memoir.formats.markdown import read_note
from memoir.formats.readers import agents_md, letta
from memoir.repository.repository import Repository


def test_a_link_leads_to_no_other_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"secret.md": "- Hidden.\n", "outside/AGENTS.md": "- Hidden too.\n"})
    project = write_files(tmp_path / "project", {"AGENTS.md": "- Shown.\n"})
    (project / "GEMINI.md").symlink_to(tmp_path / "secret.md")
    (project / "memory-bank").symlink_to(tmp_path / "outside")

    assert [each.content for each in agents_md.read(Place(project)) if isinstance(each, Found)] == ["Shown."]


def test_a_large_project_is_not_listed_to_see_that_it_is_no_folder_of_letta(tmp_path: Path) -> None:
    place = Place(write_files(tmp_path, {".git/HEAD": "", "main.py": ""}))

    assert letta.recognize(place) is None
    assert "names" not in vars(place)


def test_a_file_that_becomes_a_link_after_it_was_listed_is_refused(tmp_path: Path) -> None:
    write_files(tmp_path, {"secret.md": "- Hidden.\n"})
    place = Place(write_files(tmp_path / "project", {"AGENTS.md": "- Shown.\n"}))
    assert place.names == ["AGENTS.md"]
    (tmp_path / "project/AGENTS.md").unlink()
    (tmp_path / "project/AGENTS.md").symlink_to(tmp_path / "secret.md")

    with pytest.raises((InvalidInput, OSError)):
        place.read("AGENTS.md")


@pytest.mark.parametrize("kind", KINDS)
def test_a_fifo_keeps_no_reader_waiting(kind: str, repository: Repository, tmp_path: Path) -> None:
    names = ("AGENTS.md", "MEMORY.md", "note.md", "conversations.json", "memory.jsonl", "mem0.db", "claude-mem.db")
    project = write_files(tmp_path / "project", {"other.txt": "x"})
    for name in names:
        os.mkfifo(project / name)

    for path in (project, project / "AGENTS.md"):
        try:
            assert repository.import_from(path, kind).imported == 0
        except (InvalidInput, OSError):
            continue


def test_an_archive_is_never_unpacked_to_a_folder(repository: Repository, tmp_path: Path) -> None:
    archive = tmp_path / "in" / "export.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../AGENTS.md", "- Escaped.\n")
        file.writestr("AGENTS.md", "- Shown.\n")
    before = sorted(tmp_path.rglob("*"))

    repository.import_from(archive, "agents-md")

    assert sorted(path for path in tmp_path.rglob("*") if repository.path not in [path, *path.parents]) == [
        path for path in before if repository.path not in [path, *path.parents]
    ]


def test_what_unpacks_to_more_than_may_be_read_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "bomb.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("AGENTS.md", b"a" * 1_000_000)

    with pytest.raises(InvalidInput, match="larger"):
        Place(archive).read("AGENTS.md", 1 << 16)


def test_frontmatter_makes_no_object_and_is_not_multiplied(tmp_path: Path) -> None:
    bomb = "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n"
    ran = tmp_path / "ran"
    call = f"a: !!python/object/apply:os.system ['touch {ran}']\n"

    for front in (bomb, call):
        note = read_note(f"---\n{front}---\ntext\n")
        assert len(str(note.front)) < 500
    assert not ran.exists()
