"""Every kind of tool, by its sample: what comes in, that nothing comes twice, and that no input breaks a reader."""

import json
import random
import re
import shutil
import sqlite3
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from formats.samples import SAMPLES, contents, memfs, memoir_ai
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orjson import dumps
from support import PROJECT, examples, git

from memoir.errors import InvalidInput, MemoirError
from memoir.formats.bring import ForeignImport
from memoir.formats.found import Found, Place, Refused, Talk
from memoir.formats.kinds import KINDS, choose
from memoir.repository.repository import Repository

EXPECTED = {
    "memoir-ai": (9, 0, 0),
    "letta": (2, 1, 0),
    "claude-mem": (3, 1, 1),
    "mem0": (5, 0, 0),
    "beads": (2, 0, 2),
    "mcp-memory": (6, 0, 0),
    "chatgpt-export": (3, 1, 1),
    "claude-export": (5, 1, 1),
    "claude-code": (3, 0, 0),
    "obsidian": (2, 0, 0),
    "basic-memory": (6, 0, 0),
    "agents-md": (2, 0, 0),
}
"""How many memories, conversations and bad records the sample of each kind has."""


def test_every_kind_has_a_row_in_the_docs() -> None:
    rows = re.findall(r"^\| `([a-z][\w-]+)` \|", (PROJECT / "docs/import.md").read_text("utf-8"), re.MULTILINE)

    assert rows[: len(KINDS)] == [*KINDS]


def bring(repository: Repository, path: Path, kind: str) -> ForeignImport:
    done = repository.import_from(path, kind)
    assert done.read == done.imported + done.unchanged + len(done.refused)
    return done


def versions(repository: Repository, key: str) -> list[tuple[str, str, str]]:
    return [
        (each.commit.author.name, each.operation, each.record[-1].content if each.record else "")
        for each in repository.blame(key)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_recognized_and_read_whole(kind: str, tmp_path: Path) -> None:
    place = Place(SAMPLES[kind](tmp_path))
    found = Counter(type(each) for each in KINDS[kind].read(place))

    assert choose("auto", place)[0].name == kind
    assert (found[Found], found[Talk], found[Refused]) == EXPECTED[kind]


def test_a_place_of_no_kind_is_answered_with_what_reads_it(tmp_path: Path) -> None:
    (tmp_path / "all.jsonl").write_text('{"path": "a.b", "content": "x"}\n')

    with pytest.raises(InvalidInput, match="of no kind") as error:
        choose("auto", Place(tmp_path / "all.jsonl"))

    assert error.value.hint and "'memoir import FILE' reads what 'memoir export' wrote" in error.value.hint


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_comes_twice_and_one_undo_takes_all(kind: str, repository: Repository, tmp_path: Path) -> None:
    path = SAMPLES[kind](tmp_path)
    repository.remember("Use tabs.", "preferences.style")
    before = repository.store.head().commit
    first, again = bring(repository, path, kind), bring(repository, path, kind)

    memories, talks, refused = EXPECTED[kind]
    assert (first.imported, len(first.refused)) == (memories + talks, refused)
    assert (again.imported, again.commit, len(again.refused)) == (0, None, refused)
    repository.undo()
    assert repository.store.head().commit == before


def test_an_empty_store_gets_a_history_too(repository: Repository, tmp_path: Path) -> None:
    bring(repository, SAMPLES["mem0"](tmp_path), "mem0")
    assert repository.count() == 2

    repository.undo()
    assert repository.count() == 0


def test_the_history_of_mem0_is_in_blame(repository: Repository, tmp_path: Path) -> None:
    done = bring(repository, SAMPLES["mem0"](tmp_path), "mem0")
    key = next(key for key in done.targets if "Likes green tea in the morning" in contents(repository, key))

    assert [each[2] for each in versions(repository, key)] == ["Likes green tea in the morning", "Likes tea"]
    deleted = versions(repository, "mem0.deleted.22222222")
    assert [each[:2] for each in deleted] == [("mem0", "removed"), ("mem0", "added")]
    assert str(repository.blame(key)[0].record[-1].timestamp) == "2026-03-04T09:00:00Z"  # type: ignore[index]


@pytest.mark.parametrize("backend", ["file", "git"])
def test_a_store_of_memoir_ai_comes_with_keys_status_and_commits(
    backend: str, repository: Repository, tmp_path: Path
) -> None:
    bring(repository, memoir_ai(tmp_path, backend), "memoir-ai")

    assert contents(repository, "project.release.day") == ["Releases are cut on Fridays."]
    assert contents(repository, "team:routine.meetings.daily") == ["The team meets at nine."]
    assert len(contents(repository, "experience.incidents.build")) == 2
    assert repository.get("context.current.note") is None
    assert [each[:2] for each in versions(repository, "context.current.note")] == [
        ("Ada Lund", "removed"),
        ("Ada Lund", "added"),
    ]


def test_a_value_is_not_taken_for_the_hash_of_a_node(tmp_path: Path) -> None:
    place = memoir_ai(tmp_path)
    for node in (place / ".git" / "prolly" / "nodes" / "files").iterdir():
        node.write_bytes(node.read_bytes().replace(b"}\0\1", b"}\0\0"))

    found = list(KINDS["memoir-ai"].read(Place(place)))

    assert {each.message if isinstance(each, Refused) else "" for each in found} == {
        "a node of its tree contains an invalid hash"
    }


def test_a_number_is_not_taken_for_the_hash_of_a_root(tmp_path: Path) -> None:
    place = memoir_ai(tmp_path)
    (config,) = (place / "data").glob("prolly_config_tree_config")
    config.write_text('{"root_hash": 32}')
    git("-c", "user.name=Ada Lund", "-c", "user.email=ada@example.com", "commit", "-aqm", "damage", cwd=place)

    refused = [each for each in KINDS["memoir-ai"].read(Place(place)) if isinstance(each, Refused)]

    assert [each.message for each in refused] == ["data/prolly_config_tree_config is malformed"]


def test_the_history_of_memfs_is_in_blame(repository: Repository, tmp_path: Path) -> None:
    path = memfs(tmp_path / "memory")
    bring(repository, path, "letta")

    assert versions(repository, "system.human") == [
        ("Ada Lund", "modified", "Ada likes green tea."),
        ("Ada Lund", "added", "Ada likes tea."),
    ]
    assert [each[1] for each in versions(repository, "reference.old")] == ["removed", "added"]
    assert bring(repository, path, "letta").imported == 0


def test_conversations_are_sources(repository: Repository, tmp_path: Path) -> None:
    bring(repository, SAMPLES["chatgpt-export"](tmp_path), "chatgpt-export")
    (source,) = repository.sources.list()

    assert (source.kind, source.origin) == ("conversation", "chatgpt-export/c-1")


def _files(path: Path) -> list[Path]:
    every = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sorted(each for each in every if "objects" not in each.parts)


def _fresh(kind: str, folder: Path) -> Path:
    """The sample of a kind as it was made for the first example, in the place of what the one before has changed."""
    made, used = folder / "made", folder / "used"
    if not made.exists():
        made.mkdir()
        (folder / "place").write_text(str(SAMPLES[kind](made).relative_to(made)))
    shutil.rmtree(used, ignore_errors=True)
    place = (folder / "place").read_text()
    if (made / place).is_dir():
        return Path(shutil.copytree(made / place, used / place))
    used.mkdir()
    return Path(shutil.copy(made / place, used / place))


def _mutate(data: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(5):
            case 0:
                changed[at:at] = chance.choice(
                    [b"\n", b"\xff", b"\0", b"null", b"{", b'"', b"---\n", b"1e999", b"[" * 600]
                )
            case 1:
                del changed[at : at + chance.randrange(40)]
            case 2 if changed:
                changed[at - 1] = chance.randrange(256)
            case 3:
                changed[at:at] = changed[: chance.randrange(200)]
            case _:
                del changed[at:]
    return bytes(changed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
def test_a_changed_sample_breaks_no_reader(kind: str, seed: int, tmp_path: Path) -> None:
    path = _fresh(kind, tmp_path)
    files = _files(path)
    for file in random.Random(seed).sample(files, min(2, len(files))):
        file.write_bytes(_mutate(file.read_bytes(), seed))
    with suppress(MemoirError):
        place = Place(path)
        for each in KINDS.values():
            each.recognize(place)
        for found in KINDS[kind].read(place):
            assert isinstance(found, Found | Talk | Refused)


@pytest.mark.parametrize("kind", ["mcp-memory", "beads"])
@given(line=st.binary(max_size=60).filter(lambda line: b"\n" not in line and b"\r" not in line))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
def test_a_bad_line_harms_no_other(kind: str, line: bytes, tmp_path: Path) -> None:
    path = _fresh(kind, tmp_path)
    (file,) = _files(path)
    good = {each.content for each in KINDS[kind].read(Place(path)) if isinstance(each, Found)}
    first, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(first + b"\n" + line + b"\n" + rest)

    assert good <= {each.content for each in KINDS[kind].read(Place(path)) if isinstance(each, Found)}


def test_what_is_no_text_in_a_database_harms_its_own_record_alone(repository: Repository, tmp_path: Path) -> None:
    path = SAMPLES["claude-mem"](tmp_path)
    database = sqlite3.connect(path)
    database.execute("UPDATE observations SET title = CAST(x'ff66' AS TEXT), type = 'bugfix' WHERE id = 1")
    database.commit()
    database.close()
    done = bring(repository, path, "claude-mem")

    assert (done.imported, [each.where for each in done.refused]) == (
        3,
        ["claude-mem.db: observation 2", "claude-mem.db: observation 1"],
    )


def test_an_export_of_mem0_without_any_block_has_nothing(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "export.md").write_text("# Nothing\n\n---\n")

    assert bring(repository, tmp_path / "export.md", "mem0").read == 0


def test_a_hyphen_line_within_a_block_of_mem0_does_not_end_it(repository: Repository, tmp_path: Path) -> None:
    text = "---\nid: x1\nconfidence: 0.9\n---\nLikes tea\n---\nand rest\n---\nid: x2\nconfidence: 1\n---\nLikes rye\n"
    (tmp_path / "export.md").write_text(text)
    bring(repository, tmp_path / "export.md", "mem0")
    words = [line for line in repository.export_lines() if b"Likes tea\\n---\\nand rest" in line]

    assert len(words) == 1 and b'"confidence":0.9' in words[0]


def test_of_several_users_of_mem0_each_has_a_namespace(repository: Repository, tmp_path: Path) -> None:
    rows = [
        {"id": "1", "memory": "Likes window seats", "user_id": "ada"},
        {"id": "2", "memory": "Likes aisle seats", "user_id": "ben@x.org"},
        {"id": "3", "memory": "Is a vegetarian", "user_id": "ada"},
        {"id": "4", "memory": "The office is in Bonn", "agent_id": "desk"},
    ]
    file = tmp_path / "export.json"
    file.write_bytes(dumps({"results": rows}))

    done, again = bring(repository, file, "mem0"), bring(repository, file, "mem0")

    assert sorted((key.namespace, repository.content(key.full_key)) for key in [*repository.keys()]) == [
        ("default", "The office is in Bonn"),
        ("user:ada", "Is a vegetarian"),
        ("user:ada", "Likes window seats"),
        ("user:ben@x_2e_org", "Likes aisle seats"),
    ]
    assert (done.imported, again.imported, again.unchanged) == (4, 0, 4)


def test_the_one_user_of_an_export_of_mem0_is_in_the_namespace_of_the_import(
    repository: Repository, tmp_path: Path
) -> None:
    file = tmp_path / "export.json"
    file.write_bytes(dumps([{"id": f"{at}", "memory": f"Likes tea {at}", "user_id": "ada"} for at in range(3)]))

    bring(repository, file, "mem0")

    assert {key.namespace for key in [*repository.keys()]} == {"default"}


def test_a_user_of_mem0_whose_name_is_too_long_for_a_namespace_is_refused_alone(
    repository: Repository, tmp_path: Path
) -> None:
    users = {"ada": "Likes tea", "u" * 300: "Likes milk", "bob": "Likes oil"}
    rows = [{"id": user, "memory": text, "user_id": user, "hash": "x"} for user, text in users.items()]
    (tmp_path / "export.json").write_text(json.dumps({"results": rows}))

    done = bring(repository, tmp_path / "export.json", "mem0")

    assert (done.read, done.imported) == (3, 2)
    assert [each.where for each in done.refused] == ["export.json[2]"]
