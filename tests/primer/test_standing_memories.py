"""What every session begins with: found once, found again from another snapshot, in order; and setting pins."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from memoir import InvalidInput, Memory, NotFound, Repository, user_folders
from memoir.primer import standing_memories
from memoir.primer.standing_memories import Standing, is_pinned

DIRECTIVE = {"item_kind": "directive"}


def find(repository: Repository, seconds: float | None = None) -> Standing:
    return standing_memories.find(repository.store, repository.store.at(None), seconds=seconds)


def pins(repository: Repository) -> list[str]:
    return [place.path for place in find(repository).pins]


def rules(repository: Repository) -> list[str]:
    return [place.path for place in find(repository).rules]


def fill(repository: Repository, *memories: dict[str, Any]) -> None:
    repository.import_lines(orjson.dumps({"content": "x", **each}) for each in memories)


def test_only_jsons_true_is_a_pin(repository: Repository) -> None:
    values = {"a.yes": True, "a.word": "true", "a.one": 1, "a.list": [True], "a.inner": {"pinned": True}}
    for path, value in values.items():
        repository.remember(Memory.of('Say "pinned":true.', metadata={"pinned": value}), path)
    repository.remember(Memory.of('{"metadata":{"pinned":true}}'), "a.text")

    assert pins(repository) == ["a.yes"]


def test_how_to_speak_to_the_user_is_a_rule_wherever_memoir_files_it(repository: Repository) -> None:
    repository.remember("Answer in British English.")
    repository.remember("Ann is reached by phone.", "communication.channels.ann", "communication.stylesheets")

    (path,) = rules(repository)
    assert path.startswith("communication.style.")


def test_what_changed_since_is_read_and_nothing_else(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("a.b", "a.c"):
        repository.remember(Memory.of("x", metadata={"pinned": True}), path)
    for path in ("rules.one", "rules.two"):
        repository.remember(Memory.of("x", timestamp="2026-01-01"), path)
    assert pins(repository) == ["a.b", "a.c"] and rules(repository) == ["rules.one", "rules.two"]
    monkeypatch.setattr(
        "memoir.primer.standing_memories._rules_first", lambda *_: pytest.fail("everything is read again")
    )
    repository.forget("a.b", "rules.one")
    repository.remember(Memory.of("z", metadata={"pinned": True}), "a.d")
    repository.remember(Memory.of("z", timestamp="2026-01-02"), "rules.three")
    repository.agents.pin("rules.two")

    assert pins(repository) == ["a.c", "a.d", "rules.two"] and rules(repository) == ["rules.three"]


def test_a_search_without_time_says_that_it_is_not_complete_and_is_not_kept(repository: Repository) -> None:
    repository.remember(Memory.of("x", metadata={"pinned": True}), "a.b")

    assert not find(repository, seconds=-1).complete
    assert find(repository) == (tuple(repository.keys()), (), True, {"default": 1})


def test_rules_are_found_before_there_is_no_more_time(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(
        repository, *({"path": f"a.n{n}"} for n in range(20)), {"path": "rules.one"}, {"path": "rules"}, {"path": "z.z"}
    )
    times = iter(range(100))
    monkeypatch.setattr("time.monotonic", lambda: next(times))

    found = find(repository, seconds=1.5)

    assert [place.path for place in found.rules] == ["rules.one"] and not found.complete
    assert {place.path for place in find(repository).rules} == {"rules", "rules.one"}


def test_what_was_remembered_comes_before_what_was_captured_then_orders_then_confidence_then_the_newest(
    repository: Repository,
) -> None:
    captured = {"source": "capture:claude"}
    fill(
        repository,
        {"path": "workflow.a_captured", "metadata": {**captured, **DIRECTIVE}, "timestamp": "2026-05-05"},
        {"path": "preferences.b_unsure", "confidence": 0.7, "timestamp": "2026-05-05"},
        {"path": "preferences.c_old", "timestamp": "1969-01-01"},
        {"path": "preferences.d_new", "timestamp": "2026-01-01"},
        {"path": "workflow.e_order", "metadata": DIRECTIVE, "timestamp": "2020-01-01"},
        {"path": "rules.f_order", "timestamp": "2021-01-01"},
        {"path": "facts.g_kind", "metadata": {"item_kind": "preference"}, "timestamp": "2019-01-01"},
        {"path": "facts.h"},
    )

    assert [path.rpartition(".")[2][0] for path in rules(repository)] == ["f", "e", "d", "g", "c", "b", "a"]


def test_a_sentence_of_a_source_is_no_rule_until_somebody_remembers_it(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Conventions\n\nAlways run make lint before a push.\n")
    repository.sources.ingest(tmp_path / "notes.md")
    (place,) = filter(lambda place: place.namespace == "default", repository.keys())
    assert place.path.startswith("workflow.") and rules(repository) == []

    repository.remember(Memory.of("Always run make lint before a push."), place.path)

    assert rules(repository) == [place.path]


def test_of_very_many_rules_those_of_fewer_snapshots_are_kept(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_folders, "LARGEST", 400)
    for number in range(8):
        repository.remember(Memory.of("x", timestamp="2026-01-01"), f"rules.n{number}")
        assert len(rules(repository)) == number + 1
    folder = user_folders.cache()

    assert folder and [file.stat().st_size <= 400 for file in folder.glob("begin-*")] == [True]


@pytest.mark.parametrize(
    "kept", [b"0a1b !/default=a.b 1+default\n", b'{"0a": 1}', b'{"x": [{}, {}]}', b'[["0a"]]', b"\xff"]
)
def test_what_the_cache_has_in_another_form_is_read_anew(repository: Repository, kept: bytes) -> None:
    repository.remember(Memory.of("x", metadata={"pinned": True}), "a.b")
    assert pins(repository) == ["a.b"]
    folder = user_folders.cache()
    assert folder
    (file,) = folder.glob("begin-*")
    file.write_bytes(kept)

    assert pins(repository) == ["a.b"]
    assert file.read_bytes() != kept


def test_a_store_of_which_all_was_forgotten_has_none(repository: Repository) -> None:
    repository.remember(Memory.of("x"), "rules.one")
    repository.forget("rules.one")

    assert find(repository) == Standing(())


def test_active_memories_are_counted_by_what_changed_since_the_last_look(repository: Repository) -> None:
    odd = Memory.of('"timestamp":"2026","status":"active"', metadata={"status": "active", "timestamp": "2026"})
    repository.remember(odd, "a.b")
    for text in ("Bo joined.", "Bo left."):
        repository.remember(Memory.of(text), "user:bo:events", policy="append")
    assert find(repository).counts == {"default": 1, "user:bo": 2}

    repository.remember(Memory.of("Bo is back."), "user:bo:events", policy="replace")
    repository.remember(Memory.of("x"), "c.d")
    repository.forget("a.b")

    assert find(repository).counts == {"default": 1, "user:bo": 1}
    assert find(repository).memories(["user:bo"]) == 1
    assert find(repository, seconds=-1).memories(["default"]) == 1  # what is known needs no time


def test_what_an_older_version_kept_is_looked_at_again(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.remember(Memory.of("x"), "rules.a")
    root = repository.store.at(None).tree.root
    assert root is not None
    line = root.hex().encode() + b" 0000000/default=rules.gone\n"
    monkeypatch.setattr(user_folders, "read_cached", lambda name: line)

    assert find(repository) == ((), tuple(repository.keys()), True, {"default": 1})


def keys_of_pins(repository: Repository) -> list[str]:
    items = repository.get_many(["*"])
    return [item.address.path for item in items if item.record and any(map(is_pinned, item.record))]


def test_pins_are_changed_in_one_commit_and_undone_like_any_change(repository: Repository) -> None:
    for path in ("a.b", "a.c"):
        repository.remember(Memory.of(path, metadata={"tag": "x"}), path)

    result = repository.agents.pin("a.b", "a.c")
    assert result.commit and keys_of_pins(repository) == ["a.b", "a.c"]
    assert repository.agents.pin("a.b").commit is None
    assert repository.agents.unpin("a.b").commit and keys_of_pins(repository) == ["a.c"]
    record = repository.get("a.b")
    assert record and record[0].metadata == {"tag": "x", "origin": ["agent"]}
    repository.undo(2)
    assert keys_of_pins(repository) == []


def test_only_memories_are_pinned(repository: Repository) -> None:
    repository.taxonomy.add("cooking", "Food")

    with pytest.raises(InvalidInput, match="only memories"):
        repository.agents.pin("memoir:taxonomy:cooking")
    with pytest.raises(NotFound):
        repository.agents.pin("a.b")
