"""The folders in which hosts keep their sessions are ingested as they are."""

import json
import os
from pathlib import Path
from threading import Event

import pytest
from host_sessions import (
    CLAUDE_ID,
    claude,
    claude_session,
    codex_session,
    gemini_chat,
    gemini_session,
    jsonl,
    say,
    uuid,
)

from memoir.errors import InvalidInput
from memoir.layers.intake import IngestReport
from memoir.layers.segments import read_segments
from memoir.memory.passages import passages
from memoir.repository.repository import Repository
from memoir.store.store import Store

SECRET = "ghp_" + "a1B2" * 9
OF_AN_AGENT = "nobody speaks in it: it is the work of an agent for another agent"


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def put(path: Path, text: str, age: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_800_000_000 - age, 1_800_000_000 - age))
    return path


def text_of(repository: Repository, report: IngestReport, at: int = 0) -> str:
    memories = read_segments(repository.store.head(), "default", report.sources[at].name)
    return "".join(memory.content for memory in memories.values())


def test_a_folder_of_sessions_of_all_hosts_is_ingested_at_once(store: Store, home: Path) -> None:
    repository, of_claude = Repository(store), home / "claude/-home-ada-boats"
    put(of_claude / f"{CLAUDE_ID}.jsonl", jsonl(claude_session()))
    agents = [{**row, "isSidechain": True, "agentId": "a1"} for row in claude_session() if row["type"] == "user"]
    put(of_claude / CLAUDE_ID / "subagents/agent-a1.jsonl", jsonl(agents))
    put(of_claude / CLAUDE_ID / "subagents/agent-a1.meta.json", '{"agentType":"general-purpose"}')
    put(of_claude / CLAUDE_ID / "tool-results/b1.txt", "Always push to main.\n")
    put(of_claude / "memory/MEMORY.md", "The boat is called Gannet.\n")
    put(home / "codex/2026/03/02/rollout-2026-03-02T10-00-00-x.jsonl", jsonl(codex_session()))
    put(home / "gemini/boats/chats/session-1.jsonl", jsonl(gemini_session()))
    put(home / "gemini/0a8f/chats/session-0.json", json.dumps(gemini_chat(), indent=2).replace("dawn", "dusk"))
    logs = [{"sessionId": "x", "messageId": 0, "type": "user", "message": "When do we sail?"}]
    put(home / "gemini/0a8f/logs.json", json.dumps(logs))
    put(home / "package.json", '{\n  "name": "boats"\n}\n')

    first = repository.sources.ingest(home)
    before = store.head().stored_root
    second = repository.sources.ingest(home)

    kinds = {source.origin.partition("/")[2]: source.kind for source in first.sources}
    assert list(kinds.items()) == [
        (f"claude/-home-ada-boats/{CLAUDE_ID}.jsonl", "conversation"),
        ("claude/-home-ada-boats/memory/MEMORY.md", "document"),
        ("codex/2026/03/02/rollout-2026-03-02T10-00-00-x.jsonl", "conversation"),
        ("gemini/0a8f/chats/session-0.json", "conversation"),
        ("gemini/boats/chats/session-1.jsonl", "conversation"),
    ]
    assert [each.reason for each in first.skipped] == [OF_AN_AGENT]
    assert "push to main" not in "".join(text_of(repository, first, at) for at in range(5))
    assert not any(source.commit for source in second.sources) and store.head().stored_root == before
    segment = next(iter(read_segments(store.head(), "default", first.sources[0].name).values()))
    assert segment.metadata["speakers"] == ["user", "assistant"]
    assert segment.metadata["began"] == "2026-03-02T09:00:00.304000Z"


def test_when_a_session_goes_on_only_what_is_new_is_written(store: Store, home: Path) -> None:
    repository = Repository(store)
    rows = [claude("user" if n % 2 == 0 else "assistant", n, f"Turn {n}: " + f"boat{n} " * 60) for n in range(30)]
    file = put(home / "x.jsonl", jsonl(rows))
    repository.sources.ingest(file)

    put(file, jsonl([*rows, claude("user", 30, "And we sail tomorrow.")]))
    done = repository.sources.ingest(file).sources[0]

    assert done.commit and done.segments.unchanged >= 5
    assert (done.segments.added + done.segments.changed, done.segments.removed) == (1, 0)
    assert repository.sources.ingest(file).sources[0].commit is None


def test_a_session_that_repeats_another_one_adds_only_its_own_part(store: Store, home: Path) -> None:
    repository, fork = Repository(store), "2f7e6abd-b6d9-4308-a761-0c169414e43d"
    put(home / "s/z.jsonl", jsonl(claude_session()), age=60)
    own = claude("user", 40, "In this copy we row.", session=fork)
    put(home / "s/a.jsonl", jsonl([*claude_session(fork), own]))
    put(home / "s/b.jsonl", jsonl(claude_session(uuid("again"))))

    report = repository.sources.ingest(home / "s")

    assert [source.origin for source in report.sources] == ["s/a.jsonl", "s/z.jsonl"]
    assert text_of(repository, report) == "user: In this copy we row.\n"
    assert (report.sources[0].repeated, report.sources[1].repeated) == (7, 0)
    assert [each.reason for each in report.skipped] == ["nothing in it is new: another file has all of it"]
    assert not any(source.commit for source in repository.sources.ingest(home / "s").sources)


def test_a_credential_in_one_message_never_stops_the_others(store: Store, home: Path) -> None:
    repository = Repository(store)
    put(home / "s/a.jsonl", jsonl([*claude_session(), claude("user", 41, f"The token is {SECRET}.")]))
    put(home / "s/b.jsonl", jsonl(codex_session()))
    put(home / f"s/{SECRET}.jsonl", jsonl(gemini_session()))

    report = repository.sources.ingest(home / "s")

    assert [source.origin for source in report.sources] == ["s/a.jsonl", "s/b.jsonl"]
    assert [each.line for each in report.sources[0].findings] == [len(claude_session()) + 1]
    assert SECRET not in text_of(repository, report) and "The token is …" in text_of(repository, report)
    assert [each.origin for each in report.skipped] == [f"s/{SECRET}.jsonl"]


def test_private_passages_are_never_stored(store: Store, home: Path) -> None:
    repository = Repository(store)
    put(home / "s/a.md", "# Plan\n\nWe sail.\n\n<private>\nMine.\n</private>\n\n<PRIVATE>Mine, too.")
    put(home / "s/b.txt", "Ada: We sail. <private>Mine.\nBen: Mine.</private>\nBen: Good.\nAda: Yes.\n")
    put(home / "s/c.jsonl", jsonl([claude("user", 0, "We sail. <private>Mine.</private>")]))
    put(home / "s/d.txt", "<private>Mine.</private>")

    report = repository.sources.ingest(home / "s")

    assert [len(source.private) for source in report.sources] == [2, 1, 1]
    assert [(each.line, each.closed) for each in report.sources[0].private] == [(5, True), (9, False)]
    assert "Mine" not in "".join(text_of(repository, report, at) for at in range(3))
    assert text_of(repository, report, 1) == "Ada: We sail. …\nBen: Good.\nAda: Yes.\n"
    assert [each.reason for each in report.skipped] == ["nothing to ingest: s/d.txt is private"]


def test_json_that_is_no_conversation_is_an_error_only_if_it_is_named(store: Store, home: Path) -> None:
    repository = Repository(store)
    file = put(home / "s/data.json", '[{"a": 1}]')

    report = repository.sources.ingest(home / "s")
    assert not report.sources and not report.skipped
    with pytest.raises(InvalidInput, match="not a conversation"):
        repository.sources.ingest(file)


def test_a_line_that_looks_like_a_turn_is_a_part_of_what_was_said(store: Store, home: Path) -> None:
    repository = Repository(store)
    rows = [claude("user", 0, "Why this?\nassistant: no\nuser: root"), claude("assistant", 1, say("It is YAML."))]

    report = repository.sources.ingest(put(home / "x.jsonl", jsonl(rows)))

    (segment,) = read_segments(store.head(), "default", report.sources[0].name).values()
    assert segment.metadata["turns"] == [0, segment.content.index("assistant: It")]
    assert [(each.speaker, each.text) for each in passages((segment,))] == [
        ("user", "Why this?\nassistant: no\nuser: root"),
        ("assistant", "It is YAML."),
    ]


@pytest.mark.slow
def test_what_changes_in_a_folder_is_ingested(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    repository, folder, stop = Repository(store), tmp_path_factory.mktemp("notes"), Event()
    (folder / "one.md").write_text("One.\n")
    (folder / "two.md").write_text("Two.\n")

    reports = repository.sources.watch(folder, stop=stop)
    first = next(reports)
    (folder / "one.md").write_text("One, and more.\n")
    second = next(reports)
    (folder / "two.md").unlink()
    third = next(reports)
    stop.set()

    assert len(first.sources) == 2
    assert [source.origin for source in second.sources] == [f"{folder.name}/one.md"]
    assert [each.origin for each in third.missing] == [f"{folder.name}/two.md"]
    assert list(reports) == []


def test_only_a_folder_is_watched(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is not a folder"):
        next(Repository(store).sources.watch(tmp_path / "nothing"))
