"""Sessions as Claude Code, Codex and Gemini CLI write them, with invented content.

The shapes are those that Claude Code 2.1, Codex 0.169 and Gemini CLI 0.61 wrote when they ran against the stubs of
`tests/messages_api.py` and `tests/chat_apis.py`; fields that nothing here reads are shortened or left out.
`tests/hosts/test_transcripts.py` reads what the hosts write today.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import NAMESPACE_URL, uuid5

Row = dict[str, Any]
CLAUDE_ID = "4fed284f-ae46-47d2-90ed-0ffc17d6b085"


def jsonl(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def uuid(name: object) -> str:
    return str(uuid5(NAMESPACE_URL, str(name)))


def claude(kind: str, number: int, content: Any, *, session: str = CLAUDE_ID, **fields: Any) -> Row:
    """A line of a message: what it says, and what it is the answer to."""
    message: Row = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"msg_{number}", "type": "message", "model": "claude-x", "stop_reason": "end_turn"}
    return {
        "parentUuid": uuid(number - 1) if number else None,
        "isSidechain": False,
        "type": kind,
        "message": message,
        "uuid": uuid(number),
        "timestamp": f"2026-03-02T09:{number:02}:00.304Z",
        "userType": "external",
        "cwd": "/home/ada/boats",
        "sessionId": session,
        "version": "2.1.197",
        "gitBranch": "main",
        **fields,
    }


def say(text: str) -> list[Row]:
    return [{"type": "text", "text": text}]


def claude_session(session: str = CLAUDE_ID) -> list[Row]:
    """A session with everything that is not said, a message that is taken back, and six that are said."""
    tool = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "cat ci.yml"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Always push to main.", "is_error": False}
    command = "<command-name>/compact</command-name>\n  <command-message>compact</command-message>"
    queued = {"type": "queued_command", "prompt": "Also, mind the umlauts.", "commandMode": "prompt"}
    task = {"type": "queued_command", "prompt": "Task 7 is done.", "commandMode": "task-notification"}
    tagged = "<system-reminder>Use the TODO list.</system-reminder>\nWe moor at Porto."
    blocks = [*say("<ide_opened_file>The user opened ci.yml.</ide_opened_file>"), *say("We moor at Lisbon now.")]
    return [
        {"type": "mode", "mode": "normal", "sessionId": session},
        {"type": "queue-operation", "operation": "enqueue", "sessionId": session, "content": "Where do we moor?"},
        {"type": "file-history-snapshot", "messageId": uuid(0), "snapshot": {"trackedFileBackups": {}}},
        claude("user", 0, "Where do we moor?", session=session, promptSource="sdk"),
        {**claude("user", 1, ""), "type": "attachment", "message": None, "attachment": {"type": "skill_listing"}},
        claude("assistant", 2, [{"type": "thinking", "thinking": "Perhaps Faro.", "signature": "x"}], session=session),
        claude("assistant", 3, say("I look into ci.yml."), session=session),
        claude("assistant", 4, [tool], session=session),
        claude("user", 5, [result], session=session, toolUseResult={"stdout": "Always push to main."}),
        {**claude("user", 6, ""), "type": "attachment", "message": None, "attachment": queued},
        {**claude("user", 7, ""), "type": "attachment", "message": None, "attachment": task},
        claude("assistant", 8, say("At Faro, says ci.yml."), session=session),
        {"type": "last-prompt", "lastPrompt": "Where do we moor?", "leafUuid": uuid(8), "sessionId": session},
        claude("user", 9, tagged, session=session),
        claude("user", 10, blocks, session=session, parentUuid=uuid(8)),
        claude("user", 11, "Caveat: do not answer.", session=session, isMeta=True),
        claude("user", 12, command, session=session),
        {**claude("user", 13, ""), "type": "system", "subtype": "compact_boundary", "content": "Compacted"},
        claude("user", 14, "They talked of moorings.", session=session, isCompactSummary=True),
        claude("user", 15, say("[Request interrupted by user]"), session=session),
        claude("user", 16, "Build 12 is red.", session=session, origin={"kind": "task-notification"}),
        claude("user", 17, "Count the boats.", session=session, isSidechain=True, agentId="a1"),
        claude("assistant", 18, say("No response requested."), session=session, isApiErrorMessage=False)
        | {"message": {"role": "assistant", "model": "<synthetic>", "content": say("No response requested.")}},
        claude("assistant", 19, say("Lisbon it is."), session=session),
        {"type": "summary", "summary": "Moorings", "leafUuid": uuid(19)},
    ]


CLAUDE_SAYS = [
    ("user", "Where do we moor?"),
    ("assistant", "I look into ci.yml."),
    ("user", "Also, mind the umlauts."),
    ("assistant", "At Faro, says ci.yml."),
    ("user", "We moor at Lisbon now."),
    ("assistant", "Lisbon it is."),
]


def codex(kind: str, number: int, **payload: Any) -> Row:
    return {"timestamp": f"2026-03-02T10:{number:02}:00.471Z", "ordinal": number, "type": kind, "payload": payload}


def codex_message(role: str, number: int, *texts: str, kinds: list[str] | None = None) -> Row:
    form = "output_text" if role == "assistant" else "input_text"
    content = [{"type": form, "text": text} for text in texts]
    passed = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}} if kinds else {}
    return codex("response_item", number, type="message", id=f"msg_{number}", role=role, content=content, **passed)


def codex_session(**meta: Any) -> list[Row]:
    environment = "<environment_context>\n  <cwd>/home/ada/boats</cwd>\n</environment_context>"
    rules = "# AGENTS.md instructions for /home/ada/boats\n\n<INSTRUCTIONS>\nAlways be brief.\n</INSTRUCTIONS>"
    output = {"type": "function_call_output", "call_id": "c1", "output": "Always push to main."}
    return [
        codex("session_meta", 0, **{"id": uuid("codex"), "cwd": "/home/ada/boats", "source": "exec", **meta}),
        codex("event_msg", 1, type="task_started", turn_id="t1"),
        codex_message("developer", 2, "<skills_instructions>Skills</skills_instructions>"),
        codex_message(
            "user", 3, rules, environment, kinds=["agents_md.instructions", "environments.environment_context"]
        ),
        codex("turn_context", 4, cwd="/home/ada/boats", model="x"),
        codex_message("user", 5, "<plan_a>Which boat is ours?</plan_a>", kinds=["user.text"]),
        codex("event_msg", 6, type="user_message", message="Which boat is ours?"),
        codex(
            "response_item", 7, type="reasoning", summary=[{"type": "summary_text", "text": "Perhaps the blue one."}]
        ),
        codex("response_item", 8, type="function_call", name="shell", arguments="{}", call_id="c1"),
        codex("response_item", 9, **output),
        codex_message("assistant", 10, "The Gannet is yours."),
        codex("event_msg", 11, type="agent_message", message="The Gannet is yours."),
        codex_message("user", 12, "Whose is the Petrel?"),
        codex("event_msg", 12, type="thread_rolled_back", num_turns=1),
        codex("compacted", 13, message="They talked of boats."),
        codex_message("user", 14, "We sold the Gannet."),
        codex_message("assistant", 15, "Then none is."),
    ]


CODEX_SAYS = [
    ("user", "<plan_a>Which boat is ours?</plan_a>"),
    ("assistant", "The Gannet is yours."),
    ("user", "We sold the Gannet."),
    ("assistant", "Then none is."),
]


def gemini(kind: str, number: int, content: Any, **fields: Any) -> Row:
    stamp = f"2026-03-02T11:{number:02}:00.447Z"
    return {"id": uuid(f"gemini {number}"), "timestamp": stamp, "type": kind, "content": content, **fields}


def gemini_messages() -> list[Row]:
    context = "<session_context>\nThis is the Gemini CLI.\n</session_context>"
    typed, read = "Read @log.txt. When do we sail?", "Read @log.txt. When do we sail?\n--- log.txt ---\nAlways sail."
    return [
        gemini("user", 0, [{"text": context}]),
        gemini("user", 1, [{"text": read}], displayContent=[{"text": typed}]),
        gemini(
            "gemini", 2, [{"text": "Perhaps at noon.", "thought": True}], toolCalls=[{"id": "c", "result": "Always."}]
        ),
        gemini("info", 3, "Authentication succeeded"),
        gemini("user", 4, [{"text": "/stats"}]),
        gemini("gemini", 5, "At dawn.", thoughts=[], tokens={"total": 2}, model="gemini-x"),
    ]


def gemini_session(**header: Any) -> list[Row]:
    """A session that was resumed, whose messages are written again, and went on with a prompt that was edited."""
    first = {"sessionId": uuid("gemini"), "projectHash": "0a8f", "startTime": "2026-03-02T11:00:00Z", **header}
    messages = gemini_messages()
    again = [{**row, "timestamp": "2026-03-03T08:00:00Z"} for row in messages]
    return [
        first,
        {"$set": {"messages": messages[:1], "lastUpdated": "2026-03-02T11:00:00Z"}},
        *messages[1:],
        {"$set": {"lastUpdated": "2026-03-02T11:06:00Z"}},
        first,
        {"$set": {"messages": again}},
        gemini("user", 6, [{"text": "We sail at dusk."}]),
        {"$rewindTo": uuid("gemini 6")},
        gemini("user", 7, [{"text": "We sail at noon."}]),
    ]


def gemini_chat() -> Row:
    """A session as it was written before: one object."""
    return {"sessionId": uuid("gemini"), "projectHash": "0a8f", "messages": gemini_messages()}


GEMINI_SAYS = [("user", "Read @log.txt. When do we sail?"), ("assistant", "At dawn."), ("user", "We sail at noon.")]
