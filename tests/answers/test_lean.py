"""Lean JSON keeps what an answer says, in a fraction of the tokens."""

from collections.abc import Mapping
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.answers.answer import dump, pieces
from memoir.answers.hits import shared_beginning
from memoir.answers.lean import lean
from memoir.answers.recall import Display, data, recall
from memoir.answers.token_budget import cut_to
from memoir.recall.answer import RecallAnswer
from memoir.records.record import Memory
from memoir.repository.repository import Repository

ID = "0123456789abcdef0123456789abcdef01234567"
PLACE = {"key": "a.b", "namespace": "default", "full_key": "default:a.b", "id": None, "address": "default:a.b"}


def test_a_memory_has_one_key() -> None:
    assert lean({"items": [{**PLACE, "found": True}]}) == {"items": [{"key": "a.b"}]}
    of_ada = {**PLACE, "namespace": "user:ada", "full_key": "user:ada:a.b", "address": "user:ada:a.b#12ab"}
    assert lean(of_ada) == {"key": "user:ada:a.b#12ab"}
    assert lean({"path": "a.b", "namespace": "user:ada", "content": "x"}) == {"key": "user:ada:a.b", "content": "x"}


def test_what_is_of_the_memory_around_it_does_not_name_it_again() -> None:
    line = {"line": 1, "text": "x", "address": "default:a.b"}
    found = {"matches": iter([{**PLACE, "lines": [line, {**line, "address": "default:a.b#12ab"}]}])}
    (match,) = lean(found)["matches"]
    assert match == {"key": "a.b", "lines": [{"line": 1, "text": "x"}, {"key": "a.b#12ab", "line": 1, "text": "x"}]}
    assert lean({**PLACE, "entries": [{**PLACE, "content": "x"}]}) == {"key": "a.b", "entries": [{"content": "x"}]}
    assert lean({"key": "a.b", "full_key": "default:a.b", "entries": [{"key": "a.b"}]}) == {
        "key": "a.b",
        "entries": [{}],
    }
    assert lean({"paths": {"put": ["default:a.b", "user:c.d"]}}) == {"paths": {"put": ["a.b", "user:c.d"]}}


def test_the_usual_is_left_out_and_the_unusual_stays() -> None:
    usual = {"confidence": 1.0, "status": "active", "superseded": 0, "stale": False, "metadata": {"mode": "simple"}}
    assert lean({**usual, "content": "x", "degraded": None, "standing": []}) == {"content": "x"}
    odd = {"confidence": 0.5, "status": "superseded", "superseded": 2, "stale": True, "found": False}
    assert lean(odd) == odd


def test_ids_and_times_are_cut_and_contents_are_not() -> None:
    fields = {"commit": ID, "content": ID, "parents": [ID], "date": "2026-01-02T03:04:05.678901Z"}
    assert lean(fields) == {
        "commit": ID[:12], "content": ID, "parents": [ID[:12]], "date": "2026-01-02T03:04:05Z",
    }  # fmt: skip


def test_of_a_memory_the_day_is_enough_and_its_speaker_is_named_once() -> None:
    memory = {
        "content": "Ada: I moved.",
        "timestamp": "2026-01-02T03:04:05Z",
        "metadata": {"person": "Ada", "tag": "x"},
    }
    assert lean(memory) == {"content": "Ada: I moved.", "timestamp": "2026-01-02", "metadata": {"tag": "x"}}
    assert lean({**memory, "content": "I moved."})["metadata"] == {"person": "Ada", "tag": "x"}


def test_usage_shows_only_if_a_model_was_used() -> None:
    assert lean({"success": True, "metadata": {"mode": "simple", "usage": {"calls": 0}}}) == {"success": True}
    used = lean({"success": True, "metadata": {"mode": "single", "usage": {"calls": 1, "output_tokens": 0}}})
    assert used == {"success": True, "metadata": {"usage": {"calls": 1}}}


def test_lists_that_are_written_as_they_come_stay_so() -> None:
    fields = lean({"success": True, "items": iter([PLACE, PLACE]), "count": lambda: 2})
    assert next(fields["items"]) == {"key": "a.b"} and fields["count"]() == 2
    written = b"".join(
        pieces(lean({"success": True, "items": iter([PLACE]), "next": lambda: None, "count": lambda: 1}))
    )
    assert written == b'{"success":true,"items":[{"key":"a.b"}],"count":1}\n'


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["tag", "source", "status", "n"]), JSON, max_size=4))
def test_what_a_memorys_author_added_stays(metadata: dict[str, Any]) -> None:
    kept = {key: value for key, value in metadata.items() if value not in (None, "", [], {})}
    found = lean({"content": "x", "metadata": metadata}).get("metadata", {})
    assert found.keys() == kept.keys()


def test_a_memory_of_a_recall_is_one_line_with_its_day_and_its_key(repository: Repository) -> None:
    long = "It rained. Ada baked macarons with pistachio. " + "Nobody was out for long. " * 20
    said = Memory.of(f"Ben: {long}", timestamp="2026-01-02T03:04:05Z", metadata={"person": "ben"})
    repository.remember(said, "talk.first")
    answer = repository.recall("what did Ada bake?")

    (line,) = _memories(answer, Display(lean=True))
    (whole,) = _memories(answer, Display(lean=True, full=True))

    assert line.startswith("2026-01-02 Ben: … Ada baked macarons with pistachio. Nobody")
    assert line.endswith(". …  talk.first") and len(line) < 450
    assert whole == f"2026-01-02 Ben: {long.strip()}  talk.first"
    assert "mode" not in lean({"success": True, **data(answer, Display(lean=True))})


def test_what_many_keys_begin_with_is_said_once(repository: Repository) -> None:
    keys = [f"deploy.service{number}" for number in range(12)] + ["habits.release"]
    for key in keys:
        repository.remember(f"What {key} says: release captains deploy on Tuesdays.", key)
    answer = repository.recall("who deploys on Tuesdays?", limit=30)

    printed = lean({"success": True, **data(answer, Display(lean=True))})
    written = [line.rpartition("  ")[2] for line in printed["memories"]]

    assert printed["~"] == "deploy." and "habits.release" in written and "~service3" in written
    assert sorted(key.replace("~", printed["~"]) for key in written) == sorted(keys)


@pytest.mark.parametrize(
    ("keys", "prefix"),
    [
        ([f"sources.chat.000{number}#p1" for number in range(9)], "sources.chat."),
        ([f"talk.session_1.{number}" for number in range(9)], "talk.session_1."),
        ([f"talk.session_{number}.1" for number in range(9)], "talk.session_"),
        ([*(f"ada:sources.chat.{number}" for number in range(9)), "habits.one"], "ada:sources.chat."),
        (["sources.chat.0001#p1", "sources.chat.0001#p2"], ""),
        ([f"a.{number}" for number in range(40)], ""),
        ([], ""),
    ],
)
def test_a_prefix_is_worth_its_field_or_it_is_none(keys: list[str], prefix: str) -> None:
    found, saved = shared_beginning(keys)
    short = [key.replace(prefix, "~", 1) if prefix else key for key in keys]
    before, after = dump({"memories": keys}), dump({**({"~": prefix} if prefix else {}), "memories": short})
    assert found == prefix and saved == len(before) - len(after)


def _memories(answer: RecallAnswer, display: Display) -> list[str]:
    return cast("list[str]", data(answer, display)["memories"])


@pytest.mark.slow
@pytest.mark.parametrize("display", [Display(), Display(lean=True)])
def test_a_recall_takes_no_more_tokens_than_it_may(repository: Repository, display: Display) -> None:
    for number in range(30):
        repository.remember(
            f"Service {number} is deployed by the release captain on Tuesdays.", f"deploy.service{number}"
        )
    answer = repository.recall("who deploys services?", limit=30)

    def size(fields: Mapping[str, object]) -> int:
        return len(dump(lean({"success": True, **fields})))

    sizes = []
    assert not cut_to(answer, display, 1, size).memories
    for tokens in (60, 100, 200, 1000, 5000):
        cut = cut_to(answer, display, tokens, size)
        assert size(data(cut, display)) <= 4 * tokens
        if display.lean and cut.omitted:
            more = cut._replace(memories=answer.memories[: len(cut.memories) + 1], omitted=cut.omitted - 1)
            assert size(data(more, display)) > 4 * tokens - 2
        assert [each.path for each in cut.memories] == [each.path for each in answer.memories[: len(cut.memories)]]
        assert cut.omitted == 30 - len(cut.memories)
        sizes.append(len(cut.memories))
    assert sizes == sorted(sizes) and sizes[-1] == 30 and 0 < sizes[1] < sizes[2] < 30


def test_the_lines_of_a_recall_take_no_more_tokens_than_they_may(repository: Repository) -> None:
    for number in range(9):
        repository.remember(f"Service {number} is deployed on Tuesdays.", f"deploy.service{number}")
    answer = repository.recall("when are services deployed?", limit=9)

    cut = cut_to(answer, Display(), 60, None)
    printed = "\n".join("".join(text for text, _ in each) for each in recall(cut, Display()).human()) + "\n"

    assert 0 < len(cut.memories) < 9 and len(printed) <= 240
    assert len(printed) + len(printed) // len(cut.memories) > 240
