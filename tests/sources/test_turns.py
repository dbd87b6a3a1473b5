"""Transcripts, and where conversations are cut."""

import json
from typing import Any

import pytest

from memoir.sources.cutting import talks
from memoir.sources.json_conversations import read_json
from memoir.sources.turns import Turn, read_transcript


def speech(text: str) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.words) for turn in read_transcript(text) or []]


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_transcript_has_names_stamps_and_days() -> None:
    text = "2026-01-30\n\nAda: Hi\nand hello.\n[2026-01-31 09:30] Ben Li: Oh.\n**Ada:** Yes.\nBen Li: Good.\n"

    turns = read_transcript(text) or []

    assert speech(text) == [("Ada", "Hi\nand hello."), ("Ben Li", "Oh."), ("Ada", "Yes."), ("Ben Li", "Good.")]
    assert [turn.time and f"{turn.time:%d %H}" for turn in turns] == ["30 00", "31 09", "30 00", "30 00"]


@pytest.mark.parametrize(
    "text",
    [
        "Name: memoir\nVersion: 1\nLicense: MIT\nAuthor: Ada\n",
        "A text without names.\nIt has lines.\n",
        "Note: this is one.\nIt goes on.\nAnd on.\n",
        "[1, 2, 3]",
        "Title: A walk\nAuthor: Ada\n",
        "Ada: One line.\n",
        "Ada: Two lines,\nof which one has a name.\n",
        "user: root\n",
        "user: bob\nhost: example.org\n",
        "How it went.\nuser: Where is it?\nassistant: There.\n",
    ],
)
def test_other_texts_are_no_conversations(text: str) -> None:
    assert read_transcript(text) is None


def test_a_speaker_may_have_a_long_name() -> None:
    name = "Venkatanarasimharajuvaripeta Krishnamoorthysubramaniam-Ramanathapillai"
    text = f"{name}: I moved.\nBen: Oh.\n{name}: Yes.\nBen: Good.\n"

    assert speech(text) == [(name, "I moved."), ("Ben", "Oh."), (name, "Yes."), ("Ben", "Good.")]


@pytest.mark.parametrize("second", ["Ada", "Ben"])
def test_two_lines_that_somebody_said_are_a_conversation(second: str) -> None:
    turns = read_transcript(f"Ada: I moved to Berlin.\n\n{second}: It rains here.\n") or []

    assert [(turn.speaker, turn.words) for turn in turns] == [("Ada", "I moved to Berlin."), (second, "It rains here.")]


def test_a_conversation_is_cut_at_pauses_and_where_its_topic_changes() -> None:
    def turn(number: int, text: str, hour: int) -> dict[str, Any]:
        return {"speaker": "AB"[number % 2], "content": text, "timestamp": f"2026-01-31T{hour:02}:00:00Z"}

    trip = [turn(n, f"The sailing trip to the islands, day {n}: wind, sails and harbour.", 9) for n in range(12)]
    work = [turn(n, f"Budget number {n} of the finance office: invoices and taxes.", 9) for n in range(12)]
    later = [turn(0, "Good evening.", 20), turn(1, "By the way, hello.", 20)]
    conversation = read_json(lines(*trip, *work, *later))
    turns = conversation.turns if conversation else []

    parts = talks(turns)

    assert "".join(part.text for part in parts) == "".join(map(text_of, turns))
    assert [part.turns[0].words for part in parts][1:] == [work[0]["content"], "Good evening."]
    assert parts[0].caption.startswith("A and B, 31 January 2026: The sailing trip")


def text_of(turn: Turn) -> str:
    return turn.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("user: We deploy on Tuesdays.", [("user", "We deploy on Tuesdays.")]),
        ("user: Which day?\nassistant: Tuesday.\n", [("user", "Which day?"), ("assistant", "Tuesday.")]),
        ("Human: Which?\n\nAI: This:\n* one\n* two\n", [("Human", "Which?"), ("AI", "This:\n* one\n* two")]),
    ],
)
def test_roles_make_a_short_text_a_conversation(text: str, said: list[tuple[str, str]]) -> None:
    assert speech(text) == said
