"""Gemini CLI's chats: `~/.gemini/tmp/*/chats/session-*`, a line for each change of a session, once one JSON object.

Said is what the user types and what the model answers. A session that is resumed writes its messages again, with their
ids. Messages that the user went back behind were said, and stay.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memoir.errors import InvalidInput
from memoir.layers.host_text import strip_host_text
from memoir.layers.messages import Form, Message, Row, instant_of, text_of

_SPEAKERS = {"user": "user", "gemini": "assistant"}
_COMMAND = re.compile(r"\s*[/?][a-z-]*(?:\s.*)?", re.DOTALL)


def _is_gemini_cli(row: Row) -> bool:
    return "projectHash" in row and "sessionId" in row


def _split(row: Row) -> Sequence[Any]:
    """The messages of a line that sets them all; any other line is one."""
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
    """What the user typed; `content` also has the files that it mentions."""
    return row.get("displayContent") if row.get("displayContent") else row.get("content")


def _clean_gemini_cli(text: str) -> str:
    return "" if _COMMAND.fullmatch(text) else strip_host_text(text)


GEMINI_CLI = Form(_is_gemini_cli, _read_gemini_cli, lambda row: row.get("kind") == "subagent", _split)
