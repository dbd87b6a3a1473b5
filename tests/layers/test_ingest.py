"""Ingesting a source: one commit, and only what changed when it is ingested again."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import close, examples

from memoir.errors import InvalidInput, NotFound
from memoir.layers.segments import between, is_number, read_records, read_segments, value
from memoir.memory.layer_namespaces import layers
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.ancestry import count_commits
from memoir.store.store import Store

SECTIONS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8)


def document(names: list[str]) -> str:
    return "".join(f"# {name}\n\nThe text of {name}.\n\n" for name in names)


def segments(repository: Repository, name: str = "notes") -> dict[str, str]:
    memories = read_segments(repository.store.head(), "default", name)
    return {number: memory.content for number, memory in memories.items()}


def commits(repository: Repository) -> int:
    head = repository.store.head().commit
    return count_commits(repository.store, head.id) if head else 0


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(SECTIONS, min_size=2, max_size=4))
def test_a_source_is_what_was_ingested_last_and_only_changes_are_written(
    store: Store, versions: list[list[str]]
) -> None:
    repository = Repository(store)
    for names in versions:
        before = segments(repository)
        done = repository.sources.ingest_text(document(names), name="notes").sources[0]
        after = segments(repository)
        keys = {f"default:raw:sources.notes.{n}" for n, text in after.items() if before.get(n) != text}

        assert "".join(after.values()) == document(names)
        assert done.segments.total == len(after)
        assert (done.commit is None) == (before == after)
        if done.commit and done.commit.changes:
            put = {key.decode().replace("=", ":") for key in done.commit.changes.put}
            assert {key for key in put if "sources" in key} == keys
        assert repository.sources.ingest_text(document(names), name="notes").sources[0].commit is None


def test_a_section_put_between_others_moves_none_of_them(store: Store) -> None:
    repository = Repository(store)
    repository.sources.ingest_text(document(["a", "b", "c"]), name="notes")

    done = repository.sources.ingest_text(document(["a", "x", "b"]), name="notes").sources[0]

    assert {number: text[2] for number, text in segments(repository).items()} == {
        "0001": "a",
        "0001-5": "x",
        "0002": "b",
    }
    assert str(done.segments) == "1 added, 1 removed"


@pytest.mark.parametrize("names", ["ac", "ab"])
def test_of_two_versions_that_a_merge_brought_together_the_next_ingestion_leaves_the_one_there_is(
    store: Store, names: str
) -> None:
    repository = Repository(store)
    repository.sources.ingest_text(document(["a", "x"]), name="notes")
    repository.branches.create("other")
    repository.sources.ingest_text(document(["a", "b"]), name="notes")
    repository.sources.ingest_text(document(["a", "c"]), name="notes", options=WriteOptions(branch="other"))
    repository.merge("other", strategy="theirs")
    assert len(read_records(store.head(), "default", "notes")["0002"]) == 2

    repository.sources.ingest_text(document(list(names)), name="notes")

    records = read_records(store.head(), "default", "notes").values()
    assert [[each.content for each in record] for record in records] == [[document([name])] for name in names]


def test_the_status_counts_segments_apart(store: Store) -> None:
    repository = Repository(store)
    repository.remember(Memory.of("mine"), "a.b")
    repository.sources.ingest_text(document(["a", "b"]), name="notes")

    status = repository.status()

    assert (status.memories, status.namespaces) == (1, {"default:raw": 2, "default": 1})


def test_undo_takes_an_ingestion_back_with_its_layer(store: Store) -> None:
    repository = Repository(store)
    repository.remember(Memory.of("mine"), "a.b")
    before = store.head().stored_root
    repository.sources.ingest_text(document(["a"]), name="notes")
    assert layers(store.head()) == {"default:raw"}

    repository.undo()

    assert store.head().stored_root == before


def test_a_conversation_keeps_its_speakers_times_and_words(store: Store) -> None:
    repository = Repository(store)
    rows = [{"speaker": name, "content": "Hi.", "timestamp": "2026-01-31T09:30:00Z"} for name in ("Ada", "Ben")]

    repository.sources.ingest_text("".join(json.dumps(row) + "\n" for row in rows), name="chat")

    (segment,) = read_segments(store.head(), "default", "chat").values()
    assert (segment.content, segment.timestamp) == ("Ada: Hi.\nBen: Hi.\n", "2026-01-31T09:30:00Z")
    assert segment.metadata["speakers"] == ["Ada", "Ben"]
    assert segment.metadata["caption"] == "Ada and Ben, 31 January 2026: Hi."


@pytest.mark.parametrize("start", ["ghp_", "ghp\\_", "ghp&#95;"])
@pytest.mark.parametrize("form", ["document", "conversation"])
def test_a_credential_is_struck_out_named_and_counted(store: Store, form: str, start: str) -> None:
    repository = Repository(store)
    secret = start + "a1B2" * 9
    text = f"# Guide\n\nThe token is {secret}.\n"
    if form == "conversation":
        text = json.dumps({"role": "user", "content": "Hi."}) + "\n" + json.dumps({"role": "user", "content": secret})

    done = repository.sources.ingest_text(text, name="notes").sources[0]
    other = repository.sources.ingest_text(text, name="kept", options=WriteOptions(allow_secrets=True)).sources[0]

    assert secret not in "".join(segments(repository).values()) and "…" in "".join(segments(repository).values())
    assert [finding.line for finding in done.findings] == [3 if form == "document" else 2]
    assert "a1B2" not in "".join(segments(repository).values())
    assert secret in "".join(segments(repository, "kept").values()) and not other.findings


def test_a_folder_is_ingested_file_by_file(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    repository, folder = Repository(store), tmp_path_factory.mktemp("docs")
    for name, text in {"a.md": "# A\n\nOne.\n", "b/a.md": "Two.\n", ".hidden.md": "x", "pic.png": "x"}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "latin.txt").write_bytes(b"caf\xe9")

    first = repository.sources.ingest(folder)
    (folder / "b/a.md").unlink()
    second = repository.sources.ingest(folder)

    assert [source.origin for source in first.sources] == [f"{folder.name}/a.md", f"{folder.name}/b/a.md"]
    assert [each.origin for each in first.skipped] == [f"{folder.name}/latin.txt"]
    assert commits(repository) == 2
    assert [source.origin for source in second.missing] == [f"{folder.name}/b/a.md"]
    assert not any(source.commit for source in second.sources)


def test_files_of_other_kinds_are_counted_by_their_endings(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.md", "b.csv", "c.CSV", "Makefile", "d.json", ".hidden.csv"):
        (folder / name).write_text("{}")
    (folder / "link.eml").symlink_to(folder / "a.md")

    report = Repository(store).sources.ingest(folder)

    assert report.others == {".csv": 2, "": 1, ".json": 1}


def test_a_file_that_was_named_is_read_with_its_folder_from_then_on(tmp_path: Path) -> None:
    repository, folder = Repository.init(tmp_path), tmp_path / "docs"
    folder.mkdir()
    (folder / "prices.csv").write_text("item,price\ntent,90\n")
    repository.sources.ingest(folder / "prices.csv")
    (folder / "prices.csv").write_text("item,price\ntent,70\n")

    report = repository.sources.ingest(folder)

    assert [source.segments.changed for source in report.sources] == [1]
    assert not report.missing and not report.others


def test_a_source_whose_file_is_there_is_not_missing_though_the_file_is_hidden(tmp_path: Path) -> None:
    repository, folder = Repository.init(tmp_path), tmp_path / "docs"
    folder.mkdir()
    (folder / ".plan.md").write_text("# Plan\n\nText.\n")
    repository.sources.ingest(folder / ".plan.md")

    assert not repository.sources.ingest(folder).missing
    (folder / ".plan.md").unlink()
    assert [source.origin for source in repository.sources.ingest(folder).missing] == ["docs/.plan.md"]


def test_with_prune_what_files_said_that_are_gone_is_forgotten_and_all_else_stays(tmp_path: Path) -> None:
    repository, folder = Repository.init(tmp_path), tmp_path / "docs"
    folder.mkdir()
    for name in ("old", "moved", "kept", "broken"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nThe words of {name}.\n")
    repository.sources.ingest(folder)
    (folder / "old.md").unlink()
    (folder / "moved.md").rename(folder / "new.md")
    (folder / "broken.md").write_bytes(b"\xff\xfe\xfd")
    dry = WriteOptions(dry_run=True)

    named, planned, done = (
        repository.sources.ingest(folder),
        repository.sources.ingest(folder, prune=True, options=dry),
        repository.sources.ingest(folder, prune=True),
    )

    assert [each.name for each in named.missing] == ["docs-old"] and not named.removed
    assert [each.source.name for each in planned.removed] == ["docs-old"] and not planned.removed[0].commit
    assert [each.source.name for each in done.removed] == ["docs-old"] and not done.missing
    assert [each.name for each in repository.sources.list()] == ["docs-broken", "docs-kept", "docs-moved"]
    repository.undo()
    assert "The words of old." in "".join(segments(repository, "docs-old").values())


def test_a_file_alone_cannot_be_pruned_and_is_not_ingested(tmp_path: Path) -> None:
    repository, file = Repository.init(tmp_path), tmp_path / "note.md"
    file.write_text("# Note\n\nSome words.\n")

    with pytest.raises(InvalidInput, match="from a folder"):
        repository.sources.ingest(file, prune=True)

    assert repository.sources.list() == []


def test_an_empty_folder_is_not_pruned_because_perhaps_nothing_is_mounted_there(tmp_path: Path) -> None:
    repository, folder, elsewhere = Repository.init(tmp_path), tmp_path / "docs", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "note.md").write_text("# Note\n\nSome words.\n")
    repository.sources.ingest(folder)
    folder.rename(elsewhere)
    folder.mkdir()

    with pytest.raises(InvalidInput, match="no file at all"):
        repository.sources.ingest(folder, prune=True)

    assert [each.name for each in repository.sources.list()] == ["docs-note"]
    assert [each.name for each in repository.sources.ingest(folder).missing] == ["docs-note"]


def test_two_sources_of_one_name_are_told_apart_by_their_origin(store: Store, tmp_path: Path) -> None:
    repository = Repository(store)
    for name in ("notes.md", "notes.txt"):
        (tmp_path / name).write_text(name)

    for name in ("notes.md", "notes.txt", "notes.txt"):
        repository.sources.ingest(tmp_path / name)

    assert [(each.name[:6], each.origin) for each in repository.sources.list()] == [
        ("notes", "notes.md"),
        ("notes-", "notes.txt"),
    ]


def test_a_source_is_removed_and_can_be_brought_back(store: Store) -> None:
    repository = Repository(store)
    repository.sources.ingest_text(document(["a", "b"]), name="notes")

    done = repository.sources.remove("notes")

    assert done.source.segments == 2
    assert repository.sources.list() == []
    repository.undo()
    assert [source.name for source in repository.sources.list(["default"])] == ["notes"]


def test_a_namespace_of_the_users_own_is_not_taken(store: Store) -> None:
    repository = Repository(store)
    repository.remember(Memory.of("mine"), "default:raw:a.b")

    with pytest.raises(Exception, match="default:raw would be a layer"):
        repository.sources.ingest_text("Text.", name="notes")
    with pytest.raises(InvalidInput, match="blank"):
        repository.sources.ingest_text(" \n", name="notes")


CHAT = [{"role": "user", "content": "Which day?"}, {"role": "assistant", "content": "We deploy on Tuesdays."}]
MORE = {"role": "user", "content": "And who?"}


def chat(folder: Path, name: str, *messages: dict[str, str]) -> Path:
    file = folder / name
    file.write_text("".join(json.dumps(message) + "\n" for message in messages))
    return file


def test_a_session_under_another_name_is_not_stored_again_and_its_new_part_is_added(
    store: Store, tmp_path: Path
) -> None:
    repository = Repository(store)
    repository.sources.ingest(chat(tmp_path, "a.jsonl", *CHAT))

    with pytest.raises(InvalidInput, match="already ingested as a"):
        repository.sources.ingest(chat(tmp_path, "b.jsonl", *CHAT))
    (longer,) = repository.sources.ingest(chat(tmp_path, "c.jsonl", *CHAT, MORE)).sources

    assert (longer.name, longer.repeated, longer.known_as) == ("c", 2, "a")
    assert [*segments(repository, "c").values()] == ["user: And who?\n"]
    assert not repository.sources.ingest(tmp_path / "c.jsonl").sources[0].commit
    (grown,) = repository.sources.ingest(chat(tmp_path, "a.jsonl", *CHAT, {**MORE, "content": "Why?"})).sources
    assert (grown.repeated, grown.known_as) == (0, None), "a source is its own when it goes on"
    repository.sources.remove("a")
    assert repository.sources.ingest(tmp_path / "b.jsonl").sources[0].commit


def test_a_forked_session_whose_two_sides_went_on_is_stored_once(store: Store, tmp_path: Path) -> None:
    repository = Repository(store)
    shared = [*CHAT, {"role": "user", "content": "We deploy from the main branch, after the tests. " * 5}]
    one, other = ({**MORE, "content": f"And who {which}?"} for which in ("cooks", "rows"))
    repository.sources.ingest(chat(tmp_path, "a.jsonl", *shared, one))

    (fork,) = repository.sources.ingest(chat(tmp_path, "b.jsonl", *shared, other)).sources

    assert (fork.repeated, fork.known_as) == (3, "a")
    assert [*segments(repository, "b").values()] == ["user: And who rows?\n"]
    for name in ("a.jsonl", "b.jsonl"):
        assert not repository.sources.ingest(tmp_path / name).sources[0].commit


def test_two_chats_that_share_a_greeting_are_two(store: Store, tmp_path: Path) -> None:
    repository = Repository(store)
    repository.sources.ingest(chat(tmp_path, "a.jsonl", *CHAT, MORE))

    (other,) = repository.sources.ingest(chat(tmp_path, "b.jsonl", *CHAT, {**MORE, "content": "Why?"})).sources

    assert (other.repeated, other.known_as) == (0, None)


def test_of_equal_files_in_a_folder_one_is_ingested_and_the_others_are_named(store: Store, tmp_path: Path) -> None:
    repository, folder = Repository(store), tmp_path / "notes"
    folder.mkdir()
    for name in ("one.md", "two.md"):
        (folder / name).write_text("# Guide\n\nText.\n")

    for options in (WriteOptions(dry_run=True), WriteOptions(), WriteOptions()):
        report = repository.sources.ingest(folder, options=options)

        assert len(report.sources) == 1
        assert [each.reason for each in report.skipped] == [f"already ingested as {report.sources[0].name}"]


def test_of_two_equal_files_the_second_takes_the_source_of_the_first_once_that_is_gone(
    store: Store, tmp_path: Path
) -> None:
    repository, folder = Repository(store), tmp_path / "notes"
    folder.mkdir()
    for name in ("one.md", "two.md", "three.md"):
        (folder / name).write_text("# Guide\n\nText.\n")
    (first,) = repository.sources.ingest(folder).sources
    (tmp_path / first.origin).unlink()

    report = repository.sources.ingest(folder)

    (moved,) = report.sources
    assert (moved.name, moved.moved_from) == (first.name, first.origin)
    assert [each.reason for each in report.skipped] == [f"already ingested as {first.name}"]
    assert not report.missing


def test_a_file_takes_the_place_of_no_other_one_that_somebody_named(store: Store, tmp_path: Path) -> None:
    repository = Repository(store)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "guide.md").write_text(f"# Guide {folder}\n\nText of {folder}.\n")
    repository.sources.ingest(tmp_path / "a" / "guide.md", name="first")

    (other,) = repository.sources.ingest(tmp_path / "b" / "guide.md").sources

    assert other.name == "guide"
    assert "Text of a" in "".join(segments(repository, "first").values())


def test_a_file_that_only_begins_as_one_that_is_gone_is_another(store: Store, tmp_path: Path) -> None:
    repository, folder = Repository(store), tmp_path / "notes"
    folder.mkdir()
    (folder / "one.md").write_text("# Guide\n\nText.\n")
    repository.sources.ingest(folder)
    (folder / "one.md").unlink()
    (folder / "two.md").write_text("# Guide\n\nText.\n\nMore.\n")

    report = repository.sources.ingest(folder)

    assert [(each.name, each.moved_from) for each in report.sources] == [("notes-two", None)]
    assert [each.name for each in report.missing] == ["notes-one"]


@pytest.mark.parametrize("before", [None, "what was there\n"])
def test_a_failed_ingest_leaves_the_report_as_it_was(store: Store, tmp_path: Path, before: str | None) -> None:
    report = tmp_path / "reports" / "left.jsonl"
    report.parent.mkdir()
    if before:
        report.write_text(before)

    with pytest.raises(NotFound):
        Repository(store).sources.ingest(tmp_path / "none.md", report=str(report))

    assert [(path, path.read_text()) for path in report.parent.iterdir()] == ([(report, before)] if before else [])


@pytest.mark.parametrize(
    "other",
    [
        [{**CHAT[0], "timestamp": "2026-02-02"}, CHAT[1]],
        [CHAT[0], {**CHAT[1], "content": "On Fridays."}],
        [CHAT[0]],
    ],
    ids=["another day", "another answer", "one line that is said often"],
)
def test_talk_that_only_begins_alike_is_another_session(
    store: Store, tmp_path: Path, other: list[dict[str, str]]
) -> None:
    repository = Repository(store)
    repository.sources.ingest(chat(tmp_path, "a.jsonl", *CHAT))

    (done,) = repository.sources.ingest(chat(tmp_path, "b.jsonl", *other)).sources

    assert done.repeated == 0 and len("".join(segments(repository, "b").values()).splitlines()) == len(other)


def test_numbers_are_whole_where_there_is_room() -> None:
    assert between(value("0"), None, 3) == ["0001", "0002", "0003"]
    assert between(value("0003"), value("0007"), 3) == ["0004", "0005", "0006"]
    assert between(value("0003"), value("0004"), 1) == ["0003-5"]
    assert between(value("9999"), None, 1) == ["10000"]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), max_size=12))
def test_there_is_always_room_and_the_order_holds(insertions: list[tuple[int, int]]) -> None:
    numbers: list[str] = []
    for place, count in insertions:
        at = min(place, len(numbers))
        low = value(numbers[at - 1]) if at else value("0")
        numbers[at:at] = between(low, value(numbers[at]) if at < len(numbers) else None, count)

    assert all(map(is_number, numbers))
    assert sorted(set(map(value, numbers))) == list(map(value, numbers))


def test_what_came_from_a_folder_that_cannot_be_looked_into_is_not_pruned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, folder = Repository.init(tmp_path), tmp_path / "docs"
    for name in ("open", "closed"):
        (folder / name).mkdir(parents=True)
        (folder / name / "note.md").write_text(f"# Note\n\nSome {name} words.\n")
    repository.sources.ingest(folder)
    (folder / "closed/note.md").unlink()  # for all that anybody can see
    close(folder / "closed", monkeypatch)

    done = repository.sources.ingest(folder, prune=True)

    assert [each.origin for each in done.skipped] == ["docs/closed"] and done.is_partial
    assert not done.removed and not done.missing
    assert len(repository.sources.list()) == 2


def test_a_dated_note_and_what_it_says_are_of_its_day(repository: Repository, tmp_path: Path) -> None:
    note = tmp_path / "2025-03-04.md"
    note.write_text("# Notes\n\nWe decided to keep the monorepo.\n")

    items = repository.sources.ingest(note, name="decisions").sources[0].items

    (segment,) = read_segments(repository.store.head(), "default", "decisions").values()
    assert [segment.timestamp[:10], *(item.memory.timestamp[:10] for item in items)] == ["2025-03-04"] * 2


def test_a_document_that_gets_another_date_is_of_that_day_throughout(repository: Repository, tmp_path: Path) -> None:
    note = tmp_path / "minutes.md"
    for head in ("", "---\ndate: 2025-03-04\n---\n", "---\ndate: 2025-05-06\n---\n"):
        note.write_text(f"{head}# Minutes\n\nThe office moves this week.\n")
        repository.sources.ingest(note, name="minutes")

    segments = read_segments(repository.store.head(), "default", "minutes").values()
    assert {each.timestamp[:10] for each in segments} == {"2025-05-06"}
    assert repository.sources.ingest(note, name="minutes").sources[0].segments.unchanged == len(segments)
