"""What every import from another tool keeps to, tried on CLAUDE.md and AGENTS.md."""

import json
from pathlib import Path

import pytest
from formats.samples import contents, write_files
from support import close, commits, write

from memoir.errors import InvalidInput, NotFound
from memoir.formats.bring import ForeignImport
from memoir.memory.write_options import WriteOptions
from memoir.records.record import MAX_ACTIVE, Memory, encode
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import Address

RULES = """\
# Shop

## Testing

- Run make check before a push.
- Use pytest, not unittest.

## Code style

Functions are short.
"""
TOKEN = "gh" + "p_" + "Zk3vQ9xT7mB1rL5wN8yC2hJ6dF4gS0aE" + "pU1k"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_files(tmp_path / "other", {"CLAUDE.md": RULES})


def bring(repository: Repository, project: Path, kind: str = "claude-code", **fields: object) -> ForeignImport:
    done = repository.import_from(project, kind, **fields)  # type: ignore[arg-type]
    assert done.read == done.imported + done.unchanged + len(done.refused)
    return done


def test_headings_are_paths_and_points_are_memories(repository: Repository, project: Path) -> None:
    done = bring(repository, project)

    assert (done.read, done.imported, done.reason) == (3, 3, None)
    assert contents(repository, "project.testing") == ["Run make check before a push.", "Use pytest, not unittest."]
    assert contents(repository, "project.code_style") == ["Functions are short."]
    assert done.targets == {"project.code_style": 1, "project.testing": 2}


def test_claude_md_is_read_by_the_name_by_which_it_is_written(repository: Repository, project: Path) -> None:
    assert bring(repository, project, "claude-md").imported == bring(repository, project).unchanged == 3


def test_a_tool_that_is_no_kind_has_its_kind_in_the_hint(repository: Repository, project: Path) -> None:
    hints = {"cursor": "--from agents-md reads", "chatgpt": "--from chatgpt-export reads", "x": "there are: "}
    for name, hint in hints.items():
        with pytest.raises(InvalidInput, match=f"no kind named '{name}'") as refused:
            repository.import_from(project, name)
        assert str(refused.value.hint).startswith(hint)


def test_a_second_import_changes_nothing(repository: Repository, project: Path) -> None:
    bring(repository, project)
    again = bring(repository, project)

    assert (again.imported, again.unchanged, again.commit) == (0, 3, None)


def test_an_import_is_one_commit_that_one_undo_takes_back(repository: Repository, project: Path) -> None:
    repository.remember("Use tabs.", "preferences.style")
    before = repository.store.head().commit
    done = bring(repository, project)

    assert done.commit and before and done.commit.parents == (before.id,)
    repository.undo()
    assert repository.store.head().commit == before


def test_an_edited_point_takes_the_place_of_its_earlier_form(repository: Repository, project: Path) -> None:
    bring(repository, project)
    write_files(project, {"CLAUDE.md": RULES.replace("before a push", "before each push")})
    done = bring(repository, project)

    assert (done.imported, done.unchanged, done.gone) == (1, 2, 0)
    assert sorted(contents(repository, "project.testing")) == [
        "Run make check before each push.",
        "Use pytest, not unittest.",
    ]


def test_a_memory_that_was_moved_here_is_updated_where_it_is(repository: Repository, project: Path) -> None:
    bring(repository, project)
    repository.move("project.code_style", "preferences.coding.style")
    write_files(project, {"CLAUDE.md": RULES.replace("are short", "are very short")})
    bring(repository, project)

    assert contents(repository, "preferences.coding.style") == ["Functions are very short."]
    assert repository.get("project.code_style") is None


def test_an_edit_made_here_stays_as_long_as_the_source_says_the_same(repository: Repository, tmp_path: Path) -> None:
    memory = write_files(tmp_path / "memory", {"MEMORY.md": "", "style.md": "Functions are short.\n"})
    bring(repository, memory)
    repository.edit("project.style", lambda record: [record[0]._replace(content="Functions have 10 lines.")])
    assert bring(repository, memory).imported == 0
    assert contents(repository, "project.style") == ["Functions have 10 lines."]

    write_files(memory, {"style.md": "Functions are tiny.\n"})
    bring(repository, memory)
    record = repository.get("project.style")

    assert record and [memory.content for memory in record if not memory.active] == ["Functions have 10 lines."]
    assert contents(repository, "project.style") == ["Functions are tiny."]


def test_what_is_gone_from_the_source_stays_and_is_counted(repository: Repository, project: Path) -> None:
    bring(repository, project)
    write_files(project, {"CLAUDE.md": RULES.replace("- Use pytest, not unittest.\n", "")})
    done = bring(repository, project)

    assert (done.gone, done.unchanged) == (1, 2)
    (key,) = done.gone_keys
    assert contents(repository, key) == ["Use pytest, not unittest."]
    assert "Use pytest, not unittest." in contents(repository, "project.testing")


def test_a_source_of_one_namespace_does_not_touch_what_another_one_has_imported(
    repository: Repository, project: Path, tmp_path: Path
) -> None:
    other = write_files(tmp_path / "bob", {"CLAUDE.md": RULES.replace("are short", "are long")})
    bring(repository, project, namespace="user:ada")
    done = bring(repository, other, namespace="user:bob")

    assert (done.imported, done.gone) == (3, 0)
    assert contents(repository, "user:ada:project.code_style") == ["Functions are short."]
    assert contents(repository, "user:bob:project.code_style") == ["Functions are long."]


def test_a_note_whose_file_has_another_name_now_does_not_come_twice(repository: Repository, tmp_path: Path) -> None:
    vault = write_files(tmp_path / "vault", {".obsidian/app.json": "{}", "Cakes.md": "Bake for an hour."})
    bring(repository, vault, "obsidian")
    (vault / "Cakes.md").rename(vault / "Recipes.md")
    assert bring(repository, vault, "obsidian").imported == 1
    assert (repository.get("recipes"), contents(repository, "cakes")) == (None, ["Bake for an hour."])

    write_files(vault, {"Recipes.md": "Bake for two hours."})
    bring(repository, vault, "obsidian")
    assert contents(repository, "cakes") == ["Bake for two hours."]


def test_a_copy_of_a_note_that_is_still_there_is_a_note_of_its_own(repository: Repository, tmp_path: Path) -> None:
    vault = write_files(tmp_path / "vault", {".obsidian/app.json": "{}", "Cakes.md": "Bake for an hour."})
    bring(repository, vault, "obsidian")
    write_files(vault, {"Recipes.md": "Bake for an hour."})
    bring(repository, vault, "obsidian")

    assert contents(repository, "recipes") == contents(repository, "cakes") == ["Bake for an hour."]


def test_a_note_that_is_read_alone_takes_no_place_of_another(repository: Repository, tmp_path: Path) -> None:
    vault = write_files(tmp_path / "vault", dict.fromkeys(("Cakes.md", "Recipes.md"), "Bake for an hour."))
    for name in ("Cakes.md", "Recipes.md"):
        bring(repository, vault / name, "obsidian")

    assert contents(repository, "recipes") == contents(repository, "cakes") == ["Bake for an hour."]


def test_a_place_of_several_kinds_is_read_as_one_and_the_others_are_named(
    repository: Repository, project: Path
) -> None:
    write_files(project, {"AGENTS.md": RULES})
    done = bring(repository, project, "auto")

    assert done.kind == "claude-code"
    assert done.reason == "it has CLAUDE.md; what else is there comes with --from agents-md"


def test_a_file_that_two_kinds_read_comes_once(repository: Repository, tmp_path: Path) -> None:
    project = write_files(tmp_path / "other", {"AGENTS.md": RULES, "CLAUDE.md": "@AGENTS.md\n"})
    assert bring(repository, project).imported == 3

    assert bring(repository, project, "agents-md").unchanged == 3
    assert len(contents(repository, "project.testing")) == 2


def test_a_credential_refuses_its_own_record_alone(repository: Repository, project: Path, tmp_path: Path) -> None:
    write_files(project, {"CLAUDE.md": RULES + f"\n- The token is {TOKEN}.\n- Say <private>no</private>.\n"})
    report = tmp_path / "refused.jsonl"
    done = bring(repository, project, report=str(report))

    assert (done.imported, [each.where for each in done.refused]) == (3, ["CLAUDE.md:13", "CLAUDE.md:12"])
    assert [json.loads(line)["where"] for line in report.read_text().splitlines()] == ["CLAUDE.md:13", "CLAUDE.md:12"]
    assert TOKEN not in report.read_text()


def test_a_credential_is_stored_if_that_is_allowed(repository: Repository, project: Path) -> None:
    write_files(project, {"CLAUDE.md": f"## Access\n\n- The token is {TOKEN}.\n"})

    with pytest.raises(InvalidInput, match=r"^nothing could be imported: CLAUDE\.md:3: "):
        repository.import_from(project, "claude-code")
    assert bring(repository, project, options=WriteOptions(allow_secrets=True)).imported == 1


def test_a_dry_run_says_where_it_would_go_and_writes_nothing(repository: Repository, project: Path) -> None:
    done = bring(repository, project, options=WriteOptions(dry_run=True))

    assert (done.commit, done.imported, sum(done.targets.values())) == (None, 3, 3)
    assert repository.store.head().commit is None


def test_a_point_without_a_heading_is_filed(repository: Repository, tmp_path: Path) -> None:
    project = write_files(tmp_path / "other", {"AGENTS.md": "- I prefer tabs over spaces.\n"})
    done = bring(repository, project, "agents-md")
    (key,) = done.targets

    assert key.startswith("preferences.")
    assert bring(repository, project, "agents-md").imported == 0


def test_the_kind_is_recognized_by_content_and_says_why(repository: Repository, project: Path, tmp_path: Path) -> None:
    assert (bring(repository, project, "auto").kind, bring(repository, project, "auto").reason) == (
        "claude-code",
        "it has CLAUDE.md",
    )
    with pytest.raises(InvalidInput, match="of no kind"):
        repository.import_from(write_files(tmp_path / "none", {"a.txt": "x"}))
    with pytest.raises(NotFound):
        repository.import_from(tmp_path / "nowhere")


def test_more_than_a_path_may_hold_is_refused_and_named(repository: Repository, tmp_path: Path) -> None:
    full = encode([Memory.of(f"Note {number}.") for number in range(MAX_ACTIVE - 1)])
    write(repository.store, {Address("default", "project.all").key.decode(): full.decode()})
    points = "- The first point.\n- The second.\n- The third.\n"
    done = bring(repository, write_files(tmp_path / "other", {"AGENTS.md": f"## All\n\n{points}"}), "agents-md")

    assert (done.imported, len(done.refused)) == (1, 2)
    assert "1000 active memories at most" in done.refused[0].message
    assert commits(repository.store) == 2


def test_a_conversation_is_one_whatever_its_id_ends_in(repository: Repository, tmp_path: Path) -> None:
    said = {"sender": "human", "text": "Name a port.", "created_at": "2026-03-01T10:00:00+02:00"}
    talk = json.dumps([{"uuid": "ports.md", "name": "Ports", "chat_messages": [said]}])
    write_files(tmp_path / "export", {"conversations.json": talk})

    assert bring(repository, tmp_path / "export", "claude-export").talks == 1
    (source,) = repository.sources.list()
    (passage,) = repository.get_many([f"default:raw:sources.{source.name}.0001#p1"])
    assert source.kind == "conversation"
    assert [(each.content, each.timestamp) for each in passage.record or ()] == [
        ("human (2026-03-01): Name a port.", "2026-03-01T08:00:00Z")
    ]


def test_a_folder_that_cannot_be_looked_into_is_named(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "vault", {"open.md": "We sell tea.", "closed/note.md": "We buy tea."})
    close(tmp_path / "vault/closed", monkeypatch)

    done = bring(repository, tmp_path / "vault", "obsidian")

    assert (done.read, done.imported) == (2, 1)
    assert [each.where for each in done.refused] == ["closed"]


def test_a_note_whose_name_is_not_utf_8_is_refused_for_that(repository: Repository, tmp_path: Path) -> None:
    write_files(tmp_path / "vault", {"caf\udcff.md": "We sell tea.", "café.md": "We buy tea."})

    done = bring(repository, tmp_path / "vault", "obsidian")

    assert done.imported == 1
    assert [each.message for each in done.refused] == ["its name is not UTF-8: rename it"]
