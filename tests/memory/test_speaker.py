"""Whose words a memory has, and where it is from."""

from typing import Any

import pytest

from memoir.memory.speaker import is_captured, said, source, speaker

ITEM = {"links": {"derives_from": ["default:raw:sources.chats.2024.0007"]}}


def test_an_item_in_which_somebody_speaks_of_themselves_begins_with_their_name() -> None:
    metadata = {**ITEM, "person": "Caroline"}

    assert speaker(metadata) == "Caroline"
    assert said("I took the first step.", metadata) == "Caroline: I took the first step."
    assert said("Caroline: I took the first step.", metadata) == "Caroline: I took the first step."


def test_whom_a_memory_is_about_is_not_taken_for_who_says_it() -> None:
    assert said("I had lunch with Bob.", {"person": "Bob"}) == "I had lunch with Bob."
    assert said("I had lunch with Bob.", {"person": "Bob", "speaker": "Ann"}) == "Ann: I had lunch with Bob."


@pytest.mark.parametrize("name", ["", " ", 3, None, ["Ann", "Bob"]])
def test_what_is_no_name_names_no_speaker(name: object) -> None:
    assert said("Hello.", {**ITEM, "person": name, "speaker": name}) == "Hello."


def test_a_name_is_one_short_line() -> None:
    assert speaker({"speaker": "Ann\n\n" + "x" * 100}) == "Ann " + "x" * 56


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        (ITEM, "chats.2024"),
        ({"links": {"derives_from": ["default:a.b", "user:al:raw:sources.notes.0001"]}}, "notes"),
        ({"source": "capture:claude"}, "capture:claude"),
        ({}, None),
        ({"source": ""}, None),
        ({"source": ["x"]}, None),
        ({"links": {"derives_from": ["default:a.b"]}}, None),
        ({"links": {"causes": ["default:raw:sources.notes.0001"]}}, None),
        ({"links": {"derives_from": "not: an address"}}, None),
        ({"links": "derives_from"}, None),
    ],
    ids=str,
)
def test_the_source_of_a_memory_is_that_of_its_segment_or_what_its_metadata_name(
    metadata: dict[str, Any], name: str | None
) -> None:
    assert source(metadata) == name


def test_what_was_captured_says_so() -> None:
    assert is_captured({"source": "capture:codex"})
    assert not is_captured({"source": "claude-code"}) and not is_captured({"source": 1})
