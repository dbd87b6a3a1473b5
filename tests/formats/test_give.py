"""Giving memories back: what is written, what is left alone, and the round trip through another tool's edits."""

from pathlib import Path

import pytest
from formats.samples import contents, write_files
from support import built_once

from memoir.errors import Conflict, InvalidInput, NotFound
from memoir.formats.readers.claude_code import memory_folder
from memoir.formats.section import SectionPoint
from memoir.memory.facets import ids_of
from memoir.repository.repository import Repository


@built_once
def filled(repository: Repository) -> None:
    repository.remember("Use pytest, not unittest.", "preferences.coding.testing")
    repository.remember("Releases are cut on Fridays.", "project.release.day")
    repository.remember("The build broke on a cold cache.", "experience.incidents.build", policy="append")
    repository.remember("It broke again.", "experience.incidents.build", policy="append")


def every(repository: Repository) -> int:
    return sum(1 for _ in repository.export_lines())


def test_a_section_is_added_and_replaced_in_place(filled: Repository, tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_bytes(b"# Rules\r\n\r\n- Mine.\r\n")
    given = filled.export_to("claude-md", file)
    filled.remember("Use tabs.", "preferences.coding.style")
    again = filled.export_to("claude-md", file)

    assert (given.memories, given.changed, again.memories, again.changed) == (4, 1, 5, 1)
    assert file.read_bytes().startswith(b"# Rules\r\n\r\n- Mine.\r\n")
    assert b"- `preferences.coding.style`: Use tabs.\r\n" in file.read_bytes()
    assert filled.export_to("claude-md", file).changed == 0


def test_a_prefix_and_a_size_choose_what_is_written(filled: Repository, tmp_path: Path) -> None:
    filled.agents.pin("project.release.day")
    below = filled.export_to("agents-md", tmp_path / "a.md", prefix="experience")
    little = filled.export_to("agents-md", tmp_path / "b.md", max_chars=420)

    assert below.memories == 2
    assert little.left_out > 0 and little.memories + little.left_out == 4
    assert "project.release.day" in (tmp_path / "b.md").read_text()
    assert len((tmp_path / "b.md").read_text()) <= 420


def test_a_malformed_prefix_is_refused_where_there_is_nothing_to_write_too(
    repository: Repository, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match="not a path"):
        repository.export_to("agents-md", tmp_path / "a.md", prefix="a b")
    assert not (tmp_path / "a.md").exists()


def test_a_prefix_without_a_memory_is_refused(filled: Repository, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no memory at or under experiense"):
        filled.export_to("agents-md", tmp_path / "a.md", prefix="experiense")
    assert not (tmp_path / "a.md").exists()


def test_edits_made_in_the_file_come_back_once(filled: Repository, tmp_path: Path) -> None:
    project = write_files(tmp_path / "project", {"CLAUDE.md": ""})
    file = project / "CLAUDE.md"
    filled.export_to("claude-md", file)
    text = file.read_text().replace("on Fridays", "on Thursdays").replace("It broke again.", "It broke twice.")
    file.write_text(text.replace("<!-- memoir: end", "- I prefer tabs over spaces.\n<!-- memoir: end"))
    with pytest.raises(Conflict, match="was edited"):
        filled.export_to("claude-md", file)

    done = filled.import_from(file, "claude-code")
    count = every(filled)
    assert (done.imported, done.refused) == (3, [])
    again = filled.import_from(file, "claude-code")
    assert (again.imported, again.unchanged, again.commit) == (0, again.read, None)
    assert contents(filled, "project.release.day") == ["Releases are cut on Thursdays."]
    assert contents(filled, "experience.incidents.build") == ["The build broke on a cold cache.", "It broke twice."]

    for _ in range(2):
        filled.export_to("claude-md", file)
        assert filled.import_from(file, "claude-code").imported == 0
    assert every(filled) == count
    assert file.read_text().count("I prefer tabs over spaces.") == 1


def test_a_change_in_the_store_is_not_taken_back_by_an_old_section(filled: Repository, tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    filled.export_to("claude-md", file)
    filled.edit("project.release.day", lambda record: [record[0]._replace(content="Releases are cut daily.")])
    filled.forget("preferences.coding.testing")

    assert filled.import_from(file, "claude-code").imported == 0
    assert contents(filled, "project.release.day") == ["Releases are cut daily."]
    filled.export_to("claude-md", file)
    assert "pytest" not in file.read_text()


@pytest.mark.parametrize("kind", ["agents-md", "obsidian"])
def test_a_new_store_takes_in_what_memoir_wrote_and_others_count_it(
    filled: Repository, tmp_path: Path, kind: str
) -> None:
    place = tmp_path / "AGENTS.md"
    written = filled.export_to(kind, place).memories

    old = filled.import_from(place, kind)
    with Repository.init(tmp_path / "new") as new:
        first, again = (new.import_from(place, kind) for _ in range(2))
        there = [each.path for each in new.keys()]  # noqa: SIM118

        assert (old.read, old.unchanged, first.imported, again.unchanged) == (written,) * 4 == (4,) * 4
        assert len(there) == 3
        assert [contents(new, key) for key in there] == [contents(filled, key) for key in there]
        assert again.absent == 0
        new.forget("project.release.day")
        after = new.import_from(place, kind)
        assert (after.imported, after.unchanged, after.absent) == (0, 4, 1)


@pytest.mark.parametrize("kind", ["agents-md", "obsidian"])
def test_a_store_that_is_in_use_says_what_it_does_not_take_over_from_another(
    filled: Repository, tmp_path: Path, kind: str
) -> None:
    place = tmp_path / "AGENTS.md"
    filled.export_to(kind, place)
    with Repository.init(tmp_path / "other") as other:
        other.remember("Releases are cut on Mondays.", "project.release.day")
        done = other.import_from(place, kind)

    assert (done.imported, done.unchanged, done.absent) == (0, 4, 3)


def test_a_note_for_a_path_that_is_none_is_refused_and_the_others_come(filled: Repository, tmp_path: Path) -> None:
    """Whoever can compute its digest can write one, such as into a project that is cloned."""
    code = SectionPoint(0, "no..path", "Mine.").code
    front = f'---\nmemoir: "no..path"\nmemoir_code: "{code}"\n---\n'
    notes = write_files(tmp_path / "notes", {"a.md": f"{front}Mine.\n", "b.md": "# Tea\n\nAda likes tea.\n"})
    (notes / ".obsidian").mkdir()

    done = filled.import_from(notes, "obsidian")

    assert [each.where for each in done.refused] == ["a.md"] and done.imported == 1


def test_an_edit_of_one_of_several_that_is_gone_here_joins_the_others(filled: Repository, tmp_path: Path) -> None:
    file, key = tmp_path / "AGENTS.md", "experience.incidents.build"
    filled.export_to("agents-md", file)
    file.write_text(file.read_text().replace("It broke again.", "It broke twice."))
    filled.forget(f"{key}#{ids_of(filled.get(key) or ())[1]}")

    assert [filled.import_from(file, "agents-md").imported for _ in range(2)] == [1, 0]
    assert contents(filled, key) == ["The build broke on a cold cache.", "It broke twice."]


def test_what_a_tool_has_itself_is_not_given_back_to_it(filled: Repository, tmp_path: Path) -> None:
    memory = write_files(tmp_path / "memory", {"MEMORY.md": "", "tea.md": "---\ntype: user\n---\nAda likes tea.\n"})
    filled.import_from(memory, "claude-code")
    filled.export_to("claude-code", memory)
    filled.export_to("agents-md", tmp_path / "AGENTS.md")

    assert "likes tea" not in (memory / "MEMORY.md").read_text()
    assert "likes tea" in (tmp_path / "AGENTS.md").read_text()


def test_memory_md_and_the_store_are_kept_in_step(filled: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(Path.cwd() / "claude"))
    folder = memory_folder(filled.path.parent)
    assert filled.agents.keep_in_step() == []

    write_files(folder, {"MEMORY.md": "- [Tea](tea.md) — tea\n", "tea.md": "---\ntype: user\n---\nAda likes tea.\n"})
    filled.agents.keep_in_step()
    text = (folder / "MEMORY.md").read_text()
    assert text.startswith("- [Tea](tea.md) — tea\n") and "Use pytest" in text
    assert contents(filled, "profile.tea") == ["Ada likes tea."]

    count = every(filled)
    (folder / "MEMORY.md").write_text(text.replace("on Fridays", "on Mondays"))
    (folder / "tea.md").write_text("---\ntype: user\n---\nAda likes green tea.\n")
    for _ in range(2):
        filled.agents.keep_in_step()
    assert contents(filled, "project.release.day") == ["Releases are cut on Mondays."]
    assert contents(filled, "profile.tea") == ["Ada likes green tea."]
    assert every(filled) == count + 2  # what was replaced, as superseded


def test_notes_are_a_folder_of_memoirs_own(filled: Repository, tmp_path: Path) -> None:
    vault = write_files(tmp_path / "vault", {".obsidian/app.json": "{}", "Daily.md": "Mine.\n"})
    given = filled.export_to("obsidian", vault)
    note = vault / "memoir" / "project" / "release" / "day.md"

    assert (given.path, given.memories, note.read_text().splitlines()[-1]) == (
        vault / "memoir",
        4,
        "Releases are cut on Fridays.",
    )
    note.write_text(note.read_text().replace("Fridays", "Mondays"))
    with pytest.raises(Conflict, match="was edited"):
        filled.export_to("obsidian", vault)
    filled.import_from(vault, "obsidian")
    assert contents(filled, "project.release.day") == ["Releases are cut on Mondays."]

    filled.forget("preferences.coding.testing")
    filled.export_to("obsidian", vault)
    assert not (vault / "memoir" / "preferences").exists()
    assert (vault / "Daily.md").read_text() == "Mine.\n"


def test_no_two_keys_share_a_note(repository: Repository, tmp_path: Path) -> None:
    keys = ["user:alice:name", "user-alice:name", "user-alice.name", "profile:name", "profile.name"]
    for key in keys:
        repository.remember(f"the text of {key}", key)
    folder = tmp_path / "notes"
    given = repository.export_to("obsidian", folder, namespaces=["default", "user:alice", "user-alice", "profile"])

    assert given.memories == given.changed == len(list(folder.rglob("*.md"))) == len(keys)
    elsewhere = Repository.init(tmp_path / "elsewhere")
    elsewhere.import_from(folder, "obsidian")
    assert [contents(elsewhere, key) for key in keys] == [[f"the text of {key}"] for key in keys]


def test_a_folder_that_memoir_has_not_made_is_left_alone(filled: Repository, tmp_path: Path) -> None:
    folder = write_files(tmp_path / "notes", {"a.md": "Mine.\n"})
    with pytest.raises(Conflict, match="is not empty"):
        filled.export_to("obsidian", folder)

    vault = write_files(tmp_path / "vault", {"memoir/.memoir-notes": '["../outside.md"]'})
    write_files(tmp_path, {"vault/outside.md": '---\nmemoir: "a.b"\nmemoir_code: "x"\n---\nMine.\n'})
    filled.export_to("obsidian", vault / "memoir", force=True)
    assert (vault / "outside.md").exists()


def test_a_link_of_the_project_does_not_lead_the_section_out(filled: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("Mine.\n")
    (filled.path.parent / "AGENTS.md").symlink_to(outside)

    with pytest.raises(InvalidInput, match="leads out"):
        filled.export_to("agents-md")
    assert outside.read_text() == "Mine.\n"
