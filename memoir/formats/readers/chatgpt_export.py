"""ChatGPT: an export's conversations, and the memories in them.

A conversation is a tree of messages, because answers can be regenerated; the branch that was shown last goes from
`current_node` up to the root. There is no file of memories: each was a message to the tool `bio`, and messages of the
kind `model_set_context` repeat all of them. The user's profile and instructions are in `user_editable_context`.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memoir.errors import InvalidInput
from memoir.formats.found import Finding, Found, Place, Refused, Talk, anonymous, as_rows, as_text, each_object, when
from memoir.sources.messages import Message

_FILES = ("conversations.json", "conversations-*.json", "*/conversations.json", "*/conversations-*.json")
_SPOKEN = frozenset(("text", "multimodal_text", "code"))
_LINE = re.compile(r"^\s*(?:\d+\.\s*)?\[(?P<date>\d{4}-\d\d-\d\d)\][.:]?\s*(?P<text>.+)$", re.MULTILINE)
_MOST_MESSAGES = 100_000
_PROFILE = {"user_profile": "profile.chatgpt", "user_instructions": "preferences.answers"}
_PRELUDE = re.compile(r"^.*?```(.*?)```.*$", re.DOTALL)


def recognize(place: Place) -> str | None:
    """Why a place is an export of ChatGPT; None if it is not."""
    for name in _files(place)[:3]:
        if b'"mapping"' in place.head(name):
            return f"{name} has conversations with a mapping"
    return None


def _files(place: Place) -> list[str]:
    return place.matching(*_FILES) or ([] if place.is_folder or place.archive else place.names)


def read(place: Place) -> Iterator[Finding]:
    """The memories and conversations of all files."""
    names = _files(place)
    if not names:
        raise InvalidInput(f"{place.path} has no conversations.json", "name the zip archive or the folder of an export")
    seen: set[str] = set()
    for each in each_object(place, names, "a conversation"):
        yield from [each] if isinstance(each, Refused) else _read(*each, seen)


def _read(where: str, row: Mapping[str, Any], seen: set[str]) -> Iterator[Finding]:
    identity = as_text(row.get("conversation_id")) or as_text(row.get("id")) or where
    where, messages = f"{where} {as_text(row.get('title'))}".strip(), list[Message]()
    branch = _branch(row)
    if branch is None:
        yield Refused(where, "it has no messages, or they form no tree")
        return
    for message in branch:
        try:
            yield from _memories(where, message, seen)
            if said := _said(message):
                messages.append(said)
        except InvalidInput as error:
            yield Refused(where, error.message)
    if messages:
        yield Talk(identity, where, as_text(row.get("title")), messages)
    elif not branch:
        yield Refused(where, "nobody says anything in it")


def _branch(row: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The messages of the branch that was shown last, in order; None if there are none."""
    mapping = row.get("mapping")
    if not isinstance(mapping, dict):
        return as_rows(row.get("messages")) or None
    node, found, visited = row.get("current_node"), list[dict[str, Any]](), set[str]()
    if node not in mapping:
        node = _newest(mapping)
    while isinstance(node, str) and node in mapping and node not in visited and len(visited) < _MOST_MESSAGES:
        visited.add(node)
        each = mapping[node] if isinstance(mapping[node], dict) else {}
        if isinstance(each.get("message"), dict):
            found.append(each["message"])
        node = each.get("parent")
    return found[::-1] or None


def _newest(mapping: Mapping[str, Any]) -> str | None:
    """The newest message without an answer, for an export that does not say which was shown last."""
    leaves = [name for name, node in mapping.items() if isinstance(node, dict) and not node.get("children")]

    def time(name: str) -> float:
        message = mapping[name].get("message")
        value = message.get("create_time") if isinstance(message, dict) else None
        return value if isinstance(value, int | float) else 0.0

    return max(leaves, key=time, default=None)


def _fields(message: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]]:
    """The role, the kind of content, and the content of a message."""
    author, content = message.get("author"), message.get("content")
    role = as_text(author.get("role")) if isinstance(author, dict) else as_text(message.get("role"))
    if isinstance(content, str):
        return role, "text", {"parts": [content]}
    content = content if isinstance(content, dict) else {}
    return role, as_text(content.get("content_type")) or "text", content


def _text(content: Mapping[str, Any]) -> str:
    parts = content.get("parts")
    texts = parts if isinstance(parts, list) else [content.get("text")]
    words = [each.get("text") if isinstance(each, dict) else each for each in texts]
    return "\n".join(each for each in words if isinstance(each, str) and each.strip()).strip()


def _time(message: Mapping[str, Any]) -> datetime | None:
    return when(message.get("create_time"))


def _said(message: Mapping[str, Any]) -> Message | None:
    """The message if people see it; None for one to or from a tool, and for a hidden one."""
    role, kind, content = _fields(message)
    metadata = message.get("metadata")
    is_hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    to_all = message.get("recipient") in (None, "", "all")
    text = _text(content) if kind in _SPOKEN and role in ("user", "assistant") and to_all and not is_hidden else ""
    return Message(role, text, _time(message)) if text else None


def _memories(where: str, message: Mapping[str, Any], seen: set[str]) -> Iterator[Finding]:
    """The memories that a message sets; a snapshot repeats earlier ones."""
    _, kind, content = _fields(message)
    if message.get("recipient") == "bio":
        text = _text(content)
        if text and _is_new(text, seen):
            yield Found(as_text(message.get("id")) or text, f"{where}, a message to bio", text, None, _time(message))
    elif kind in ("model_set_context", "model_editable_context"):
        yield from _snapshot(where, as_text(content.get("model_set_context")) or _text(content), message, seen)
    elif kind == "user_editable_context":
        for field, path in _PROFILE.items():
            text = _PRELUDE.sub(r"\1", as_text(content.get(field))).strip()
            if text and _is_new(text, seen):
                yield anonymous(f"chatgpt/{field}", f"{where}, {field}", text, path, time=_time(message))


def _snapshot(where: str, text: str, message: Mapping[str, Any], seen: set[str]) -> Iterator[Finding]:
    for match in _LINE.finditer(text):
        words = match["text"].strip()
        if _is_new(words, seen):
            time = when(match["date"]) or _time(message)
            yield anonymous("chatgpt/memory", f"{where}, a list of memories", words, None, time=time)


def _is_new(text: str, seen: set[str]) -> bool:
    flat = " ".join(text.casefold().split()).rstrip(".")
    if flat in seen:
        return False
    seen.add(flat)
    return True
