"""Codex's rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, a line for each item of a session.

Said are the messages of the user and of the assistant among the items of the model's input and output. The events
beside them say the same again. Turns that the user rolled back were said, and stay.
"""

import re
from collections.abc import Mapping
from typing import Any

from memoir.errors import InvalidInput
from memoir.layers.host_text import strip_host_text
from memoir.layers.messages import Form, Message, Row, instant_of, read_message, text_of

_ITEMS = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
_INSTRUCTIONS = "# AGENTS.md instructions"
_ELEMENT = re.compile(r"\s*<(skill|INSTRUCTIONS|[a-z]+(?:_[a-z]+)+)>.*</\1>\s*", re.DOTALL)
"""A block that is one element of the host's: their names have underscores, but for two."""


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
    """The text of a user's message without the blocks in which the host says where it is, and what its rules are."""
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


CODEX = Form(_is_codex, _read_codex, _is_codex_agent)
