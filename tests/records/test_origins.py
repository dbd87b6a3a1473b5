"""Who vouches for a memory: the door by which it came, never its metadata."""

import os
import pty
from pathlib import Path

import orjson
import pytest
from support import Memoir, on_terminal

from memoir.cli.session import is_typed
from memoir.errors import InvalidInput
from memoir.records.origins import ORIGIN, AuthorName, best_of, origins_of, own_metadata, remark
from memoir.records.record import Memory, Record
from memoir.repository.repository import Repository
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import address


def origins(repository: Repository, key: str) -> list[tuple[str, ...]]:
    """Who vouches for each active memory at a key."""
    return [origins_of(memory.metadata) for memory in repository.get(key) or () if memory.active]


def test_a_memory_of_the_library_is_an_agents_unless_its_caller_says_otherwise(repository: Repository) -> None:
    repository.remember("Use tabs.", "preferences.tabs")
    repository.by("user").remember("Use pytest.", "preferences.tests")
    repository.by("user").remember_many([("Ship on Monday.", "workflow.ship")])

    assert origins(repository, "preferences.tabs") == [("agent",)]
    assert origins(repository, "preferences.tests") == origins(repository, "workflow.ship") == [("user",)]


@pytest.mark.parametrize("claim", ["user", ["user", "me"], {"by": "user"}, []], ids=str)
def test_metadata_with_a_claim_of_its_own_are_refused(repository: Repository, claim: object) -> None:
    with pytest.raises(InvalidInput, match="memoir sets it"):
        repository.remember(Memory.of("Use tabs.", metadata={ORIGIN: claim}), "a.b")

    assert repository.get("a.b") is None


def test_a_memory_that_came_out_of_a_store_comes_in_by_the_door_that_it_takes_now(repository: Repository) -> None:
    repository.by("user").remember("Use tabs.", "a.b")
    (memory,) = repository.get("a.b") or ()

    repository.remember(memory, "c.d")

    assert origins(repository, "c.d") == [("agent",)]


@pytest.mark.parametrize("word", ["unknown", "me", ""])
def test_an_origin_that_no_door_has_is_refused(repository: Repository, word: str) -> None:
    with pytest.raises(InvalidInput):
        repository.by(word)


def test_who_says_the_same_again_vouches_for_it_too(repository: Repository) -> None:
    repository.remember("Use tabs.", "a.b")
    repository.by("user").remember("Use tabs.", "a.b")
    repository.remember("Use tabs.", "a.b")

    assert origins(repository, "a.b") == [("agent", "user")]


@pytest.mark.parametrize("keys", [["a.port"], []], ids=["at its path", "filed"])
def test_who_says_the_same_again_in_the_place_of_another_vouches_for_it_too(
    repository: Repository, keys: list[str]
) -> None:
    repository.remember("The port is 5432.", "a.port")
    repository.remember("The port is 5433.", "a.port", policy="append")

    repository.by("user").remember("The port is 5433.", *keys, replace_similar=True)

    (memory,) = (each for each in repository.get("a.port") or () if each.active)
    assert (memory.content, origins_of(memory.metadata)) == ("The port is 5433.", ("agent", "user"))


def test_who_edits_the_words_joins_and_who_edits_the_rest_does_not(repository: Repository) -> None:
    repository.remember("Use tabs.", "a.b")
    repository.by("user").annotate("a.b", expires="30d")
    assert origins(repository, "a.b") == [("agent",)]

    repository.by("user").edit("a.b", lambda record: [record[0]._replace(content="Use spaces.")])

    assert origins(repository, "a.b") == [("agent", "user")]


def test_an_edit_gives_nobody_a_say_who_had_none(repository: Repository) -> None:
    repository.remember("Use tabs.", "a.b")

    def claim(record: Record) -> Record:
        return tuple(each._replace(metadata={ORIGIN: ["user", "capture"]}, content="Use spaces.") for each in record)

    repository.edit("a.b", claim)
    assert origins(repository, "a.b") == [("agent",)]

    repository.edit("a.b", lambda record: [record[0]._replace(metadata={ORIGIN: ["user"]})])
    assert origins(repository, "a.b") == [("agent",)]


def test_a_move_and_a_merge_keep_who_vouches(repository: Repository) -> None:
    repository.by("user").remember("Use tabs.", "a.b")
    repository.branches.checkout("other", create=True)
    repository.remember("Use tabs.", "a.b")
    repository.branches.checkout("main")
    repository.by("user").remember("Ship on Monday.", "c.d")

    repository.merge("other")
    repository.move("a.b", "e.f")

    assert origins(repository, "e.f") == [("user", "agent")]


def test_an_old_memory_is_unknown_and_keeps_what_it_has_in_a_field_of_that_name(repository: Repository) -> None:
    from memoir.records.record import encode

    old = Memory.of("Use tabs.", metadata={ORIGIN: "jira"})
    edits = [(address("a.b").key, encode([old])), (address("c.d").key, encode([Memory.of("Ship it.")]))]
    write(repository.store, lambda head: Change(edits, "older"), reason="older")

    assert origins(repository, "a.b") == origins(repository, "c.d") == [("unknown",)]
    assert own_metadata(old.metadata) == {ORIGIN: "jira"}

    repository.by("user").edit("a.b", lambda record: [record[0]._replace(content="Use spaces.")])

    assert origins(repository, "a.b") == [("user",)]
    assert own_metadata((repository.get("a.b") or ())[0].metadata) == {"claimed_origin": "jira"}


def test_an_import_is_an_import_whatever_its_lines_say(repository: Repository) -> None:
    lines = [
        orjson.dumps({"path": "a.b", "content": "Use tabs.", "metadata": {ORIGIN: ["user"]}}),
        orjson.dumps({"path": "c.d", "content": "Ship it.", "metadata": {ORIGIN: "jira"}}),
    ]
    repository.import_lines(lines)

    assert origins(repository, "a.b") == origins(repository, "c.d") == [("import",)]
    claims = [(repository.get(key) or ())[0].metadata["claimed_origin"] for key in ("a.b", "c.d")]
    assert claims == [["user"], "jira"]


def test_an_import_of_what_is_there_changes_nobodys_say(repository: Repository) -> None:
    repository.by("user").remember("Use tabs.", "a.b")
    line = b"".join(repository.export_lines())

    done = repository.import_lines([line])

    assert done.commit is None
    assert origins(repository, "a.b") == [("user",)]


def test_items_of_documents_and_imports_of_other_tools_say_so(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Decisions\n\nWe prefer tabs over spaces.\n")
    repository.sources.ingest(tmp_path / "notes.md")
    items = [item.record for item in repository.get_many(["*"]) if item.record]
    assert [origins_of(memory.metadata) for record in items for memory in record] == [("document",)]

    (tmp_path / "CLAUDE.md").write_text("# Rules\n\n- Always run the linter before a push.\n")
    done = repository.import_from(tmp_path / "CLAUDE.md")
    assert [key_origins for key in done.targets for key_origins in origins(repository, key)] == [("import",)]


def test_a_list_names_who_vouches_unless_it_is_an_agent_alone_or_there_is_nobody() -> None:
    user, agent = {ORIGIN: ["user"]}, {ORIGIN: ["agent"]}
    by_ada = {**agent, "origin_author": AuthorName("Ada <ada@example.org>")}

    assert [remark("default", each) for each in (user, agent, by_ada, {})] == ["user", "", "agent by Ada", "unknown"]
    assert [remark(f"default:{layer}", {}) for layer in ("raw", "insights")] == ["", ""]


def test_the_origin_that_counts_most_is_the_one_of_whoever_vouches() -> None:
    assert best_of({ORIGIN: ["document", "agent", "user"]}) == "user"
    assert best_of({ORIGIN: ["document", "import"]}) == "import"
    assert best_of({}) == "unknown"


def test_a_shell_is_an_agents_without_a_terminal_or_where_its_host_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_typed()
    main, terminal = pty.openpty()
    monkeypatch.setattr("sys.stderr", os.fdopen(terminal, "w"))

    assert is_typed()
    monkeypatch.setenv("CLAUDECODE", "1")
    assert not is_typed()
    os.close(main)


def test_what_is_typed_at_a_terminal_is_the_users(memoir: Memoir) -> None:
    memoir.run("remember", "Use tabs.", "-p", "a.agents")
    assert on_terminal(memoir.argv("remember", "Use spaces.", "-p", "a.users"), memoir.folder)[0] == 0

    items = memoir.json("get", "a.users", "a.agents")["items"]
    assert [item["value"]["origin"] for item in items] == [["user"], ["agent"]]
    assert all(ORIGIN not in item["value"]["metadata"] for item in items)
    assert [memoir.json("blame", key)["entries"][0]["origin"] for key in ("a.users", "a.agents")] == [
        ["user"], ["agent"]
    ]  # fmt: skip
    assert memoir.ok("blame", "a.users").splitlines()[0].endswith("  added  (user)")
    assert memoir.ok("blame", "a.agents").splitlines()[0].endswith("  added")
