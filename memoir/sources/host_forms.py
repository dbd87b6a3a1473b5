"""The session files of agents' hosts: which lines are messages, and which of their text is the conversation.

The conversation is the user's input and the model's answers; without tools' calls and results, a host's own records,
and summaries of earlier turns.

Codex's rollouts, `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, have a line for each item of a session: the messages
are among the items of the model's input and output, and the events beside them repeat these.

Gemini CLI's chats, `~/.gemini/tmp/*/chats/session-*`, have a line for each change of a session; they once were a single
JSON object. A session that is resumed writes its messages again, with their ids.

Claude Code's transcripts, `~/.claude/projects/*/*.jsonl`, have a line for each record of a session. Input typed while
the agent works is a message too; messages between agents are not. The records form a tree, in which an edited prompt
begins a branch, and so does a second window that continues a session. The branches of two windows are both read, each
line once.

The old version of an edited prompt is left out with its answer, because the user took it back. Codex and Gemini CLI
write a line for this.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memoir.errors import InvalidInput
from memoir.sources.messages import Form, Message, Record, Row, instant_of, read_message, strip_host_text, text_of

_ITEMS = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
_INSTRUCTIONS = "# AGENTS.md instructions"
_ELEMENT = re.compile(r"\s*<(skill|INSTRUCTIONS|[a-z]+(?:_[a-z]+)+)>.*</\1>\s*", re.DOTALL)
"""A block that is one element added by the host: all names but two have underscores."""


def _is_codex(row: Row) -> bool:
    if isinstance(row.get("payload"), Mapping):
        return row.get("type") in _ITEMS
    return "instructions" in row and "timestamp" in row and "role" not in row  # the first line until the autumn of 2025


def _is_codex_agent(row: Row) -> bool:
    payload = row.get("payload")
    if row.get("type") != "session_meta" or not isinstance(payload, Mapping):
        return False
    source = payload.get("source")
    return payload.get("thread_source") == "subagent" or (isinstance(source, Mapping) and "subagent" in source)


def _read_codex(row: Row) -> Message | None:
    item = row.get("payload", row)
    if not isinstance(row.get("type"), str) and "role" in row:
        return read_message(row)
    if not isinstance(item, Mapping) or ("payload" in row and row.get("type") != "response_item"):
        return None
    role, content = item.get("role"), item.get("content")
    if item.get("type") != "message" or role not in ("user", "assistant"):
        return None
    text = _user_text(item, content) if role == "user" else text_of(content)
    if text is None:
        raise InvalidInput("a message without its text")
    stamp = row.get("timestamp")
    return Message(role, text, instant_of(stamp), f"{item['id']} {stamp}" if item.get("id") else None)


def _user_text(item: Row, content: Any) -> str | None:
    """The text of a user's message without the host's blocks on its environment and rules."""
    if not isinstance(content, list):
        return text_of(content, _clean_codex)
    passed = item.get("internal_chat_message_metadata_passthrough")
    kinds = passed.get("content_item_kinds") if isinstance(passed, Mapping) else None
    kinds = kinds if isinstance(kinds, list) and len(kinds) == len(content) else [None] * len(content)
    texts = (
        text_of(block, str if kind == "user.text" else _clean_codex) for block, kind in zip(content, kinds, strict=True)
    )
    return "\n".join(filter(None, texts))


def _clean_codex(text: str) -> str:
    return "" if text.startswith(_INSTRUCTIONS) or _ELEMENT.fullmatch(text) else strip_host_text(text)


def _rewind_codex(row: Row) -> int | None:
    event = row.get("payload")
    if row.get("type") != "event_msg" or not isinstance(event, Mapping) or event.get("type") != "thread_rolled_back":
        return None
    prompts = event.get("num_turns")
    return prompts if isinstance(prompts, int) and prompts > 0 else None


CODEX = Form(_is_codex, _read_codex, _is_codex_agent, rewind=_rewind_codex)


_SPEAKERS = {"user": "user", "gemini": "assistant"}
_COMMAND = re.compile(r"\s*[/?][a-z-]*(?:\s.*)?", re.DOTALL)


def _is_gemini_cli(row: Row) -> bool:
    return "projectHash" in row and "sessionId" in row


def _split(row: Row) -> Sequence[Any]:
    """The messages of a line that sets them all; any other line is a single row."""
    change = row.get("$set", row)
    messages = change.get("messages") if isinstance(change, Mapping) else None
    return messages if isinstance(messages, list) else [row]


def _read_gemini_cli(row: Row) -> Message | None:
    speaker, name = _SPEAKERS.get(str(row.get("type"))), row.get("id")
    if speaker is None:
        return None
    text = text_of(_shown(row), _clean_gemini_cli if speaker == "user" else str)
    if text is None:
        raise InvalidInput("a message without its text")
    return Message(speaker, text, instant_of(row.get("timestamp")), name if isinstance(name, str) else None)


def _shown(row: Row) -> Any:
    """The user's input; `content` also contains the files that it mentions."""
    return row.get("displayContent") if row.get("displayContent") else row.get("content")


def _clean_gemini_cli(text: str) -> str:
    return "" if _COMMAND.fullmatch(text) else strip_host_text(text)


def _rewind_gemini_cli(row: Row) -> str | None:
    name = row.get("$rewindTo")
    return name if isinstance(name, str) else None


GEMINI_CLI = Form(
    _is_gemini_cli, _read_gemini_cli, lambda row: row.get("kind") == "subagent", _split, rewind=_rewind_gemini_cli
)


_NOT_SAID = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
"""The fields of records whose text is the host's or another agent's."""
_INTERRUPTIONS = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")


def _is_claude_code(row: Row) -> bool:
    kind, marks = row.get("type"), {"sessionId", "parentUuid", "leafUuid", "snapshot"}
    return kind == "queue-operation" or (isinstance(kind, str) and bool(marks.intersection(row)))


def _read_claude_code(row: Row) -> Message | None:
    kind = row.get("type")
    if kind is None:
        return read_message(row)
    if kind == "attachment":
        return _read_queued(row)
    if kind not in ("user", "assistant"):
        return None
    message = row.get("message")
    if not isinstance(message, Mapping):
        raise InvalidInput("a message without its text")
    if any(row.get(field) for field in _NOT_SAID) or message.get("model") == "<synthetic>" or not _is_human(row):
        return None
    return _message(row, kind, message.get("content", message.get("parts")))


def _read_queued(row: Row) -> Message | None:
    """The message that the user typed while the agent was working."""
    attachment = row.get("attachment")
    if not isinstance(attachment, Mapping) or attachment.get("type") != "queued_command" or row.get("isSidechain"):
        return None
    said = (
        attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta") and _is_human(attachment)
    )
    return _message(row, "user", attachment.get("prompt")) if said else None


def _is_human(row: Row) -> bool:
    """Whether a user's message is from a human, and not from a task, a channel or another agent."""
    origin = row.get("origin")
    return not isinstance(origin, Mapping) or origin.get("kind", "human") == "human"


def _message(row: Row, speaker: str, content: object) -> Message | None:
    text = text_of(content, _clean_claude_code if speaker == "user" else str)
    if text is None:
        raise InvalidInput("a message without its text")
    uuid = row.get("uuid")
    return Message(speaker, text, instant_of(row.get("timestamp")), uuid if isinstance(uuid, str) else None)


def _clean_claude_code(text: str) -> str:
    return "" if text.strip() in _INTERRUPTIONS else strip_host_text(text)


def _is_claude_agent(row: Row) -> bool:
    return row.get("isSidechain") is True and "agentId" in row


def _record_claude_code(row: Row, message: Message | None) -> Record | None:
    uuid, parent = row.get("uuid"), row.get("parentUuid")
    if not isinstance(uuid, str) or row.get("isSidechain"):
        return None
    is_prompt = row.get("type") == "user" and message is not None and bool(message.text.strip())
    return Record(uuid, parent if isinstance(parent, str) else _root(row), is_prompt)


def _root(row: Row) -> str | None:
    """A common parent for a session's first lines, so that an edited first prompt is recognized."""
    return f"session {row.get('sessionId')}" if "parentUuid" in row else None


CLAUDE_CODE = Form(_is_claude_code, _read_claude_code, _is_claude_agent, record=_record_claude_code)


FORMS = (CODEX, GEMINI_CLI, CLAUDE_CODE)
