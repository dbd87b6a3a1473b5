"""Conversations in JSON: of no host's form, and as hosts keep their sessions, told by their content."""

import json
from typing import Any

import pytest
from host_sessions import (
    CLAUDE_SAYS,
    CODEX_SAYS,
    GEMINI_SAYS,
    claude,
    claude_session,
    codex,
    codex_message,
    codex_session,
    gemini_chat,
    gemini_session,
    jsonl,
    say,
    uuid,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir.errors import InvalidInput, MemoirError
from memoir.secrets.secrets import PrivatePassage
from memoir.sources.json_conversations import Conversation, SkippedLines, read_json
from memoir.sources.reading import read_source, read_text

SESSIONS = {
    "claude": jsonl(claude_session()),
    "codex": jsonl(codex_session()),
    "gemini": jsonl(gemini_session()),
    "gemini, once": json.dumps(gemini_chat(), indent=2),
    "messages": jsonl({"role": "user", "content": f"Turn {number}.", "timestamp": number} for number in range(9)),
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def read(text: str) -> Conversation:
    conversation = read_json(text)
    assert conversation
    return conversation


def says(text: str) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.words) for turn in read(text).turns]


def test_json_lines_name_who_spoke_and_when() -> None:
    text = jsonl(
        [
            {"role": "user", "content": "Hi."},
            {"speaker": "Ada", "content": "I moved.\nTo Porto.", "timestamp": "2026-01-31 09:30"},
            {"type": "result", "usage": 1},
            {"type": "user", "message": {"role": "user", "content": say("When?")}, "timestamp": 0},
        ]
    )

    turns = read(text).turns

    assert [turn.text for turn in turns] == ["user: Hi.\n", "Ada: I moved.\nTo Porto.\n", "user: When?\n"]
    assert [turn.time and turn.time.year for turn in turns] == [None, 2026, 1970]
    assert says(json.dumps([{"role": "user", "content": "Hi."}])) == [("user", "Hi.")]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("claude", CLAUDE_SAYS),
        ("codex", CODEX_SAYS),
        ("gemini", GEMINI_SAYS),
        ("gemini, once", GEMINI_SAYS[:2]),
    ],
)
def test_of_a_hosts_session_what_was_said_is_read_and_nothing_else(form: str, said: list[tuple[str, str]]) -> None:
    conversation = read("\ufeff" + SESSIONS[form])

    assert [(turn.speaker, turn.words) for turn in conversation.turns] == said
    assert conversation.skipped is None and not conversation.private
    times = [turn.time for turn in conversation.turns if turn.time]
    assert len(times) == len(said) and times == sorted(times)


def test_a_session_whose_lines_come_twice_is_read_once() -> None:
    assert says(jsonl([*claude_session()[:9], *claude_session()])) == CLAUDE_SAYS


def test_a_rollout_of_the_first_form_is_read() -> None:
    first = {"id": "x", "timestamp": "2025-07-01T09:00:00Z", "instructions": None}
    rows = [row["payload"] for row in codex_session() if row["type"] == "response_item" and row["ordinal"] != 12]

    assert says(jsonl([first, {"record_type": "state"}, *rows])) == CODEX_SAYS


@pytest.mark.parametrize(
    "rows",
    [
        [{**row, "isSidechain": True} for row in claude_session() if row["type"] != "attachment"],
        [{**row, "isSidechain": True, "agentId": "a1"} for row in claude_session()[3:]],
        codex_session(source={"subagent": {"thread_spawn": {"depth": 1}}}),
        codex_session(thread_source="subagent"),
        gemini_session(kind="subagent"),
    ],
)
def test_what_agents_say_to_each_other_is_no_conversation(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(InvalidInput, match="nobody s"):
        read_json(jsonl(rows))


def test_a_line_that_is_not_understood_is_skipped_and_named() -> None:
    good = {"role": "user", "content": "Hi."}
    text = jsonl([good]) + "nonsense\n" + jsonl([{"role": "user"}, {**good, "timestamp": "yore"}, good])

    conversation = read(text)

    assert len(conversation.turns) == 2
    assert conversation.skipped == SkippedLines(3, 2, "not a JSON object")
    torn = read(SESSIONS["claude"][:-20])
    assert torn.skipped and torn.skipped.total == 1 and len(torn.turns) == 6
    unknown = read(jsonl([*claude_session(), {"type": "user"}])).skipped
    assert unknown == SkippedLines(1, len(claude_session()) + 1, "a message without its text")


def test_a_torn_first_line_makes_no_document_of_a_session() -> None:
    text = SESSIONS["claude"]

    for torn in (text[5:], text[:30] + text[text.index("\n") :], "\0" * 30 + text):
        conversation = read(torn)
        assert len(conversation.turns) == 6 and conversation.skipped and conversation.skipped.total == 1


def test_of_json_lines_that_are_torn_no_document_is_made() -> None:
    only = '{"type":"user","message":{"role":"user","content":"x'
    for name in ("bad.jsonl", "bad.NDJSON"):
        with pytest.raises(InvalidInput, match="not a conversation: line 1: not a JSON object"):
            read_source(name, only)

    torn = read_source("torn.jsonl", only + "\n" + jsonl([{"role": "user", "content": "Hi."}]))
    assert (torn.kind, torn.skipped) == ("conversation", SkippedLines(1, 1, "not a JSON object"))
    with pytest.raises(InvalidInput, match="blank"):
        read_source("blank.jsonl", " \n")
    assert read_source("notes.txt", only).kind == "document"


def test_bytes_that_are_no_text_harm_only_their_line() -> None:
    data = SESSIONS["claude"].encode().replace(b"At Faro", b"At F\xe9ro") + b"\0" * 100

    source = read_source("x.jsonl", read_text("x.jsonl", data))

    assert source.skipped and source.skipped.total == 2
    assert "Lisbon it is." in "".join(part.text for part in source.parts)
    for other in (b"caf\xe9", b"Ada: caf\xe9\nBen: so\nAda: yes\n", b"null \0"):
        with pytest.raises(InvalidInput, match="is not text"):
            read_source("x.txt", read_text("x.txt", other))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_session_in_utf_16_is_told_to_be_converted(encoding: str) -> None:
    data = jsonl([{"role": "user", "content": "Hi."}]).encode(encoding)

    with pytest.raises(InvalidInput, match="is not text") as error:
        read_source("x.jsonl", read_text("x.jsonl", data))
    assert error.value.hint == "convert it first"


def test_the_reason_is_short_and_does_not_quote_a_credential() -> None:
    secret = "ghp_" + "a1B2" * 9
    good = {"role": "user", "content": "Hi."}

    skipped = read(jsonl([good, {**good, "timestamp": secret}])).skipped

    assert skipped and secret not in skipped.reason and skipped.total == 1
    long = read(jsonl([good, {**good, "timestamp": "yore " * 9_000}])).skipped
    assert long and len(long.reason) == 200


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (jsonl([{"a": 1}, {"b": 2}, {"c": 3}]), "line 1: it needs a 'speaker' or 'role', and 'content', and 2 more"),
        (jsonl([{"role": "user", "content": "Hi.", "timestamp": "yore"}]), "not a conversation: line 1: not a date"),
        (jsonl([{"type": "mode", "sessionId": "x"}]), "nobody says anything in it"),
        (jsonl([{"type": "queue-operation", "operation": "enqueue", "content": "x"}]), "nobody says anything in it"),
        ("[{}]", "not a conversation: line 1"),
    ],
)  # fmt: skip
def test_a_file_of_which_nothing_is_understood_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_json(text)


def test_who_ingests_memories_is_told_how_to_import_them() -> None:
    with pytest.raises(InvalidInput) as failure:
        read_json(jsonl([{"path": "a.b", "content": "x"}]))

    assert "'memoir import' reads memories" in str(failure.value.hint)


@pytest.mark.parametrize("text", ["{", "{}x", "[1, 2]", "[", "Ada: {}\n", '{\n "name": "memoir"\n}', ""])
def test_other_texts_are_left_to_others(text: str) -> None:
    assert read_json(text) is None


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("who", ["role", "speaker"])
def test_one_message_is_a_conversation(who: str, indent: int | None) -> None:
    turns = read(json.dumps({who: "Ada", "content": "We deploy on Tuesdays."}, indent=indent)).turns

    assert [(turn.speaker, turn.words) for turn in turns] == [("Ada", "We deploy on Tuesdays.")]


def test_private_passages_are_left_out_of_messages() -> None:
    rows = [
        claude("user", 1, "Use tabs. <private>My landlord is\nMr. Silva.</private>"),
        claude("assistant", 2, say("Yes.")),
        claude("user", 3, "<private>All of it."),
        codex_message("user", 4, "x"),
    ]

    conversation = read(jsonl(rows[:3]).replace("<private>", "\\u003cprivate>"))

    assert [turn.words for turn in conversation.turns] == ["Use tabs. …", "Yes."]
    assert conversation.private == [PrivatePassage(1, True), PrivatePassage(3, False)]


@pytest.mark.parametrize(
    "speech",
    [
        "Look:\nuser: root\nimage: x",
        "```yaml\nservices:\n  user: postgres\n```",
        "> said\nassistant: no",
        "a\n**user**: b",
    ],
)
def test_a_line_that_looks_like_a_turn_is_not_taken_for_one(speech: str) -> None:
    rows = [{"role": "user", "content": speech}, {"role": "assistant", "content": "Fine."}]

    (part,) = read_source("-", jsonl(rows)).parts

    assert part.text == f"user: {speech}\nassistant: Fine.\n"
    assert part.offsets == [0, len(f"user: {speech}\n")]  # type: ignore[union-attr]


def test_the_pieces_of_a_long_turn_do_not_look_like_turns() -> None:
    rows = [{"role": "assistant", "content": ("word " * 300 + "\nassistant: no\n\n") * 3}]

    parts = read_source("-", jsonl(rows)).parts

    assert next(part.offsets for part in parts) in (None, [0])  # type: ignore[union-attr]
    assert all(part.offsets == [] for part in parts[1:] if "assistant:" in part.text)  # type: ignore[union-attr]


def test_turns_that_cannot_be_mistaken_have_no_offsets() -> None:
    rows = [{"role": "user", "content": "Is the user: field needed?"}, {"role": "assistant", "content": "No."}]
    transcript = "2026-01-30\n\nAda: Hi\nand hello.\n[2026-01-31 09:30] Ben Li: Oh.\n**Ada:** Yes.\nBen Li: Good.\n"

    for text in (jsonl(rows), transcript):
        assert {part.offsets for part in read_source("-", text).parts} == {None}  # type: ignore[union-attr]


def test_the_offsets_of_a_transcript_are_those_of_its_names() -> None:
    transcript = "2026-01-30\n\nAda: Hi\nAda:x is a name.\n2026-01-30\nBen: Oh.\nAda: Yes.\n"

    (part,) = read_source("-", transcript).parts

    assert part.offsets == [transcript.index(name) for name in ("Ada: Hi", "Ben:", "Ada: Yes")]  # type: ignore[union-attr]


@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_no_damage_to_a_session_is_more_than_an_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(list(SESSIONS.values())))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.text(max_size=5)) + text[at + data.draw(st.integers(0, 40)) :]
    try:
        source = read_source("-", text)
    except MemoirError:
        return
    assert source.parts


@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_no_field_of_a_session_needs_to_be_what_it_was(data: st.DataObject) -> None:
    rows = data.draw(st.sampled_from([claude_session(), codex_session(), gemini_session(), [gemini_chat()]]))
    rows = json.loads(json.dumps(rows))
    for _ in range(data.draw(st.integers(1, 3))):
        place: Any = data.draw(st.sampled_from(rows))
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and data.draw(st.booleans()):
                place = place[key]
                continue
            place[key] = data.draw(ANYTHING)
            break
    try:
        assert read_source("-", jsonl(rows)).parts
    except MemoirError:
        return


def test_an_event_says_nothing_that_an_item_does_not() -> None:
    rows = [codex("event_msg", 1, type="user_message", message="Twice?"), codex_message("user", 2, "Twice?")]

    assert says(jsonl(rows)) == [("user", "Twice?")]


def test_a_prompt_that_was_edited_is_left_out_with_its_answer() -> None:
    rows = [
        claude("user", 0, "Which port?"),
        claude("assistant", 1, say("Faro.")),
        claude("user", 2, "Sail to Faro."),
        claude("assistant", 3, say("We sail to Faro.")),
        claude("user", 4, "Sail to Porto.", parentUuid=uuid(1)),
        claude("assistant", 5, say("We sail to Porto.")),
    ]

    conversation = read(jsonl(rows))

    assert [turn.words for turn in conversation.turns] == [
        "Which port?", "Faro.", "Sail to Porto.", "We sail to Porto.",
    ]  # fmt: skip
    assert conversation.taken_back == 2


def test_a_first_prompt_that_was_edited_is_left_out() -> None:
    rows = [
        claude("user", 0, "Sail to Faro."),
        claude("assistant", 1, say("We sail to Faro.")),
        claude("user", 2, "Sail to Porto.", parentUuid=None),
        claude("assistant", 3, say("We sail to Porto.")),
    ]

    assert says(jsonl(rows)) == [("user", "Sail to Porto."), ("assistant", "We sail to Porto.")]
    rows[2:] = [row | {"sessionId": "another"} for row in rows[2:]]  # of two sessions in one file, both began there
    assert len(read(jsonl(rows)).turns) == 4


def test_prompts_that_codex_rolled_back_are_left_out() -> None:
    back = codex("event_msg", 6, type="thread_rolled_back", num_turns=2)
    rows = [
        codex_message("user", 1, "Which port?"),
        codex_message("assistant", 2, "Faro."),
        codex_message("user", 3, "Sail to Faro."),
        codex_message("user", 4, "At noon."),
        codex_message("assistant", 5, "We sail."),
        back,
        codex_message("user", 7, "Sail to Porto."),
    ]

    conversation = read(jsonl(rows))

    assert [turn.words for turn in conversation.turns] == ["Which port?", "Faro.", "Sail to Porto."]
    assert conversation.taken_back == 3
    assert says(jsonl([rows[0], rows[-1], back, rows[2]])) == [("user", "Sail to Faro.")]


def test_going_back_to_a_command_leaves_out_what_followed_it() -> None:
    rows = [*gemini_session()[:-3], {"$rewindTo": uuid("gemini 4")}, gemini_session()[-1]]

    assert says(jsonl(rows)) == [GEMINI_SAYS[0], GEMINI_SAYS[2]]
    assert len(says(jsonl([*rows, {"$rewindTo": "a line that is not there"}]))) == 2


def test_prompts_of_a_session_that_is_no_tree_stay() -> None:
    rows = [
        claude("user", 0, "Sail to Faro.", parentUuid=None),
        claude("assistant", 1, say("We sail."), parentUuid=None),
        claude("user", 2, "Sail to Porto.", parentUuid=None),
    ]

    conversation = read(jsonl(rows))

    assert len(conversation.turns) == 3 and not conversation.taken_back


def test_what_two_windows_of_a_session_say_stays() -> None:
    rows = [
        claude("user", 0, "Which port?"),
        claude("user", 2, "Sail to Faro.", parentUuid=uuid(0)),
        claude("user", 4, "Sail to Porto.", parentUuid=uuid(0)),
        claude("assistant", 3, say("We sail to Faro.")),
        claude("assistant", 5, say("We sail to Porto.")),
    ]

    conversation = read(jsonl(rows))

    assert len(conversation.turns) == 5 and not conversation.taken_back


def test_results_of_tools_beside_each_other_take_nothing_back() -> None:
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]
    rows = [
        claude("user", 0, "Which port?"),
        claude("assistant", 1, say("I look twice.")),
        claude("user", 2, result, parentUuid=uuid(1)),
        claude("user", 3, result, parentUuid=uuid(1)),
        claude("assistant", 4, say("Faro."), parentUuid=uuid(2)),
        claude("user", 5, "Good."),
    ]

    assert len(read(jsonl(rows)).turns) == 4
